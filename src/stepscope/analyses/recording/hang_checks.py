"""Checks of dumps of the flight recorder: what they do not hold."""

from __future__ import annotations

from stepscope.analyses.hangs.records import SCHEDULED, dumps_of
from stepscope.analyses.recording.check import NOT_RECORDED, OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank


def overwritten(rank: Rank) -> Check | None:
    """Earlier collectives that later ones took the place of."""
    count = int(rank.trace.meta.get("overwritten") or 0)
    return Check("overwritten", OK, counted(count), Message("check-flight-overwritten")) if count else None


def stacks(rank: Rank) -> Check:
    """Whether it holds where collectives were called."""
    if rank.trace.meta.get("stacks"):
        return Check("call_stacks", OK, Message("check-recorded"))
    views = Message("check-flight-stacks")
    option = "TORCH_INCLUDE_STACK_TRACE=1"
    return Check("call_stacks", WARNING, NOT_RECORDED, Message("check-cannot-show", views=views, option=option))


def states(rank: Rank) -> Check | None:
    """Whether the backend says that a collective has started; gloo's do not."""
    frame = rank.trace.frame("collective_record", ["state"])
    if len(frame) == 0 or not (rank.trace.text(frame["state"]).fill_null(SCHEDULED) == SCHEDULED).all():
        return None
    return Check("states", OK, Message("check-flight-scheduled"), Message("check-flight-states"))


def only_active(rank: Rank) -> Check | None:
    """Whether what has completed was left out."""
    if not any(one.only_active for one in dumps_of(Profile((rank.source,), (rank,)))):
        return None
    return Check("only_active", WARNING, Message("check-flight-active"), Message("check-flight-active-option"))


DUMPS = [overwritten, only_active, stacks, states]
