"""Histories: change points found where one was made and nowhere else, and files that hold anything."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from checking.made_runs import made
from command_line import Run
from stepscope.checking import history


def entries(values: list[float], **others: list[float]) -> list[dict[str, object]]:
    return [
        {
            "at_s": 1e9 + n,
            "label": f"r{n}",
            "step_ns": value,
            "setup": {},
            "figures": {name: series[n] for name, series in others.items()},
            "units": {},
        }
        for n, value in enumerate(values)
    ]


def noise(seed: int, count: int) -> np.ndarray:
    """Steps of 10 ms with noise of 3 % and outliers."""
    chance = np.random.default_rng(seed)
    return 1e7 * (1 + 0.03 * chance.standard_normal(count)) * np.where(chance.random(count) < 0.1, 1.5, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_a_change_is_found_where_it_was_made(seed: int) -> None:
    values = noise(seed, 40)
    values[24:] *= 1.15
    (found,) = history.changes(entries(values.tolist()))
    assert abs(found.run - 24) <= 3
    assert found.after / found.before == pytest.approx(1.15, abs=0.05)


@pytest.mark.long
def test_noise_alone_has_few_changes() -> None:
    """One series in a hundred may have one."""
    found = [bool(history.changes(entries(noise(seed, 30).tolist()))) for seed in range(100, 160)]
    assert sum(found) <= 3


def test_each_figure_that_every_run_has_is_looked_at() -> None:
    peaks = [1.0] * 15 + [2.0] * 10
    found = history.changes(entries([1e7] * 25, peak=peaks))
    assert [(one.figure, one.run, one.before, one.after) for one in found] == [("peak", 15, 1.0, 2.0)]


@pytest.mark.long
def test_few_runs_are_no_history(run: Run, tmp_path: Path) -> None:
    base, new, file = made(tmp_path / "base.json"), made(tmp_path / "new.json"), tmp_path / "history.jsonl"
    file.write_text('not JSON\n[]\n{"figures": {"a": NaN}}\n')
    asked = ("check", new, "--baseline", base, "--history", str(file), "--label", "v1")
    for count in ("is 1", "are 2"):
        assert run(*asked).out.splitlines()[-2:] == [
            f"3 lines of {file} could not be read.",
            f"Change points need 20 runs of one setup; there {count}.",
        ]
    last = json.loads(file.read_text().splitlines()[-1])
    assert (last["label"], last["step_ns"], last["outcome"]) == ("v1", 1_000_000, "fine")


@pytest.mark.long
def test_a_change_is_said_with_its_run(run: Run, tmp_path: Path) -> None:
    new, file = made(tmp_path / "new.json"), tmp_path / "history.jsonl"
    asked = ("check", new, "--baseline", new, "--history", str(file))
    run(*asked)
    known = json.loads(file.read_text())
    before = known | {"step_ns": 800_000, "at_s": 1e9, "label": "old"}
    file.write_text(
        "".join(json.dumps(one) + "\n" for one in [before] * 12 + [known | {"at_s": 1e9, "label": "v2"}] * 11)
    )
    said = run(*asked).out.splitlines()[-1]
    assert said == "Change point: step time 800 us -> 1.00 ms from run 13 of 24 on (2001-09-09, v2)."
