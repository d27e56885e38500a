"""Messages that ranks wait for: a send without its receive, or a receive without its send.

Which message is the how-manieth between two ranks is known as long as both wait: of what was sent and received all is
done but the last of them. So it is counted what is pending on either side. Where both dumps hold all from the
beginning, the other side may also have completed its part: then it did enter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from stepscope.analyses.hangs.calls import elements
from stepscope.analyses.hangs.hang import NO_DUMP, NONE_COMPLETED, NOT_COMPLETED, NOT_ENTERED, Hang, Values
from stepscope.analyses.hangs.records import RECEIVE, SEND
from stepscope.analyses.hangs.stuck_calls import Dumps, hang_of

Row = dict[str, Any]
_BETWEEN = ["group", "members", "from_place", "to_place"]


def stuck_messages(records: pl.DataFrame, dumps: Dumps) -> Iterator[Hang]:
    """A hang of each pair of ranks of a group, in order of groups, senders and receivers."""
    own = records.filter(pl.col("p2p") & pl.col("collective").is_in([SEND, RECEIVE]))
    pending = own.join(own.filter(~pl.col("done")).unique(_BETWEEN), _BETWEEN, "semi", maintain_order="left")
    pending = pending.with_columns(elements(pending["in_sizes"]), elements(pending["out_sizes"]).alias("out_elements"))
    for group in pending.partition_by("group", "members", maintain_order=True):
        pairs: dict[tuple[int, int], tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
        members = [int(one) for one in group["members"][0].split(",")]
        for row in group.iter_rows(named=True):
            places = row["from_place"], row["to_place"]
            if all(place is not None and place < len(members) for place in places):
                pairs[members[places[0]], members[places[1]]][row["collective"] == RECEIVE].append(row)
        for (sender, receiver), (sent, received) in sorted(pairs.items()):
            mine = [row for row in sent if row["rank"] == sender], [row for row in received if row["rank"] == receiver]
            if any(not row["done"] for row in (*mine[0], *mine[1])):
                yield _between(sender, receiver, *mine, tuple(members), dumps)


def _between(
    sender: int, receiver: int, every_sent: list[Row], every_received: list[Row], members: tuple[int, ...], dumps: Dumps
) -> Hang:
    """What two ranks wait for, of all messages that they recorded."""
    sent, received = ([row for row in side if not row["done"]] for side in (every_sent, every_received))
    longer = sent if len(sent) > len(received) else received
    row = longer[min(len(sent), len(received))] if len(sent) != len(received) else longer[0]
    other = receiver if row["collective"] == SEND else sender
    waiting = tuple(sorted({one["rank"] for one in (*sent, *received)}))
    sizes = _sizes(sent, received)
    absent = tuple(rank for rank in (sender, receiver) if rank not in dumps.first_ns)
    cause, suspects = NONE_COMPLETED, tuple({sender: 0, receiver: 0})
    finished: tuple[int, ...] = ()
    if absent:
        cause, suspects = NO_DUMP, absent
    elif sizes:
        cause = "different_sizes"
    elif len(sent) != len(received):
        cause, suspects = NOT_ENTERED, (other,)
        waiting = (row["rank"],)
        sides = (every_sent, every_received) if longer is sent else (every_received, every_sent)
        if _is_whole(dumps, sender, receiver) and sides[0].index(row) < len(sides[1]):
            cause, suspects, finished = NOT_COMPLETED, (), (other,)
    return replace(
        _message(row, f"{row['collective']} {sender}->{receiver}", members, dumps),
        cause=cause,
        missing=suspects if cause == NOT_ENTERED else (),
        waiting=waiting,
        finished=finished,
        absent=absent,
        suspects=suspects,
        queued=len(longer) - 1,
        values=sizes,
    )


def _message(row: Row, named: str, members: tuple[int, ...], dumps: Dumps) -> Hang:
    """What a record says of a message that hangs, without its cause."""
    return replace(
        hang_of(row, members, dumps),
        collective=named,
        since_ns=row["created_ns"],
        sizes=row["in_sizes"] if row["collective"] == SEND else row["out_sizes"],
        dtypes=row["in_dtypes"] if row["collective"] == SEND else row["out_dtypes"],
        source=row["source"],
        stack=row["stack"],
    )


def _is_whole(dumps: Dumps, *ranks: int) -> bool:
    """Whether the dumps of some ranks hold every message from the first one on."""
    return all(dumps.first_ns.get(rank, 0) is None and rank not in dumps.entered for rank in ranks)


def _sizes(sent: list[Row], received: list[Row]) -> tuple[Values, ...]:
    """Sizes of the first message that both wait for, where they are not equal."""
    for one, two in zip(sent, received, strict=False):
        known = one["elements"] is not None and two["out_elements"] is not None
        if known and one["elements"] != two["out_elements"]:
            return Values(one["in_sizes"], (one["rank"],)), Values(two["out_sizes"], (two["rank"],))
    return ()
