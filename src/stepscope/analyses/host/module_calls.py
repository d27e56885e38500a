"""Calls of ``nn.Module`` objects, and which one each operator and each activity works for.

A recording with stacks holds a range ``nn.Module: Linear_3`` for each call; the number tells objects of a class apart,
in the order of their first calls. Something belongs to the innermost call that is open on its thread. What runs in a
backward function belongs to the call of the function's forward operator, unless modules are called inside that
function: then a forward pass is run again there (activation checkpointing), and it belongs to the call that is
repeated.

Without stacks, operators of TorchScript may carry a ``Module Hierarchy`` (``with_modules=True``); each module in it
counts as one call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.chains import chain_texts, chains
from stepscope.analyses.host.enclosing import rows_at
from stepscope.numeric.ancestry import nearest
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY, Nesting, at
from stepscope.store.autograd import Backward, backward_pass
from stepscope.store.memo import per_rank
from stepscope.store.nesting import HostNesting
from stepscope.store.profile import Rank
from stepscope.store.ties import settle
from stepscope.store.trace import Trace

Flags: TypeAlias = npt.NDArray[np.bool_]

MODULE = "nn.Module: "


@dataclass(frozen=True)
class Place:
    """Where some things belong: a call, or `NOBODY`, and the moment of that call they belong to."""

    call: Ints
    moment: Ints

    def where(self, condition: Flags, other: Place) -> Place:
        """These places where a condition holds, else the others."""
        return Place(np.where(condition, self.call, other.call), np.where(condition, self.moment, other.moment))

    def of(self, row: Ints) -> Place:
        """Places of some of the things; nowhere for the row `NOBODY`."""
        return Place(at(self.call, row), at(self.moment, row))


@dataclass(frozen=True)
class ModuleCalls:
    """The module calls of a rank.

    Attributes:
        modules: a row per module: columns name ("Linear_3"), path ("GPT_0/Block_2/Linear_3") and class_path
            ("GPT/Block/Linear").
        module: number of the module of each call.
        host: the calls, nested; arrays by call.
        frame: row of table ``python`` of each call; none where the calls stand for arguments of operators.
        again: whether each call runs inside a backward function.
        repeated: the place that a call made again repeats, else its own.
        operators: where each operator row belongs.
        recomputed: which operator rows repeat a part of the forward pass.
    """

    modules: pl.DataFrame
    module: Ints
    host: HostNesting
    frame: Ints
    again: Flags
    repeated: Place
    operators: Place
    recomputed: Flags


@per_rank(whole=True)
def module_calls(rank: Rank) -> ModuleCalls | None:
    """The module calls of a rank, or None where it recorded none. Not limited to the selected steps."""
    return _from_frames(rank) or _from_arguments(rank)


def _from_frames(rank: Rank) -> ModuleCalls | None:
    frame = _call_frames(rank)
    if len(frame) == 0:
        return None
    host = _nested(rank.trace, frame)
    backward = backward_pass(rank)
    again = _is_again(rank, frame, backward)
    modules, module = _modules(rank, frame, host, again)
    repeated = _repeated(frame, host, again)
    calls = ModuleCalls(modules, module, host, frame["row"].to_numpy(), again, repeated, repeated, again)
    starts = rank.trace.frame("operator", ["process", "thread", "start_ns"])
    function = backward.function.astype(np.int64)
    start = starts["start_ns"].to_numpy()
    place, in_call = placed(rank, calls, starts["process"], starts["thread"], start, function)
    operators = _hooks_outermost(calls, _inherited(place, backward), backward)
    return replace(calls, operators=operators, recomputed=in_call | backward.recomputed)


def _call_frames(rank: Rank) -> pl.DataFrame:
    """Rows of table ``python`` that are module calls: row, name, process, thread, start_ns, end_ns, python_id."""
    codes = rank.trace.codes(lambda text: text.str.starts_with(MODULE)).implode()
    frame = rank.trace.frame("python", ["name", "process", "thread", "start_ns", "duration_ns", "python_id"])
    return (
        frame.with_row_index("row")
        .filter(pl.col("name").is_in(codes))
        .with_columns(pl.col("row").cast(pl.Int64), (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"))
        .drop("duration_ns")
    )


def _nested(trace: Trace, frame: pl.DataFrame) -> HostNesting:
    from stepscope.numeric.nesting import nest

    lanes = frame.select("process", "thread").unique()
    lanes = lanes.sort(trace.text(lanes["process"]), trace.text(lanes["thread"])).with_row_index("lane")
    thread = frame.join(lanes, ["process", "thread"], "left", maintain_order="left", nulls_equal=True)["lane"]
    lane = thread.cast(pl.Int32).to_numpy()
    start, end = frame["start_ns"].to_numpy(), frame["end_ns"].to_numpy()
    # Python numbers its calls as they begin.
    number, row = frame["python_id"].fill_null(-1).to_numpy(), frame["row"].to_numpy()
    nesting = nest(lane, start, end, number, lambda rows, groups: settle(trace, "python", row[rows], groups))
    return HostNesting(lanes, lane, start, end, nesting)


def _is_again(rank: Rank, frame: pl.DataFrame, backward: Backward) -> Flags:
    """Which calls run inside a backward function."""
    inner = rows_at(rank.nesting("operator"), frame["process"], frame["thread"], frame["start_ns"].to_numpy())
    return at(backward.function, inner) >= 0


def _modules(rank: Rank, frame: pl.DataFrame, host: HostNesting, again: Flags) -> tuple[pl.DataFrame, Ints]:
    """The modules, see `ModuleCalls`, and the number of each call's. A module's path is that of its first call."""
    names = frame["name"].unique().sort()
    short = rank.trace.text(names).str.strip_prefix(MODULE)
    number = names.search_sorted(frame["name"]).cast(pl.Int64).to_numpy()
    chain, distinct = chains(host.nesting.parent.astype(np.int64), number)
    paths = chain_texts(distinct, short.gather(distinct["name"]).to_list(), "/")
    calls = pl.DataFrame(
        {"number": number, "again": again, "start_ns": host.start, "path": pl.Series(paths).gather(chain)}
    )
    first = calls.sort("number", "again", "start_ns", "path").unique("number", keep="first", maintain_order=True)
    path = first["path"]
    class_path = path.str.replace_all(r"_\d+(/|$)", "${1}")
    return pl.DataFrame([short.alias("name"), path.alias("path"), class_path.alias("class_path")]), number


def _repeated(frame: pl.DataFrame, host: HostNesting, again: Flags) -> Place:
    """The last call of the same module before each one that runs in a backward function; else its own place."""
    calls = frame.select("name", "start_ns").with_columns(pl.Series("again", again)).with_row_index("call")
    # By start, and in the order of nesting where that is equal.
    calls = calls[host.nesting.order].sort("start_ns", maintain_order=True).with_columns(pl.col("call").cast(pl.Int64))
    before = calls.filter(~pl.col("again")).select("name", "start_ns", pl.col("call").alias("found"))
    asked = calls.filter("again").select("call", "name", "start_ns")
    found = asked.join_asof(before, on="start_ns", by="name", strategy="backward", check_sortedness=False)
    found = found.filter(pl.col("found").is_not_null())
    call = np.arange(len(frame))
    call[found["call"].to_numpy()] = found["found"].to_numpy()
    return Place(call, host.start[call])


def placed(
    rank: Rank, calls: ModuleCalls, process: pl.Series, thread: pl.Series, moment: Ints, function: Ints
) -> tuple[Place, Flags]:
    """Where moments on threads belong by the calls open there, and which of them by calls made again.

    Args:
        function: row of the backward function around each moment, or `NOBODY`. In one, they belong nowhere unless
            modules are called inside it.
    """
    call = rows_at(calls.host, process, thread, moment)
    inside = function >= 0
    in_call = inside & (call >= 0)
    in_call[in_call] = calls.host.start[call[in_call]] >= rank.nesting("operator").start[function[in_call]]
    outside = Place(np.where(inside, NOBODY, call), moment)
    return calls.repeated.of(call).where(in_call, outside), in_call


def _inherited(place: Place, backward: Backward) -> Place:
    """What belongs nowhere by itself belongs where its forward operator does."""
    for forward in (backward.forward, backward.origin):
        row = forward.astype(np.int64)
        place = place.where((place.call >= 0) | (row < 0), place.of(row))
    return place


def _hooks_outermost(calls: ModuleCalls, place: Place, backward: Backward) -> Place:
    """Communication that ready gradients start is the whole model's, not the module's whose gradient came last."""
    function = backward.function.astype(np.int64)
    hooks = (function >= 0) & (backward.forward == NOBODY) & (at(backward.forward, function) >= 0)
    parent = calls.host.nesting.parent.astype(np.int64)
    of_function = place.of(function)
    outermost = Place(at(nearest(parent == NOBODY, parent), of_function.call), of_function.moment)
    return outermost.where(hooks, place)


def _from_arguments(rank: Rank) -> ModuleCalls | None:
    """Modules by the operators' ``Module Hierarchy``, as ``TOP(Net)::forward.head(Linear)::forward.``"""
    codes = rank.trace.frame("operator", ["module_hierarchy"])["module_hierarchy"]
    distinct = codes.unique().drop_nulls().sort()
    paths = [_path(text) for text in rank.trace.text(distinct)]
    known = sorted({path[:depth] for path in paths for depth in range(1, len(path) + 1)})
    if not known:
        return None
    number = {path: i for i, path in enumerate(known)}
    of_text = pl.DataFrame({"code": distinct, "call": [number.get(path, NOBODY) for path in paths]})
    asked = pl.DataFrame({"code": codes})
    call = asked.join(of_text, "code", "left", maintain_order="left")["call"].fill_null(NOBODY).to_numpy()
    backward = backward_pass(rank)
    own = Place(call, np.zeros(len(call), np.int64))
    in_function = backward.function >= 0
    nowhere = Place(np.full(len(call), NOBODY), own.moment)
    place = _inherited(nowhere.where(in_function, own), backward)
    place = place.where(place.call >= 0, own)
    host = standing_for(known, number)
    every = np.arange(len(known))
    never = np.zeros(len(known), np.bool_)
    repeated = Place(every, np.zeros(len(known), np.int64))
    none = np.empty(0, np.int64)
    return ModuleCalls(_named(known), every, host, none, never, repeated, place, backward.recomputed)


