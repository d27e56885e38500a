"""How much of both sides is the same work, and what stands in the place of what is not.

Work of the GPU is joined by the module and pass, the operator and the kernel. Kernels left over on both sides in one
operator of one module, then in one module, are aligned by their sequence: kernels of one kind (GEMM, norm, attention
...) at the same place in the order of launches stand for each other, as does all that lies between two such pairs. So
a fused kernel is found in place of many, and a GEMM of another library in place of the old one, whatever their names.
Names of kernels alone come last: they are all that a CUDA graph, which has no operators, shares with an eager program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from stepscope.analyses.gpu.kernel_names import kernel_kind
from stepscope.analyses.simulation.bottleneck_sides import HOST
from stepscope.comparison.frames import Frames
from stepscope.comparison.launched import launch_steps
from stepscope.comparison.module_work import modules_of_activity
from stepscope.comparison.names import same_kernel
from stepscope.comparison.recorded import compared_steps
from stepscope.numeric.nested import at
from stepscope.schema import MEMSET, UNATTRIBUTED
from stepscope.store.autograd import backward_pass
from stepscope.store.profile import Rank

_KEY = ["module", "op", "kernel"]
_PLACED = {
    **dict.fromkeys(_KEY, pl.String),
    "ns": pl.Float64,
    "calls": pl.Float64,
    "first": pl.Int64,
    "memset": pl.Boolean,
}

_MOST_IN_PLACE = 64
"""Kernels of one place whose order is compared; of more, all stand for all."""


@dataclass(frozen=True)
class Replacement:
    """Kernels of one place of which each side has its own.

    Attributes:
        module: module and pass, "" without any.
        op: the operator that launches them on both sides, "" where these differ.
        gone, new: kernels that only the base, and only the new side launches there, in the order of launches.
        base_ns, new_ns: their time a step.
        base_calls, new_calls: how many of them a step launches.
    """

    module: str
    op: str
    gone: tuple[str, ...]
    new: tuple[str, ...]
    base_ns: float
    new_ns: float
    base_calls: float
    new_calls: float


@dataclass(frozen=True)
class Alignment:
    """How much of both sides is aligned.

    Attributes:
        host_pct: share of the host's work, of both sides together, in frames that both sides have.
        gpu_pct: share of the GPU's work joined by module, operator and kernel.
        by_sequence_pct: share of the GPU's work aligned by its sequence beside that.
        by_name_pct: share of the rest whose kernels both sides launch somewhere. All are None without any work.
        replaced: what is aligned by sequence and has other kernels, most time first.
    """

    host_pct: float | None
    gpu_pct: float | None
    by_sequence_pct: float | None
    by_name_pct: float | None
    replaced: tuple[Replacement, ...]


def alignment(base: Sequence[Rank], new: Sequence[Rank], tree: Frames) -> Alignment:
    """Align the work of two sides."""
    both = (tree.base["calls"] > 0) & (tree.new["calls"] > 0)
    work = tree.base[HOST] + tree.new[HOST]
    joined = _side(base).join(_side(new), _KEY, "full", coalesce=True, suffix="_new")
    # In order, so that sums have the same last bit each time.
    joined = joined.with_columns(pl.col("ns", "ns_new", "calls", "calls_new").fill_null(0.0)).sort(_KEY)
    left = joined.filter((pl.col("calls") == 0) | (pl.col("calls_new") == 0))
    memset = pl.coalesce("memset", "memset_new")
    found, rest = _replaced(left.filter(~memset))
    rest = pl.concat([rest, left.filter(memset)])
    twice = (
        rest.group_by("kernel", maintain_order=True)
        .agg(pl.col("ns", "ns_new").sum())
        .filter((pl.col("ns") > 0) & (pl.col("ns_new") > 0))
    )
    replaced = sorted(found, key=lambda one: (-max(one.base_ns, one.new_ns), one.module, one.op))
    total = _time(joined)
    return Alignment(
        _pct(float(work[both].sum()), float(work.sum())),
        _pct(total - _time(left), total),
        _pct(sum(one.base_ns + one.new_ns for one in found), total),
        _pct(_time(twice), total),
        tuple(one for one in replaced if set(one.gone) != set(one.new)),
    )


def _time(rows: pl.DataFrame) -> float:
    """Time of both sides, in ns."""
    return float(rows["ns"].to_numpy().sum() + rows["ns_new"].to_numpy().sum())


def _pct(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole > 0 else None


def _side(ranks: Sequence[Rank]) -> pl.DataFrame:
    """Columns of `_PLACED`: kernels and copies of a side by place, a step, the mean of its recordings."""
    every = pl.concat([_placed(rank) for rank in ranks])
    sums = (pl.col("ns", "calls").sum() / len(ranks), pl.col("first").min(), pl.col("memset").any())
    return every.group_by(_KEY).agg(sums)


def _placed(rank: Rank) -> pl.DataFrame:
    steps, activity = compared_steps(rank), rank.whole.activity
    if len(activity) == 0 or len(steps) == 0:
        return pl.DataFrame(schema=_PLACED)
    operators = rank.trace.frame("operator", ["name"])["name"]
    code = pl.DataFrame([operators.gather(activity["operator"]).alias("op"), activity["name"].alias("kernel")])
    moment = activity.select(pl.coalesce("launch_start_ns", "start_ns")).to_series().alias("first")
    place = pl.Series("place", launch_steps(rank), dtype=pl.Int64)
    rows = pl.DataFrame([_modules(rank), *code, moment, place, activity["duration_ns"].alias("ns")])
    rows = rows.with_columns((activity["activity"] == MEMSET).alias("memset"))
    rows = rows.filter(pl.col("place") >= 0).with_columns(
        pl.col("first") - pl.Series(steps.begin).gather(pl.Series(place.filter(place >= 0)))
    )
    calls = pl.len().cast(pl.Float64) / len(steps)
    found = rows.group_by("module", "op", "kernel").agg(
        pl.col("ns").sum() / len(steps), calls.alias("calls"), pl.col("first").min(), pl.col("memset").any()
    )
    texts = [rank.trace.text(found[name].cast(pl.UInt32)).fill_null(UNATTRIBUTED).alias(name) for name in _KEY[1:]]
    found = found.with_columns(texts).with_columns(same_kernel(pl.col("op", "kernel")))
    return found.select(pl.col(name).cast(kind) for name, kind in _PLACED.items())


def _modules(rank: Rank) -> pl.Series:
    """Module and pass of each activity; the pass alone where no modules were recorded."""
    names = modules_of_activity(rank)
    if names is None:
        operator = rank.whole.activity["operator"].cast(pl.Int64).fill_null(-1).to_numpy()
        backward = at(backward_pass(rank.whole).function, operator) >= 0
        names = pl.Series(["", "backward"]).gather(backward.astype(np.int64))
    return names.alias("module")


def _replaced(left: pl.DataFrame) -> tuple[list[Replacement], pl.DataFrame]:
    """What is left over, aligned within operators of a module first, within modules then; and what is left of that."""
    found: list[Replacement] = []
    for columns in (["module", "op"], ["module"]):
        taken: list[str] = []
        for place, rows in left.group_by(columns, maintain_order=True):
            for gone, new in _pairs(rows):
                taken += [*gone["id"], *new["id"]]
                found.append(_replacement((*place, "")[:2], gone, new))
        left = left.filter(~_id().is_in(taken))
    return found, left


def _id() -> pl.Expr:
    return pl.concat_str(_KEY, separator="\x00")


def _pairs(rows: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    rows = rows.with_columns(_id().alias("id"))
    sides = [
        rows.filter(pl.col(often) > 0).sort(first, "id")
        for often, first in (("calls", "first"), ("calls_new", "first_new"))
    ]
    if not all(map(len, sides)):
        return
    kinds = [[kernel_kind(name, op) for name, op in one.select("kernel", "op").iter_rows()] for one in sides]
    for begin, end, from_, until in _groups(*kinds):
        yield sides[0][begin:end], sides[1][from_:until]


def _groups(base: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Parts of two sequences that stand for each other: pairs of one kind, and what both have between two pairs.

    >>> list(_groups(["gemm", "gemm", "norm"], ["gemm", "reduce"]))
    [(0, 2, 0, 1), (2, 3, 1, 2)]
    """
    edges = [_runs(side) for side in (base, new)]
    kinds = [[side[at] for at in edge[:-1]] for side, edge in zip((base, new), edges, strict=True)]
    for begin, end, from_, until in _runs_alike(*kinds):
        yield edges[0][begin], edges[0][end], edges[1][from_], edges[1][until]


