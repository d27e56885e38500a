"""One program on the CPU, recorded in separate processes: nothing is called changed, and what was slowed down is found.

``make test-capture`` runs it. The machine may be busy: its recordings of one program differ by half.
"""

from __future__ import annotations

import os
import subprocess
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest

from recorded_jobs import HERE
from stepscope.comparison.compare import compare
from stepscope.store.opening import open_profile
from stepscope.store.profile import Rank

TORCH = os.environ.get("STEPSCOPE_TORCH_PYTHON") or str(HERE.parent / ".venv-torch" / "bin" / "python")
PROGRAM = HERE / "capture" / "jobs" / "augmenting.py"
FUNCTION = "augmenting.py: augmented"

LOOPS = 20_000
SHARE = 0.1
"""Of a step, what is planted."""

pytestmark = [
    pytest.mark.torch,
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.exists(TORCH), reason="no torch here: make test-capture gets one"),
]


def recorded(path: Path, loops: int) -> Rank:
    subprocess.run([TORCH, "-W", "ignore", str(PROGRAM), str(path), str(loops)], check=True, capture_output=True)
    return open_profile(str(path)).ranks[0]


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Rank], list[Rank]]:
    """Five recordings of the program and five of the slowed-down one, in turns."""
    folder = tmp_path_factory.mktemp("programs")
    first = recorded(folder / "first.json", LOOPS)
    rows = compare([first], [first]).rows
    own, step = (float(rows.filter(pl.col("key") == key)["base_ns"][0]) for key in (FUNCTION, "step"))
    slower = round(LOOPS * (1 + SHARE * step / own))
    pairs = [(recorded(folder / f"base{n}.json", LOOPS), recorded(folder / f"new{n}.json", slower)) for n in range(5)]
    return [base for base, _ in pairs], [new for _, new in pairs]


def test_nothing_is_called_changed_between_recordings_of_one_program(sides: tuple[list[Rank], list[Rank]]) -> None:
    for base, new in combinations(sides[0], 2):
        assert compare([base], [new]).rows.filter(status="changed")["key"].to_list() == []


def test_a_tenth_of_the_step_that_is_planted_in_a_function_is_found(sides: tuple[list[Rank], list[Rank]]) -> None:
    found = compare(*sides)
    [row] = found.rows.filter(level="function", key=FUNCTION).to_dicts()
    if row["smallest_ns"] > SHARE * found.step["base_ns"]:
        pytest.skip("this machine is too busy: recordings of one program differ by more than what is planted")
    assert row["status"] == "changed"
    assert set(found.rows.filter(status="changed")["key"]) <= {FUNCTION, "step", "cpu", "other", "interval"}
    first = found.attribution.causes[0]
    assert (first.path[-1], first.effect_ns > 0) == (FUNCTION, True)
