"""Loops over time steps that launch the same few kernels again and again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.module_calls import MODULE
from stepscope.analyses.simulation.changes.launching import NODE_GAP_NS
from stepscope.analyses.simulation.edits import Ranges, launched_inside, shares, slowed, stretched
from stepscope.analyses.simulation.model import Edit
from stepscope.findings.detector_context import Case, Cause, inside
from stepscope.findings.detectors.loop_gradients import gradients_of
from stepscope.findings.top_level_operators import TopLevelOperators, runs, top_level_operators
from stepscope.messages import Message
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_CELLS = r"^aten::(?:lstm_cell|gru_cell|rnn_tanh_cell|rnn_relu_cell|_thnn_fused_(?:lstm|gru)_cell)$"
_PICKS = r"^aten::(?:select|slice|narrow|index_select)$"
"""What takes one time step out of a sequence."""

PICKS_ROWS = r"^aten::(?:select|slice|narrow|index_select|index|embedding|gather)$"

RECURRENT = r"^aten::(?:gru|lstm|rnn_tanh|rnn_relu)(?:_cell)?$"
"""A recurrent layer, or one time step of it."""

_OF_LAYERS = r"^aten::(?:scaled_dot_product_attention|softmax|layer_norm|rms_norm|group_norm|batch_norm|conv\d?d?)"
"""What layers of deep models hold, and cells of recurrent ones seldom."""

_WEIGHTED = r"^aten::(?:linear|addmm|mm|bmm|baddbmm|matmul|einsum)$"
_CONVOLUTIONS = r"^aten::(?:conv\d?d?|convolution)$"
_OF_PARTS = (
    r"^aten::(?:conv\d?d?|convolution|embedding|mean|sum|std|var|norm|linalg_vector_norm|amax|amin|max|min|argmax|argmin"
    r"|eq|ne|index)$"
)
"""What works on parts that need nothing of one another, where no weights or cell carry a state from one to the next;
convolutions and linear layers together are a network for each part."""

SPLITS, JOINS = r"^aten::(?:unbind|split|chunk|split_with_sizes)$", r"^aten::(?:stack|cat)$"
NEAR = 4
"""Operators in front of and behind a loop among which the sequence is split and the results are joined."""

_LONGEST = 48
"""Operators of one repetition, at most."""

_LEAST = 32
_MOST_LAUNCHES = 24
_UNSURE_LEAST, _UNSURE_LAUNCHES = 64, 12
"""Repetitions and launches of each where no stacks tell time steps from layers of a model."""

_SAME_SHAPES = 0.6
"""Of the inputs of all repetitions: what is collected may grow; a loop over parameters has other shapes each time."""

_SHORT_NS = 20_000
_MOST_BUSY = 0.5
"""Of the time in which the loop is launched; a GPU that works longer gains little."""

_HOST = (0.6, 0.15, 0.02)
_GPU = (1.0, 1.0, 0.6)
"""What is left of the host's work and the kernels' time with a compiled body, a graph or a fused kernel, by effort."""


@dataclass(frozen=True)
class Loop:
    """First and last place among the operators, how many make a repetition, and how many repetitions there are.

    Attributes:
        even: whether each repetition is the same operators; else ``length`` and ``times`` are means.
    """

    first: int
    last: int
    length: int
    times: int
    even: bool = True


def detect(case: Case) -> list[Cause]:
    """A cause for loops over time steps, their backward pass included."""
    if not case.on_gpu:
        return []
    calls = top_level_operators(case)
    every = repeating(case.rank, calls, _LEAST)
    forward = [loop for loop in every if is_recurrence(case, calls, loop)]
    if not forward:
        return []
    loops = calls.along(forward)
    return [_cause(case, calls, loops.and_those(gradients_of(case, calls, loops, of_parameters=True)), forward)]


@per_rank
def repeating(rank: Rank, calls: TopLevelOperators, least: int, *, launching: bool = True) -> list[Loop]:
    """Stretches in which the same operators follow one another ``least`` times or more, shortest repetition first.

    Args:
        launching: where there is a GPU, only those of which each repetition launches something.
    """
    code = calls.name.cast(pl.Int64).to_numpy()
    part = np.cumsum(calls.begins)
    counted = np.concatenate([[0], np.cumsum(calls.launches)])
    taken = np.zeros(len(code), np.bool_)
    found = []
    for length in range(1, min(_LONGEST, len(code) - 1) + 1):
        same = np.zeros(len(code), np.bool_)
        same[length:] = (code[length:] == code[:-length]) & (part[length:] == part[:-length])
        first, last = runs(same, np.zeros(len(code), np.bool_))
        first = first - length
        times = (last + 1 - first) // length
        enough = (counted[last + 1] - counted[first] >= times) | (counted[-1] == 0) | (not launching)
        for place in np.flatnonzero((times >= least) & enough).tolist():
            one, other = int(first[place]), int(last[place])
            if 2 * taken[one : other + 1].sum() <= other + 1 - one:
                taken[one : other + 1] = True
                found.append(Loop(one, other, length, int(times[place])))
    return found


def is_recurrence(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether a repetition is a time step of few short kernels that the host launches one by one."""
    around = slice(loop.first, loop.last + 1)
    launches = calls.launches[around].sum() / loop.times
    ranges = calls.along([loop])
    if launches == 0 or launches > _MOST_LAUNCHES or not short_kernels(case, ranges):
        return False
    one = slice(loop.first, loop.first + loop.length)
    if calls.named(case, _CELLS)[one].any():
        return True
    like_parts = _CONVOLUTIONS if calls.named(case, _WEIGHTED)[one].any() else _OF_PARTS
    if calls.named(case, like_parts)[one].any():
        return False
    if launches < 2 or not _over_a_sequence(case, calls, loop) or not _same_shapes(case, calls, loop):
        return False
    layers = _layers(case, ranges)
    if layers is None:
        like_layers = bool(calls.named(case, _OF_LAYERS)[one].any())
        return not like_layers and loop.times >= _UNSURE_LEAST and launches <= _UNSURE_LAUNCHES
    return layers < loop.times / 2