def _runs(kinds: list[str]) -> list[int]:
    """Where each run of one kind begins, and the end."""
    return [at for at in range(len(kinds)) if at == 0 or kinds[at] != kinds[at - 1]] + [len(kinds)]


def _runs_alike(base: list[str], new: list[str]) -> Iterator[tuple[int, int, int, int]]:
    if max(len(base), len(new)) > _MOST_IN_PLACE:
        yield 0, len(base), 0, len(new)
        return
    # In one order whichever side is the base, so that exchanging the sides exchanges what is gone and new.
    swapped = new < base
    pairs = _common(new, base) if swapped else _common(base, new)
    last = (0, 0)
    for pair in [*((b, a) if swapped else (a, b) for a, b in pairs), (len(base), len(new))]:
        if pair[0] > last[0] and pair[1] > last[1]:
            yield last[0], pair[0], last[1], pair[1]
        if pair != (len(base), len(new)):
            yield pair[0], pair[0] + 1, pair[1], pair[1] + 1
        last = pair[0] + 1, pair[1] + 1


def _common(one: list[str], other: list[str]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence.

    >>> _common(["gemm", "norm", "copy"], ["norm", "gemm", "copy"])
    [(0, 1), (2, 2)]
    """
    length = np.zeros((len(one) + 1, len(other) + 1), np.int64)
    for a in reversed(range(len(one))):
        for b in reversed(range(len(other))):
            same = one[a] == other[b]
            length[a, b] = length[a + 1, b + 1] + 1 if same else max(length[a + 1, b], length[a, b + 1])
    found, a, b = [], 0, 0
    while a < len(one) and b < len(other):
        if one[a] == other[b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        elif length[a + 1, b] > length[a, b + 1]:
            a += 1
        else:
            b += 1
    return found


def _replacement(place: tuple[object, ...], gone: pl.DataFrame, new: pl.DataFrame) -> Replacement:
    return Replacement(
        str(place[0]),
        str(place[1]),
        tuple(dict.fromkeys(gone["kernel"])),
        tuple(dict.fromkeys(new["kernel"])),
        float(gone["ns"].to_numpy().sum()),
        float(new["ns_new"].to_numpy().sum()),
        float(gone["calls"].to_numpy().sum()),
        float(new["calls_new"].to_numpy().sum()),
    )
