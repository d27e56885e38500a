"""Which of a machine's GPUs are whose: a log of all of them stands beside the ranks that worked on them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from stepscope.messages import Message
from stepscope.store.recording import Recording
from stepscope.store.trace import Trace

GPU_PROCESS = re.compile(r"GPU (\d{1,9})(?: Counters)?")
"""What counters of a GPU have for their process."""


def gpus_of_ranks(shown: Mapping[int, Recording], log: Recording) -> dict[int, tuple[int, ...]] | Message:
    """Of each rank that worked on GPUs of a log, their numbers; or why that is not known.

    Ranks that say the same GPU are on several machines, or each sees its own as the first: then a number of the log
    may be that of any.

    Args:
        shown: the recording that the tables show, by rank.
    """
    logged = _logged(log.trace)
    named = _of_its_host(shown, log)
    if named and not logged:
        return dict.fromkeys(named, ())
    shown = named or shown
    used = {number: _used(one.trace) for number, one in shown.items()}
    every = sorted(gpu for gpus in used.values() for gpu in gpus)
    twice = [gpu for gpu, following in itertools.pairwise(every) if gpu == following]
    if twice:
        return Message("recording-gpus-shared", ranks=sum(twice[0] in gpus for gpus in used.values()), gpu=twice[0])
    found = {number: tuple(sorted(gpus & logged)) for number, gpus in used.items() if gpus & logged}
    return found or Message("recording-gpus-none")


def _of_its_host(shown: Mapping[int, Recording], log: Recording) -> Mapping[int, Recording]:
    """The ranks whose files are named after the machine that a log says it is of.

    ``HOST_PID...`` is how torch's own handler and ``stepscope record`` name files.
    """
    host = _plain(str(log.facts.get("host") or ""))
    return {number: one for number, one in shown.items() if host and _plain(one.name).startswith(f"{host}_")}


def _plain(name: str) -> str:
    """A name with - for whatever may not stand in every file's, as recorders write it."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name)


def of_one_machine(logs: Sequence[Trace]) -> list[int]:
    """Which of several logs, of which none says a rank, are of the machine of the first one.

    They are where no two hold the same counter of the same GPU: else they are of several machines, which number their
    GPUs alike.
    """
    known: set[tuple[str, str]] = set()
    found = []
    for at, trace in enumerate(logs):
        frame = trace.frame("counter", ["process", "name"]).unique()
        mine = set(zip(trace.text(frame["process"]), trace.text(frame["name"]), strict=True))
        if not mine & known:
            found.append(at)
            known |= mine
    return found


def _used(trace: Trace) -> set[int]:
    """Numbers of the GPUs that a trace has activity of."""
    return set(trace.frame("activity", ["device"])["device"].drop_nulls().unique().to_list())


def _logged(trace: Trace) -> set[int]:
    """Numbers of the GPUs that a log has samples of."""
    processes = trace.text(trace.frame("counter", ["process"])["process"].drop_nulls().unique())
    matches = (GPU_PROCESS.fullmatch(text) for text in processes)
    return {int(match[1]) for match in matches if match is not None}
