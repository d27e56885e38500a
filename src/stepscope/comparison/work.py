"""The work of each step by name: what the host did in it, what was launched in it, and how often.

Time of the host is self time: of Python functions, ranges, operators and calls of the CUDA API only the innermost has
it, so no time counts twice on a thread. Time in calls that wait is no work, and has rows of its own.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import rows_at
from stepscope.analyses.host.host_stacks import KINDS, HostStacks, host_stacks
from stepscope.analyses.idle.waits import MEMORY, blocking_calls
from stepscope.comparison.launched import launch_steps
from stepscope.comparison.module_work import done_on_host, given_to_gpu
from stepscope.comparison.names import nameless_places, waits
from stepscope.comparison.recorded import Steps, compared_steps
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.schema import KERNEL, UNATTRIBUTED
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

HOST, GPU, WAIT = "host", "gpu", "wait"
"""What a time is of: work of the host, work of the GPU, or a wait of the host."""

MODULE, FUNCTION, RANGE, OPERATOR, CALL, KERNELS, COLLECTIVE = (
    "module",
    "function",
    "range",
    "operator",
    "call",
    "kernel",
    "collective",
)
_LEVELS = dict(zip(KINDS, (FUNCTION, RANGE, OPERATOR), strict=True))

WORK = {
    "level": pl.String,
    "of": pl.String,
    "key": pl.String,
    "place": pl.Int64,
    "ns": pl.Int64,
    "calls": pl.Int64,
}

_BY = ["level", "of", "key", "place"]


@per_rank
def step_work(rank: Rank) -> pl.DataFrame:
    """Columns `WORK`: a row for each name and step (place among the compared ones) that has any."""
    steps = compared_steps(rank)
    frames = [_stacked(rank, steps), _calls(rank, steps), *_launched(rank), *_of_modules(rank, steps)]
    rows = pl.concat([pl.DataFrame(schema=WORK), *frames])
    waiting = (pl.col("level") == FUNCTION) & waits(pl.col("key"))
    of = pl.when(waiting).then(pl.lit(WAIT)).otherwise("of").alias("of")
    rows = rows.with_columns(nameless_places(pl.col("key")), of)
    return rows.group_by(_BY).agg(pl.col("ns", "calls").sum()).sort(_BY)


def _stacked(rank: Rank, steps: Steps) -> pl.DataFrame:
    """Work of Python functions, ranges and operators, without calls of the CUDA API that they make."""
    from stepscope.numeric.stack_paths import self_by_window

    stacks = host_stacks(rank)
    host = stacks.host
    codes, key = _numbered(stacks.codes)
    shape = (len(codes), len(steps))
    if 0 in shape:
        return pl.DataFrame(schema=WORK)
    own = self_by_window(
        host.nesting.order, host.thread, host.start, host.end, (steps.begin, steps.stop), key, shape[0]
    )
    own -= _called_in(rank, stacks, steps, key, shape)
    place = steps.holding(host.start)
    begun = place >= 0
    calls = np.bincount(key[begun] * shape[1] + place[begun], minlength=shape[0] * shape[1]).reshape(shape)
    name, at = np.nonzero((own > 0) | (calls > 0))
    found = codes[name] >= 0
    name, at = name[found], at[found]
    frame = pl.DataFrame({"place": at, "ns": np.maximum(own[name, at], 0), "calls": calls[name, at]})
    levels = pl.Series([_LEVELS[kind] for kind in KINDS]).gather(codes[name] % len(KINDS))
    frame = frame.with_columns(pl.Series("name", codes[name] // len(KINDS)), levels.alias("level"))
    return _named(rank, frame, of=HOST)


def _numbered(codes: Ints) -> tuple[Ints, Ints]:
    """The different codes of names, in order, and which of them each is: counted, as sorting millions takes long.

    >>> [found.tolist() for found in _numbered(np.array([5, NOBODY, 5, 0]))]
    [[-1, 0, 5], [2, 0, 2, 1]]
    """
    present = np.bincount(codes - NOBODY) > 0
    return np.flatnonzero(present) + NOBODY, (np.cumsum(present) - 1)[codes - NOBODY]


def _called_in(rank: Rank, stacks: HostStacks, steps: Steps, key: Ints, shape: tuple[int, int]) -> Ints:
    """Time of the calls of the CUDA API that are made in events of each key, by step."""
    spent = np.zeros(shape, np.int64)
    calls = rank.trace.frame("runtime", ["start_ns", "duration_ns"])
    start, row = calls["start_ns"].to_numpy(), calling_events(rank)
    place = steps.holding(start)
    known = (row >= 0) & (place >= 0)
    row, place, start = row[known], place[known], start[known]
    end = np.minimum(
        start + calls["duration_ns"].to_numpy()[known], np.minimum(stacks.host.end[row], steps.stop[place])
    )
    np.add.at(spent, (key[row], place), np.maximum(end - start, 0))
    return spent


@per_rank(unlimited=True)
def calling_events(rank: Rank) -> Ints:
    """The event of `host_stacks` in which each call of the CUDA API is made, or `NOBODY`."""
    calls = rank.trace.frame("runtime", ["process", "thread", "start_ns"])
    return rows_at(host_stacks(rank).host, calls["process"], calls["thread"], calls["start_ns"].to_numpy())


def _calls(rank: Rank, steps: Steps) -> pl.DataFrame:
    """Calls of the CUDA API; those in which the host waits are waits."""
    frame = rank.trace.frame("runtime", ["name", "start_ns", "duration_ns"]).with_row_index("row")
    frame = frame.with_columns(pl.Series("place", steps.holding(frame["start_ns"].to_numpy())))
    frame = frame.filter(pl.col("place") >= 0)
    waits = pl.col("row").is_in(_waiting(rank)["row"].implode())
    of = pl.when(waits).then(pl.lit(WAIT)).otherwise(pl.lit(HOST)).alias("of")
    summed = frame.group_by("name", "place", of).agg(
        pl.col("duration_ns").sum().alias("ns"), pl.len().cast(pl.Int64).alias("calls")
    )
    return _named(rank, summed, level=CALL)


def _waiting(rank: Rank) -> pl.DataFrame:
    """Calls that wait for the GPU; one that waits for memory keeps the host busy with what it asked for."""
    return blocking_calls(rank).filter(pl.col("kind") != MEMORY)


def held_calls(rank: Rank, steps: Steps) -> pl.DataFrame:
    """Calls of some steps that wait for the GPU: columns row, process, thread, start_ns, duration_ns."""
    calls = rank.trace.frame("runtime", ["process", "thread", "start_ns", "duration_ns"]).with_row_index("row")
    calls = calls[_waiting(rank)["row"].cast(pl.Int64)]
    return calls.filter(pl.Series(steps.holding(calls["start_ns"].to_numpy()) >= 0))


def _launched(rank: Rank) -> list[pl.DataFrame]:
    """Work of the GPU by the operator that launched it, by kernel, and of collectives by kernel."""
    activity = rank.whole.activity
    activity = activity.with_columns(pl.Series("place", launch_steps(rank), dtype=pl.Int64))
    activity = activity.filter(pl.col("place") >= 0)
    operators = rank.trace.frame("operator", ["name"])["name"]
    activity = activity.with_columns(operators.gather(activity["operator"]).alias("op"))

    def summed(frame: pl.DataFrame, name: str, level: str) -> pl.DataFrame:
        sums = (pl.col("duration_ns").sum().alias("ns"), pl.len().cast(pl.Int64).alias("calls"))
        made = frame.group_by(pl.col(name).alias("name"), "place").agg(sums)
        return _named(rank, made, level=level, of=GPU)

    talks = pl.col("communication") & (pl.col("activity") == KERNEL)
    return [
        summed(activity, "op", OPERATOR),
        summed(activity.filter(~talks), "name", KERNELS),
        summed(activity.filter(talks), "name", COLLECTIVE),
    ]


def _of_modules(rank: Rank, steps: Steps) -> list[pl.DataFrame]:
    """Work by module, see `module_work`."""
    found = {HOST: done_on_host(rank, steps, held_calls(rank, steps)), GPU: given_to_gpu(rank)}
    return [
        frame.select(
            pl.lit(MODULE).alias("level"), pl.lit(of).alias("of"), pl.col("name").alias("key"), "place", "ns", "calls"
        )
        for of, frame in found.items()
    ]


def _named(rank: Rank, frame: pl.DataFrame, **same: str) -> pl.DataFrame:
    """Sums by code of a name, in words; ``same`` holds columns with one value."""
    names = rank.trace.text(frame["name"].cast(pl.UInt32)).fill_null(UNATTRIBUTED).alias("key")
    return frame.with_columns(names, *(pl.lit(value).alias(name) for name, value in same.items())).select(
        pl.col(name).cast(dtype) for name, dtype in WORK.items()
    )
