"""What a trace does not record of operators on lists of tensors, as far as their kernels tell it.

Types of listed tensors are never recorded, and shapes of long lists are not. The kernels' template arguments name the
type of an element. How many elements there are follows where the list is that of all parameters, as in an optimizer:
`AccumulateGrad` records the shape of each parameter once a backward pass, and the kernels of ATen's multi-tensor
operators start a block for every 65,536 elements of each tensor (aten/src/ATen/native/cuda/MultiTensorApply.cuh). Only
where the blocks of a call are exactly as many as the parameters need is the list taken for theirs. Where parameters are
sharded (FSDP cuts each along its first dimension), a rank's shards may be the list.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod

import polars as pl

from stepscope.analyses.roofline.models.dtypes import element_type
from stepscope.schema import KERNEL
from stepscope.store.autograd import ACCUMULATES
from stepscope.store.json_text import json_value
from stepscope.store.profile import Rank

_CHUNK = 65_536
_MULTI_TENSOR = "multi_tensor_apply_kernel"


@dataclass(frozen=True)
class Parameters:
    """A list of all parameters that get a gradient: its elements, and the blocks that multi-tensor kernels need."""

    elements: int
    blocks: int


def parameters(rank: Rank) -> list[Parameters]:
    """What the list of all parameters of a rank may be: whole, or the rank's shards for each size of a group.

    A parameter's shape is seen once a pass, so the passes are the greatest number that divides how often each shape
    is seen. Should every shape occur several times in the model that number is too large; the blocks then do not fit.
    """
    frame = rank.trace.frame("operator", ["name", "input_dims"])
    named = rank.trace.codes(lambda text: text == ACCUMULATES)
    seen = frame.filter(pl.col("name").is_in(named.implode()))["input_dims"].drop_nulls().value_counts()
    shapes = [_first_shape(text) for text in rank.trace.text(seen["input_dims"])]
    counts = [(shape, count) for shape, count in zip(shapes, seen["count"], strict=True) if shape]
    passes = gcd(*(count for _, count in counts)) if counts else 1
    model = [(shape, count // passes) for shape, count in counts]
    return [_sharded(model, size, rank.number % size) for size in _group_sizes(rank)] if model else []


def _first_shape(dims: str) -> list[int]:
    """Shape of the first of a call's tensors, empty where there is none."""
    try:
        first = json_value(dims)[0]
        return first if all(isinstance(n, int) and n > 0 for n in first) else []
    except (ValueError, IndexError, TypeError, KeyError):
        return []


def _group_sizes(rank: Rank) -> list[int]:
    """One, and the sizes of the rank's groups of processes."""
    recorded = rank.trace.head.get("distributedInfo", {})
    sizes = [recorded.get("world_size"), *(group.get("pg_size") for group in recorded.get("pg_config", []))]
    return [1, *sorted({size for size in sizes if isinstance(size, int) and 1 < size < 1 << 20})]


def _sharded(model: list[tuple[list[int], int]], size: int, place: int) -> Parameters:
    """The shards at one place of a group of a size: of each parameter a piece of its first dimension."""
    elements = blocks = 0
    for (first, *others), count in model:
        piece = -(-first // size)
        mine = max(0, min(first, (place + 1) * piece) - place * piece) * prod(others)
        elements += mine * count
        blocks += -(-mine // _CHUNK) * count
    return Parameters(elements, blocks)


def list_hints(rank: Rank, activity: pl.DataFrame, rows: pl.Series) -> pl.DataFrame:
    """What the kernels of some operator rows tell: columns row, element (a type), listed (elements; null unless sure).

    Args:
        activity: as `Rank.activity`.
        rows: of table ``operator``.
    """
    kernels = activity.filter((pl.col("activity") == KERNEL) & pl.col("operator").is_in(rows.implode()))
    kernels = kernels.select("row", "operator", "duration_ns", "name").with_columns(_blocks(rank, kernels))
    found = kernels.sort("duration_ns", rank.trace.text(kernels["name"])).group_by("operator", maintain_order=True)
    hints = found.agg(pl.col("name").last(), pl.col("blocks").sum())
    names = hints["name"].unique().drop_nulls()
    types = [element_type(name) for name in rank.trace.text(names)]
    told = pl.DataFrame([names, pl.Series("element", types, pl.String)])
    known = _unambiguous(parameters(rank))
    return (
        hints.join(told, "name", "left", maintain_order="left")
        .join(known, "blocks", "left", maintain_order="left")
        .select(pl.col("operator").cast(pl.UInt32).alias("row"), "element", "listed")
    )


def _unambiguous(lists: list[Parameters]) -> pl.DataFrame:
    """Numbers of blocks that mean one number of elements: columns blocks, listed."""
    meanings: dict[int, set[int]] = {}
    for one in lists:
        meanings.setdefault(one.blocks, set()).add(one.elements)
    sure = [(blocks, *elements) for blocks, elements in meanings.items() if len(elements) == 1 and blocks > 0]
    return pl.DataFrame(sure, {"blocks": pl.Int64, "listed": pl.Int64}, orient="row")


def _blocks(rank: Rank, kernels: pl.DataFrame) -> pl.Series:
    """Blocks of each multi-tensor kernel, 0 of any other."""
    named = rank.trace.codes(lambda text: text.str.contains(_MULTI_TENSOR, literal=True))
    grids = rank.trace.text(rank.trace.frame("activity", ["grid"])["grid"][kernels["row"]])
    sizes = pl.DataFrame([grids, kernels["name"]]).select(
        pl.when(pl.col("name").is_in(named.implode()).fill_null(False))
        .then(pl.col("grid").str.extract(r"^\[\s*(\d{1,9})").cast(pl.Int64).fill_null(0))
        .otherwise(0)
        .alias("blocks")
    )
    return sizes.to_series()
