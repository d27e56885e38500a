"""The timeline of a report as it was packed, kept beside the stored trace: a report written again packs nothing."""

from __future__ import annotations

from pathlib import Path

from stepscope.messages import Message
from stepscope.reporters.html.parts import Part
from stepscope.reporters.html.timeline import HeldTimeline, hold_timeline
from stepscope.store.kept_results import is_kept, keep, load, result_path
from stepscope.store.profile import Profile
from stepscope.store.result_cache import discard


def made_timeline(profile: Profile, budget: int) -> HeldTimeline:
    """The timeline in at most some bytes of the page as it was kept, else packed, and kept where nothing but ranks was
    chosen."""
    if not is_kept(profile):
        return hold_timeline(profile, budget)
    path = result_path(profile, "timeline of the report", list(profile.paths), budget)
    known = _loaded(path)
    if known is not None:
        return known
    made = hold_timeline(profile, budget)
    head = {
        "parts": [[part.name, len(part.element)] for part in made.parts],
        "index": made.index,
        "left_out": [one.json() for one in made.left_out],
    }
    keep(path, head, "".join(part.element for part in made.parts).encode("ascii"))
    return made


def _loaded(path: Path) -> HeldTimeline | None:
    """What was kept; None where nothing was, or the file is damaged."""
    kept = load(path)
    if kept is None:
        return None
    head, body = kept
    try:
        parts, at = [], 0
        for name, size in head["parts"]:
            parts.append(Part(name, body[at : at + size].decode("ascii")))
            at += size
        return HeldTimeline(parts, head["index"], [Message.of_json(one) for one in head["left_out"]])
    except (KeyError, TypeError, ValueError):
        discard(path)
        return None
