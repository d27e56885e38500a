"""Which rank each recording is of."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stepscope.messages import Message
from stepscope.readers.formats import (
    COMMUNICATION_LOG,
    COMPILE_LOG,
    FLIGHT_RECORDER,
    HOST_SAMPLES,
    INPUT_PIPELINE,
    KERNEL_REPORT,
    MEMORY_SNAPSHOT,
    TELEMETRY,
)
from stepscope.readers.registry import recorders
from stepscope.readers.sources import Source
from stepscope.store.choosing import Choice, chosen
from stepscope.store.joining import joined
from stepscope.store.memory_budget import Holding
from stepscope.store.profile import FROM_MPI, FROM_NAME, FROM_ORDER, FROM_PROCESS, FROM_TRACE, Rank, Skipped
from stepscope.store.recorded_processes import in_order_of_ranks, other_processes, place_machines, process_note
from stepscope.store.recording import Recording, read_recording
from stepscope.store.sharing import gpus_of_ranks, of_one_machine
from stepscope.store.spans import Opened
from stepscope.store.trace import Trace

RANK_IN_NAME = re.compile(r"(?<![A-Za-z0-9])(rank[\W_]*)(\d{1,9})", re.IGNORECASE)
"""How names say a rank: the word, and the number."""

_BESIDE = {
    KERNEL_REPORT: "recording-kernels-beside",
    FLIGHT_RECORDER: "recording-hangs-beside",
    INPUT_PIPELINE: "recording-pipeline-beside",
    COMMUNICATION_LOG: "recording-bandwidths-beside",
    HOST_SAMPLES: "recording-samples-beside",
}
"""Kinds with tables of their own and nothing on a rank's timeline, and what is said of them beside a trace."""


@dataclass(frozen=True)
class Assigned:
    """Every file that was read, in its place.

    Attributes:
        ranks: by number, each with its recordings.
        skipped: files that another one of their rank is taken for.
        others: recordings of no rank, and those that were skipped.
    """

    ranks: tuple[Rank, ...]
    skipped: tuple[Skipped, ...]
    others: tuple[Recording, ...]


def assigned(read: Sequence[tuple[Source, Trace]], span: int | None = None) -> Assigned:
    """Give every recording its rank.

    Those of one recorder are the ranks: as recorded, else by file name, else the lowest free number. Of several files
    of one process or one rank one is taken, see `store.choosing`. What other recorders wrote stands beside the rank
    that it says, or beside the only one; else it is of no rank.

    Args:
        span: which of several recordings of one process to take, from 1; None for the last.

    Raises:
        BadRequest: there is no such span.
    """
    opened = [_opened(source, trace) for source, trace in in_order_of_ranks(read)]
    several = sorted({one.trace.recorder for one in opened})
    first = min(several, key=_preference) if len(several) > 1 else several[0]
    logs = _further_logs(opened)
    main = [one for one in opened if one.trace.recorder == first and one not in logs]
    choice = chosen(main, span)
    draft = _Draft({}, {}, [])
    for at, (number, origin) in zip(choice.taken, _numbers([main[at] for at in choice.taken]), strict=True):
        draft.origins[number] = origin
        draft.recordings[number] = _spans(main, choice, at, number)
    for at, why in choice.skipped.items():
        draft.others.append(replace(read_recording(main[at].source.path, main[at].trace), used=False, note=why))
    draft.others += other_processes(read, draft.recordings)
    place_machines(read, draft.recordings)
    beside = [one for one in opened if one.trace.recorder != first or one in logs]
    for one in sorted(beside, key=lambda one: _preference(one.trace.recorder)):
        draft.place(one)
    skipped = tuple(Skipped(main[at].source.path, why) for at, why in sorted(choice.skipped.items()))
    return Assigned(draft.ranks(), skipped, tuple(draft.others))


def _further_logs(opened: Sequence[Opened]) -> list[Opened]:
    """What stands beside the first one, without a rank: of kernel reports alone all others, and of telemetry alone the
    logs of the machine of the first one."""
    if all(one.trace.kind == KERNEL_REPORT and one.number is None for one in opened):
        return list(opened[1:])
    if any(one.trace.kind != TELEMETRY or one.number is not None for one in opened):
        return []
    preferred = sorted(opened, key=lambda one: _preference(one.trace.recorder))
    return [preferred[at] for at in of_one_machine([one.trace for one in preferred])[1:]]


def _preference(recorder: str) -> tuple[int, str]:
    known = recorders()
    return (known.index(recorder) if recorder in known else len(known), recorder)


