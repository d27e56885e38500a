"""Host and GPU time under named ranges of the host (see docs/tables/).

An activity belongs to the ranges that are open on the launching thread where its launch starts. What a thread of the
autograd engine launches belongs also to the ranges open on the main thread, which waits for it inside them. The
profiler's GPU-side twins of ranges are not used: they count nothing twice here.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.queue import Flags
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.analyses.needs import is_kineto
from stepscope.analyses.steps.totals import sum_by
from stepscope.analyses.steps.unions import lengths_by
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints, distinct
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.nesting import union_by_key
from stepscope.schema import KERNEL, TABLES, UNATTRIBUTED
from stepscope.store.autograd import backward_pass
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Profile, Rank
from stepscope.store.thread_names import engine_threads_by_name

STEP_NAME = "ProfilerStep#*"
"""Name of the row of all steps."""

STEP_PATTERN = r"^ProfilerStep#\d+$"
_KINDS = [
    ("optimizer", r"^Optimizer\.(?:step|zero_grad)#"),
    ("data_loader", r"^enumerate\(DataLoader\)#"),
    ("communication", r"^(?:nccl|gloo|mpi|ucc|xccl|hccl|c10d):"),
    (
        "framework",
        (
            r"^(?:FSDP::|FullyShardedDataParallel|DistributedDataParallel\.|DataParallel\.|## Call CompiledFxGraph"
            r"|Torch-Compiled Region|TorchDynamo|CompiledFunction|AOTAutograd|Inductor|Pregraph|autograd::)"
        ),
    ),
]
_SUMS = [
    "calls",
    "host_total_ns",
    "host_self_ns",
    "device_total_ns",
    "device_self_ns",
    "device_busy_ns",
    "backward_ns",
    "engine_ns",
    "kernels",
]


def annotations(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``annotations``, most GPU time first, then most host time.

    Args:
        by: "" for a row per name, ``step`` for one per name and step, in a column of that name; null where the range
            or launch starts in no step.
    """
    keys = ["name", "domain", *(["step"] if by else [])]
    rows = pl.concat([_rank_annotations(rank, keys) for rank in profile.ranks], how="vertical_relaxed")
    rows = rows.group_by(keys, maintain_order=True).agg(pl.col(_SUMS).sum())
    rows = rows.with_columns(_kind().alias("kind"))
    columns = [pl.col(name).cast(dtype) for name, dtype in TABLES["annotations"].schema.items()]
    if by:
        columns.insert(1, pl.col("step").cast(pl.Int64))
    return rows.select(columns).sort(
        "device_total_ns",
        "host_total_ns",
        *keys,
        descending=[True, True, *[False] * len(keys)],
        nulls_last=True,
    )


def _kind() -> pl.Expr:
    name = pl.col("name")
    kind = pl.when(name == UNATTRIBUTED).then(pl.lit("")).when(name == STEP_NAME).then(pl.lit("step"))
    for found, pattern in _KINDS:
        kind = kind.when(name.str.contains(pattern)).then(pl.lit(found))
    return kind.otherwise(pl.lit("user"))


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """The share of GPU time under no range, and the share that came by way of the autograd engine."""
    if (frame["name"] == UNATTRIBUTED).all():
        return [Message("note-annotations-none", by_torch=all(map(is_kineto, profile.ranks)))]
    whole = sum(int(rank.activity["duration_ns"].sum()) for rank in profile.ranks)
    rest = int(frame.filter(pl.col("name") == UNATTRIBUTED)["device_self_ns"].sum())
    if rest == 0:
        return []
    unlinked = sum(int(rank.activity.filter(pl.col("launch").is_null())["duration_ns"].sum()) for rank in profile.ranks)
    if unlinked:
        outside, lost = 100 * rest / whole, 100 * unlinked / whole
        return [Message("note-annotations-outside-unlinked", outside_pct=outside, unlinked_pct=lost)]
    return [Message("note-annotations-outside", outside_pct=100 * rest / whole)]


