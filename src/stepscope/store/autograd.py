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
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY, Rows
from stepscope.store.communication import is_communication_operator
from stepscope.store.memo import per_rank, per_trace_on_disk
from stepscope.store.nesting import HostNesting, host_nesting, lanes_of
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_numbers
from stepscope.store.trace import Trace

Flags: TypeAlias = npt.NDArray[np.bool_]

EVALUATE = "autograd::engine::evaluate_function: "
_FUNCTION = r"^(torch::autograd::\w+|[A-Z]\w*Backward\d*)$"
_WITHOUT_ENGINE = r"^\w+Backward\d*$|AccumulateGrad$"
_CHECKPOINT = r"CheckpointFunctionBackward$"


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
    that did not record those, the backward functions."""
    engine = trace.codes(lambda text: text.str.starts_with(EVALUATE))
    return engine if len(engine) else trace.codes(lambda text: text.str.contains(_WITHOUT_ENGINE))


@per_rank(whole=True)
def backward_pass(rank: Rank) -> Backward:
    """The backward pass of a rank; found once, then kept on disk. Not limited to the selected steps."""
    frame = _backward(rank.trace)
    return Backward(*(frame[name].to_numpy() for name in ("function", "forward", "origin", "recomputed", "hook")))


@per_trace_on_disk
def _backward(trace: Trace) -> pl.DataFrame:
    """Columns function, forward, origin, recomputed, hook; one row per operator."""
    from stepscope.numeric.ancestry import nearest

    host = host_nesting(trace, "operator", ["order", "parent"])
    operators = _operators(trace, host)
    parent = host.nesting.parent.astype(np.int64)
    function = nearest(operators["is_function"].to_numpy(), parent)
    own = np.full(len(parent), NOBODY, np.int64)
    matched = _forward_operators(trace, operators)
    own[matched["row"].to_numpy()] = matched["found"].to_numpy()
    _complete(trace, operators, parent, own)
    forward = at(own, function)
    forward[_communicates(trace, operators, parent, function)] = NOBODY
    rows = {"function": function, "forward": forward, "origin": _origin(forward, function)}
    return pl.DataFrame({name: pl.Series(row.astype(np.int32)) for name, row in rows.items()}).with_columns(
        pl.Series("recomputed", _recomputed(trace, operators, parent, function, forward)),
        pl.Series("hook", _before_the_function(operators, parent, function)),
    )


def at(values: npt.NDArray[Any], row: Ints) -> npt.NDArray[Any]:
    """Values of some rows; `NOBODY` or false for the row `NOBODY`."""
    nothing: Any = False if values.dtype == np.bool_ else NOBODY
    if len(values) == 0:
        return np.full(len(row), nothing, values.dtype)
    found = values[row]
    found[row < 0] = nothing
    return found


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


def _operators(trace: Trace, host: HostNesting) -> pl.DataFrame:
    """What the search needs of each operator: columns row, lane, start_ns, place, sequence, thread, name, and flags.

    ``place`` is the position in the order of nesting: of equal starts the larger is further in.
    """
    numbers = trace.frame("operator", ["sequence", "forward_thread"], keep=False)
    frame = trace.frame("operator", ["name", "process"]).hstack(numbers).with_row_index("row")
    place = np.empty(len(frame), np.int32)
    place[host.nesting.order] = np.arange(len(frame), dtype=np.int32)
    evaluates = trace.codes(lambda text: text.str.starts_with(EVALUATE)).implode()
    functions = trace.codes(lambda text: text.str.contains(_FUNCTION)).implode()
    numbered = pl.col("sequence") >= 0
    named = pl.col("name").is_in(evaluates) | pl.col("name").is_in(functions)
    return frame.select(
        "row",
        "name",
        "process",
        pl.Series("lane", host.thread, pl.UInt32),
        pl.Series("start_ns", host.start),
        pl.Series("place", place),
        pl.when(numbered).then("sequence").alias("sequence"),
        pl.when(pl.col("forward_thread") > 0).then("forward_thread").alias("thread"),
        pl.col("name").is_in(evaluates).fill_null(False).alias("evaluates"),
        ((numbered & (pl.col("forward_thread") > 0)) | named).fill_null(False).alias("is_function"),
    )


def _forward_operators(trace: Trace, operators: pl.DataFrame) -> pl.DataFrame:
    """The forward operator of each backward function that has one: columns row, found."""
    numbered = pl.col("sequence").is_not_null()
    functions = by_numbers(operators.filter(pl.col("is_function") & numbered), "start_ns", "place")
    candidates = by_numbers(operators.filter(~pl.col("is_function") & numbered), "start_ns", "place")
    lanes = _lanes_of_threads(trace, functions, candidates, operators)
    functions = functions.drop("lane").join(
        lanes, ["process", "thread"], "inner", nulls_equal=True, maintain_order="left"
    )
    names = _names(trace, pl.concat([functions["name"], candidates["name"]]).unique())
    functions = functions.join(names, "name", "left", nulls_equal=True, maintain_order="left")
    candidates = candidates.join(names, "name", "left", nulls_equal=True, maintain_order="left")
    by_name = _last_before(functions, candidates, ["lane", "sequence", "known_as"])
    rest = functions.join(by_name, "row", "anti", maintain_order="left")
    # A function that is not PyTorch's own was hardly made by one of PyTorch's operators.
    custom = _last_before(rest.filter("custom"), candidates.filter("custom"), ["lane", "sequence"])
    rest = rest.join(custom, "row", "anti", maintain_order="left")
    return pl.concat([by_name, custom, _last_before(rest, candidates, ["lane", "sequence"])])


def _last_before(functions: pl.DataFrame, candidates: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The last candidate of equal keys that began before each function: columns row, found. Both are in order."""
    candidates = candidates.select("start_ns", *keys, pl.col("row").alias("found"))
    found = functions.select("row", "start_ns", *keys).join_asof(
        candidates, on="start_ns", by=keys, strategy="backward", check_sortedness=False
    )
    return found.filter(pl.col("found").is_not_null()).select("row", "found")