def short_kernels(case: Case, ranges: Ranges) -> bool:
    """Whether what some ranges launch, if anything, is short, and the GPU idle for most of them."""
    duration = case.model.gpu.activities.duration[launched_inside(case.rank, case.model, ranges)]
    busy = float(duration.sum()) / max(1, int((ranges.end - ranges.start).sum()))
    return len(duration) == 0 or (busy <= _MOST_BUSY and float(np.median(duration)) <= _SHORT_NS)


def _over_a_sequence(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether each repetition picks something out, or a sequence is split in front and joined behind."""
    if calls.named(case, _PICKS)[loop.first : loop.first + loop.length].any():
        return True
    split = calls.named(case, SPLITS)[max(0, loop.first - NEAR) : loop.first + loop.length].any()
    joined = calls.named(case, JOINS)[loop.last + 1 - loop.length : loop.last + 1 + NEAR].any()
    return bool(split and joined)


def picks_or_joins(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether each repetition picks something out, or the results are joined behind."""
    one, behind = slice(loop.first, loop.first + loop.length), slice(loop.last + 1, loop.last + 1 + loop.length + NEAR)
    picks = calls.named(case, PICKS_ROWS)[one].any() or _over_a_sequence(case, calls, loop)
    return bool(picks or calls.named(case, JOINS)[behind].any())


def like_layers(case: Case, calls: TopLevelOperators, loop: Loop, ranges: Ranges) -> bool | None:
    """Whether the repetitions are layers of a model; None where nothing says it surely."""
    layers = _layers(case, ranges)
    if layers is not None:
        return layers >= loop.times / 2
    return True if calls.named(case, _OF_LAYERS)[loop.first : loop.first + loop.length].any() else None


def _same_shapes(case: Case, calls: TopLevelOperators, loop: Loop) -> bool:
    """Whether the operators of all repetitions work on the same shapes, as far as those are recorded."""
    dims = calls.input_dims(case)
    mine = dims.fill_null(0).cast(pl.Int64).to_numpy()[loop.first : loop.first + loop.length * loop.times]
    table = mine.reshape(loop.times, loop.length)
    return float((table == table[1]).mean()) >= _SAME_SHAPES


def _layers(case: Case, ranges: Ranges) -> int | None:
    """How many different modules are called in a range; None where no frame of the recording is a module's."""
    names = case.rank.trace.frame("python", ["name"])["name"]
    modules = case.rank.trace.codes(lambda text: text.str.starts_with(MODULE))
    rows = case.rank.trace.rows_with("python", modules)
    if len(rows) == 0:
        return None
    number, times = host_threads(case.rank.whole).numbered(case.rank.whole, "python")
    return names.gather(rows[inside(ranges, number[rows], times["start_ns"].to_numpy()[rows])]).n_unique()


def _cause(case: Case, calls: TopLevelOperators, ranges: Ranges, loops: list[Loop]) -> Cause:
    which = launched_inside(case.rank, case.model, ranges)
    longest = max(loops, key=lambda loop: loop.times)
    launches = calls.launches[longest.first : longest.last + 1].sum() / longest.times

    def fix(edit: Edit, effort: int) -> Edit:
        edit = stretched(slowed(edit, shares(case.model, ranges), _HOST[effort]), which, _GPU[effort])
        gap = np.where(which, np.minimum(edit.activities.gap, NODE_GAP_NS), edit.activities.gap)
        return replace(edit, activities=edit.activities._replace(gap=gap))

    return Cause(
        id="unrolled-loop",
        category="launching",
        title=Message("finding-unrolled-loop-title", launches=round(launches), times=longest.times),
        fix=fix,
        claims=ranges,
        spent_ns=case.a_step(float((ranges.end - ranges.start).sum())),
        advice=Message("finding-unrolled-loop-advice"),
        change="step = torch.compile(step)  # was: step, called once for each time step",
        links=(
            "https://docs.pytorch.org/docs/stable/generated/torch.compile.html",
            "https://docs.pytorch.org/docs/stable/generated/torch.nn.LSTM.html",
        ),
        unknown=Message("finding-unrolled-loop-unknown"),
        where=case.where(ranges),
        count=case.a_step(float(sum(loop.times for loop in loops))),
    )
