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

from collections.abc import Callable
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
        sequence: `NOBODY` where there is none.
        forward_thread: null or 0 where there is none.
    """

    trace: Trace
    order: Rows
    parent: Ints
    lane: Rows
    start: Ints
    sequence: Ints
    forward_thread: pl.Series
    is_function: Flags

    @property
    def numbered(self) -> Flags:
        """Which have a sequence number."""
        return self.sequence >= 0

    def in_order(self, wanted: Flags) -> Ints:
        """Rows of some operators in the order of nesting."""
        return self.order[wanted[self.order]].astype(np.int64)

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
    from stepscope.numeric.ancestry import nearest

    operators = _operators(trace)
    parent = operators.parent
    function = nearest(operators.is_function, parent)
    accumulates = trace.marked("operator", trace.codes(lambda text: text.str.ends_with(ACCUMULATES)))
    own = np.full(len(parent), NOBODY, np.int64)
    functions, found = _forward_operators(operators)
    own[functions] = found
    _complete(operators, accumulates, own)
    forward = at(own, function)
    forward[_communicates(operators, accumulates, function)] = NOBODY
    rows = {"function": function, "forward": forward, "origin": _origin(forward, function)}
    return pl.DataFrame({name: pl.Series(row.astype(np.int32)) for name, row in rows.items()}).with_columns(
        pl.Series("recomputed", _recomputed(operators, function, forward)),
        pl.Series("hook", _before_the_function(operators, function)),
    )


def _origin(forward: Ints, function: Ints) -> Ints:
    """``forward``, followed until it leads out of the backward pass; `NOBODY` where the way breaks off."""
    origin = forward
    # Each stride leads to an operator that began earlier, so the way has an end; nobody nests checkpoints this deep.
    for _ in range(64):
        inside = (origin >= 0) & (at(function, origin) >= 0)
        if not inside.any():
            break
        origin = np.where(inside, at(forward, origin), origin)
    return origin


def _operators(trace: Trace) -> _Operators:
    host = host_nesting(trace, "operator", ["order", "parent"])
    numbers = trace.frame("operator", ["sequence", "forward_thread"], keep=False)
    sequence, thread = numbers["sequence"].fill_null(NOBODY).to_numpy(), numbers["forward_thread"]
    known = (sequence >= 0) & (thread > 0).fill_null(False).to_numpy()
    named = trace.codes(lambda text: text.str.starts_with(EVALUATE) | text.str.contains(_FUNCTION))
    parent = host.nesting.parent.astype(np.int64)
    is_function = known | trace.marked("operator", named)
    return _Operators(trace, host.nesting.order, parent, host.thread, host.start, sequence, thread, is_function)


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
    kind, custom = _names(operators.trace)
    lanes = np.concatenate([lane, operators.lane[candidates].astype(np.int64)])
    group = paired(lanes, operators.sequence[np.concatenate([functions, candidates])])
    asking, before = (
        Events(of, operators.start[mine], kind[mine], custom[mine])
        for of, mine in ((group[: len(functions)], functions), (group[len(functions) :], candidates))
    )
    found = last_before(asking, before)
    known = found >= 0
    return functions[known], candidates[found[known]]


def _lanes_of_functions(operators: _Operators, functions: Ints, candidates: Ints) -> Ints:
    """The lane that the forward thread of each function means, or `NOBODY`."""
    keys = ["process", "thread"]
    asked = operators.frame(functions)
    lanes = _lanes_of_threads(operators, asked, operators.frame(candidates))
    found = asked.select(keys).join(lanes, keys, "left", nulls_equal=True, maintain_order="left")["lane"]
    return found.cast(pl.Int64).fill_null(NOBODY).to_numpy()


def _names(trace: Trace) -> tuple[Ints, Flags]:
    """What each operator or function is called in common, as ``aten::_log_softmax`` and ``LogSoftmaxBackward0``: a
    number, `NOBODY` without a name. And whether it is not PyTorch's own."""
    distinct = trace.occurring("operator", "name")
    text = pl.DataFrame({"text": trace.text(distinct)})
    bare = pl.col("text").str.strip_prefix(EVALUATE)
    common = bare.str.replace(r"Backward\d*$", "").str.replace(r"^.*::", "").str.replace_all("_", "", literal=True)
    own = bare.str.starts_with("aten::") | bare.str.contains(r"^[A-Z]\w*Backward\d+$")
    found = text.select(common.str.to_lowercase().rank("dense").alias("kind"), (~own).alias("custom")).cast(pl.Int64)
    kind, custom = (
        trace.by_text("operator", "name", distinct, found[name].to_numpy(), missing)
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


def _complete(operators: _Operators, accumulates: Flags, forward: Ints) -> None:
    """Give functions without a number a forward operator: that of the function they hold, follow, or lie in."""
    row = operators.in_order(operators.is_function)
    unnumbered = ~operators.numbered[row]

    def give(wanted: Flags, find: Callable[[], Ints]) -> None:
        wanted = wanted & (forward[row] == NOBODY)
        if wanted.any():
            forward[row[wanted]] = find()[wanted]

    give(unnumbered, lambda: _held(row, operators.parent, forward))
    give(unnumbered & accumulates[row], lambda: _followed(operators, row, forward))
    give(unnumbered, lambda: _around(operators, row, forward))


def _held(row: Ints, parent: Ints, forward: Ints) -> Ints:
    """Forward operator of the first function directly inside each one."""
    held = np.full(len(parent), NOBODY, np.int64)
    known = row[(forward[row] >= 0) & (parent[row] >= 0)][::-1]
    held[parent[known]] = forward[known]
    return held[row]


def _followed(operators: _Operators, row: Ints, forward: Ints) -> Ints:
    """Forward operator of the numbered function that each one follows, under the same parent."""
    # A parent is on the same lane; where there is none the lane stands for it.
    parent, lane = operators.parent[row], operators.lane[row].astype(np.int64)
    columns = {"around": np.where(parent >= 0, parent, NOBODY - lane), "forward": forward[row]}
    frame = pl.DataFrame({**columns, "numbered": operators.numbered[row]})
    known = pl.when("numbered").then("forward")
    return frame.select(known.forward_fill().over("around").fill_null(NOBODY)).to_series().to_numpy()


def _around(operators: _Operators, row: Ints, forward: Ints) -> Ints:
    """Forward operator of the nearest function around each one that has one or is numbered."""
    from stepscope.numeric.ancestry import nearest

    settled = operators.is_function & (operators.numbered | (forward >= 0))
    return at(forward, at(nearest(settled, operators.parent), operators.parent[row]))


def _communicates(operators: _Operators, accumulates: Flags, function: Ints) -> Flags:
    """Communication that hooks start when a gradient is ready: a bucket of many gradients, not that operator's."""
    from stepscope.numeric.ancestry import nearest

    trace, is_function = operators.trace, operators.is_function
    communication = trace.marked("operator", trace.codes(is_communication_operator)) & ~is_function
    if not communication.any():
        return communication
    around = nearest(communication | is_function, operators.parent)
    found: Flags = at(communication, around) & at(accumulates, at(function, around))
    return found


def _before_the_function(operators: _Operators, function: Ints) -> Flags:
    """Operators inside the engine's event that begin before the function inside it."""
    start, is_function, parent = operators.start, operators.is_function, operators.parent
    inner = np.flatnonzero(is_function & (parent >= 0))
    begin = np.full(len(parent), np.iinfo(np.int64).min)
    begin[parent[inner[::-1]]] = start[inner[::-1]]
    found = ~is_function & (function >= 0)
    inside = np.flatnonzero(found)
    found[inside] = start[inside] < begin[function[inside]]
    return found


def _recomputed(operators: _Operators, function: Ints, forward: Ints) -> Flags:
    """Operators of a forward pass inside a backward function.

    The engine runs functions with gradients off unless a second derivative is asked for, and operators have a
    sequence number only with gradients on. So numbered operators are a forward pass run again where the function goes
    on with unnumbered ones, or where functions of theirs run inside it, or where it is a checkpoint by name.
    """
    from stepscope.numeric.ancestry import nearest

    trace, parent, is_function, numbered = operators.trace, operators.parent, operators.is_function, operators.numbered
    inside = ~is_function & (function >= 0)
    checkpoint = trace.marked("operator", trace.codes(lambda text: text.str.contains(_CHECKPOINT)))
    direct = operators.in_order(inside & (parent == function))
    last = np.full(len(parent), NOBODY, np.int64)
    last[parent[direct]] = direct
    again = (last >= 0) & ~at(numbered, last)
    own = np.flatnonzero(is_function & (forward >= 0) & (parent >= 0))
    reenters = own[(function[parent[own]] >= 0) & (function[parent[own]] == function[forward[own]])]
    again[function[parent[reenters]]] = True
    begins: Flags = inside & at(checkpoint, function) | inside & numbered & at(again, function)
    if not begins.any():
        return begins
    around = nearest(begins | is_function, parent)
    found: Flags = at(begins, around)
    return found
