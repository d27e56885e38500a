"""Which operator call each activity's work belongs to, and what that call had to do.

An activity belongs to the lowest operator around its launch that has a model for its inputs. A matrix product,
convolution or attention that calls another one only wraps it and is left to the inner one; the same work is never
counted twice. Copies between host and device and communication belong to no call: no model here is about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.analyses.roofline.models import MATRIX_KINDS, Work, call_work, model_of
from stepscope.analyses.roofline.models.listed import list_hints
from stepscope.numeric.intervals import distinct
from stepscope.numeric.nested import NOBODY
from stepscope.schema import MEMCPY
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

Rows = npt.NDArray[np.int64]

_SHAPES, _ONCE = ["input_dims", "input_types"], ["input_strides", "concrete_inputs"]
_INPUTS = [*_SHAPES, *_ONCE]
_HINTS = ["element", "listed"]
_WORK = {"flops": pl.Int64, "bytes": pl.Int64, "dtype": pl.String, "kind": pl.String}

DEVICE, COMMUNICATION, TRANSFER = "device", "communication", "transfer"
"""What an activity is: work of the device, a collective, or a copy over the host's link."""


@dataclass(frozen=True)
class Modelled:
    """Models applied to a rank.

    Attributes:
        calls: a row per modelled call: row (of table ``operator``), flops, bytes, dtype, kind.
        activity: the selected activity with column ``call`` (row of table ``operator``, null where none) and ``part``
            (`DEVICE`, `COMMUNICATION` or `TRANSFER`).
    """

    calls: pl.DataFrame
    activity: pl.DataFrame


@per_rank
def modelled(rank: Rank) -> Modelled:
    """The rank's calls with a model, and its activity with the call it belongs to; computed once."""
    activity = rank.activity.with_columns(_parts(rank))
    calls = _without_wrappers(rank, _calls(rank, activity))
    return Modelled(calls, activity.with_columns(_nearest(rank, activity, calls["row"])))


def call_of_each(rank: Rank) -> pl.Series:
    """By selected activity the call that it belongs to, else the operator around its launch; null outside operators."""
    return modelled(rank).activity.select(pl.coalesce("call", "operator").cast(pl.Int64)).to_series()


def matrix_calls(rank: Rank) -> pl.DataFrame:
    """Products of matrices, convolutions and attention whose FLOPs are known: columns row, flops."""
    calls = modelled(rank).calls
    return calls.filter(pl.col("kind").is_in(MATRIX_KINDS) & pl.col("flops").is_not_null()).select("row", "flops")


def _parts(rank: Rank) -> pl.Series:
    """What each activity is, of `DEVICE`, `COMMUNICATION` and `TRANSFER`."""
    activity = rank.activity
    distinct = activity.filter(pl.col("activity") == MEMCPY)["name"].unique().drop_nulls()
    local = distinct.filter(rank.trace.text(distinct).str.contains(r"DtoD|DeviceToDevice"))
    transfer = (pl.col("activity") == MEMCPY) & ~pl.col("name").is_in(local.implode()).fill_null(False)
    part = pl.when("communication").then(pl.lit(COMMUNICATION)).when(transfer).then(pl.lit(TRANSFER))
    return activity.select(part.otherwise(pl.lit(DEVICE)).alias("part")).to_series()


def _calls(rank: Rank, activity: pl.DataFrame) -> pl.DataFrame:
    """Calls whose inputs a model can read; as many are alike, each distinct one is modelled once."""
    trace = rank.trace
    names = trace.occurring("operator", "name")
    models = [(code, model_of(name)) for code, name in zip(names, trace.text(names), strict=True)]
    known = [code for code, model in models if model is not None]
    rows = trace.rows_with("operator", pl.Series(known, dtype=pl.UInt32))
    further = trace.frame("operator", _ONCE, keep=False)
    frame = trace.frame("operator", ["name", *_SHAPES]).hstack(further)[rows]
    frame = frame.with_columns(pl.Series("row", rows, pl.UInt32)).filter(pl.col("input_dims").is_not_null())
    # What a model does not read must not make calls distinct.
    unread = [code for code, model in models if model is not None and not model.scalars]
    listing = [code for code, model in models if model is not None and model.lists]
    scalars = pl.when(pl.col("name").is_in(unread)).then(None).otherwise("concrete_inputs").alias("concrete_inputs")
    hints = list_hints(rank, activity, frame.filter(pl.col("name").is_in(listing))["row"])
    frame = frame.with_columns(scalars).join(hints, "row", "left", maintain_order="left")
    keys = ["name", *_INPUTS, *_HINTS]
    distinct = frame.select(keys).unique(maintain_order=True)
    work = [_work(*call) for call in _texts(rank, distinct)]
    columns = [pl.Series(name, [getattr(one, name, None) for one in work], dtype) for name, dtype in _WORK.items()]
    distinct = distinct.with_columns(columns).filter(pl.col("kind").is_not_null())
    found = frame.join(distinct, keys, "inner", nulls_equal=True, maintain_order="left")
    return found.select(pl.col("row").cast(pl.Int64), *_WORK)


def _texts(rank: Rank, distinct: pl.DataFrame) -> list[tuple[Any, ...]]:
    texts = [rank.trace.text(distinct[name]) for name in ("name", *_INPUTS)]
    return list(zip(*texts, *(distinct[name] for name in _HINTS), strict=True))


def _work(name: str, dims: str, *more: Any) -> Work | None:
    types, strides, scalars, element, listed = more
    return call_work(name, dims, types, strides, scalars, element or "", listed or 0)


def _without_wrappers(rank: Rank, calls: pl.DataFrame) -> pl.DataFrame:
    """Calls without those products of matrices around which lies nothing but another one's work."""
    heavy = calls.filter(pl.col("kind").is_in(MATRIX_KINDS))["row"].to_numpy()
    parent = rank.nesting("operator").nesting.parent
    is_heavy = np.zeros(len(parent) + 1, np.bool_)
    is_heavy[heavy] = True
    wraps = np.zeros(len(parent) + 1, np.bool_)
    current = parent[heavy].astype(np.int64)
    while len(current := distinct(current[(current >= 0) & ~wraps[current]])):
        wraps[current] = True
        current = parent[current].astype(np.int64)
    wrapping = wraps[:-1] & is_heavy[:-1]
    return calls.filter(~pl.Series(wrapping[calls["row"].to_numpy()]))


def _nearest(rank: Rank, activity: pl.DataFrame, calls: pl.Series) -> pl.Series:
    """Row of the modelled call that each activity belongs to, null where none."""
    host = rank.nesting("operator")
    parent, end = host.nesting.parent, host.end
    has_model = np.zeros(len(parent) + 1, np.bool_)
    has_model[calls.to_numpy()] = True
    row = activity["operator"].cast(pl.Int64).fill_null(NOBODY).to_numpy(writable=True)
    row[(activity["part"] != DEVICE).to_numpy()] = NOBODY
    at = activity["launch_start_ns"].fill_null(0).to_numpy()
    seeking = np.flatnonzero(row >= 0)
    while len(seeking):
        here = row[seeking]
        # An operator that ended before the launch lies on the chain, but not around it.
        seeking = seeking[~(has_model[here] & (end[here] > at[seeking]))]
        row[seeking] = parent[row[seeking]]
        seeking = seeking[row[seeking] >= 0]
    return pl.Series("call", row).set(pl.Series(row < 0), None)
