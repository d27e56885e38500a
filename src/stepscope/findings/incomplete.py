"""What a file that was cut off lacks, and for which steps figures hold: said before any figure."""

from __future__ import annotations

from stepscope.analyses.steps.steps import step_times, whole_steps
from stepscope.messages import Message
from stepscope.readers.formats import TRACE
from stepscope.store.profile import Rank, as_ranges
from stepscope.store.step_detection import WHOLE


def incomplete_sentences(rank: Rank) -> tuple[Message, ...]:
    """Where the trace is cut off, then how many events were read and what figures hold for; empty for a whole one."""
    if rank.trace.truncated is None or rank.trace.kind != TRACE:
        return ()
    return (_cut_off(rank.whole), _held(rank))


def _cut_off(rank: Rank) -> Message:
    last: int | None = rank.activity["end_ns"].max()  # type: ignore[assignment]
    until = last - rank.span[0] if last is not None else None
    size, calls = rank.trace.meta.get("json_bytes"), rank.trace.rows("runtime") > 0
    return Message("verdict-cut-off", json_bytes=size, until_ns=until, calls=calls)


def _held(rank: Rank) -> Message:
    events = rank.trace.events
    if len(rank.whole.activity) == 0:
        return Message("verdict-cut-off-host", events=events)
    if rank.all_steps.source == WHOLE:
        return Message("verdict-cut-off-events", events=events)
    table = step_times(rank)
    whole = whole_steps(table)["step"].to_list()
    return Message("verdict-cut-off-steps", events=events, count=len(whole), steps=as_ranges(whole), of=len(table))
