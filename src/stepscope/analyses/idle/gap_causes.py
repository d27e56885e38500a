"""Why the GPU idled: every gap divided among its causes (see docs/tables/).

A gap ends where an activity starts. Until that one was launched the host was late, and the time belongs to whatever
kept the launching thread (`host_lateness`). From then on the GPU had yet to begin.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from stepscope.analyses.idle.gap_parts import (
    COMMUNICATION_WAIT,
    DEPENDENCY,
    LAUNCH_LATENCY,
    MEMORY_COPY,
    PARTS,
    UNKNOWN,
    calls_at,
    no_event,
    part,
)
from stepscope.analyses.idle.gaps import find_gaps
from stepscope.analyses.idle.host_lateness import late_parts
from stepscope.analyses.idle.waits import blocking_calls
from stepscope.analyses.steps.unions import rank_unions
from stepscope.numeric.intervals import Ints, covered_within, merge
from stepscope.store.linking import links
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank

_NEVER = -(1 << 62)

LATENCY_NS = 20_000
"""A GPU that has not begun this long after the launching call returned waits for something else than its launch.

From recordings: with an idle stream work starts 1 to 3 us after the call returns on V100, A100, H100 and H200, 5 to 10
us on MI300 (99 % of launches); work that was queued follows the work before it within 0.4 to 3 us, 18 us at most.
"""

EVENT_NS = 1_000_000
"""A GPU on which nothing recorded runs for longer than this waits for no event of another stream, but for something
that is not in the trace: work of another file of the same recording, of a CUDA graph, or of another process."""


@per_rank
def gap_parts(rank: Rank, lane: str = "") -> pl.DataFrame:
    """Parts of the gaps of `find_gaps`, columns `gap_parts.PARTS`, ``gap`` the row of the gap.

    The parts of a gap sum to its length; a cause may have two of them.
    """
    return parts_of(rank, find_gaps(rank, lane), lane)


@per_rank
def gap_times(rank: Rank) -> pl.DataFrame:
    """The parts of the gaps of the GPU, without what happened meanwhile, which takes longer to find than how long it
    took: columns gap, cause, part_ns."""
    return parts_of(rank, find_gaps(rank), "", named=False).select("gap", "cause", "part_ns")


def parts_of(rank: Rank, gaps: pl.DataFrame, lane: str, named: bool = True) -> pl.DataFrame:
    """The same for gaps like those of `find_gaps`, ``gap`` the row in the frame.

    Args:
        named: whether what happened is wanted.
    """
    if len(gaps) == 0:
        return pl.DataFrame(schema=PARTS)
    start, end = gaps["start_ns"].to_numpy(), gaps["end_ns"].to_numpy()
    known = gaps["launch"].is_not_null().to_numpy()
    launched = np.where(known, np.clip(gaps["call_start_ns"].fill_null(0).to_numpy(), start, end), start)
    lost = ~known & ~gaps["queued"].to_numpy()
    parts = [
        part(UNKNOWN, np.where(lost, end - start, 0), no_event),
        *late_parts(rank, gaps, launched, named),
        *_begun_parts(rank, gaps, lane, np.where(lost, end, launched), named),
    ]
    return pl.concat(parts).sort("gap", maintain_order=True)


def _begun_parts(rank: Rank, gaps: pl.DataFrame, lane: str, launched: Ints, named: bool) -> list[pl.DataFrame]:
    """Parts after the launch: the call itself, then the wait for the GPU to begin."""
    end = gaps["end_ns"].to_numpy()
    returned = np.clip(gaps["call_end_ns"].fill_null(0).to_numpy(), launched, end)
    staged = _is_staged_copy(rank, gaps)
    others = _others(rank, lane, returned, end)
    rest = end - returned - sum(others.values())
    since_return = gaps["start_ns"].to_numpy() - gaps["call_end_ns"].fill_null(_NEVER).to_numpy()
    waits, inner = gaps["waits"].to_numpy(), gaps["inner"].to_numpy()
    # What waits in its queue for longer than a launch takes does not wait for its launch any more.
    under_way = ~inner & (since_return <= LATENCY_NS) & ~(waits & (since_return >= 0))
    prompt = rest <= LATENCY_NS
    dependent = waits & (rest <= EVENT_NS)
    calling = returned - launched
    shares = {
        LAUNCH_LATENCY: np.where(inner, 0, calling) + np.where(prompt & under_way, rest, 0),
        DEPENDENCY: others[DEPENDENCY]
        + np.where(inner, calling, 0)
        + np.where(np.where(prompt, ~under_way, dependent), rest, 0),
        UNKNOWN: np.where(prompt | dependent, 0, rest),
        MEMORY_COPY: others[MEMORY_COPY],
        COMMUNICATION_WAIT: others[COMMUNICATION_WAIT],
    }
    shares = {cause: np.where(staged, 0, amount) for cause, amount in shares.items()}
    shares[MEMORY_COPY] = np.where(staged, end - launched, shares[MEMORY_COPY])
    if not named:
        return [part(cause, amount, no_event) for cause, amount in shares.items()]
    launch, operator = gaps["launch"], links(rank.trace)["operator"].gather(gaps["next"])

    def calls(cause: str, of: Ints) -> pl.DataFrame:
        return calls_at(rank, launch.gather(of), operator.gather(of), cause != LAUNCH_LATENCY)

    return [part(cause, amount, partial(calls, cause)) for cause, amount in shares.items()]


def _is_staged_copy(rank: Rank, gaps: pl.DataFrame) -> np.ndarray:
    """Whether the activity after each gap is a copy from pageable memory, which the host first copies elsewhere."""
    copies = blocking_calls(rank).filter("to_device")["row"]
    return gaps["launch"].is_in(copies.implode()).fill_null(False).to_numpy()


def _others(rank: Rank, lane: str, begin: Ints, end: Ints) -> dict[str, Ints]:
    """Time in which other activity of other streams or devices ran."""
    causes = (COMMUNICATION_WAIT, MEMORY_COPY, DEPENDENCY)
    if lane == "":
        return {cause: np.zeros(len(begin), np.int64) for cause in causes}
    compute, communication, memory = rank_unions(rank.whole)
    layers = (communication, merge(communication, memory), merge(communication, memory, compute))
    covered = np.diff([covered_within(layer, begin, end) for layer in layers], axis=0, prepend=0)
    return dict(zip(causes, covered, strict=True))