def _names(trace: Trace, codes: pl.Series) -> pl.DataFrame:
    """What operators and functions are called in common: ``aten::_log_softmax`` and ``LogSoftmaxBackward0``.

    Columns name (code), known_as (a number of that), custom (not one of PyTorch's own).
    """
    text = trace.text(codes).alias("text")
    bare = pl.col("text").str.strip_prefix(EVALUATE)
    return pl.DataFrame({"name": codes, "text": text}).select(
        "name",
        bare.str.replace(r"Backward\d*$", "")
        .str.replace(r"^.*::", "")
        .str.replace_all("_", "", literal=True)
        .str.to_lowercase()
        .rank("dense")
        .alias("known_as"),
        (~(bare.str.starts_with("aten::") | bare.str.contains(r"^[A-Z]\w*Backward\d+$"))).alias("custom"),
    )


def _lanes_of_threads(
    trace: Trace, functions: pl.DataFrame, candidates: pl.DataFrame, operators: pl.DataFrame
) -> pl.DataFrame:
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
        arrows = _arrow_votes(trace, operators)
        votes = votes.join(arrows, [*keys, "lane"], "left", nulls_equal=True)
    else:
        votes = votes.with_columns(pl.lit(0).alias("arrows"))
    return (
        votes.join(_beginnings(trace, candidates), "lane", "left")
        .sort(pl.col("arrows").fill_null(0), "votes", "begins", "text", descending=[True, True, False, False])
        .unique(keys, keep="first", maintain_order=True)
        .select(*keys, "lane")
    )


def _beginnings(trace: Trace, operators: pl.DataFrame) -> pl.DataFrame:
    """When each lane's first operator begins, and what its thread is called: columns lane, begins, text."""
    lanes = lanes_of(trace, "operator")[0]
    texts = lanes.select("lane", trace.text(lanes["thread"]).alias("text"))
    return operators.group_by("lane").agg(pl.col("start_ns").min().alias("begins")).join(texts, "lane")


def _arrow_votes(trace: Trace, operators: pl.DataFrame) -> pl.DataFrame:
    """How many arrows lead from a lane to functions of a thread: columns process, thread, lane, arrows."""
    places = ["process", "thread"]
    codes = trace.codes(lambda text: text == "fwdbwd").implode()
    flows = trace.frame("flow", ["phase", "category", "flow", *places, "start_ns"])
    flows = flows.filter(pl.col("category").is_in(codes))
    phase = trace.text(flows["phase"])
    lanes = lanes_of(trace, "operator")[0]
    flows = flows.join(lanes, places, "inner", nulls_equal=True)
    phase = trace.text(flows["phase"])
    tails = flows.filter(phase == "s").select("flow", pl.col("lane").alias("from_lane"))
    heads = flows.filter(phase == "f").select("flow", "lane", "start_ns")
    ends = operators.filter("is_function").select("lane", "start_ns", *places)
    arrows = heads.join(tails, "flow", "inner").join(ends, ["lane", "start_ns"], "inner")
    return arrows.group_by(*places, pl.col("from_lane").alias("lane")).len("arrows")


