"""What a recommendation promised, and what came of it: two recordings, before and after its fix.

A saving is promised as a share of the step without the profiler, with a range. What came is the same share of both
recordings: of step times that were measured without the profiler where a recording carries them, else of the estimates
of the table ``step_time``. Its interval takes the ends of both ranges that lie farthest apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stepscope.analyses import make_table
from stepscope.comparison.setups import Difference, differences
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile

INSIDE, LESS, MORE, UNCLEAR = "inside", "less", "more", "unclear"
MEASURED, ESTIMATED = "measured", "estimated"

_NARROW_POINTS = 30
"""Of what came, a range this wide or twice as wide as the promised one says enough."""


Recorded = tuple[int, int]
"""When a recording begins, in ns, and how many events it has: another one of the same name differs, a copy does not."""


@dataclass(frozen=True)
class Span:
    """A figure with its range."""

    low: float
    best: float
    high: float

    @property
    def width(self) -> float:
        """Of the range."""
        return self.high - self.low

    def contains(self, value: float) -> bool:
        """Whether a value lies in the range, its ends included."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class StepTime:
    """A step without the profiler, in ns.

    Attributes:
        source: `MEASURED` or `ESTIMATED`.
    """

    ns: Span
    source: str


@dataclass(frozen=True)
class Proof:
    """A recommendation and what came of it.

    Attributes:
        finding: its id.
        title: what it says.
        confidence: as it was stated.
        rank: that it was found on.
        promised_pct: saving of the step.
        came_pct: share by which the step got shorter; negative where it got longer.
        before, after: steps without the profiler; ``after`` for as much work as ``before``.
        work: how many times as much work a step does after the fix.
        still: whether the recording after the fix has the same finding.
        recorded: which recordings these were, as of `recording`.
        factor: by what earlier predictions of this kind made the range wider, see `proving.experience`.
        setup: what the recordings differ in.
    """

    finding: str
    title: Message | str
    confidence: str
    rank: int
    promised_pct: Span
    came_pct: Span
    before: StepTime
    after: StepTime
    work: float
    still: bool
    setup: tuple[Difference, ...]
    sources: tuple[str, str]
    recorded: tuple[Recorded, ...] = ()
    factor: float = 1.0

    @property
    def outcome(self) -> str:
        """Where what came lies: inside the promised range, surely below or above it, or too unsure to say."""
        if self.came_pct.high < self.promised_pct.low:
            return LESS
        if self.came_pct.low > self.promised_pct.high:
            return MORE
        sure = is_known_well(self.promised_pct, self.came_pct)
        return INSIDE if sure and self.promised_pct.contains(self.came_pct.best) else UNCLEAR


def is_known_well(promised: Span, came: Span) -> bool:
    """Whether what came is known well enough to judge a promise by it, wherever it lies in that or outside of it."""
    is_outside = came.high < promised.low or came.low > promised.high
    return is_outside or came.width <= max(2 * promised.width, _NARROW_POINTS)


def prove(before: Profile, after: Profile, finding: str | None, work: float | None = None) -> Proof:
    """Compare what a finding of one recording promised with what the other one shows.

    Args:
        finding: its id; None for the one that only ``before`` has.
        work: how many times as much work a step does after the fix; 1 unless given.

    Raises:
        BadRequest: there is no such finding, it promises nothing, or a recording has no step time.
    """
    found, remaining = _findings(before), {row["id"] for row in _findings(after)}
    row = _chosen(before, found, remaining, finding)
    if row["saving_pct"] is None:
        raise BadRequest(_tried(row["id"]), Message("proof-no-saving"), _advice(found))
    if row["per_sample"] and work is None:
        raise BadRequest(_tried(row["id"]), Message("proof-per-sample"), Message("proof-name-work"))
    times = work or 1.0
    old, new = _step_time(before, row["rank"]), _step_time(after, row["rank"])
    scaled = StepTime(Span(new.ns.low / times, new.ns.best / times, new.ns.high / times), new.source)
    promised = Span(row["saving_low_pct"], row["saving_pct"], row["saving_high_pct"])
    return Proof(
        row["id"],
        row["title"],
        row["confidence"],
        row["rank"],
        promised,
        _came(old.ns, scaled.ns),
        old,
        scaled,
        times,
        row["id"] in remaining,
        differences([before.ranks[0]], [after.ranks[0]]),
        (before.path, after.path),
        (recording(before), recording(after)),
        before.factor(row["id"]),
    )


def recording(profile: Profile) -> Recorded:
    """Which recording a profile is of: its first rank's; (0, 0) without ranks."""
    first = next(iter(profile.ranks), None)
    return (first.trace.time_base_ns + first.span[0], first.trace.events) if first else (0, 0)


def _came(before: Span, after: Span) -> Span:
    """By what share the step got shorter, in per cent.

    >>> _came(Span(80, 100, 160), Span(40, 50, 60))
    Span(low=25.0, best=50.0, high=75.0)
    """
    ends = ((after.high, before.low), (after.best, before.best), (after.low, before.high))
    low, best, high = (100 * (1 - new / max(old, 1e-9)) for new, old in ends)
    return Span(low, best, high)


def _findings(profile: Profile) -> list[dict[str, Any]]:
    """Findings that recommend something; of those of several ranks the largest."""
    rows = make_table(profile, "findings").to_dicts()
    for row in rows:
        row["title"] = Message.decoded(row["title"])
    rows.sort(key=lambda row: not row["largest"])
    return list({row["id"]: row for row in reversed(rows)}.values())[::-1]


def _chosen(
    before: Profile, found: Sequence[dict[str, Any]], remaining: set[str], finding: str | None
) -> dict[str, Any]:
    if finding is not None:
        row = next((row for row in found if row["id"] == finding), None)
        if row is None:
            tried = Message("proof-no-such-finding", finding=finding)
            raise BadRequest(tried, Message("proof-not-in", path=before.path), _advice(found))
        return row
    gone = [row for row in found if row["id"] not in remaining and row["saving_pct"] is not None]
    if len(gone) != 1:
        raise BadRequest(Message("proof-which"), Message("proof-gone", count=len(gone)), _advice(found))
    return gone[0]


def _tried(finding: str) -> Message:
    return Message("proof-cannot-prove", finding=finding)


def _advice(found: Sequence[dict[str, Any]]) -> Message:
    """Findings that promise something."""
    names = [row["id"] for row in found if row["saving_pct"] is not None]
    return Message("proof-findings", names=names or None)


def _step_time(profile: Profile, rank: int) -> StepTime:
    """The step of a rank, of the only one where a profile has one."""
    table = make_table(profile, "step_time")
    rows = table.to_dicts() if len(table) == 1 else [row for row in table.to_dicts() if row["rank"] == rank]
    for source, name in ((MEASURED, "measured"), (ESTIMATED, "unprofiled")):
        known = [row for row in rows if row[f"{name}_ns"] is not None]
        if known:
            low, best, high = (known[0][f"{name}{end}_ns"] for end in ("_low", "", "_high"))
            return StepTime(Span(best if low is None else low, best, best if high is None else high), source)
    raise BadRequest(
        Message("proof-no-step", path=profile.path), Message("proof-no-step-time"), Message("proof-record")
    )
