"""What tested predictions tell of later ones: by how much the ranges of a kind of finding have to be wider.

The score of a prediction is how far off what came was, as a multiple of the side of the range that it lies on. Of n
scores that at place ceil(0.8 (n + 1)) is the factor that the next range needs to hold what comes in four of five cases,
as the ranges of savings are meant to: split conformal prediction (Vovk, Gammerman, Shafer: Algorithmic Learning in a
Random World, 2005), which needs no more than that later fixes are like the earlier ones.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from stepscope.comparison.setups import setup
from stepscope.errors import BadRequest
from stepscope.proving.ledger import FILE, Entry, read_ledger
from stepscope.proving.proof import is_known_well, recording
from stepscope.readers.sources import is_below
from stepscope.store.profile import Profile, Tested

_COVERED = 0.8
"""Of the ranges of savings so many are meant to hold what comes."""

LEAST = 4
"""Fewer scores have no such place."""

_LEAST_POINTS = 0.5
"""A side of a range that is narrower counts as this: no recording shows a saving more exactly."""

_NARROWEST, _WIDEST = 0.5, 10.0
"""Fixes that were tested are often of one program, so they make no range narrower than half of what it was."""


@dataclass(frozen=True)
class Experience:
    """What the tested predictions of a kind of finding on one device tell.

    Attributes:
        device: its name; "" for recordings of the host alone.
        tested: None as long as too few of them are known well.
        known: how many are.
    """

    finding: str
    device: str
    known: int
    tested: Tested | None


def with_experience(profile: Profile, within: str | None = None) -> Profile:
    """The profile with what the ledgers beside its recordings tell of its findings.

    Predictions that were made of the same recording are left out: nothing is judged by itself.

    Args:
        within: folder that a ledger has to lie in; None for any.
    """
    entries = [one for path in ledgers(profile.paths, within) for one in _entries(path)]
    if not entries or not profile.ranks:
        return profile
    device = setup(profile.ranks[0])["device"]
    others = [one for one in entries if one.device == device and not _is_of(one, profile)]
    return replace(profile, tested={one.finding: one.tested for one in experience(others) if one.tested})


def ledgers(paths: Iterable[str], within: str | None = None) -> list[str]:
    """The ledgers that there are in the current folder, in the folders of some recordings, and in those above these.

    Args:
        within: as of `with_experience`.
    """
    folders = dict.fromkeys([os.path.abspath(os.curdir), *(folder for path in paths for folder in _folders(path))])
    found = dict.fromkeys(os.path.realpath(os.path.join(folder, FILE)) for folder in folders)
    return [path for path in found if os.path.isfile(path) and (within is None or is_below(path, within))]


def versions(paths: Iterable[str], within: str | None = None) -> list[tuple[str, int, int]]:
    """The same, each with its size and when it was written."""
    found = []
    for path in ledgers(paths, within):
        with suppress(OSError):
            status = os.stat(path)
            found.append((path, status.st_size, status.st_mtime_ns))
    return found


def _folders(path: str) -> list[str]:
    """What holds a recording, or is one itself, and the folder above."""
    if "://" in path:
        return []
    whole = os.path.abspath(path)
    folder = whole if os.path.isdir(whole) else os.path.dirname(whole)
    return [folder, os.path.dirname(folder)]


def _entries(path: str) -> list[Entry]:
    """What a ledger holds; nothing where it cannot be read, as `stepscope ledger` says."""
    try:
        return read_ledger(path)[0]
    except BadRequest:
        return []


def _is_of(entry: Entry, profile: Profile) -> bool:
    """Whether a prediction was made of this recording; one of an earlier version tells by its name only."""
    return entry.recorded[0] == recording(profile) if entry.recorded else entry.before == profile.path


def experience(entries: Sequence[Entry]) -> list[Experience]:
    """Of each kind of finding and device, most tested first; of two tests of the same recordings the later."""
    by_time = sorted(entries, key=lambda one: one.at_s)
    latest = {(one.finding, one.before, one.after, one.recorded): one for one in by_time}
    known: dict[tuple[str, str], list[Entry]] = {}
    for entry in latest.values():
        known.setdefault((entry.finding, entry.device), []).append(entry)
    found = [_of_kind(*key, some) for key, some in known.items()]
    return sorted(found, key=lambda one: (-one.known, one.finding, one.device))


def _of_kind(finding: str, device: str, entries: Sequence[Entry]) -> Experience:
    scores = sorted(_score(one) for one in entries if is_known_well(one.promised_pct, one.came_pct))
    if len(scores) < LEAST:
        return Experience(finding, device, len(scores), None)
    place = math.ceil(_COVERED * (len(scores) + 1))
    factor = min(max(scores[place - 1], _NARROWEST), _WIDEST)
    return Experience(finding, device, len(scores), Tested(factor, len(scores)))


def _score(entry: Entry) -> float:
    """How many times as wide the side of the range had to be, of the range without the experience of its time.

    Where that was cut at 100 %, the side comes out narrower than it was, and the score higher.
    """
    promised, came = entry.promised_pct, entry.came_pct.best
    side = promised.high - promised.best if came > promised.best else promised.best - promised.low
    return abs(came - promised.best) / max(side / entry.factor, _LEAST_POINTS)
