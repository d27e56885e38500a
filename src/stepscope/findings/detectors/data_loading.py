"""Steps that wait for the next batch."""

from __future__ import annotations

from functools import partial

from stepscope.analyses.needs import recording_facts
from stepscope.analyses.simulation.edits import Ranges, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause
from stepscope.findings.detectors.copies import PageableCopies, pageable_copies
from stepscope.findings.hottest_function import hottest_function
from stepscope.messages import Message

_READY_NS = (1_000_000, 150_000, 50_000)
"""What the fetch of a batch takes that is ready, by effort: 0.15 ms was measured with workers that keep up."""

_FROM_BEFORE = 0.5
"""Of the fetches, those in front of the first long one: their batches were loaded before the recorded steps."""

_DRY = 4
"""A fetch of this part of the longest waits for a worker."""

_MOST_WORKERS = 8

_FETCHING = r"torch[/\\]utils[/\\]data[/\\](?:dataloader|_utils[/\\]fetch)\.py|<built-in function next>"
"""Frames of the loader that call the data set and the collate function."""


def detect(case: Case) -> list[Cause]:
    """A cause where fetches take longer than those of ready batches."""
    found = case.loading()
    slow = found.chosen(found.end - found.start > _READY_NS[1])
    if len(slow.start) == 0:
        return []
    single = len(case.named(r"^enumerate\(DataLoader\)#_SingleProcess", "annotation", "operator", "python").start) > 0
    copies = pageable_copies(case, r"(?i)HtoD.*pageable") if single else None  # the advice is to pin memory, too
    total = case.a_step(float((slow.end - slow.start).sum()))

    advice = Message("finding-data-loading-advice-workers")
    if single:
        advice = Message("finding-data-loading-advice-in-process", gpu=case.on_gpu)
    return [
        Cause(
            id="data-loading",
            category="data loading",
            title=_title(case, slow, round(total), single),
            fix=partial(_ready, case, slow, copies),
            claims=slow,
            spent_ns=total,
            advice=advice,
            where=case.where(slow),
            unknown=Message("finding-data-loading-unknown"),
            change=_change(case, single),
            links=(
                "https://docs.pytorch.org/docs/stable/data.html",
                "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
            ),
            count=case.a_step(len(slow.start)),
            displaces=single,  # else it is a wait for other processes
            varies=not single and _from_a_queue(found, slow),
        )
    ]


def _from_a_queue(found: Ranges, slow: Ranges) -> bool:
    """Whether the queue of batches was full when the recorded steps began, and ran dry in the course of them.

    The start of the profiler is a pause for the program, not for its workers: later steps wait longer than these.
    """
    length = slow.end - slow.start
    first = slow.start[_DRY * length >= length.max()].min()
    return int((found.start < first).sum()) >= _FROM_BEFORE * len(found.start)


def _change(case: Case, single: bool) -> str:
    if not single:
        return "loader = DataLoader(data, num_workers=2 * n, prefetch_factor=4)  # was: num_workers=n"
    pinned = ", pin_memory=True" if case.on_gpu else ""
    return f"loader = DataLoader(data, num_workers={_workers(case)}{pinned})  # was: num_workers=0"


def _workers(case: Case) -> str:
    """As many as help, and no more than there are cores for each rank of the machine."""
    said = recording_facts(case.rank)
    cores, ranks = (said.get(name) for name in ("cores", "local_ranks"))
    if not isinstance(cores, int) or cores < 1:
        return f"min({_MOST_WORKERS}, os.cpu_count())"
    shared = ranks if isinstance(ranks, int) and ranks > 0 else 1
    return str(max(1, min(_MOST_WORKERS, cores // shared)))


def _title(case: Case, slow: Ranges, wait_ns: int, single: bool) -> Message:
    if not single:
        return Message("finding-data-loading-title-workers", wait_ns=wait_ns)
    hot = hottest_function(case, slow, _FETCHING)
    if hot is None:
        return Message("finding-data-loading-title-in-process", wait_ns=wait_ns)
    return Message(
        "finding-data-loading-title-in-function", wait_ns=wait_ns, share_pct=hot.share_pct, function=hot.function
    )


def _ready(case: Case, slow: Ranges, copies: PageableCopies | None, edit: Edit, effort: int) -> Edit:
    """An edit with batches that are ready, and some copies from pinned memory."""
    later = Ranges(slow.thread, slow.start + _READY_NS[effort], slow.end)
    edit = slowed(edit, shares(case.model, later.chosen(later.end > later.start)), 0.0)
    if copies is None or effort == 0:
        return edit
    edit = copies.pinned(case, edit, effort, ahead=effort > 1)
    return edit if effort < 2 else copies.asynchronous(case, edit)
