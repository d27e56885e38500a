"""What a pair of programs is: a training step with a planted mistake, and the same step without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

Step = Callable[[], object]
"""One training step of a program that was set up before."""

Pair = tuple[Step, Step]
"""The slow step and the fixed one."""


@dataclass(frozen=True)
class Scenario:
    """A pair of programs.

    Attributes:
        planted: the mistake, in one phrase.
        findings: ids of the findings that may name it, see docs/tables/findings.md; empty where none is made for it.
        make: sets both programs up.
    """

    name: str
    planted: str
    findings: tuple[str, ...]
    make: Callable[[], Pair]


def scenario(planted: str, *findings: str) -> Callable[[Callable[[], Pair]], Scenario]:
    """Make a scenario of the function below, named like it."""

    def named(make: Callable[[], Pair]) -> Scenario:
        return Scenario(make.__name__, planted, findings, make)

    return named


def scenarios(*subjects: ModuleType) -> dict[str, Scenario]:
    """Every scenario of some modules, by name."""
    return {each.name: each for subject in subjects for each in vars(subject).values() if isinstance(each, Scenario)}
