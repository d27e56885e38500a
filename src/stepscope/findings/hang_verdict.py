"""What hangs, in sentences: for the job from all dumps, for a rank what it waits in."""

from __future__ import annotations

from typing import Any

from stepscope.analyses.hangs.hangs_of import hangs_of
from stepscope.analyses.hangs.records import dumps_of, records
from stepscope.analyses.hangs.sentences import advice, coverage, nothing_hangs, sentence
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank

HANGS = "hang-"
"""How ids of its messages begin."""

_NAMED = 3
_LINK = "https://docs.pytorch.org/tutorials/unstable/flight_recorder_tutorial.html"


def hang_sentences(profile: Profile) -> tuple[Message, ...]:
    """The first hangs, what the others follow from first, or that there is none; then how many ranks have a dump."""
    hangs, found, dumps = hangs_of(profile), records(profile), dumps_of(profile)
    seen: list[Message] = []
    for one in hangs:
        said = sentence(one, found)
        if said not in seen and not one.follows:  # of a circle each part says the same
            seen.append(said)
    more, following = len(seen) - _NAMED, sum(one.follows for one in hangs)
    shown = [*seen[:_NAMED], *([Message("hang-more", count=more)] if more > 0 else [])]
    shown += [Message("hang-following", count=following)] if following else []
    return (*(shown or [nothing_hangs(found)]), *coverage(hangs, dumps, found))


def hang_rows(profile: Profile) -> list[dict[str, Any]]:
    """Rows of the table ``findings``: the hangs that follow from no other; what they cost a step is not known."""
    found = records(profile)
    return [
        {
            "rank": (one.suspects or one.waiting or (None,))[0],
            "id": f"hang-{at}",
            "title": sentence(one, found).encoded(),
            "category": "communication",
            "severity": "note",
            "per_sample": False,
            "confidence": "",
            "advice": advice(one).encoded(),
            "what_if": "",
            "change": "",
            "links": _LINK,
        }
        for at, one in enumerate(hangs_of(profile))
        if not one.follows
    ]


def own_hang_sentences(rank: Rank) -> tuple[Message, ...]:
    """What a rank waits in, by its dump alone."""
    found = records(Profile((rank.source,), (rank,)))
    waits = found.filter(~found["done"]) if len(found) else found
    if len(waits) == 0:
        return (Message("hang-rank-idle", records=len(found)),)
    first = waits.row(0, named=True)
    group = first["group"] if first["description"] in ("", "undefined") else first["description"]
    call = Message("hang-call", collective=first["collective"], number=first["number"], group=group)
    source = first["source"] and first["source"].rpartition("/")[2]
    return (
        Message("hang-rank-waits", call=call, since_epoch_ns=first["created_ns"], source=source, pending=len(waits)),
    )
