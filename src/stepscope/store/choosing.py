"""Which of the files of one recorder stand for ranks: of several spans of a process one, of several copies one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.duplicates import Claim, reason, superseded
from stepscope.store.spans import Opened, Worker, workers


@dataclass(frozen=True)
class Choice:
    """What became of each file, by its position.

    Attributes:
        taken: those that stand for a rank.
        skipped: those that a file of another process is taken for, with the reason.
        workers: of a file taken that is one of several spans, the process that it is of.
    """

    taken: tuple[int, ...]
    skipped: Mapping[int, Message]
    workers: Mapping[int, Worker]


def chosen(opened: Sequence[Opened], span: int | None) -> Choice:
    """Choose among the files of one recorder.

    Without a span given, that one of a process is taken which was recorded together with most of the other ranks, then
    the last, as among several files of one rank (`store.duplicates`).

    Raises:
        BadRequest: a process has no such span.
    """
    found = workers(opened)
    worker_of = {at: worker for worker in found for at in worker.places}
    asked = range(len(opened)) if span is None else _asked(opened, found, span)
    known = [(one.number, one.recorded) for one in (opened[at] for at in asked) if one.number is not None]
    if not found and len(set(known)) == len(known):
        return Choice(tuple(asked), {}, {})  # the usual case, in which no trace need be asked for its span
    places = list(asked)
    claims = [_claim(opened[at], worker_of.get(at), at) for at in places]
    lost = superseded(claims)
    skipped = {
        places[at]: reason(claims, at, one)
        for at, one in lost.items()
        if places[at] not in worker_of or worker_of[places[at]] is not worker_of.get(places[one.taken])
    }
    taken = tuple(at for position, at in enumerate(places) if position not in lost)
    return Choice(taken, skipped, {at: worker_of[at] for at in taken if at in worker_of})


def _asked(opened: Sequence[Opened], found: Sequence[Worker], span: int) -> list[int]:
    """The files of one span, and those that are the only ones of their process."""
    tried = Message("open-cannot-show-span", span=str(span))
    if not found and span != 1:
        raise BadRequest(tried, Message("open-one-span"), Message("open-leave-span-out"))
    for worker in found:
        if not 1 <= span <= len(worker.places):
            found_spans = Message("open-spans", worker=worker.name, spans=len(worker.places))
            raise BadRequest(tried, found_spans, Message("open-name-span"))
    several = {at for worker in found for at in worker.places}
    return sorted([*(set(range(len(opened))) - several), *(worker.places[span - 1] for worker in found)])


def _claim(one: Opened, worker: Worker | None, at: int) -> Claim:
    start, end = one.times
    named = f"{one.folder}/{worker.name}" if worker is not None and one.number is None else ""
    order = worker.places.index(at) + 1 if worker is not None else 0
    return Claim(one.source.path, one.number, one.recorded, start, end, one.trace.events, named, order)