def _path(text: str) -> tuple[str, ...]:
    """Modules of a hierarchy, outermost first: attribute and class.

    >>> _path("TOP(Net)::forward.SELF(Net)::run.head(Linear)::forward.")
    ('TOP', 'head(Linear)')
    """
    modules = re.findall(r"([^.()]+)\(([^()]*)\)::", text)
    # The outermost module has its class at times and at others not.
    return tuple(name if name == "TOP" else f"{name}({kind})" for name, kind in modules if name != "SELF")


def _named(paths: list[tuple[str, ...]]) -> pl.DataFrame:
    classes = ["/".join(re.sub(r"^.*\((.+)\)$", r"\1", name) for name in path) for path in paths]
    return pl.DataFrame(
        {"name": [path[-1] for path in paths], "path": ["/".join(path) for path in paths], "class_path": classes}
    )


def standing_for(paths: list[tuple[str, ...]], number: dict[tuple[str, ...], int]) -> HostNesting:
    """One call without an end for each module, inside that of the module around it."""
    count = len(paths)
    zeros = np.zeros(count, np.int64)
    parent = np.array([number.get(path[:-1], NOBODY) for path in paths], np.int32)
    depth = np.array([len(path) - 1 for path in paths], np.int32)
    nesting = Nesting(np.arange(count, dtype=np.int32), parent, depth, zeros, np.zeros(count, np.bool_))
    lanes = pl.DataFrame(schema={"process": pl.UInt32, "thread": pl.UInt32, "lane": pl.UInt32})
    return HostNesting(lanes, zeros.astype(np.int32), zeros, np.full(count, np.iinfo(np.int64).max), nesting)
