"""``stepscope.diff`` of the Python API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stepscope
from building import kernel, launched, operator, step, write


def recorded(path: Path, gemm: int) -> Path:
    events = [
        [
            step(n, 1_000_000 * n, 1_000_000 * (n + 1)),
            operator("aten::mm", 1_000_000 * n + 1_000, 1_000_000 * n + 401_000),
            launched(
                kernel("gemm", 1_000_000 * n + 500_000, 1_000_000 * n + 500_000 + gemm, n + 1), 1_000_000 * n + 2_000
            ),
        ]
        for n in range(4)
    ]
    return write(path, *events)


@pytest.mark.long
def test_paths_and_opened_profiles_one_or_several(tmp_path: Path) -> None:
    paths = [recorded(tmp_path / f"{n}.json", gemm) for n, gemm in enumerate([300_000, 301_000, 100_000])]
    found = stepscope.diff([paths[0], stepscope.open(paths[1])], paths[2])
    assert len(found.comparison.base) == 2
    kernels = found.rows.filter(level="kernel")
    assert kernels.select("key", "base_ns", "new_ns", "status").rows() == [("gemm", 300_500, 100_000, "changed")]
    assert found.counts.filter(found.counts["base"] != found.counts["new"]).rows() == []
    assert found.causes.columns == ["cause", "effect_ns"]
    assert found.sentences[0] in repr(found)


@pytest.mark.long
def test_the_report_is_that_of_the_command(tmp_path: Path) -> None:
    base, new = recorded(tmp_path / "base.json", 300_000), recorded(tmp_path / "new.json", 100_000)
    found = stepscope.diff(base, new)
    assert found.report().startswith("Base ")
    document = json.loads(found.report(tmp_path / "x.json"))
    assert document == json.loads((tmp_path / "x.json").read_text())
    assert document["step"]["delta_ns"] == found.rows.filter(level="step")["delta_ns"][0]
    with pytest.raises(stepscope.BadRequest, match="it is the input"):
        found.report(new)
