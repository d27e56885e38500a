"""The causes found on a rank, each with what fixing it would save, largest first, and what else to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np

from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.recording.gpu_checks import captured, gpu_cut_off
from stepscope.analyses.simulation.after_effects import without_after_effects
from stepscope.analyses.simulation.changes.gpu_work import products_off_tensor_cores, tensor_core_peaks
from stepscope.analyses.simulation.estimates import saving_points
from stepscope.analyses.simulation.least_step import most_saved_pct
from stepscope.analyses.simulation.model import Edit, step_model
from stepscope.analyses.simulation.ranges import Range
from stepscope.analyses.simulation.representative import examined, recorded_rank
from stepscope.analyses.simulation.typical_steps import step_spread
from stepscope.analyses.simulation.unprofiled import Unprofiled, unprofiled, unprofiled_step
from stepscope.analyses.steps.steps import step_times, uncut
from stepscope.findings.detector_context import Case, Cause, Note
from stepscope.findings.detectors import (
    alignment,
    allocator,
    attention,
    attention_on_cpu,
    backward_hooks,
    blocking_calls,
    contiguous_copies,
    copies,
    cpu_tensors,
    data_loading,
    double_precision,
    elementwise,
    extra_forward,
    growing_cat,
    host_work,
    launch_bound,
    layout,
    memory_limit,
    micro_batches,
    offloading,
    operator_loops,
    optimizer,
    parameter_loops,
    profiler_work,
    python_work,
    recomputation,
    recurrences,
    renewed_optimizer,
    repeated_backward,
    reporting,
    round_trips,
    small_batch,
    small_collectives,
    small_copies,
    synchronisation,
    tensor_cores,
    uneven_steps,
    unused_rows,
    value_checks,
)
from stepscope.findings.sparing import DETECTOR, spared
from stepscope.findings.two_threads import TwoThreads
from stepscope.messages import Message
from stepscope.numeric.intervals import covered_within, union
from stepscope.store.autograd import backward_pass
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

WORTH_PCT = 3.0
"""A smaller saving is within run-to-run variation; so is one whose range includes 0, unless its best
estimate is large."""

SEEN_PCT = 1.0
"""What takes less of the recorded step is not mentioned."""

LARGE_PCT = 10.0

_DETECTORS: tuple[Callable[[Case], list[Cause]], ...] = (
    data_loading.detect,
    reporting.detect,
    round_trips.detect,
    cpu_tensors.detect,
    renewed_optimizer.detect,
    python_work.detect,
    host_work.detect,
    optimizer.detect,
    parameter_loops.detect,
    recomputation.detect,
    extra_forward.detect,
    repeated_backward.detect,
    attention.detect,
    growing_cat.detect,
    recurrences.detect,
    operator_loops.detect,
    micro_batches.detect,
    attention_on_cpu.detect,
    value_checks.detect,
    backward_hooks.detect,
    small_copies.detect,
    small_collectives.detect,
    synchronisation.detect,
    allocator.detect,
    offloading.detect,
    copies.detect,
    blocking_calls.detect,
    unused_rows.detect,
    double_precision.detect,
    tensor_cores.detect,
    layout.detect,
    contiguous_copies.detect,
    alignment.detect,
    elementwise.detect,
    small_batch.detect,
    launch_bound.detect,
)
"""In the order in which they own evidence that lies in one another."""

_NOTE_DETECTORS: tuple[Callable[[Case], list[Note]], ...] = (
    memory_limit.detect,
    uneven_steps.detect,
    profiler_work.detect,
)
"""Of every step that was recorded."""

_Observed = TypeVar("_Observed", Cause, Note)
_Result = TypeVar("_Result")

_USUAL, _MOST, _LEAST = 0, 1, 2
"""Profiler overhead that is taken away first, as `unprofiled` numbers its edits."""

_SIMULATED = ((_USUAL, 1), (_MOST, 1), (_LEAST, 1), (_USUAL, 0), (_USUAL, 2))
"""Profiler overhead and effort of each simulation; the first gives the best estimate."""

_UNEVEN_POINTS, _MOST_POINTS = 20.0, 40.0
"""Where steps differ, a saving is less sure: by this many points for a spread as long as the median step, at most."""

_INSIDE = 0.8
"""A cause whose ranges lie in another's by this share is part of it."""


