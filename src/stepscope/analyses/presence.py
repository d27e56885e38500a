"""Whether a rank has what a view needs, see `needs`."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.readers.formats import MEMORY_SNAPSHOT, TELEMETRY, TRACE
from stepscope.store.communication import is_communication_name, is_communication_operator
from stepscope.store.further_arguments import MODULE_ARGUMENTS, has_further_argument
from stepscope.store.profile import Rank

COUNTER_CATEGORY = "cuda_profiler_range"
"""Category of the events that hold hardware counters."""


def has_values(table: str, column: str) -> Callable[[Rank], bool]:
    """Ranks with a value in a column of a stored table."""
    return lambda rank: bool(rank.trace.frame(table, [column])[column].is_not_null().any())


def has_rows(table: str) -> Callable[[Rank], bool]:
    """Ranks with a row in a stored table."""
    return lambda rank: rank.trace.rows(table) > 0


def has_stacks(rank: Rank) -> bool:
    """Whether stacks were recorded: as Python functions or, by an old PyTorch, with each operator."""
    if rank.trace.rows("python"):
        return True
    stacks = rank.trace.frame("operator", ["call_stack"])["call_stack"].drop_nulls().unique()
    return bool((rank.trace.text(stacks) != "").any())


def has_modules(rank: Rank) -> bool:
    """Whether calls of modules were recorded."""
    return has_stacks(rank) or has_further_argument(rank.trace, MODULE_ARGUMENTS)


def has_frames(rank: Rank) -> bool:
    """Whether anything of the host was recorded that is a frame of a stack."""
    return any(rank.trace.rows(table) > 0 for table in ("python", "annotation", "operator"))


def has_trace(rank: Rank) -> bool:
    """Whether it has a trace."""
    return any(one.kind == TRACE for one in rank.recordings)


def has_instances(rank: Rank) -> bool:
    """Whether any timed event was recorded."""
    return has_frames(rank) or any(rank.trace.rows(table) > 0 for table in ("activity", "runtime"))


def has_counters(rank: Rank) -> bool:
    """Whether hardware counters were recorded."""
    codes = rank.trace.codes(lambda text: text == COUNTER_CATEGORY)
    return bool(rank.trace.frame("other", ["category"])["category"].is_in(codes.implode()).any())


def has_telemetry(rank: Rank) -> bool:
    """Whether samples of the machine are joined with it."""
    beside = any(one.kind == TELEMETRY and one.joined for one in rank.recordings[1:])
    return beside or rank.trace.rows("counter") > 0


def may_communicate(rank: Rank) -> bool:
    """Whether any text of its recording could name a collective: without one the table is empty, and need not be made.

    A text of another meaning may look so; that is for the table to find out.
    """
    named = rank.trace.codes(lambda text: is_communication_name(text) | is_communication_operator(text))
    return len(named) > 0 or bool(rank.trace.frame("activity", ["collective"])["collective"].is_not_null().any())


def has_of_pipeline(table: str) -> Callable[[Rank], bool]:
    """Ranks of which any recording has a row in a stored table."""
    return lambda rank: any(one.stored is not None and one.stored.rows(table) > 0 for one in rank.recordings)


def has_recording(kind: str) -> Callable[[Rank], bool]:
    """Ranks with a recording of a kind."""
    return lambda rank: any(one.kind == kind and one.stored is not None for one in rank.recordings)


def has_npu_tables(rank: Rank) -> bool:
    """Whether the profiler of an NPU added anything up."""
    return any(rank.trace.rows(table) > 0 for table in ("npu_kernel", "npu_step"))


has_snapshot = has_recording(MEMORY_SNAPSHOT)


def has_memory(rank: Rank) -> bool:
    """Whether changes of memory were recorded."""
    return rank.trace.rows("memory") > 0 or has_snapshot(rank)
