"""Operators against the peaks of the device (see docs/tables/).

Work belongs to the lowest operator with a model around its launch; what no model knows is a row, too, so the GPU time
of all rows is all GPU time. The roof of a call is the longer of its FLOPs at the peak of its type and its least
traffic at the peak of memory.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.gpu.kernel_names import uses_tensor_cores
from stepscope.analyses.needs import lacking, option_for
from stepscope.analyses.roofline.models.modelled import COMMUNICATION, DEVICE, TRANSFER, modelled
from stepscope.analyses.roofline.peaks import Peaks, rank_peaks, roof_name
from stepscope.messages import Message
from stepscope.schema import KERNEL, TABLES, UNATTRIBUTED
from stepscope.store.json_text import json_value
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

FIXED_COST_NS = 5_000
"""What a kernel may cost beside its work: to start, to fill the device and to drain it. Kernels that do next to nothing
take one to three microseconds on the GPUs since V100, products of small matrices up to five more than at the peaks."""

SHORT_NS, LONG_NS = 1_000, 20_000
"""A kernel whose work takes less than the first at the peaks is too small to fill the device; one that takes more than
the second is slow all the same."""

_LATENCY_PCT = 50.0
"""A row is bound by latency only where most of its time is not its work."""

_NO_OPERATOR = Message("note-unattributed")

_KEYS = {"": ["op", "kind", "shapes", "dtype", "roof", "part"], "op": ["op", "part"], "kind": ["kind", "part"]}
_PARTS = pl.Enum(sorted([COMMUNICATION, DEVICE, TRANSFER]))
_NOWHERE = 1 << 40
"""Behind every row of a table: where what belongs to no row is sorted."""
_MODELLED = ["flops", "bytes", "ideal_ns"]
"""What may be known of only some calls of a row: beside each, in ``..._known_ns``, the GPU time of those calls."""

_SUMS = [
    *("calls", "kernels", "total_ns", "modelled_ns", "compute_ns", "memory_ns"),
    *(column for name in _MODELLED for column in (name, f"{name}_known_ns")),
]


def roofline(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``roofline``, most GPU time first.

    Args:
        by: "" for a row per operator, shapes and types, ``op`` per operator, ``kind`` per kind of work. The columns
            that a row then has several values for hold that with most time.
    """
    keys = _KEYS[by]
    rows = pl.concat([rank_roofline(profile, rank) for rank in profile.ranks], how="vertical_relaxed")
    # A sum of nothing but nulls is null, not zero: without a model there is no number.
    sums = [pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name) for name in _SUMS]
    most = [
        pl.col(name).sort_by(-pl.col("total_ns"), *_KEYS[""], nulls_last=True).first()
        for name in _KEYS[""]
        if name not in keys
    ]
    rows = rows.group_by(keys, maintain_order=True).agg(*sums, *most, pl.col("cache_bytes").min())
    schema = TABLES["roofline"].schema
    first = [by] if by else []
    rows = rows.with_columns(_rates(int(rows["total_ns"].sum()))).with_columns(_bound().alias("bound"))
    columns = [*first, *(name for name in schema if name not in first)]
    return rows.select(pl.col(name).cast(schema[name]) for name in columns).sort(
        "total_ns", "op", "kind", "shapes", "dtype", "roof", descending=[True] + [False] * 5
    )


def _rates(whole_ns: int) -> list[pl.Expr]:
    time = pl.when(pl.col("total_ns") > 0).then(pl.col("total_ns"))
    known = {name: pl.col(f"{name}_known_ns") for name in _MODELLED}
    known = {name: pl.when(column > 0).then(column) for name, column in known.items()}
    return [
        (100.0 * pl.col("total_ns") / max(whole_ns, 1)).alias("share_pct"),
        (pl.col("flops") / pl.when(pl.col("bytes") > 0).then(pl.col("bytes"))).alias("intensity"),
        (1e9 * pl.col("flops") / known["flops"]).alias("achieved_flops"),
        (1e9 * pl.col("bytes") / known["bytes"]).alias("achieved_bandwidth"),
        (100.0 * pl.col("ideal_ns") / known["ideal_ns"]).alias("pct_of_roof"),
        (pl.col("ideal_ns_known_ns") - pl.col("ideal_ns")).clip(0).alias("gap_ns"),
        (100.0 * pl.col("modelled_ns") / time).alias("modelled_pct"),
    ]


def _bound() -> pl.Expr:
    """What limits a row: the slower of arithmetic and memory, unless its kernels are too short for either."""
    missing = (pl.col("ideal_ns_known_ns") - pl.col("ideal_ns")) / pl.col("kernels")
    short = (pl.col("ideal_ns") < SHORT_NS * pl.col("kernels")) & (pl.col("modelled_ns") <= LONG_NS * pl.col("kernels"))
    # Inputs may all be in the cache already, and as much again may be written without waiting for memory.
    fits = pl.col("bytes") / pl.col("calls") <= 2 * pl.col("cache_bytes")
    by_memory = pl.col("memory_ns").fill_null(0) >= pl.col("compute_ns").fill_null(0)
    return (
        pl.when(pl.col("part") != DEVICE)
        .then(pl.col("part"))
        .when(pl.col("pct_of_roof").is_null())
        .then(None)
        .when((pl.col("pct_of_roof") < _LATENCY_PCT) & (short | (missing <= FIXED_COST_NS)))
        .then(pl.lit("latency"))
        .when(by_memory & (pl.col("pct_of_roof") > 100) & fits.fill_null(True))
        .then(pl.lit("cache"))
        .when(by_memory)
        .then(pl.lit("memory"))
        .otherwise(pl.lit("compute"))
    )