@dataclass(frozen=True)
class _Ranges:
    """Host ranges of a rank.

    Attributes:
        key: group of each row of the table annotation, `NOBODY` for what does not count.
        groups: the keys of each group.
        parent, end: of each row.
    """

    key: Ints
    groups: pl.DataFrame
    parent: Ints
    end: Ints

    def around(self, row: Ints, at: Ints) -> Ints:
        """Groups open at some moments as numbers moment * count of groups + group, sorted, each once.

        Args:
            row: innermost range at each moment, or `NOBODY`.
            at: the moments in ns.
        """
        count = max(1, len(self.groups))
        found = [np.empty(0, np.int64)]
        number = np.flatnonzero(row >= 0)
        row = row[number]
        while len(number):
            counts = (self.key[row] >= 0) & (self.end[row] > at[number])
            found.append(number[counts] * count + self.key[row[counts]])
            row = self.parent[row]
            number, row = number[row >= 0], row[row >= 0]
        return distinct(*found)


def _rank_annotations(rank: Rank, keys: list[str]) -> pl.DataFrame:
    ranges = _ranges(rank, keys)
    host = rank.nesting("annotation")
    count = len(ranges.groups)
    mine = ranges.key >= 0
    order = host.nesting.order[mine[host.nesting.order]]
    columns = {
        "calls": np.bincount(ranges.key[mine], minlength=count).astype(np.int64),
        "host_total_ns": union_by_key(order, host.thread, host.start, host.end, ranges.key, count),
        "host_self_ns": sum_by(ranges.key[mine], host.nesting.self_ns[mine], count),
    }
    activity = rank.activity
    device, rest = _device_columns(rank, ranges, activity)
    rows = ranges.groups.select(keys).with_columns(
        *(pl.Series(name, values) for name, values in (columns | device).items())
    )
    return pl.concat([rows, _unattributed(rank, activity, rest, keys)], how="diagonal_relaxed")


def _ranges(rank: Rank, keys: list[str]) -> _Ranges:
    trace = rank.trace
    host = rank.nesting("annotation")
    frame = trace.frame("annotation", ["name", "category", "domain"])
    gpu = trace.codes(lambda text: text == "gpu_user_annotation")
    counts = ~frame["category"].is_in(gpu.implode()).fill_null(False) & pl.Series(rank.selected_rows("annotation"))
    # Text by code, and one text for all steps.
    names = trace.texts.to_frame("text").select(
        pl.when(pl.col("text").str.contains(STEP_PATTERN)).then(pl.lit(STEP_NAME)).otherwise("text").alias("name")
    )["name"]
    domain = trace.text(frame["domain"]).alias("domain")
    frame = frame.with_columns(names.gather(frame["name"]).alias("name"), domain, _step_of(rank, pl.Series(host.start)))
    groups = frame.filter(counts).select(keys).unique(maintain_order=True).with_row_index("group")
    group = frame.select(keys).join(groups, keys, "left", maintain_order="left", nulls_equal=True)["group"]
    key = np.where(counts.to_numpy(), group.cast(pl.Int64).fill_null(NOBODY).to_numpy(), NOBODY)
    return _Ranges(key, groups, host.nesting.parent.astype(np.int64), host.end)


def _step_of(rank: Rank, times: pl.Series) -> pl.Series:
    """Number of the step that each time lies in, or null."""
    steps = rank.steps.sort("start_ns")
    start, end = steps["start_ns"].to_numpy(), steps["end_ns"].to_numpy()
    at = times.fill_null(0).to_numpy()
    index = np.searchsorted(start, at, side="right") - 1
    place = np.maximum(index, 0)
    inside = (index >= 0) & (at < end[place]) & times.is_not_null().to_numpy() if len(start) else index > 0
    return steps["step"].gather(pl.Series(place).set(pl.Series(~inside), None)).alias("step")


