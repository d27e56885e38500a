"""What belongs to an event: its launch, the activities it launched, its operator, forward and backward pass."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from stepscope.analyses.host.enclosing import innermost_rows
from stepscope.numeric.nested import NOBODY, Ints
from stepscope.store.autograd import backward_pass
from stepscope.store.linking import links
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.timeline.collective_peers import partner_flows
from stepscope.timeline.event_search import Event, event_of, stored_event, stored_indices
from stepscope.timeline.recorded_peers import peer_flows

MOST_ACTIVITIES = 200
"""Activities of a launch that are listed: a graph has thousands."""


@dataclass(frozen=True)
class Links:
    """Rows of the store that belong to an event.

    Attributes:
        operator: of table ``operator``: the operator itself, or the one it was launched in; `NOBODY` for none.
        launch: of table ``runtime``; `NOBODY` for none.
        activities: of table ``activity``.
        forward, backward: of table ``operator``: the operator whose backward it is part of, and its backward function.
    """

    operator: int = NOBODY
    launch: int = NOBODY
    activities: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    forward: int = NOBODY
    backward: int = NOBODY


def links_of(event: Event) -> Links:
    """What belongs to an event; nothing for what is neither operator, call nor activity."""
    table, row = event.source
    rank = event.rank
    if table == "activity":
        return Links(int(_column(rank, "operator")[row]), int(_column(rank, "launch")[row]))
    if table == "runtime":
        place = rank.trace.frame("runtime", ["process", "thread", "start_ns"])[row]
        operator = int(innermost_rows(rank, "operator", place.rename({"start_ns": "at"}))[0])
        return Links(operator, activities=_activities(rank, "launch", row))
    if table == "operator":
        backward = backward_pass(rank)
        mine = np.flatnonzero(backward.forward == row)
        functions = mine[backward.function[mine] == mine]
        return Links(
            row,
            activities=_activities(rank, "operator", row),
            forward=int(backward.forward[row]),
            backward=int(functions[0]) if len(functions) else NOBODY,
        )
    return Links()


def _activities(rank: Rank, column: str, row: int) -> Ints:
    if rank.trace.rows("activity") == 0:
        return np.empty(0, np.int64)
    return np.flatnonzero(_column(rank, column) == row)


@per_rank(whole=True)
def _column(rank: Rank, column: str) -> Ints:
    return links(rank.trace)[column].cast(pl.Int64).fill_null(NOBODY).to_numpy()


def stored(event: Event, table: str, row: int) -> Event | None:
    """The event of a row of the store in the rank of another one; None for `NOBODY`."""
    if row < 0:
        return None
    return stored_event(event.timeline, event.part.rank, table, row, event.packed)


def activities_of(event: Event, found: Links, most: int = MOST_ACTIVITIES) -> list[Event]:
    """The first activities that an event launched, by start."""
    if len(found.activities) == 0:
        return []
    index = stored_indices(event.timeline, event.part.rank, "activity", found.activities, event.packed)
    part = next(part for part in event.timeline.parts if part.rank == event.part.rank)
    index = index[np.argsort(part.lanes["start"][index], kind="stable")][:most]
    return [event_of(event.timeline, part, place, event.packed) for place in index.tolist()]


def kernel_of(event: Event, found: Links) -> Event | None:
    """The activity that an event is, or the only one that it launched; None for none or several."""
    if event.source[0] == "activity":
        return event
    return next(iter(activities_of(event, found, 1))) if len(found.activities) == 1 else None


def flows_of(event: Event, limit: int) -> dict[str, object]:
    """Arrows from and to an event: from launches to what they launched, from the forward to the backward pass, and
    between the kernels of a collective on all ranks, or the records of one.
    """
    found = links_of(event)
    flows: list[dict[str, object]] = []
    total = 0
    launch = stored(event, "runtime", found.launch)
    if launch is not None:
        total += 1
        flows.append({"kind": "launch", "from": launch.place(), "to": event.place()})
    total += len(found.activities)
    for activity in activities_of(event, found, limit):
        # Those of an operator come from the calls inside it.
        source = event if event.source[0] == "runtime" else stored(event, "runtime", links_of(activity).launch)
        flows.append({"kind": "launch", "from": (source or event).place(), "to": activity.place()})
    forward, backward = (stored(event, "operator", row) for row in (found.forward, found.backward))
    for first, then in ((forward, event), (event, backward)):
        if first is not None and then is not None:
            total += 1
            flows.append({"kind": "backward", "from": first.place(), "to": then.place()})
    kernel = kernel_of(event, found)
    partners, matched = partner_flows(kernel) if kernel is not None else peer_flows(event)
    flows += partners
    total += matched
    return {"flows": flows[: max(limit, 0)], "total": total}