def rank_roofline(profile: Profile, rank: Rank) -> pl.DataFrame:
    """The rows of one rank: `_KEYS`, `_SUMS` and cache_bytes."""
    peaks = rank_peaks(profile, rank)
    calls = with_roofs(device_calls(rank), peaks)
    shown = _named(rank, calls)
    return shown.with_columns(pl.lit(peaks.figures.get("cache"), pl.Float64).alias("cache_bytes"))


@per_rank
def device_calls(rank: Rank) -> pl.DataFrame:
    """A row per call that launched work, and per operator and part of what belongs to no call; computed once.

    Columns: row (of table ``operator``; null where unattributed), part, total_ns, kernels, matrix_units, start_ns,
    calls, flops, bytes, dtype, kind.
    """
    found = modelled(rank)
    activity = found.activity
    names = activity.filter(pl.col("activity") == KERNEL)["name"].unique().drop_nulls()
    matrix = [code for code, name in zip(names, rank.trace.text(names), strict=True) if uses_tensor_cores(name)]
    on_matrix_units = (pl.col("activity") == KERNEL) & pl.col("name").is_in(matrix).fill_null(False)
    # One number for row, part and whether a call is modelled, in this order: a quarter of the time of three keys.
    row = pl.coalesce("call", "operator").cast(pl.Int64).fill_null(_NOWHERE)
    part = pl.col("part").cast(_PARTS).to_physical().cast(pl.Int64)
    key = (row * 8 + part * 2 + pl.col("call").is_null()).alias("key")
    grouped = (
        activity.group_by(key)
        .agg(
            pl.col("duration_ns").sum().alias("total_ns"),
            pl.len().cast(pl.Int64).alias("kernels"),
            on_matrix_units.any().alias("matrix_units"),
        )
        .sort("key")
    )
    row, part, unmodelled = pl.col("key") // 8, pl.col("key") // 2 % 4, pl.col("key") % 2 == 1
    grouped = grouped.select(
        pl.when(row < _NOWHERE).then(row).alias("row"),
        pl.Series(_PARTS.categories).gather(grouped.select(part).to_series()).alias("part"),
        unmodelled.alias("unmodelled"),
        "total_ns",
        "kernels",
        "matrix_units",
        pl.when(~unmodelled).then(row).alias("modelled"),
    )
    # Calls stand in order of their rows, and what is modelled is one of them.
    modelled_row = grouped["modelled"]
    at = pl.Series(found.calls["row"].search_sorted(modelled_row.fill_null(0))).set(modelled_row.is_null(), None)
    return grouped.drop("modelled").hstack(found.calls.select(pl.exclude("row").gather(at)))


def with_roofs(calls: pl.DataFrame, peaks: Peaks) -> pl.DataFrame:
    """Adds roof, and the least times at the peaks: compute_ns, memory_ns, ideal_ns."""
    figures = peaks.figures
    distinct = calls.select("dtype", "kind", "matrix_units").unique()
    roofs = [roof_name(dtype or "", kind or "", units, figures) for dtype, kind, units in distinct.iter_rows()]
    distinct = distinct.with_columns(
        pl.Series("roof", roofs, pl.String), pl.Series("peak", [figures.get(roof) for roof in roofs], pl.Float64)
    )
    calls = calls.join(distinct, ["dtype", "kind", "matrix_units"], "left", nulls_equal=True, maintain_order="left")
    memory = pl.lit(figures.get("memory"), pl.Float64)
    compute_ns, memory_ns = 1e9 * pl.col("flops") / pl.col("peak"), 1e9 * pl.col("bytes") / memory
    # A call whose arithmetic has no known peak has no roof, unless it does none.
    unknown = (pl.col("flops") > 0) & compute_ns.is_null()
    return calls.with_columns(
        pl.when(pl.col("flops").is_not_null()).then("roof").alias("roof"),
        compute_ns.alias("compute_ns"),
        memory_ns.alias("memory_ns"),
        pl.when(~unknown.fill_null(False) & memory_ns.is_not_null())
        .then(pl.max_horizontal(compute_ns, memory_ns))
        .alias("ideal_ns"),
    )


