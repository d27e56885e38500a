"""Which forward operator each piece of the backward pass belongs to.

PyTorch's engine wraps each backward function into operators (``autograd::engine::evaluate_function: MmBackward0`` and,
inside, ``MmBackward0``) that carry the sequence number of their node and the thread that made it (``Sequence number``,
``Fwd thread id``). An operator of the forward pass carries the number that its thread would give to the next node, so
the node was made by the last operator that began with its number; where several did, one whose name fits the
function's goes first (torch/csrc/autograd/record_function_ops, ATen/SequenceNumber.h). Numbers are counted per thread
and start anew with a new thread, so only an operator that began before its backward function counts.

``Fwd thread id`` counts threads in PyTorch's own way. It is told apart by the arrows of category ``fwdbwd`` and, where
those leave a choice or there are none, by where the numbers are found.

`AccumulateGrad` carries no number. The engine runs it as soon as its gradient is complete, which is right behind the
function that completed it, so it belongs to that function's forward operator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY, Rows, at
from stepscope.numeric.paired import paired
from stepscope.store.communication import is_communication_operator
from stepscope.store.memo import per_rank, per_trace_on_disk
from stepscope.store.nesting import host_nesting, lanes_of
from stepscope.store.profile import Rank
from stepscope.store.trace import Trace

Flags: TypeAlias = npt.NDArray[np.bool_]

EVALUATE = "autograd::engine::evaluate_function: "
_FUNCTION = r"^(torch::autograd::\w+|[A-Z]\w*Backward\d*)$"
_WITHOUT_ENGINE = r"^\w+Backward\d*$|AccumulateGrad$"
_OF_MINDSPORE = "^Gradients/"
_CHECKPOINT = r"CheckpointFunctionBackward$"
ACCUMULATES = "torch::autograd::AccumulateGrad"


@dataclass(frozen=True)
class Backward:
    """The backward pass of one trace; each array has one entry per operator row, in file order.

    Attributes:
        function: row of the innermost backward function that an operator runs in, itself included, or `NOBODY`.
        forward: row of the forward operator whose backward that function is; `NOBODY` outside the backward pass, where
            the forward operator was not recorded, and for communication that gradients start as they become ready.
            With double backward it may lie in a backward function.
        origin: ``forward``, followed until it leads out of the backward pass.
        recomputed: part of a forward pass that activation checkpointing runs again inside the backward pass.
        hook: part of a hook that runs before its function does, as FSDP's gathering of parameters.
    """

    function: Rows
    forward: Rows
    origin: Rows
    recomputed: Flags
    hook: Flags

    @property
    def differentiated(self) -> Flags:
        """Which operators are the forward operator of a backward function."""
        found = np.zeros(len(self.forward), np.bool_)
        found[self.forward[self.forward != NOBODY]] = True
        return found


def backward_names(trace: Trace) -> pl.Series:
    """Names (codes) of the operators that make up the backward pass: the engine's, or, in the trace of an old PyTorch
    that did not record those, the backward functions; of MindSpore's graph mode those in the scope of gradients."""
    engine = trace.codes(lambda text: text.str.starts_with(EVALUATE))
    other = f"{_WITHOUT_ENGINE}|{_OF_MINDSPORE}"
    return engine if len(engine) else trace.codes(lambda text: text.str.contains(other))


@per_rank(whole=True)
def backward_pass(rank: Rank) -> Backward:
    """The backward pass of a rank; found once, then kept on disk. Not limited to the selected steps."""
    frame = _backward(rank.trace)
    return Backward(*(frame[name].to_numpy() for name in ("function", "forward", "origin", "recomputed", "hook")))


@dataclass(frozen=True)
class _Operators:
    """What the search needs of the operators of a trace; arrays by row, in file order.

    Attributes:
        order: rows in the order of nesting, of equal starts the inner one later.
        sequence: `NOBODY` where there is none, as ``numbered`` says.
        forward_thread: null or 0 where there is none.
    """

    trace: Trace
    order: Rows
    parent: Rows
    lane: Rows
    start: Ints
    sequence: Ints
    forward_thread: pl.Series
    is_function: Flags
    numbered: Flags

    def in_order(self, wanted: Flags) -> Ints:
        """Rows of some operators in the order of nesting."""
        # Several times as fast as to choose by flags.
        return self.order[np.flatnonzero(wanted[self.order])].astype(np.int64)

    def frame(self, rows: Ints) -> pl.DataFrame:
        """Columns process, thread (the forward one), lane, start_ns, sequence of some rows."""
        stored = self.trace.frame("operator", ["process"]).select(pl.all().gather(rows))
        thread = self.forward_thread.gather(rows)
        return stored.select(
            "process",
            pl.when(thread > 0).then(thread).alias("thread"),
            pl.Series("lane", self.lane[rows], pl.UInt32),
            pl.Series("start_ns", self.start[rows]),
            pl.Series("sequence", self.sequence[rows]),
        )


