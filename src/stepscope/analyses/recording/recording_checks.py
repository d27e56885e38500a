"""Checks of which recordings are shown, where there are more than one for each rank."""

from __future__ import annotations

from stepscope.analyses.gpu.eager import carried_share
from stepscope.analyses.recording.check import OK, WARNING, Check, share
from stepscope.messages import Message
from stepscope.store.joining import ZONE
from stepscope.store.profile import Profile, as_ranges
from stepscope.store.recording import Recording

_NAMED = 5


def spans_shown(profile: Profile) -> Check | None:
    """Which of several recordings of one process the tables show."""
    shown = [rank.recordings[0] for rank in profile.everyone.ranks if rank.recordings[0].spans]
    if not shown:
        return None
    which = {(one.span, one.spans) for one in shown}
    span, spans = min(which, key=str)
    value = Message("check-spans-value", span=span, spans=spans)
    return Check(
        "spans",
        WARNING,
        value if len(which) == 1 else Message("check-spans-several"),
        Message("check-spans", processes=len(shown), files=_named(shown)),
    )


def recordings_beside(profile: Profile) -> Check | None:
    """Recordings that were read and that no other table than ``recordings`` shows."""
    others = {id(one) for one in profile.others}
    beside = [one for one in profile.unshown if id(one) not in others]
    alone = [one for one in profile.unshown if id(one) in others]
    if not beside and not alone:
        return None
    ranks = {one.rank for one in beside if one.rank is not None}
    of_ranks = Message("check-recordings-beside", ranks=as_ranges(ranks), count=len(ranks), files=_named(beside))
    of_none = Message("check-recordings-no-rank", files=_named(alone))
    detail = Message("check-recordings-both", beside=of_ranks, alone=of_none)
    if not beside or not alone:
        detail = of_ranks if beside else of_none
    value = Message("check-recordings-value", count=len(beside) + len(alone))
    return Check("recordings", WARNING, value, detail)


def recordings_joined(profile: Profile) -> Check | None:
    """What other recorders wrote that is on the clock of a rank's trace, and how surely."""
    found = {one.path: one for rank in profile.everyone.ranks for one in rank.recordings[1:] if one.joined}
    if not found:
        return None
    named = [Message("check-joined-one", file=one.name, note=one.note or "") for one in found.values()]
    assumed = any(one.joined == ZONE for one in found.values())
    more = [Message("check-more", count=len(named) - _NAMED)] if len(named) > _NAMED else []
    detail = Message("check-joined", files=[*named[:_NAMED], *more])
    return Check("joined", WARNING if assumed else OK, Message("check-joined-value", count=len(found)), detail)


def several_processes(profile: Profile) -> Check | None:
    """Files with several processes: which are ranks, which are shown with one, and which are not shown."""
    files = {rank.source: rank.trace.processes for rank in profile.everyone.ranks if len(rank.trace.processes) > 1}
    files = {path: [one for one in processes if not one.kind] for path, processes in files.items()}
    every = [one for processes in files.values() for one in processes]
    if not every:
        return None
    of_ranks = {(path, one.part) for path, processes in files.items() for one in processes if one.is_rank}
    others = [(path, one.part) for path, processes in files.items() for one in processes if not one.is_rank]
    apart = sum(one not in of_ranks for one in others)
    detail = Message("check-processes", ranks=len(every) - len(others), together=len(others) - apart, apart=apart)
    value = Message("check-processes-value", processes=len(every), files=len(files))
    return Check("processes", WARNING if apart else OK, value, detail)


def graph_captures(profile: Profile) -> Check | None:
    """How much of what CUDA graphs replay is named by the recording of their capture beside this one."""
    if profile.captures is None:
        return None
    found = carried_share(profile)
    detail = Message("check-graph-captures", folder=profile.captures.path)
    return Check("graph_captures", OK if found > 0 else WARNING, share(found), detail)


def _named(recordings: list[Recording]) -> list[Message | str]:
    """The first few, and how many more there are."""
    names: list[Message | str] = [f"{one.name} ({one.recorder})" for one in recordings[:_NAMED]]
    more = [Message("check-more", count=len(recordings) - _NAMED)] if len(recordings) > _NAMED else []
    return names + more