@dataclass(frozen=True)
class Finding:
    """A cause with its saving.

    Attributes:
        cause: what was found.
        fix: the edit that takes it away, by effort, with what else that changes.
        saving_pct: of the step without the profiler.
        saving_ns: a step.
        worth: whether it is more than run-to-run variation.
        steps: how many steps it was seen in.
        even: whether these take about as long as each other.
    """

    cause: Cause
    fix: Callable[[Edit, int], Edit]
    saving_pct: Range
    saving_ns: Range
    worth: bool
    steps: int
    even: bool


@dataclass(frozen=True)
class Examination:
    """What was found on a rank.

    Attributes:
        step_ns: of the step without the profiler.
        recorded_ns: of the step as recorded.
        findings: those worth fixing first, by saving.
        notes: what else to know, by id.
        together_pct: saving of all program-specific findings worth fixing, simulated together.
        failures: detectors and fixes that failed by a defect of stepscope, whose findings are missing.
    """

    step_ns: Range
    recorded_ns: float
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    together_pct: Range | None
    failures: tuple[Message, ...] = ()


def examine(profile: Profile, rank: Rank) -> Examination | None:
    """All causes of a rank, or None without steps to simulate, and where the file was cut before the GPU's events."""
    # Peaks and the eager recording of the profile change what is found; which other ranks are selected does not.
    return _examine(rank, profile.select([rank.number]))


@per_rank
def _examine(rank: Rank, profile: Profile) -> Examination | None:
    """The same; meanwhile what the model of the steps asks of the whole recording is computed."""
    excerpt = examined(rank)
    with TwoThreads() as threads:
        threads.begin(partial(several_launch, recorded_rank(rank).whole))
        found = _examine_steps(excerpt, profile)
    if excerpt is not rank:
        # Its events are not asked for again; what was computed from them stays.
        excerpt.trace.forget()
    return found


@per_rank
def _examine_steps(rank: Rank, profile: Profile) -> Examination | None:
    with TwoThreads() as threads:
        threads.begin(*_asked_by_detectors(profile, rank))
        model = step_model(rank)
        if model is None or gpu_cut_off(rank) or captured(recorded_rank(rank).whole) is not None:
            return None
        return _found(threads, Case(profile, rank, model))


def _asked_by_detectors(profile: Profile, rank: Rank) -> Iterator[Callable[[], object]]:
    """What takes longest of what detectors ask for, whatever the steps' model is."""
    yield partial(backward_pass, rank)
    if tensor_core_peaks(profile, rank) is not None:
        yield partial(products_off_tensor_cores, rank.whole)


def _found(threads: TwoThreads, case: Case) -> Examination:
    """The causes of a case, with what each costs, and its notes."""
    rank, model = case.rank, case.model
    failures: list[Message] = []
    threads.begin(partial(unprofiled_step, rank, model))
    detected = _all(threads, [partial(_tried, detect, case) for detect in _DETECTORS], failures)
    seen = chain.from_iterable(detected)
    causes = _owned([cause for cause in seen if 100 * cause.spent_ns >= SEEN_PCT * model.recorded_ns])
    causes = launch_bound.beside(case, causes)
    base, every = unprofiled(rank, model), _of_every_step(case)
    noting = [*(partial(_tried, detect, every) for detect in _NOTE_DETECTORS)]
    noting.append(partial(_tried, profiler_work.detect_slowdown, case))
    simulated = _all(threads, [partial(_simulated, case, cause, base) for cause in causes], failures)
    findings = sorted((finding for finding in simulated if finding is not None), key=_order)
    notes = chain.from_iterable(_all(threads, noting, failures))
    worth = [finding.cause for finding in findings if finding.worth and not finding.cause.general]
    return Examination(
        unprofiled_step(rank, model),
        model.recorded_ns,
        tuple(findings),
        tuple(sorted(notes, key=lambda note: note.id)),
        _saving(case, worth, base) if len(worth) > 1 else None,
        tuple(failures),
    )


def _all(
    threads: TwoThreads, attempts: Sequence[Callable[[list[Message]], _Result]], failures: list[Message]
) -> list[_Result]:
    """What each attempt returns; the failures that they note are added in their order."""
    noted: list[list[Message]] = [[] for _ in attempts]
    found = threads.results(partial(attempt, mine) for attempt, mine in zip(attempts, noted, strict=True))
    failures += chain.from_iterable(noted)
    return found


