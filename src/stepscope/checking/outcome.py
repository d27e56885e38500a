"""What one check found, and what all of them mean together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stepscope.comparison.compare import Comparison
from stepscope.comparison.setups import Difference
from stepscope.messages import Message

FINE, REGRESSED, UNKNOWN = "fine", "regressed", "unknown"

EXIT_CODES = {FINE: 0, REGRESSED: 1, UNKNOWN: 3}
"""Of the command; 2 is an error."""

STEP, COUNT, BUDGET = "step", "count", "budget"

NS, BYTES, PCT, NONE = "ns", "bytes", "pct", "none"


@dataclass(frozen=True)
class Check:
    """One thing that was checked.

    Attributes:
        kind: `STEP`, `COUNT` or `BUDGET`.
        name: what it is, as a key of the catalogue or of the budget file.
        title: the same in words.
        unit: of the figures: ``ns``, ``bytes``, ``pct`` or ``none``.
        base, new: figures of both sides, a step; None where there is none.
        limit: what the new figure may be at most, or at least where ``at_least``.
        outcome: `FINE`, `REGRESSED` or `UNKNOWN`.
        why: what decided, in a clause.
    """

    kind: str
    name: str
    title: Message | str
    unit: str
    base: float | None
    new: float | None
    limit: float | None
    outcome: str
    why: Message
    at_least: bool = False


@dataclass(frozen=True)
class Verdict:
    """All checks of some recordings.

    Attributes:
        checks: exact counts first, then the step, then budgets.
        baseline: name or paths of what they were compared with; None where only budgets were checked.
        sources: the recordings that were checked.
        setup: what the baseline was recorded with otherwise, where it differs.
        refused: whether nothing was compared because of that.
        tolerance_pct, count_tolerance_pct: growth of the step and of counts that passes.
        comparison: of both sides; None where nothing was compared.
    """

    checks: tuple[Check, ...]
    sources: tuple[str, ...]
    tolerance_pct: float
    count_tolerance_pct: float
    baseline: str | None = None
    setup: tuple[Difference, ...] = ()
    refused: bool = False
    comparison: Comparison | None = None

    @property
    def outcome(self) -> str:
        """A regression outweighs what cannot be told, and that what is fine."""
        found = {one.outcome for one in self.checks}
        if REGRESSED in found:
            return REGRESSED
        return UNKNOWN if self.refused or UNKNOWN in found else FINE

    @property
    def exit_code(self) -> int:
        """Of the command."""
        return EXIT_CODES[self.outcome]

    def of(self, outcome: str) -> Sequence[Check]:
        """Checks with an outcome."""
        return [one for one in self.checks if one.outcome == outcome]