@per_trace_on_disk
def _backward(trace: Trace) -> pl.DataFrame:
    """Columns function, forward, origin, recomputed, hook; one row per operator."""
    from stepscope.numeric.backward_functions import Functions, begins_before, spread

    operators = _operators(trace)
    order, parent, is_function = operators.order, operators.parent, operators.is_function
    accumulates = trace.marked("operator", trace.codes(lambda text: text.str.ends_with(ACCUMULATES)))
    forward = np.full(len(parent), NOBODY, np.int32)
    functions, found = _forward_operators(operators)
    forward[functions] = found
    lane, numbered = operators.lane, operators.numbered
    function = spread(Functions(order, parent, lane, is_function, numbered, accumulates), forward)
    forward[_communicates(operators, accumulates, function)] = NOBODY
    return pl.DataFrame(
        {
            "function": function,
            "forward": forward,
            "origin": _origin(forward, function),
            "recomputed": _recomputed(operators, function, forward),
            "hook": begins_before(is_function, function, parent, operators.start),
        }
    )


def _origin(forward: Rows, function: Rows) -> Rows:
    """``forward``, followed until it leads out of the backward pass; `NOBODY` where the way breaks off."""
    origin, is_inside = forward, function >= 0
    # Each stride leads to an operator that began earlier, so the way has an end; nobody nests checkpoints this deep.
    for _ in range(64):
        inside = at(is_inside, origin)
        if not inside.any():
            break
        origin = np.where(inside, at(forward, origin), origin)
    return origin


def _operators(trace: Trace) -> _Operators:
    host = host_nesting(trace, "operator", ["order", "parent"])
    numbers = trace.frame("operator", ["sequence", "forward_thread"], keep=False)
    sequence, thread = numbers["sequence"].fill_null(NOBODY).to_numpy(), numbers["forward_thread"]
    numbered = sequence >= 0
    known = numbered & (thread > 0).fill_null(False).to_numpy()
    named = trace.codes(lambda text: text.str.starts_with(EVALUATE) | text.str.contains(_FUNCTION))
    is_function = known | trace.marked("operator", named)
    order, parent = host.nesting.order, host.nesting.parent
    return _Operators(trace, order, parent, host.thread, host.start, sequence, thread, is_function, numbered)


def _forward_operators(operators: _Operators) -> tuple[Ints, Ints]:
    """Rows of the backward functions that have a forward operator, and of those.

    A function that is not PyTorch's own was hardly made by one of PyTorch's operators.
    """
    from stepscope.numeric.last_before import Events, last_before

    rows = operators.in_order(operators.numbered)
    # Those of one start stay in the order of nesting.
    rows = rows[np.argsort(operators.start[rows], kind="stable")]
    is_function = operators.is_function[rows]
    functions, candidates = rows[is_function], rows[~is_function]
    lane = _lanes_of_functions(operators, functions, candidates)
    functions, lane = functions[lane != NOBODY], lane[lane != NOBODY]
    lanes = np.concatenate([lane, operators.lane[candidates].astype(np.int64)])
    rows = np.concatenate([functions, candidates])
    group, start = paired(lanes, operators.sequence[rows]), operators.start[rows]
    kind, custom = _names(operators.trace, rows)
    asking, before = (
        Events(group[part], start[part], kind[part], custom[part])
        for part in (slice(len(functions)), slice(len(functions), None))
    )
    found = last_before(asking, before)
    known = found >= 0
    return functions[known], candidates[found[known]]


def _lanes_of_functions(operators: _Operators, functions: Ints, candidates: Ints) -> Ints:
    """The lane that the forward thread of each function means, or `NOBODY`."""
    offering = np.flatnonzero(np.bincount(operators.lane[candidates]))
    if len(offering) == 1:  # as mostly: where there is no choice, numbers need not tell
        process = lanes_of(operators.trace, "operator")[0]["process"]
        same = process.eq_missing(process[int(offering[0])]).to_numpy()
        return np.where(same, offering[0], NOBODY)[operators.lane[functions]]
    keys = ["process", "thread"]
    asked = operators.frame(functions)
    lanes = _lanes_of_threads(operators, asked, operators.frame(candidates))
    found = asked.select(keys).join(lanes, keys, "left", nulls_equal=True, maintain_order="left")["lane"]
    return found.cast(pl.Int64).fill_null(NOBODY).to_numpy()


def _names(trace: Trace, rows: Ints) -> tuple[Ints, Flags]:
    """What some operators and functions are called in common, as ``aten::_log_softmax`` and ``LogSoftmaxBackward0``: a
    number, `NOBODY` without a name. And whether it is not PyTorch's own."""
    distinct = trace.occurring("operator", "name")
    text = pl.DataFrame({"text": trace.text(distinct)})
    bare = pl.col("text").str.strip_prefix(EVALUATE)
    common = bare.str.replace(r"Backward\d*$", "").str.replace(r"^.*::", "").str.replace_all("_", "", literal=True)
    own = bare.str.starts_with("aten::") | bare.str.contains(r"^[A-Z]\w*Backward\d+$")
    found = text.select(common.str.to_lowercase().rank("dense").alias("kind"), (~own).alias("custom")).cast(pl.Int64)
    kind, custom = (
        trace.by_text("operator", "name", distinct, found[name].to_numpy(), missing, rows)
        for name, missing in (("kind", NOBODY), ("custom", 0))
    )
    return kind, custom > 0


