"""Pairs of small training programs for a CPU: in each one mistake is planted, and fixed in its twin.

Every function with the decorator `scenario` is a pair. Steps take 3 to 60 ms, and the mistake 10 to 70 % of that, save
for those whose fix brings next to nothing. A pair is to be steady from run to run: no files, no network, one thread.
"""

from __future__ import annotations

from yardstick.programs import (
    chores,
    everyday,
    fields,
    habits,
    loading,
    loops,
    needless,
    optimizers,
    passes,
    projects,
    python_work,
    repeated_work,
    reporting,
    research,
)
from yardstick.programs.registry import Scenario, scenarios

SCENARIOS: dict[str, Scenario] = scenarios(
    python_work,
    loading,
    reporting,
    loops,
    optimizers,
    repeated_work,
    needless,
    habits,
    chores,
    research,
    projects,
    everyday,
    fields,
    passes,
)
"""By name."""
