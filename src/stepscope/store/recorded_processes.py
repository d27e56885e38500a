"""Several processes in one recording: those that worked on a GPU are ranks, the others stand beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from stepscope.messages import Message
from stepscope.readers.sources import Source
from stepscope.store.joining import CLOCK
from stepscope.store.recording import Recording, read_recording
from stepscope.store.trace import Trace


def in_order_of_ranks(read: Sequence[tuple[Source, Trace]]) -> list[tuple[Source, Trace]]:
    """The traces that are ranks: those of one source where the first of them stands, as its processes are ordered."""
    places: dict[str, int] = {}
    for source, _ in read:
        places.setdefault(source.path, len(places))
    ranks = [(source, trace) for source, trace in read if _is_rank(trace)]
    return sorted(ranks, key=lambda one: (places[one[0].path], _order(one[1])))


def process_note(trace: Trace) -> Message | None:
    """Which process of several ranks in one file a trace is of; None where it is the only one."""
    ranks = sum(one.is_rank for one in trace.processes)
    own = [one for one in trace.own_processes if one.is_rank]
    return Message("recording-process", process=str(own[0].number), ranks=ranks) if own and ranks > 1 else None


def other_processes(
    read: Sequence[tuple[Source, Trace]], recordings: Mapping[int, Sequence[Recording]]
) -> list[Recording]:
    """A recording for each process that is no rank: shown with the only rank of its file, or not shown.

    Args:
        recordings: of the ranks.
    """
    shown = {several[0].trace.folder: number for number, several in recordings.items() if several[0].stored}
    found = []
    for source, trace in read:
        number = shown.get(trace.folder)
        for one in (one for one in trace.own_processes if not one.kind):
            if not _is_rank(trace):
                note = Message("recording-process-apart", process=str(one.number), events=one.events)
                found.append(replace(read_recording(source.path, trace), used=False, note=note))
            elif not one.is_rank:
                process = str(one.number)
                note = Message("recording-process-together", process=process, events=one.events, rank=str(number))
                alone = replace(read_recording(source.path, trace, number), stored=None)
                found.append(replace(alone, used=number is not None, note=note))
    return found


def place_machines(read: Sequence[tuple[Source, Trace]], recordings: Mapping[int, list[Recording]]) -> None:
    """Put what was sampled of a machine beside every rank that is shown of its file: they share its clock.

    Args:
        recordings: of the ranks.
    """
    for source, trace in read:
        if all(not one.kind for one in trace.own_processes):
            continue
        for number, several in recordings.items():
            if several[0].path == source.path:
                found = read_recording(source.path, trace, number)
                note = Message("recording-of-machine", events=sum(one.events for one in trace.own_processes))
                several.append(replace(found, joined=CLOCK, shift_ns=0, uncertainty_ns=0, gpus=(), note=note))


def _is_rank(trace: Trace) -> bool:
    own = trace.own_processes
    return not own or any(one.is_rank for one in own)


def _order(trace: Trace) -> int:
    return next((at for at, one in enumerate(trace.processes) if one.part == trace.meta["part"]), 0)
