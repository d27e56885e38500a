"""What each launch or operator of a step belongs to: forward, backward, or neither.

Backward is what runs inside the autograd engine (`autograd::engine::evaluate_function: ...`; in traces that lack it,
operators named like `AddmmBackward`); with MindSpore in graph mode, the operators in its scope `Gradients/`. Neither
is: communication, copies and fills, what an optimizer's step or `zero_grad` (MindSpore's scope `optimizer-...`) or the
data loader does, and what a thread of the autograd engine does outside of it, such as copying reduced gradients back.
Everything else that computes is forward.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.host.threads import Bools, inside_threads, named_ranges, thread_unions
from stepscope.analyses.steps.unions import loader_ranges
from stepscope.schema import KERNEL
from stepscope.store.autograd import backward_names
from stepscope.store.communication import is_communication_operator
from stepscope.store.memo import per_rank
from stepscope.store.nesting import PLACE
from stepscope.store.profile import Rank
from stepscope.store.sorting import by_numbers
from stepscope.store.thread_names import engine_threads_by_name
from stepscope.store.ties import with_places
from stepscope.store.trace import Trace

NEITHER, FORWARD, BACKWARD = 0, 1, 2
"""Values of the column ``phase``."""

_OPTIMIZER = r"^Optimizer\.(step|zero_grad)#|^Default/(?:.*/)?optimizer-"
_TRANSPORT = r"^(gloo|nccl|mpi|ucc):"


def launched_phases(rank: Rank) -> pl.DataFrame:
    """Linked activity of a rank in order of launch.

    Columns: launch_start_ns, start_ns, end_ns, operator (row), name (code), phase.
    """
    return _launched_phases(rank)[0]


def engine_threads(rank: Rank) -> pl.DataFrame:
    """Threads of the autograd engine, which launch at least half of their own in backward: columns process, thread.

    Where no other thread launches anything that one does everything, and counts as none.
    """
    return _launched_phases(rank)[1]


@per_rank
def _launched_phases(rank: Rank) -> tuple[pl.DataFrame, pl.DataFrame]:
    activity = rank.activity.filter(pl.col("launch").is_not_null())
    activity = with_places(rank.trace, "activity", activity)
    activity = by_numbers(activity, "launch_start_ns", "start_ns", "end_ns", "place")
    places = rank.trace.frame("runtime", PLACE)[activity["launch"]]
    computes = activity.select((pl.col("activity") == KERNEL) & ~pl.col("communication")).to_series().to_numpy()
    backward, outside = _inside_ranges(rank.trace, places, activity["launch_start_ns"])
    backward |= _on_threads(places, engine_threads_by_name(rank.trace))
    engine = _engines(places, backward, computes)
    forward = ~backward & ~outside & ~_on_threads(places, engine)
    columns = ["launch_start_ns", "start_ns", "end_ns", "operator", "name"]
    return activity.select(*columns, _phase(computes, forward, backward)), engine


def host_phases(rank: Rank) -> pl.DataFrame:
    """Operators of a rank in order of their start, with the columns of `launched_phases`."""
    trace = rank.trace
    frame = trace.frame("operator", ["name", *PLACE, "start_ns", "duration_ns"]).with_row_index("row")
    frame = frame.with_columns((pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns"))
    frame = by_numbers(with_places(trace, "operator", frame), "start_ns", "end_ns", "place")
    transport = trace.codes(lambda text: is_communication_operator(text) | text.str.contains(_TRANSPORT))
    computes = ~frame["name"].is_in(transport.implode()).fill_null(False).to_numpy()
    backward, outside = _inside_ranges(trace, frame, frame["start_ns"])
    return frame.select(
        pl.col("start_ns").alias("launch_start_ns"),
        "start_ns",
        "end_ns",
        pl.col("row").alias("operator"),
        "name",
        _phase(computes, ~backward & ~outside, backward),
    )


def optimizer_starts(trace: Trace) -> np.ndarray:
    """Start of every step of an optimizer, sorted, in ns."""
    names = trace.codes(lambda text: text.str.starts_with("Optimizer.step#"))
    return np.sort(named_ranges(trace, names, ("operator", "annotation"))["start_ns"].to_numpy())


def _phase(computes: Bools, forward: Bools, backward: Bools) -> pl.Series:
    phase = np.where(computes & backward, BACKWARD, np.where(computes & forward, FORWARD, NEITHER))
    return pl.Series("phase", phase, dtype=pl.Int8)


def backward_ranges(trace: Trace) -> pl.DataFrame:
    """Ranges in which backward runs: columns name, process, thread, start_ns, end_ns."""
    return named_ranges(trace, backward_names(trace), ("operator",))


def _inside_ranges(trace: Trace, places: pl.DataFrame, times: pl.Series) -> tuple[Bools, Bools]:
    """Whether times on threads lie in backward, and whether in an optimizer or the data loader."""
    optimizer = trace.codes(lambda text: text.str.contains(_OPTIMIZER))
    others = pl.concat([named_ranges(trace, optimizer, ("operator", "annotation")), loader_ranges(trace)])
    at = times.to_numpy()
    return (
        inside_threads(thread_unions(backward_ranges(trace)), places, at),
        inside_threads(thread_unions(others), places, at),
    )


def _engines(places: pl.DataFrame, backward: Bools, computes: Bools) -> pl.DataFrame:
    threads = places.with_columns(pl.Series("backward", backward)).filter(pl.Series(computes))
    share = threads.group_by(PLACE).agg(pl.col("backward").mean())
    engine = share.filter(pl.col("backward") >= 0.5).select(PLACE)
    return engine if len(engine) < len(share) else engine.clear()


def _on_threads(places: pl.DataFrame, threads: pl.DataFrame) -> Bools:
    known = threads.with_columns(pl.lit(True).alias("known"))
    joined = places.join(known, PLACE, "left", nulls_equal=True, maintain_order="left")
    return joined["known"].fill_null(False).to_numpy()