def _named(rank: Rank, calls: pl.DataFrame) -> pl.DataFrame:
    """Calls summed by the texts that a reader sees."""
    trace = rank.trace
    inputs = trace.frame("operator", ["name", "input_dims"])
    coded = calls.with_columns(column.gather(calls["row"]) for column in inputs)
    # Collectives and copies are not about shapes.
    coded = coded.with_columns(pl.when(pl.col("part") == DEVICE).then("input_dims").alias("input_dims"))
    keys = ["name", "input_dims", "dtype", "kind", "roof", "part"]
    summed = coded.group_by(keys, maintain_order=True).agg(
        pl.when(pl.col("row").is_not_null().any()).then(pl.col("row").n_unique()).otherwise(0).alias("calls"),
        *(pl.col(name).sum() for name in ("kernels", "total_ns")),
        pl.col("total_ns").filter(pl.col("kind").is_not_null()).sum().alias("modelled_ns"),
        *(pl.col("total_ns").filter(pl.col(name).is_not_null()).sum().alias(f"{name}_known_ns") for name in _MODELLED),
        *(
            pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)
            for name in (*_MODELLED, "compute_ns", "memory_ns")
        ),
    )
    dims = summed["input_dims"].unique().drop_nulls()
    shapes = pl.DataFrame([dims, pl.Series("shapes", [shapes_text(text) for text in trace.text(dims)], pl.String)])
    op = trace.text(summed["name"]).fill_null(UNATTRIBUTED).alias("op")
    return summed.with_columns(op).join(shapes, "input_dims", "left", maintain_order="left").drop("name", "input_dims")


def shapes_text(dims: str) -> str:
    """Shapes of a call's tensors as people write them.

    >>> shapes_text("[[8192, 768], [768, 3072], [], [[2], [3]]]")
    '8192x768, 768x3072, [2, 3]'
    """
    try:
        shapes: Any = json_value(dims)
    except ValueError:
        return ""
    return ", ".join(_shape_text(shape) for shape in shapes if shape) if isinstance(shapes, list) else ""


def _shape_text(shape: Any) -> str:
    if not isinstance(shape, list):
        return str(shape)
    if any(isinstance(one, list) for one in shape):
        inner = [_shape_text(one) for one in shape if one]
        return f"[{', '.join(inner[:4])}{f', {len(inner) - 4} more' if len(inner) > 4 else ''}]"
    return "x".join(str(n) for n in shape)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """What share has a model, where the peaks are from, and what to make of rows above them."""
    if len(frame) == 0:
        return []
    return [*_coverage(profile, frame), *_peaks_notes(profile), *_above(frame)]


def _coverage(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    inside = frame.filter(pl.col("bound").is_null() | ~pl.col("bound").is_in([COMMUNICATION, TRANSFER]))
    whole = int(inside["total_ns"].sum())
    if whole == 0:
        return []
    share = float((inside["total_ns"] * inside["modelled_pct"].fill_null(0.0)).sum()) / whole
    if not has_shapes(profile):
        return [Message("note-roofline-no-shapes", share_pct=share, option=option_for(profile, "shapes"))]
    rest = inside.filter((pl.col("modelled_pct") < 50) & pl.col("op").is_not_null())
    most = rest.group_by("op").agg(pl.col("total_ns").sum()).sort("total_ns", "op", descending=[True, False])
    named = [
        Message("note-share", name=_NO_OPERATOR if op == UNATTRIBUTED else op, share_pct=100 * ns / whole)
        for op, ns in most.head(3).iter_rows()
        if ns >= 0.001 * whole
    ]
    if not named:
        return [Message("note-roofline-coverage", share_pct=share)]
    return [Message("note-roofline-coverage-without", share_pct=share, operators=named)]


def has_shapes(profile: Profile) -> bool:
    """Whether any rank recorded shapes of operators."""
    return not lacking(profile, ("shapes",))


def _peaks_notes(profile: Profile) -> list[Message]:
    seen = {(peaks.device, peaks.source): peaks for peaks in (rank_peaks(profile, rank) for rank in profile.ranks)}
    return [peaks_text(peaks) for peaks in seen.values()]


def peaks_text(peaks: Peaks) -> Message:
    """A sentence on the peaks and their source, or why there are none and what to do."""
    if not peaks.figures:
        return Message("note-roofline-no-peaks", reason=peaks.source)
    rates = [
        Message("note-peak-memory", rate=peaks.figures[name])
        if name == "memory"
        else Message("note-peak-compute", dtype=name, rate=peaks.figures[name])
        for name in ("bf16", "tf32", "fp32", "memory")
        if name in peaks.figures
    ]
    return Message("note-roofline-peaks", device=peaks.device or None, rates=rates, source=peaks.source)


def _above(frame: pl.DataFrame) -> list[Message]:
    cached = frame.filter(pl.col("bound") == "cache")
    found = []
    if len(cached):
        found.append(Message("note-roofline-cache", share_pct=float(cached["share_pct"].sum())))
    rest = frame.filter((pl.col("pct_of_roof") > 100) & (pl.col("bound") != "cache"))
    if len(rest):
        row = rest.sort("pct_of_roof", descending=True).row(0, named=True)
        found.append(
            Message(
                "note-roofline-above",
                what=row["op"] or row["kind"],
                roof_pct=row["pct_of_roof"],
                peak="memory" if row["bound"] == "memory" else row["roof"],
            )
        )
    return found