def _tried(detect: Callable[[Case], list[_Observed]], case: Case, failures: list[Message]) -> list[_Observed]:
    """What a detector finds: nothing where it fails, which is noted."""

    def left_out(error: str) -> list[_Observed]:
        name = detect.__module__.rpartition(".")[2]
        failures.append(Message(DETECTOR, rank=case.rank.number, what=name, type=error))
        return []

    return spared(lambda: detect(case), left_out)


def _simulated(case: Case, cause: Cause, base: Unprofiled, failures: list[Message]) -> Finding | None:
    """The finding of a cause; None where its fix cannot be simulated, which is noted."""

    def left_out(error: str) -> None:
        failures.append(Message(DETECTOR, rank=case.rank.number, what=cause.id, type=error))

    return spared(lambda: _finding(case, cause, base), left_out)


def _fixed(case: Case, causes: Sequence[Cause], edit: Edit, effort: int) -> Edit:
    """An edit after some causes' fixes and, on a CPU that PyTorch recorded, without what their work made longer."""
    for cause in causes:
        if not cause.displaces:
            edit = cause.fix(edit, effort)
    before = edit
    for cause in causes:
        if cause.displaces:
            edit = cause.fix(edit, effort)
    if case.on_gpu or not is_kineto(case.rank):
        return edit
    return without_after_effects(case.model, before, edit, effort)


def _of_every_step(case: Case) -> Case:
    """The case with all steps that were recorded, of which some are simulated."""
    rank = recorded_rank(case.rank)
    steps = uncut(step_times(rank))
    window = (int(steps["start_ns"].min()), int((steps["start_ns"] + steps["duration_ns"]).max()))  # type: ignore[arg-type]
    return Case(case.profile, rank, replace(case.model, window=window, steps=len(steps)))


def _finding(case: Case, cause: Cause, base: Unprofiled) -> Finding:
    saving = _saving(case, [cause], base)
    in_ns = Range(*(getattr(saving, name) / 100 * base.step_ns[0] for name in ("low", "best", "high")))
    worth = saving.best >= (WORTH_PCT if saving.low > 0 else LARGE_PCT)
    even = step_spread(case.rank) == (1.0, 1.0)
    return Finding(cause, partial(_fixed, case, [cause]), saving, in_ns, worth, case.model.steps, even)


def _saving(case: Case, causes: list[Cause], base: Unprofiled) -> Range:
    """Saving of some causes fixed together, in per cent.

    The range is over the profiler overhead and the effort, made as wide as earlier predictions of these causes needed.
    """
    savings, edits = [], [_fixed(case, causes, base.edits[overhead], effort) for overhead, effort in _SIMULATED]
    for (overhead, _), edit in zip(_SIMULATED, edits, strict=True):
        before = base.step_ns[overhead]
        savings.append(100 * (1 - case.model.step_ns(edit) / before) if before else 0.0)
    low, high = step_spread(case.rank)
    margin = saving_points(case.model, max(cause.margin for cause in causes))
    margin += min(_MOST_POINTS, _UNEVEN_POINTS * (high - low))
    most = min(most_saved_pct(case.rank, case.model, edits[0]), *(cause.most_pct for cause in causes))
    return Range.of_savings(savings, margin, most, case.profile.factor(*(cause.id for cause in causes)))


def _order(finding: Finding) -> tuple[bool, bool, float, str]:
    """Worth fixing first, then what is a defect of this program, then by saving."""
    cause, best = finding.cause, finding.saving_pct.best
    return not finding.worth, cause.general, -best, cause.id


def _owned(causes: list[Cause]) -> list[Cause]:
    """Causes without those whose ranges lie inside those of one before them."""
    kept: list[Cause] = []
    for cause in causes:
        if not any(_lies_in(cause, other) for other in kept):
            kept.append(cause)
    return kept


def _lies_in(cause: Cause, other: Cause) -> bool:
    mine, theirs = cause.claims, other.claims
    total = int((mine.end - mine.start).sum())
    covered = 0
    for number in np.unique(mine.thread).tolist():
        of, outer = mine.thread == number, theirs.thread == number
        within = union(theirs.start[outer], theirs.end[outer])
        covered += int(covered_within(within, mine.start[of], mine.end[of]).sum())
    return total > 0 and covered >= _INSIDE * total
