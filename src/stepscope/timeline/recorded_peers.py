"""A collective that a flight recorder holds, on the other ranks: where it lies there, and which of them it lacks."""

from __future__ import annotations

from typing import Any

from stepscope.analyses.hangs.call_ranks import OnRanks, on_ranks
from stepscope.messages import Message
from stepscope.store.profile import as_ranges
from stepscope.timeline import kinds
from stepscope.timeline.collective_peers import MOST_PARTNERS
from stepscope.timeline.event_search import Event, stored_event


def recorded_peers(event: Event) -> dict[str, Any] | None:
    """The same call on the other ranks; None of other events, and where the dumps do not say which records are of it.

    Returns:
        ``matched``, ranks that recorded it at a time, this one included; ``peers``, places with ``rank``, ``kind`` (a
        name of `kinds.KINDS`) and ``after_ns`` (how much later than this one it called it, by the clocks of both
        hosts): first those that did not finish it, then the nearest ranks.
    """
    call = _call(event)
    if call is None:
        return None
    found = _peers(event, call)
    shown = [
        {"rank": peer.rank.number, "kind": kinds.KINDS[peer.kind], "after_ns": peer.start - event.start, **peer.place()}
        for peer in found[:MOST_PARTNERS]
    ]
    return {"matched": len(found) + 1, "peers": shown}


def ranks_said(event: Event) -> list[Message]:
    """Which ranks finished a call of a dump, which did not, and which never entered it, a sentence each."""
    call = _call(event)
    if call is None or not (call.missing or call.absent or call.unknown or len(call.waiting) + len(call.finished) > 1):
        return []
    several = {name: getattr(call, name) for name in ("missing", "waiting", "finished", "absent", "unknown")}
    return [
        Message("hang-event-ranks", reached=reached, ranks=as_ranges(ranks), ranks_count=len(ranks))
        for reached, ranks in several.items()
        if ranks
    ]


def peer_flows(event: Event) -> tuple[list[dict[str, Any]], int]:
    """Links to the same call on other ranks, each from the earlier to the later, and how many there are in all;
    ``last`` says whether one end is the rank that called it last."""
    call = _call(event)
    found = _peers(event, call) if call is not None else []
    last = max((one.start for one in (event, *found)), default=event.start)
    flows = []
    for peer in found[:MOST_PARTNERS]:
        first, then = sorted((event, peer), key=lambda one: one.start)
        flows.append({"kind": "collective", "from": first.place(), "to": then.place(), "last": then.start == last})
    return flows, len(found)


def _call(event: Event) -> OnRanks | None:
    table, row = event.source
    return on_ranks(event.timeline.profile, event.rank.number, row) if table == "collective_record" else None


def _peers(event: Event, call: OnRanks) -> list[Event]:
    """Its events on other ranks that are on the timeline."""
    found = []
    for index, rank in enumerate(event.timeline.profile.ranks):
        row = call.rows.get(rank.number)
        if rank.number != event.rank.number and row is not None:
            peer = stored_event(event.timeline, index, "collective_record", row, event.packed)
            found += [peer] if peer is not None else []
    done = {rank: rank not in call.waiting for rank in call.rows}
    return sorted(found, key=lambda one: (done[one.rank.number], abs(one.rank.number - event.rank.number), one.start))