@dataclass
class _Draft:
    """Ranks while recordings are given to them.

    Attributes:
        recordings: of each rank by its number.
        origins: how the numbers were found.
        others: recordings of no rank.
    """

    recordings: dict[int, list[Recording]]
    origins: dict[int, str]
    others: list[Recording]

    def place(self, one: Opened) -> None:
        """Put what another recorder wrote beside a rank; a rank that only it recorded is one, too."""
        number = self._rank_of(one)
        found = read_recording(one.source.path, one.trace, number)
        if number is None and one.trace.kind == TELEMETRY:
            alone = self.recordings[0] if set(self.recordings) == {0} else []
            if alone and alone[0].kind == TELEMETRY:
                alone.append(joined(alone[0], replace(found, rank=0, used=False)))
            else:
                self._share(found)
        elif number is None:
            self.others.append(replace(found, used=False, note=Message("recording-no-rank")))
        elif number in self.recordings and one.trace.kind == COMPILE_LOG:
            self.recordings[number].append(replace(joined(self.recordings[number][0], found), used=True))
        elif number in self.recordings and one.trace.kind in _BESIDE:
            note = Message(_BESIDE[one.trace.kind], rank=str(number))
            self.recordings[number].append(replace(found, note=note))
        elif number in self.recordings:
            several = self.recordings[number]
            shown = several[0]
            first = one.trace.kind == MEMORY_SNAPSHOT and all(other.kind != MEMORY_SNAPSHOT for other in several)
            facts = {"recorder": shown.recorder, "rank": str(number)}
            note = Message("recording-memory-beside", **facts) if first else Message("recording-beside", **facts)
            beside = joined(shown, replace(found, used=first, note=note))
            again = one.trace.kind == MEMORY_SNAPSHOT and not first
            several.append(replace(beside, note=note) if again else beside)
        else:
            self.recordings[number], self.origins[number] = [found], _own_number(one.source, one.trace)[1]

    def _share(self, found: Recording) -> None:
        """Put the log of a machine beside each rank whose GPUs it has samples of."""
        shown = {number: several[0] for number, several in self.recordings.items()}
        gpus = gpus_of_ranks(shown, found)
        if isinstance(gpus, Message):
            self.others.append(replace(found, used=False, note=gpus))
            return
        for number, mine in gpus.items():
            beside = replace(found, rank=number, used=False, gpus=mine)
            self.recordings[number].append(joined(shown[number], beside))

    def _rank_of(self, one: Opened) -> int | None:
        if one.number is not None:
            return one.number
        stem = _stem(one.source)
        alike = [number for number, several in self.recordings.items() if _stem(Source(several[0].path)) == stem]
        candidates = alike if len(alike) == 1 else list(self.recordings)
        return candidates[0] if len(candidates) == 1 else None

    def ranks(self) -> tuple[Rank, ...]:
        holding = Holding()
        numbers = sorted(self.recordings)
        return tuple(
            Rank(number, tuple(self.recordings[number]), self.origins[number], holding=holding) for number in numbers
        )


def _stem(source: Source) -> str:
    """Folder and name up to the first dot."""
    folder, _, name = source.path.replace("\\", "/").rpartition("/")
    return f"{folder}/{name.partition('.')[0].lower()}"


def _spans(opened: Sequence[Opened], choice: Choice, taken: int, number: int) -> list[Recording]:
    """The recording that stands for a rank, then the other spans of its process, in order of time."""
    worker = choice.workers.get(taken)
    if worker is None:
        one = read_recording(opened[taken].source.path, opened[taken].trace, number)
        return [replace(one, note=process_note(one.trace))]
    found = []
    for span, at in enumerate(worker.places, start=1):
        which = "recording-span" if at == taken else "recording-span-other"
        note = Message(which, span=span, spans=len(worker.places), worker=worker.name)
        one = read_recording(opened[at].source.path, opened[at].trace, number)
        found.append(replace(one, span=span, spans=len(worker.places), used=at == taken, note=note))
    return sorted(found, key=lambda one: not one.used)


def _numbers(opened: Sequence[Opened]) -> list[tuple[int, str]]:
    """The rank of each file and how it was found; a number that is taken is not given again."""
    numbers: dict[int, tuple[int, str]] = {}
    used: set[int] = set()
    for recorded in (True, False):
        for at, one in enumerate(opened):
            if one.number is not None and one.recorded == recorded and one.number not in used:
                used.add(one.number)
                numbers[at] = one.number, _own_number(one.source, one.trace)[1]
    free = (number for number in itertools.count() if number not in used)
    return [numbers.get(at) or (next(free), _by_order(one)) for at, one in enumerate(opened)]


def _by_order(one: Opened) -> str:
    """How a number was found that nothing says, or that was taken."""
    return FROM_PROCESS if sum(process.is_rank for process in one.trace.processes) > 1 else FROM_ORDER


def _opened(source: Source, trace: Trace) -> Opened:
    number, origin = _own_number(source, trace)
    return Opened(source, trace, number, origin in (FROM_TRACE, FROM_MPI))


def _own_number(source: Source, trace: Trace) -> tuple[int | None, str]:
    """The rank that a recording is by itself, or None, and how its number is found."""
    recorded = trace.head.get("distributedInfo", {}).get("rank")
    if isinstance(recorded, int) and not isinstance(recorded, bool) and recorded >= 0:
        return recorded, FROM_MPI if trace.processes else FROM_TRACE
    if sum(one.is_rank for one in trace.processes) > 1:
        return None, FROM_PROCESS  # the file's name says which machine it is of, at most
    named = named_rank(source.path)
    return (named, FROM_NAME) if named is not None else (None, FROM_ORDER)


def named_rank(path: str) -> int | None:
    """The rank that the name of a file says; None where it says none."""
    named = RANK_IN_NAME.findall(Source(path).name)
    return int(named[-1][1]) if named else None


def own_rank(source: Source, trace: Trace) -> Rank | None:
    """The rank that a trace is by itself, or None where that depends on what it is opened with."""
    number, origin = _own_number(source, trace)
    return Rank.of_trace(number, trace, source.path, origin) if number is not None else None