def _complete(trace: Trace, operators: pl.DataFrame, parent: Ints, forward: Ints) -> None:
    """Give functions without a number a forward operator: that of the function they hold, follow, or lie in."""
    functions = operators.filter("is_function").sort("place")
    row = functions["row"].to_numpy()
    unnumbered = functions["sequence"].is_null().to_numpy()

    def give(wanted: Flags, find: Callable[[], Ints]) -> None:
        wanted = wanted & (forward[row] == NOBODY)
        if wanted.any():
            forward[row[wanted]] = find()[wanted]

    give(unnumbered, lambda: _held(row, parent, forward))
    give(
        unnumbered & _accumulates(trace, functions["name"]),
        lambda: _followed(functions, row, parent, forward),
    )
    give(unnumbered, lambda: _around(operators, row, parent, forward))


def _held(row: Ints, parent: Ints, forward: Ints) -> Ints:
    """Forward operator of the first function directly inside each one."""
    held = np.full(len(parent), NOBODY, np.int64)
    known = row[(forward[row] >= 0) & (parent[row] >= 0)][::-1]
    held[parent[known]] = forward[known]
    return held[row]


def _followed(functions: pl.DataFrame, row: Ints, parent: Ints, forward: Ints) -> Ints:
    """Forward operator of the numbered function that each one follows, under the same parent."""
    # A parent is on the same lane; where there is none the lane stands for it.
    around = np.where(parent[row] >= 0, parent[row], NOBODY - functions["lane"].to_numpy().astype(np.int64))
    frame = functions.select("sequence", pl.Series("around", around), pl.Series("forward", forward[row]))
    numbered = pl.when(pl.col("sequence").is_not_null()).then("forward")
    return frame.select(numbered.forward_fill().over("around").fill_null(NOBODY)).to_series().to_numpy()


def _around(operators: pl.DataFrame, row: Ints, parent: Ints, forward: Ints) -> Ints:
    """Forward operator of the nearest function around each one that has one or is numbered."""
    from stepscope.numeric.ancestry import nearest

    settled = operators.select(pl.col("is_function") & (pl.col("sequence").is_not_null() | pl.Series(forward >= 0)))
    around = at(nearest(settled.to_series().to_numpy(), parent), parent[row])
    return at(forward, around)


def _accumulates(trace: Trace, names: pl.Series) -> Flags:
    codes = trace.codes(lambda text: text.str.ends_with("torch::autograd::AccumulateGrad")).implode()
    found: Flags = names.is_in(codes).fill_null(False).to_numpy()
    return found


def _communicates(trace: Trace, operators: pl.DataFrame, parent: Ints, function: Ints) -> Flags:
    """Communication that hooks start when a gradient is ready: a bucket of many gradients, not that operator's."""
    from stepscope.numeric.ancestry import nearest

    is_function = operators["is_function"].to_numpy()
    accumulates = _accumulates(trace, operators["name"])
    codes = trace.codes(is_communication_operator).implode()
    communication: Flags = operators["name"].is_in(codes).fill_null(False).to_numpy() & ~is_function
    if not communication.any():
        return communication
    around = nearest(communication | is_function, parent)
    found: Flags = at(communication, around) & at(accumulates, at(function, around))
    return found


def _before_the_function(operators: pl.DataFrame, parent: Ints, function: Ints) -> Flags:
    """Operators inside the engine's event that begin before the function inside it."""
    start, is_function = operators["start_ns"].to_numpy(), operators["is_function"].to_numpy()
    inner = np.flatnonzero(is_function & (parent >= 0))
    begin = np.full(len(parent), np.iinfo(np.int64).min)
    begin[parent[inner[::-1]]] = start[inner[::-1]]
    found = ~is_function & (function >= 0)
    inside = np.flatnonzero(found)
    found[inside] = start[inside] < begin[function[inside]]
    return found


def _recomputed(trace: Trace, operators: pl.DataFrame, parent: Ints, function: Ints, forward: Ints) -> Flags:
    """Operators of a forward pass inside a backward function.

    The engine runs functions with gradients off unless a second derivative is asked for, and operators have a
    sequence number only with gradients on. So numbered operators are a forward pass run again where the function goes
    on with unnumbered ones, or where functions of theirs run inside it, or where it is a checkpoint by name.
    """
    from stepscope.numeric.ancestry import nearest

    is_function = operators["is_function"].to_numpy()
    numbered = operators["sequence"].is_not_null().to_numpy()
    inside = ~is_function & (function >= 0)
    count = len(parent)
    checkpoints = trace.codes(lambda text: text.str.contains(_CHECKPOINT)).implode()
    checkpoint = operators["name"].is_in(checkpoints).fill_null(False).to_numpy()
    direct = operators.filter(pl.Series(inside & (parent == function))).sort("place")["row"].to_numpy()
    last = np.full(count, NOBODY, np.int64)
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