def _lanes_of_threads(operators: _Operators, functions: pl.DataFrame, candidates: pl.DataFrame) -> pl.DataFrame:
    """The lane that each ``Fwd thread id`` of a process means: columns process, thread, lane."""
    keys = ["process", "thread"]
    # Few groups of many numbers: each number is hashed, and no row.
    each = pl.col("sequence").unique()
    wanted = functions.group_by(keys).agg(each).explode("sequence")
    offered = candidates.group_by("process", "lane").agg(each).explode("sequence")
    votes = (
        wanted.join(offered, ["process", "sequence"], "inner", nulls_equal=True).group_by(*keys, "lane").len("votes")
    )
    if len(votes) > votes.select(keys).n_unique():
        arrows = _arrow_votes(operators)
        votes = votes.join(arrows, [*keys, "lane"], "left", nulls_equal=True)
    else:
        votes = votes.with_columns(pl.lit(0).alias("arrows"))
    return (
        votes.join(_beginnings(operators.trace, candidates), "lane", "left")
        .sort(pl.col("arrows").fill_null(0), "votes", "begins", "text", descending=[True, True, False, False])
        .unique(keys, keep="first", maintain_order=True)
        .select(*keys, "lane")
    )


def _beginnings(trace: Trace, operators: pl.DataFrame) -> pl.DataFrame:
    """When each lane's first operator begins, and what its thread is called: columns lane, begins, text."""
    lanes = lanes_of(trace, "operator")[0]
    texts = lanes.select("lane", trace.text(lanes["thread"]).alias("text"))
    return operators.group_by("lane").agg(pl.col("start_ns").min().alias("begins")).join(texts, "lane")


def _arrow_votes(operators: _Operators) -> pl.DataFrame:
    """How many arrows lead from a lane to functions of a thread: columns process, thread, lane, arrows."""
    trace = operators.trace
    places = ["process", "thread"]
    codes = trace.codes(lambda text: text == "fwdbwd").implode()
    flows = trace.frame("flow", ["phase", "category", "flow", *places, "start_ns"])
    flows = flows.filter(pl.col("category").is_in(codes))
    lanes = lanes_of(trace, "operator")[0]
    flows = flows.join(lanes, places, "inner", nulls_equal=True)
    phase = trace.text(flows["phase"])
    tails = flows.filter(phase == "s").select("flow", pl.col("lane").alias("from_lane"))
    heads = flows.filter(phase == "f").select("flow", "lane", "start_ns")
    ends = operators.frame(np.flatnonzero(operators.is_function)).select("lane", "start_ns", *places)
    arrows = heads.join(tails, "flow", "inner").join(ends, ["lane", "start_ns"], "inner")
    return arrows.group_by(*places, pl.col("from_lane").alias("lane")).len("arrows")


def _communicates(operators: _Operators, accumulates: Flags, function: Rows) -> Ints:
    """Communication that hooks start when a gradient is ready: a bucket of many gradients, not that operator's."""
    from stepscope.numeric.ancestry import nearest

    rows = operators.trace.rows_with("operator", operators.trace.codes(is_communication_operator))
    rows = rows[~operators.is_function[rows]]
    if len(rows) == 0:
        return rows
    communication = np.zeros(len(function), np.bool_)
    communication[rows] = True
    around = nearest(communication | operators.is_function, operators.parent)
    return np.flatnonzero(at(communication, around) & at(accumulates, at(function, around)))


def _recomputed(operators: _Operators, function: Rows, forward: Rows) -> Flags:
    """Operators of a forward pass inside a backward function.

    The engine runs functions with gradients off unless a second derivative is asked for, and operators have a
    sequence number only with gradients on. So numbered operators are a forward pass run again where the function goes
    on with unnumbered ones, or where functions of theirs run inside it, or where it is a checkpoint by name.
    """
    from stepscope.numeric.ancestry import nearest

    trace, parent, is_function = operators.trace, operators.parent, operators.is_function
    inside = ~is_function & (function >= 0)
    numbered = inside & operators.numbered
    checkpoint = trace.marked("operator", trace.codes(lambda text: text.str.contains(_CHECKPOINT)))
    if not numbered.any() and not checkpoint.any():  # as mostly: nothing is run again
        return numbered
    direct = operators.in_order(inside & (parent == function))
    last = np.full(len(parent), NOBODY, np.int64)
    last[parent[direct]] = direct
    again = (last >= 0) & ~at(operators.numbered, last)
    own = np.flatnonzero(is_function & (forward >= 0) & (parent >= 0))
    reenters = own[(function[parent[own]] >= 0) & (function[parent[own]] == function[forward[own]])]
    again[function[parent[reenters]]] = True
    begins: Flags = inside & at(checkpoint, function) | numbered & at(again, function)
    if not begins.any():
        return begins
    around = nearest(begins | is_function, parent)
    found: Flags = at(begins, around)
    return found
