"""Loops over the parameters outside the optimizer: norms for clipping, averaged weights, gradients set to zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.simulation.edits import Ranges, gathered, launched_inside, shares, slowed
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, inside, outermost
from stepscope.findings.detectors.loop_gradients import gradients_of
from stepscope.findings.detectors.optimizer import STEP_PATTERN, parameters_of
from stepscope.findings.detectors.recurrences import SPLITS
from stepscope.findings.detectors.small_copies import COPYING
from stepscope.findings.top_level_operators import TopLevelOperators, runs, top_level_operators
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.autograd import ACCUMULATES
from stepscope.store.trace import Trace

_NORMS = r"^aten::(?:norm|linalg_vector_norm|linalg_norm|linalg_matrix_norm|frobenius_norm)$"
_OF_LISTS = (
    r"^aten::(?:(?:mul|add|sub|div|lerp|zero|fill|copy|clamp|clamp_min|clamp_max|clip|addcmul|addcdiv|sqrt|neg|sign"
    r"|abs|pow|reciprocal|maximum|minimum|nan_to_num)_"
    r"|norm|linalg_vector_norm|linalg_norm|linalg_matrix_norm|frobenius_norm"
    r"|sum|mean|std|var|max|min|amax|amin|any|all|isnan|isinf|isfinite|count_nonzero|histc)$"
)
"""What a loop over tensors does to each: changes it in place or reduces it to a value."""

_BESIDE = (
    r"^aten::(?:mul|add|sub|rsub|div|lerp|abs|pow|square|sqrt|rsqrt|reciprocal|neg|sign|clone|clamp|clamp_max|clamp_min"
    r"|maximum|minimum|lt|le|gt|ge|eq|ne|logical_\w+|bitwise_\w+|addcmul|addcdiv|zeros|ones|zeros_like|ones_like"
    r"|normal_|uniform_|bernoulli_|randn|rand|randn_like|rand_like"
    r"|empty|empty_like|full|tensor|scalar_tensor|item|is_nonzero|detach|detach_|alias|view|view_as|reshape|flatten|to"
    r"|lift_fresh|squeeze|unsqueeze|stack|cat|result_type|_to_copy|ravel|data|set_data"
    r"|_has_compatible_shallow_copy_type)$"
)
"""What else may stand in such a loop, or around it."""

_PIECES = rf"{SPLITS}|^aten::tensor_split$"
"""What follows is a loop over pieces of one tensor, whose shapes may be those of parameters."""

_RECEIVES = r"^(?:c10d::|_c10d_functional::|aten::unflatten_dense_tensors$)"
_NEAR = 3

_LEAST = 16
"""Tensors of a loop, at least; and half of the parameters, if that is not more than twice as many."""

_MOST_KINDS = 12
_APART_NS = 1_000_000
"""Work of the host between two operators of one loop, at most."""

_SHAPED = 0.7
"""Of the launching operators whose shapes are known, those that work on something shaped like a gradient, at least."""

_SURELY = 0.9
_MOST_TURNS, _TURNS_OFF = 3, 0.05
_CORE = 0.2
"""Of the launching operators, those that change in place or reduce, where nothing says it surely."""

_HOST_NS = (12_000, 5_000, 2_000)
"""What a list form takes the host for each tensor, by effort."""

_FLOOR_NS = (1_000, 2_000, 3_000)
"""What a kernel takes at least, however little it does, by effort: that much goes where one works on many tensors."""

_KERNELS = 4

_TEXTS = {
    "gradient-norms": (
        Message("finding-gradient-norms-advice"),
        "norm = torch.nn.utils.clip_grad_norm_(params, limit, foreach=True)  # was: p.grad.norm() for each p",
        "https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html",
    ),
    "parameter-loop": (
        Message("finding-parameter-loop-advice"),
        "torch._foreach_lerp_(averages, params, 1 - decay)  # was: average.lerp_(p, 1 - decay) for each",
        "https://docs.pytorch.org/docs/stable/optim.html",
    ),
}
"""Advice, change and page of each kind."""

_WITH_GRADIENTS = (
    Message("finding-parameter-loop-advice-gradients"),
    "flat = torch.cat([p.flatten() for p in params])  # was: p.square().sum() for each p",
    "https://docs.pytorch.org/docs/stable/generated/torch.cat.html",
)
"""Of loops that gradients flow through, as penalties on the weights."""


@dataclass(frozen=True)
class _Loop:
    """Neighbouring operators, first to last place.

    Attributes:
        tensors: how often an operator is called that belongs to each turn.
        launches: of all of them.
        norms: whether norms are a quarter of what launches or more.
    """

    first: int
    last: int
    tensors: int
    launches: int
    norms: bool


def detect(case: Case) -> list[Cause]:
    """A cause for loops that take norms, one for all others."""
    parameters = parameters_of(case)
    if parameters < 8:
        return []
    calls = top_level_operators(case)
    loops = _loops(case, calls, parameters)
    kinds = (("gradient-norms", True), ("parameter-loop", False))
    of_kind = [(kind, [loop for loop in loops if loop.norms == norms]) for kind, norms in kinds]
    return [_cause(case, calls, kind, mine) for kind, mine in of_kind if mine]


def _loops(case: Case, calls: TopLevelOperators, parameters: float) -> list[_Loop]:
    """Runs of operators that do the same to one tensor after another."""
    least = max(_LEAST, min(0.5 * parameters, 2 * _LEAST))
    core, norms = calls.named(case, _OF_LISTS), calls.named(case, _NORMS)
    to_host = calls.named(case, COPYING) & calls.waits
    ranges = calls.ranges
    outside = ~inside(_elsewhere(case), ranges.thread, ranges.start) & _in_the_program(case, calls)
    between = np.append(0, ranges.start[1:] - ranges.end[:-1])[: len(core)]
    begins = calls.begins | (between > _APART_NS)
    first, last = runs((core | calls.named(case, _BESIDE)) & outside, begins)
    launching = calls.launches > 0
    counted = np.concatenate([[0], np.cumsum(launching)])
    enough = counted[last + 1] - counted[first] >= least
    like_gradients, pieces = _like_gradients(case, calls), calls.named(case, _PIECES)
    found = []
    for one, other in zip(first[enough].tolist(), last[enough].tolist(), strict=True):
        places = one + np.flatnonzero(launching[one : other + 1])
        names, times = np.unique(calls.name.gather(places).to_numpy(), return_counts=True)
        if times.max() < least or len(names) > _MOST_KINDS or to_host[places].all():
            continue  # no list form copies to the host
        if pieces[max(0, one - _NEAR) : one].any():
            continue
        alike = like_gradients[places][like_gradients[places] >= 0]
        if not _of_parameters(alike, float(core[places].mean()), int(times[times >= least].min()) / parameters):
            continue
        waits = one + np.flatnonzero(calls.waits[one : other + 1])
        end = max(int(places[-1]), int(waits[-1]) if len(waits) else 0)
        launches = int(calls.launches[one : other + 1].sum())
        # Some operators are called twice for each tensor, some once in the whole loop.
        tensors = int(times[3 * times >= times.max()].min())
        found.append(_Loop(int(places[0]), end, tensors, launches, 4 * norms[places].sum() >= len(places)))
    return found


def _in_the_program(case: Case, calls: TopLevelOperators) -> Flags:
    """Those of the main thread, but for copies out of what was just received from other ranks.

    The autograd engine's threads, and data parallel modules, copy parameter by parameter by themselves.
    """
    copies = calls.named(case, r"^aten::copy_$")
    received = np.flatnonzero(calls.named(case, _RECEIVES))
    first, last = runs(copies, calls.begins)
    found: Flags = calls.ranges.thread == case.model.host.clocks[0].thread
    since = first - np.append(-_NEAR - 1, received)[np.searchsorted(received, first)]
    for one, other in zip(first[since <= _NEAR].tolist(), last[since <= _NEAR].tolist(), strict=True):
        found[one : other + 1] = False
    return found


def _elsewhere(case: Case) -> Ranges:
    """Where loops over the parameters belong to something else."""
    return outermost(case.named(STEP_PATTERN, "annotation", "operator", "python")).and_those(case.loading())


def _like_gradients(case: Case, calls: TopLevelOperators) -> Ints:
    """By operator, whether its first input is shaped like a gradient: 1 or 0; -1 where that is not known."""
    trace = case.rank.trace
    accumulates = trace.rows_with("operator", trace.codes(lambda text: text == ACCUMULATES))
    dims = trace.frame("operator", ["input_dims"])["input_dims"]
    gradients = _first_shapes(trace, dims.gather(accumulates).unique()).drop_nulls().unique()
    if len(gradients) == 0:
        return np.full(len(calls.row), -1, np.int64)
    codes = trace.occurring("operator", "input_dims")
    alike = _first_shapes(trace, codes).is_in(gradients.implode()).cast(pl.Int64).fill_null(-1).to_numpy()
    return trace.by_text("operator", "input_dims", codes, alike, missing=-1)[calls.row]


def _first_shapes(trace: Trace, codes: pl.Series) -> pl.Series:
    """Of texts of inputs (codes) the shape of the first one, null without one."""
    found: pl.Series = trace.text(codes).str.extract(r"^\[(\[\d[^\[\]]*\])")
    return found


def _of_parameters(alike: Ints, core: float, times: float) -> bool:
    """Whether a loop is over the parameters.

    Args:
        alike: of the operators whose shapes are known, whether they are a gradient's.
        core: share of the operators that change in place or reduce.
        times: how often an operator of the loop is called at least, for each parameter.
    """
    if len(alike):
        share = float(alike.mean())
        return share >= _SURELY or (share >= _SHAPED and core >= _CORE)
    # Without shapes: each parameter has its turn, once or a few times.
    surely = round(times) in range(1, _MOST_TURNS + 1) and abs(times - round(times)) <= _TURNS_OFF
    return surely or (core >= _CORE and times <= _MOST_TURNS)


def _cause(case: Case, calls: TopLevelOperators, kind: str, loops: list[_Loop]) -> Cause:
    forward = calls.along(loops)
    before_read = Ranges(forward.thread, forward.start, _last_reads(calls, loops))
    gradients = gradients_of(case, calls, forward, of_parameters=False)
    ranges = forward.and_those(gradients)
    which = launched_inside(case.rank, case.model, ranges)
    read = which & ~launched_inside(case.rank, case.model, before_read)
    turns = case.a_step(sum(loop.tensors for loop in loops)) * (2 if len(gradients.start) else 1)
    spent = max(1.0, case.host_ns(ranges))

    def fix(edit: Edit, effort: int) -> Edit:
        edit = slowed(edit, shares(case.model, ranges), min(1.0, turns * _HOST_NS[effort] / spent))
        edit = case.freed(edit, before_read)
        return gathered(edit, which & ~read, _KERNELS * len(loops), _gpu_share(case, which & ~read, effort))

    advice, change, link = _WITH_GRADIENTS if len(gradients.start) else _TEXTS[kind]
    launches = case.a_step(sum(loop.launches for loop in loops))
    tensors = max(loop.tensors for loop in loops)
    return Cause(
        id=kind,
        category="optimizer",
        title=_title(kind, "" if case.on_gpu else "-cpu", tensors, round(launches), _names(case, calls, loops)),
        fix=fix,
        claims=ranges,
        spent_ns=case.a_step(float((ranges.end - ranges.start).sum())),
        advice=advice,
        change=change,
        links=(link,),
        unknown=Message("finding-parameter-loop-unknown"),
        where=case.where(forward),
        count=launches,
    )


def _title(kind: str, suffix: str, tensors: int, launches: int, operators: list[str]) -> Message:
    said = f"finding-{kind}-title{suffix}"
    return Message(said, tensors=tensors, launches=launches, operators=operators)


def _last_reads(calls: TopLevelOperators, loops: list[_Loop]) -> Ints:
    """Where the last wait of each loop begins: one value is still read; its end without one."""
    ends = []
    for loop in loops:
        waits = np.flatnonzero(calls.waits[loop.first : loop.last + 1])
        last = loop.first + int(waits[-1]) if len(waits) else -1
        ends.append(int(calls.ranges.start[last]) if len(waits) else int(calls.ranges.end[loop.last]))
    return np.array(ends, np.int64)


def _gpu_share(case: Case, which: Flags, effort: int) -> float:
    """What is left of the time of some kernels when a few work on everything."""
    duration = case.model.gpu.activities.duration[which]
    left = np.maximum(duration - _FLOOR_NS[effort], duration / 4)
    return float(left.sum() / max(1, duration.sum()))


def _names(case: Case, calls: TopLevelOperators, loops: list[_Loop]) -> list[str]:
    """The operators that launch most, at most three, but for those that read a value, if there are others."""
    places = np.concatenate([np.arange(loop.first, loop.last + 1) for loop in loops])
    places = places[calls.launches[places] > 0]
    reads = calls.named(case, r"^aten::(?:item|is_nonzero)$")[places]
    places = places if reads.all() else places[~reads]
    names = pl.Series("name", calls.texts(case, places)).value_counts(sort=False)
    return names.sort("count", "name", descending=[True, False])["name"].head(3).to_list()