def _device_columns(rank: Rank, ranges: _Ranges, activity: pl.DataFrame) -> tuple[dict[str, Ints], Flags]:
    """GPU time of each group, and which activities are under no range."""
    count = len(ranges.groups)
    moments = _launch_moments(rank, activity)
    at = moments["at"].fill_null(0).to_numpy()
    own = innermost_rows(rank, "annotation", moments)
    waiting = innermost_rows(rank, "annotation", _on_main_thread(rank, moments))
    inside = ranges.around(own, at)
    both = distinct(inside, ranges.around(waiting, at))
    duration = activity["duration_ns"].to_numpy()
    number, key = np.divmod(both, max(1, count))
    innermost = np.where(own >= 0, own, waiting)
    owner = np.where(innermost >= 0, ranges.key[np.maximum(innermost, 0)] if len(ranges.key) else NOBODY, NOBODY)
    engine = np.setdiff1d(both, inside, assume_unique=True)
    kernels = (activity["activity"] == KERNEL).to_numpy()
    return {
        "device_total_ns": sum_by(key, duration[number], count),
        "device_self_ns": sum_by(owner[owner >= 0], duration[owner >= 0], count),
        "device_busy_ns": lengths_by(
            key, activity["start_ns"].to_numpy()[number], activity["end_ns"].to_numpy()[number], count
        ),
        "backward_ns": _backward(rank, ranges, activity, both),
        "engine_ns": sum_by(engine % max(1, count), duration[engine // max(1, count)], count),
        "kernels": sum_by(key, kernels[number].astype(np.int64), count),
    }, owner < 0


def _launch_moments(rank: Rank, activity: pl.DataFrame) -> pl.DataFrame:
    """Thread and start of each activity's launch: columns process, thread, at; null without one."""
    places = rank.trace.frame("runtime", PLACE)
    return activity.select(
        *(places[name].gather(activity["launch"]) for name in PLACE), pl.col("launch_start_ns").alias("at")
    )


def _on_main_thread(rank: Rank, moments: pl.DataFrame) -> pl.DataFrame:
    """Moments on threads of the autograd engine, moved to the thread that waits for it; the others lie nowhere."""
    threads = host_threads(rank)
    named = threads.numbers(engine_threads_by_name(rank.trace)).tolist()
    engine = np.isin(threads.numbers(moments), threads.engine or named) & (threads.main >= 0)
    main = threads.places.filter(pl.col("number") == threads.main).select(PLACE)
    if len(main) == 0:
        return moments.with_columns(pl.lit(None, pl.Int64).alias("at"))
    return main[np.zeros(len(moments), np.int64)].with_columns(moments["at"].set(pl.Series(~engine), None))


def _backward(rank: Rank, ranges: _Ranges, activity: pl.DataFrame, inside: Ints) -> Ints:
    """GPU time of the backward of operators called inside each group, without what was launched inside it."""
    count = max(1, len(ranges.groups))
    operator = activity["operator"].fill_null(0).cast(pl.Int64).to_numpy()
    known = activity["operator"].is_not_null().to_numpy()
    if not known.any():
        return np.zeros(len(ranges.groups), np.int64)
    forward = np.where(known, backward_pass(rank).origin[operator], NOBODY).astype(np.int64)
    calls = rank.trace.frame("operator", [*PLACE, "start_ns"]).rename({"start_ns": "at"})
    moments = calls[np.maximum(forward, 0)]
    moments = moments.with_columns(moments["at"].set(pl.Series(forward < 0), None))
    row = innermost_rows(rank, "annotation", moments)
    pairs = np.setdiff1d(ranges.around(row, moments["at"].fill_null(0).to_numpy()), inside, assume_unique=True)
    duration = activity["duration_ns"].to_numpy()
    return sum_by(pairs % count, duration[pairs // count], len(ranges.groups))


def _unattributed(rank: Rank, activity: pl.DataFrame, rest: Flags, keys: list[str]) -> pl.DataFrame:
    """Rows of the activity under no range."""
    left = activity.filter(pl.Series(rest))
    name, domain = pl.lit(UNATTRIBUTED).alias("name"), pl.lit(None, pl.String).alias("domain")
    left = left.with_columns(_step_of(rank, left["launch_start_ns"]), name, domain)
    rows = left.group_by(keys, maintain_order=True).agg(
        pl.col("duration_ns").sum().alias("device_self_ns"), (pl.col("activity") == KERNEL).sum().alias("kernels")
    )
    zeros = [pl.lit(0, pl.Int64).alias(name) for name in _SUMS if name not in ("device_self_ns", "kernels")]
    return rows.with_columns(zeros).with_columns(pl.col("device_self_ns").alias("device_total_ns"))
