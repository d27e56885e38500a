"""What the time of a simulated step is made of: the critical path, by resource and by name.

The path goes through all steps of the model and through as many repetitions as are steady, so its parts are those of
an average step. Work of the host has the name of the innermost event, as in the table critical_path.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.hosttime import DATA_LOADING as LOADS
from stepscope.analyses.critical_path.hosttime import host_pieces
from stepscope.analyses.critical_path.queue import gpu_queue
from stepscope.analyses.simulation.bottleneck_sides import (
    COMMUNICATION,
    COMPUTE,
    COPIES,
    DATA_LOADING,
    HOST,
    activities_of,
)
from stepscope.analyses.simulation.host_clock import Floats
from stepscope.analyses.simulation.model import Edit, StepModel
from stepscope.messages import Message
from stepscope.numeric.bottleneck_chain import Chain
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.replay import BY_EVENT, BY_LAUNCH, BY_STREAM
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

LAUNCH_LATENCY, WAITING = "launch_latency", "waiting"

PATH_SIDES = (HOST, DATA_LOADING, LAUNCH_LATENCY, COMPUTE, COMMUNICATION, COPIES, WAITING)
"""Where the path may run, in the order of a step's work."""

OTHERS = Message("path-others").encoded()
_QUEUED, _AFTER_EVENT = Message("path-inter-kernel-gap").encoded(), Message("path-after-event").encoded()
_EARLIER, _NOTHING = Message("path-launched-earlier").encoded(), Message("path-nothing-recorded").encoded()

_PART = {"side": pl.String, "name": pl.String, "label": pl.String, "ns": pl.Float64}


def step_path(rank: Rank, model: StepModel, edit: Edit, most: int = 10) -> pl.DataFrame:
    """The path of one step after an edit, longest part first.

    Args:
        most: how many names have rows of their own; the others of a side share a row.

    Returns:
        Columns side (one of `PATH_SIDES`), name (null where the trace has none), label (a message where there is no
        name: what it is), ns, share_pct. The parts add up to the time of the step, in whole ns.
    """
    chain = model.chain(edit)
    frames = [*_on_gpu(rank, model, chain), *_on_host(rank, model, edit, chain)]
    frames.append(_unnamed(_EARLIER, np.array([chain.unknown])))
    parts = pl.concat(frames).filter(pl.col("ns") > 0)
    unknown = pl.col("name").is_null() & pl.col("label").is_null()
    parts = parts.with_columns(pl.when(unknown).then(pl.lit(_NOTHING)).otherwise("label").alias("label"))
    parts = _summed(parts)
    own_row = pl.int_range(pl.len()) < most
    others = pl.when(own_row).then("label").otherwise(pl.lit(OTHERS)).alias("label")
    parts = _summed(parts.with_columns(pl.when(own_row).then("name").alias("name"), others))
    steps = chain.passes * model.steps
    step = round(chain.total_ns() / steps)
    whole = _whole(parts["ns"].to_numpy() / steps, step)
    parts = parts.with_columns(pl.Series("ns", whole), pl.Series("share_pct", 100.0 * whole / max(1, step)))
    return _longest_first(parts.filter(pl.col("ns") > 0))


def _summed(parts: pl.DataFrame) -> pl.DataFrame:
    return _longest_first(parts.group_by("side", "name", "label").agg(pl.col("ns").sum()))


def _longest_first(parts: pl.DataFrame) -> pl.DataFrame:
    return parts.sort("ns", "side", "name", "label", descending=[True, False, False, False])


def _whole(parts: Floats, total: int) -> Ints:
    """Parts as whole numbers that add up to a total: those with the largest rests are rounded up."""
    whole = np.floor(parts).astype(np.int64)
    missing = total - int(whole.sum())
    largest = np.argsort(whole - parts, kind="stable")
    whole[largest[:missing]] += 1
    return whole


def _part(side: str, names: Any, ns: Ints | Floats) -> pl.DataFrame:
    return pl.DataFrame({"side": side, "name": names, "label": None, "ns": ns}, schema=_PART, strict=False)


def _unnamed(label: str, ns: Ints | Floats) -> pl.DataFrame:
    return pl.DataFrame({"side": WAITING, "name": None, "label": label, "ns": ns}, schema=_PART, strict=False)


def _on_gpu(rank: Rank, model: StepModel, chain: Chain) -> list[pl.DataFrame]:
    """Activities on the path, and the delays before their starts."""
    rows, trace = model.gpu.rows, rank.trace
    names = trace.text(rank.whole.activity["name"].gather(rows))
    found = []
    for side in (COMPUTE, COMMUNICATION, COPIES):
        mine = activities_of(rank, model, side)
        found.append(_part(side, names.filter(pl.Series(mine)), chain.ran[mine]))
    launches = trace.text(pl.Series(gpu_queue(rank.whole).api[rows]))
    found.append(_part(LAUNCH_LATENCY, launches, chain.late[BY_LAUNCH]))
    for why, label in ((BY_STREAM, _QUEUED), (BY_EVENT, _AFTER_EVENT)):
        found.append(_unnamed(label, chain.late[why].sum(keepdims=True)))
    return found


def _on_host(rank: Rank, model: StepModel, edit: Edit, chain: Chain) -> list[pl.DataFrame]:
    """Work of the threads on the path by what they did, and the returns from waits."""
    items, work, own = model.host.items, model.work(edit), model.own(edit)
    # An item's work may be on the path in each repetition, in the first one perhaps not all of it.
    times = chain.worked / np.maximum(1, work)
    call = items.select(pl.col("call").replace(NOBODY, None)).to_series()
    names = rank.trace.text(rank.trace.frame("runtime", ["name"])["name"].gather(call))
    found = [_part(HOST, names, times * own), _part(WAITING, names, chain.returned)]
    pieces = timed_pieces(rank, model)
    spent = np.zeros(len(pieces))
    for number, clock in enumerate(model.host.clocks):
        mine = np.flatnonzero(items["thread"].to_numpy() == number)
        of = np.flatnonzero(pieces["stretch"].to_numpy() == number)
        until = clock.worked_exactly(items["at"].to_numpy()[mine], edit.pace[number])
        on_path = np.cumsum(times[mine] * (work - own)[mine])
        start, end = (
            np.interp(clock.worked_exactly(pieces[edge].to_numpy()[of], edit.pace[number]), until, on_path)
            for edge in ("start_ns", "end_ns")
        )
        spent[of] = end - start
    side = pl.when(pl.col("kind") == LOADS).then(pl.lit(DATA_LOADING)).otherwise(pl.lit(HOST))
    no_label = pl.lit(None, pl.String).alias("label")
    found.append(pieces.select(side.alias("side"), rank.trace.text(pieces["name"]), no_label, pl.Series("ns", spent)))
    return found


@per_rank
def timed_pieces(rank: Rank, model: StepModel) -> pl.DataFrame:
    """What each timed thread did from the beginning of the steps to their end; interval is the number of its clock."""
    threads = np.array([clock.thread for clock in model.host.clocks])
    first, last = (np.full(len(threads), edge, np.int64) for edge in model.window)
    return host_pieces(rank, threads, first, last)
