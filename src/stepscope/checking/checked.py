"""Recordings checked against a baseline and a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stepscope.checking.baselines import Baseline, baselines
from stepscope.checking.budgets import Budget, budget_check
from stepscope.checking.compared import COUNT_TOLERANCE_PCT, TOLERANCE_PCT, compared_checks
from stepscope.checking.outcome import Check, Verdict
from stepscope.comparison.compare import Comparison
from stepscope.comparison.job import compare_profiles
from stepscope.comparison.setups import Difference, differences, setup
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile

Opened = Callable[[str], Profile]


@dataclass(frozen=True)
class Asked:
    """What recordings are checked against.

    Attributes:
        baseline: a name, or paths of recordings; empty for none.
        root: folder of the kept baselines.
        any_setup: compare even where the setup differs.
    """

    baseline: Sequence[str]
    root: str
    budgets: Sequence[Budget]
    tolerance_pct: float = TOLERANCE_PCT
    count_tolerance_pct: float = COUNT_TOLERANCE_PCT
    any_setup: bool = False
    rank: int | None = None


def checked(new: Sequence[Profile], asked: Asked, opened: Opened) -> Verdict:
    """Check some recordings of one program.

    Args:
        opened: opens a path.

    Raises:
        BadRequest: there is no such baseline, or the recordings cannot be compared.
    """
    sources = tuple(profile.path for profile in new)
    budgets = tuple(budget_check(one, new) for one in asked.budgets)
    if not asked.baseline:
        return Verdict(budgets, sources, asked.tolerance_pct, asked.count_tolerance_pct)
    label, base = _base(new, asked, opened)
    found, other = _compared(base, new, asked)
    checks: tuple[Check, ...] = ()
    if found is not None:
        checks = tuple(compared_checks(found, asked.tolerance_pct, asked.count_tolerance_pct))
    return Verdict(
        (*checks, *budgets),
        sources,
        asked.tolerance_pct,
        asked.count_tolerance_pct,
        baseline=label,
        setup=other,
        refused=found is None,
        comparison=found,
    )


def _compared(
    base: Sequence[Profile], new: Sequence[Profile], asked: Asked
) -> tuple[Comparison | None, tuple[Difference, ...]]:
    other = differences([profile.ranks[0] for profile in base], [profile.ranks[0] for profile in new])
    if other and not asked.any_setup:
        return None, other
    return compare_profiles(base, new, asked.rank), other


def _base(new: Sequence[Profile], asked: Asked, opened: Opened) -> tuple[str, list[Profile]]:
    """What the baseline is called, and its recordings: of a name those of the setup nearest to the new one."""
    from os.path import exists

    if len(asked.baseline) > 1 or exists(asked.baseline[0]):
        return ", ".join(asked.baseline), [opened(path) for path in asked.baseline]
    name = asked.baseline[0]
    kept = baselines(asked.root, name)
    if not kept:
        names = list(dict.fromkeys(one.name for one in baselines(asked.root)))
        advice = Message("gate-known-baselines", names=names) if names else Message("gate-save-first")
        raise BadRequest(Message("gate-no-baseline", name=name), Message("gate-not-there", folder=asked.root), advice)
    nearest = min(kept, key=lambda one: _apart(one, setup(new[0].ranks[0])))
    return name, [opened(path) for path in nearest.paths]


def _apart(kept: Baseline, wanted: dict[str, str]) -> int:
    """How many facts of a setup differ."""
    return sum(kept.setup.get(what, "") != value for what, value in wanted.items())
