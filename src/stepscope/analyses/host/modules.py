"""Host and GPU time by ``nn.Module``, backward pass included (see docs/tables/).

An activity belongs to the innermost module call that is open where its launch starts (self), and once to each module
around that call (total). What a backward function launches belongs to the call of the function's forward operator.
Kernels that a CUDA graph
replays belong to the module that their annotation names, if it names one.
What belongs to no call is the row `schema.UNATTRIBUTED`: self over all rows is all activity, and
``forward_device_ns + backward_device_ns = device_total_ns`` in every row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.host.annotated_modules import AnnotatedModules, annotated_modules
from stepscope.analyses.host.module_calls import ModuleCalls, Place, module_calls, placed
from stepscope.analyses.steps.totals import sum_by
from stepscope.analyses.steps.unions import union_of
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, Union, contains
from stepscope.numeric.nested import NOBODY, at
from stepscope.numeric.nesting import credit_upwards, union_by_key
from stepscope.schema import TABLES, UNATTRIBUTED
from stepscope.store.autograd import backward_pass
from stepscope.store.profile import Profile, Rank

Flags: TypeAlias = npt.NDArray[np.bool_]

_OPTIMIZER = "Optimizer.step#"

_OUTSIDE: dict[str, Callable[[float], Message]] = {
    "unlinked": lambda share: Message("note-modules-unlinked", share_pct=share),
    "backward": lambda share: Message("note-modules-backward", share_pct=share),
    "optimizer": lambda share: Message("note-modules-optimizer", share_pct=share),
    "other": lambda share: Message("note-modules-other", share_pct=share),
}
"""What GPU time that belongs to no module is."""


@dataclass(frozen=True)
class Work:
    """What the selected activities of a rank worked for, one entry per row of `Rank.activity`.

    Attributes:
        calls: what its places are calls of.
        place: module call.
        backward: launched by a backward function.
        recomputed: of these, a part of the forward pass that is run again.
        duration: in ns.
        annotated: whether annotations of CUDA graphs say so, and not calls around the launch.
    """

    calls: ModuleCalls
    place: Place
    backward: Flags
    recomputed: Flags
    duration: Ints
    annotated: bool = False


def modules(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``modules``, most GPU time first, then most host time.

    Args:
        by: "" for one row per module, ``class`` for one per path of classes; then a column ``instances`` says how
            many modules share the row, of several ranks the most that one has.
    """
    schema = TABLES["modules"].schema
    extra = {"instances": pl.Int64} if by else {}
    ranks = [_rank_modules(rank, by) for rank in profile.ranks]
    rows = pl.concat([pl.DataFrame(schema=schema | {"instances": pl.Int64}), *ranks], how="diagonal_relaxed")
    sums = [name for name in schema if name not in ("name", "path")]
    # A sum of nothing but nulls is null, not zero: calls of a hierarchy are not known.
    rows = rows.group_by("name", "path", maintain_order=True).agg(
        *(pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name) for name in sums),
        pl.col("instances").max(),
    )
    order = ["name", "path", *extra, *sums]
    return rows.select(pl.col(name).cast((schema | extra)[name]) for name in order).sort(
        "device_total_ns", "host_total_ns", "path", descending=[True, True, False], nulls_last=True
    )


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of the GPU time belongs to no module, and why; or why there are no rows."""
    if len(frame) == 0:
        return [Message("note-modules-none")]
    causes: dict[str, int] = {}
    named = 0
    for rank in profile.ranks:
        for cause, time in _causes(rank).items():
            causes[cause] = causes.get(cause, 0) + time
        named += sum(int(one.duration[one.place.call >= 0].sum()) for one in works_of(rank) if one.annotated)
    whole = max(int(frame["device_self_ns"].sum()), 1)
    lost = sum(causes.values())
    found = [Message("note-modules-annotated", share_pct=100 * named / whole)] if named else []
    if lost == 0:
        return found
    largest = sorted(causes.items(), key=lambda cause: -cause[1])
    parts = [_OUTSIDE[cause](100 * time / whole) for cause, time in largest if time]
    return [*found, Message("note-modules-outside", outside_pct=100 * lost / whole, parts=parts)]


def works_of(rank: Rank) -> list[Work]:
    """What the selected activities worked for by what was recorded of modules: calls, annotations of graphs, or both.

    Each activity has a place in one of them at most, and that of its annotation goes first.
    """
    calls, named = module_calls(rank), annotated_modules(rank)
    works = [module_work(rank, calls)] if calls is not None else []
    if named is None:
        return works
    own = _annotated_work(rank, named)
    known = own.place.call >= 0
    nowhere = Place(np.full(len(known), NOBODY), own.place.moment)
    return [*(replace(one, place=nowhere.where(known, one.place)) for one in works), own]


def _annotated_work(rank: Rank, named: AnnotatedModules) -> Work:
    row = rank.activity["row"].cast(pl.Int64).to_numpy()
    function = at(backward_pass(rank).function, _rows(rank.activity["operator"]))
    backward = named.backward[row] | (function >= 0)
    duration = rank.activity["duration_ns"].to_numpy()
    return Work(named.calls, named.place.of(row), backward, np.zeros(len(row), np.bool_), duration, annotated=True)


def module_work(rank: Rank, calls: ModuleCalls) -> Work:
    """What the selected activities of a rank worked for."""
    activity = rank.activity
    backward = backward_pass(rank)
    runtime = rank.trace.frame("runtime", ["process", "thread"])
    launch, operator = activity["launch"], _rows(activity["operator"])
    function = at(backward.function, operator).astype(np.int64)
    moment = activity["launch_start_ns"].fill_null(0).to_numpy()
    process, thread = (runtime[name].gather(launch) for name in ("process", "thread"))
    place, in_call = placed(rank, calls, process, thread, moment, function)
    linked = launch.is_not_null().to_numpy()
    inside = function >= 0
    by_operator = inside | (len(calls.frame) == 0)
    place = place.where(linked & (~by_operator | in_call), calls.operators.of(np.where(by_operator, operator, NOBODY)))
    recomputed = inside & (in_call | at(calls.recomputed, operator))
    return Work(calls, place, inside, recomputed, activity["duration_ns"].to_numpy())


def _rows(rows: pl.Series) -> Ints:
    return rows.cast(pl.Int64).fill_null(NOBODY).to_numpy()


def _rank_modules(rank: Rank, by: str) -> pl.DataFrame:
    works = works_of(rank)
    rows = [_work_rows(rank, work, by) for work in works]
    return pl.concat([pl.DataFrame(), *rows, _unattributed(works)], how="diagonal_relaxed")


def _work_rows(rank: Rank, work: Work, by: str) -> pl.DataFrame:
    """The rows of what has a place in the calls of some work."""
    calls = work.calls
    groups, key = _groups(calls, by)
    count = len(groups)
    # Annotations say nothing of the host.
    host = _host_columns(rank, calls, key, count) if not work.annotated else {}
    columns = {**host, **_device_columns(calls, work, key, count)}
    rows = groups.with_columns(pl.Series(name, values, dtype=pl.Int64) for name, values in columns.items())
    if len(calls.frame) == 0:
        rows = rows.with_columns(pl.lit(None, pl.Int64).alias("calls"))
    shown = [name for name in ("calls", "host_total_ns", "device_total_ns", "backward_host_ns") if name in rows.columns]
    return rows.filter(pl.any_horizontal(pl.col(shown).fill_null(0) > 0))


def _groups(calls: ModuleCalls, by: str) -> tuple[pl.DataFrame, Ints]:
    """The rows: columns name, path, instances; and the row of each call."""
    modules = calls.modules.with_columns(pl.lit(1, pl.Int64).alias("instances"))
    if not by:
        return modules.select("name", "path", "instances"), calls.module
    paths = modules.group_by(pl.col("class_path").alias("path")).agg(pl.col("instances").sum()).sort("path")
    paths = paths.select(pl.col("path").str.replace(r"^.*/", "").alias("name"), "path", "instances")
    row = paths["path"].search_sorted(modules["class_path"]).cast(pl.Int64).to_numpy()
    return paths, row[calls.module]


def _host_columns(rank: Rank, calls: ModuleCalls, key: Ints, count: int) -> dict[str, Ints]:
    """Calls and host time of each group: of its calls where they are recorded, else of the operators that name it."""
    operators = rank.nesting("operator").nesting.self_ns
    selected = rank.selected_rows("operator")
    inside = backward_pass(rank).function >= 0
    backward = _credited(calls, calls.operators, key, count, np.where(inside & selected, operators, 0))
    if len(calls.frame):
        chosen = rank.selected_rows("python")[calls.frame]
        host, own = calls.host, key[chosen]
        order = host.nesting.order[chosen[host.nesting.order]]
        return {
            "calls": np.bincount(own, minlength=count).astype(np.int64),
            "host_total_ns": union_by_key(order, host.thread, host.start, host.end, key, count),
            "host_self_ns": sum_by(own, host.nesting.self_ns[chosen], count),
            "backward_host_ns": backward,
        }
    forward = np.where(~inside & selected, operators, 0)
    known = calls.operators.call >= 0
    return {
        "host_total_ns": _credited(calls, calls.operators, key, count, forward),
        "host_self_ns": sum_by(key[calls.operators.call[known]], forward[known], count),
        "backward_host_ns": backward,
    }


def _device_columns(calls: ModuleCalls, work: Work, key: Ints, count: int) -> dict[str, Ints]:
    known = work.place.call >= 0
    totals = {
        name: _credited(calls, work.place, key, count, np.where(which, work.duration, 0))
        for name, which in _phases(work).items()
    }
    own = sum_by(key[work.place.call[known]], work.duration[known], count)
    return {
        "device_total_ns": totals["forward_device_ns"] + totals["backward_device_ns"],
        "device_self_ns": own,
        **totals,
    }


def _phases(work: Work) -> dict[str, Flags]:
    return {
        "forward_device_ns": ~work.backward,
        "backward_device_ns": work.backward,
        "recompute_device_ns": work.recomputed,
    }


def _credited(calls: ModuleCalls, place: Place, key: Ints, count: int, amount: Ints) -> Ints:
    """Amounts summed over each group once, for the call they belong to and for those around it."""
    some = (place.call >= 0) & (amount != 0)
    # In whole microseconds a call may take no time; it counts at its start all the same.
    open_until = np.maximum(calls.host.end, calls.host.start + 1)
    parent = calls.host.nesting.parent
    return credit_upwards(parent, open_until, key, count, place.call[some], place.moment[some], amount[some])


def _lost(works: list[Work]) -> Flags:
    """Which activities have a place in none."""
    found: Flags = np.all([work.place.call < 0 for work in works], axis=0)
    return found


def _unattributed(works: list[Work]) -> pl.DataFrame:
    """The row of activity that belongs to no module, if there is any."""
    if not works:
        return pl.DataFrame()
    work, lost = works[0], _lost(works)
    rest = int(work.duration[lost].sum())
    phases = {name: int(work.duration[lost & which].sum()) for name, which in _phases(work).items()}
    columns = {"calls": 0, "host_total_ns": 0, "host_self_ns": 0, "backward_host_ns": 0}
    row = {"name": UNATTRIBUTED, "path": "", **columns, "device_total_ns": rest, "device_self_ns": rest, **phases}
    return pl.DataFrame([row]) if rest else pl.DataFrame()


def _causes(rank: Rank) -> dict[str, int]:
    """GPU time that belongs to no module, by what launched it; empty where no modules were recorded."""
    works = works_of(rank)
    if not works:
        return {}
    work, lost = works[0], _lost(works)
    activity = rank.activity
    linked = activity["launch"].is_not_null().to_numpy()
    optimizer = contains(_optimizer_ranges(rank), activity["launch_start_ns"].fill_null(0).to_numpy())
    masks = {
        "unlinked": ~linked,
        "backward": linked & work.backward,
        "optimizer": linked & ~work.backward & optimizer,
        "other": linked & ~work.backward & ~optimizer,
    }
    return {cause: int(work.duration[lost & mask].sum()) for cause, mask in masks.items()}


def _optimizer_ranges(rank: Rank) -> Union:
    names = rank.trace.codes(lambda text: text.str.starts_with(_OPTIMIZER)).implode()
    tables = (rank.trace.frame(table, ["name", "start_ns", "duration_ns"]) for table in ("annotation", "operator"))
    ranges = pl.concat([table.filter(pl.col("name").is_in(names)) for table in tables])
    return union_of(ranges.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")))
