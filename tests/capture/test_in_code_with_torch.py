"""Recording in code with the real torch, on the CPU: ``make test-capture``."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import stepscope
from capture.test_with_torch import TORCH
from recorded_jobs import environment, read_trace, steps_of

HERE = Path(__file__).parent

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not os.path.exists(TORCH), reason="no torch here: make test-capture gets one"),
]


def run(folder: Path, name: str, *launch: str) -> str:
    """What a program of `jobs/in_code.py` prints; its recordings lie in the folder ``runs``."""
    command = [TORCH, *launch, str(HERE / "jobs" / "in_code.py"), name]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), cwd=folder, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def only_steps(folder: Path) -> list[list[int]]:
    return [steps_of(read_trace(file)) for file in sorted((folder / "runs").glob("*.pt.trace.json.gz"))]


def needs(module: str) -> None:
    found = subprocess.run([TORCH, "-c", f"import {module}"], capture_output=True).returncode == 0
    if not found:
        pytest.skip(f"no {module} here")


def test_a_block_and_the_step_time_of_its_report(tmp_path: Path) -> None:
    run(tmp_path, "block")
    assert only_steps(tmp_path) == [[23, 24, 25, 26, 27, 28]]
    opened = stepscope.open(str(tmp_path / "runs"))
    row = opened.show("step_time").row(0, named=True)
    assert row["unprofiled_ns"] == row["measured_ns"] is not None
    assert "forward" in opened.show("annotations")["name"].to_list()


def test_a_program_with_a_profiler_of_its_own(tmp_path: Path) -> None:
    """Two at a time end in a segmentation fault."""
    assert run(tmp_path, "foreign") == "own 1\n"
    assert only_steps(tmp_path) == [[3, 4]]


def test_a_step_told_inside_backward(tmp_path: Path) -> None:
    """To step the profiler there ends in a segmentation fault."""
    run(tmp_path, "in_backward")
    assert only_steps(tmp_path) == [[3, 4, 5]]


def test_names_inside_a_compiled_graph_break_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "compiled") == "(2, 4)\n"


def test_ranks_are_timed_and_recorded_together(tmp_path: Path) -> None:
    needs("torch.distributed.run")
    out = run(tmp_path, "ranks", "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", "29511")
    assert sorted(out.splitlines()) == ["rank 0: slowest 1 of 2", "rank 1: slowest 1 of 2"]
    assert only_steps(tmp_path) == [[3, 4, 5], [3, 4, 5]]
    assert [rank.number for rank in stepscope.open(str(tmp_path / "runs")).profile.ranks] == [0, 1]


def test_batch_sizes_of_a_matrix_product(tmp_path: Path) -> None:
    """FLOPs of x @ W and of the gradient of W: 2 x 2 x batch x 64 x 64; the last one does not fit."""
    rows = json.loads(run(tmp_path, "sweep"))
    assert [(row["batch_size"], row["outcome"], row["flops"]) for row in rows] == [
        (8, "ok", 4 * 8 * 64 * 64),
        (16, "ok", 4 * 16 * 64 * 64),
        (1 << 50, "out of memory", None),
    ]


@pytest.mark.parametrize(
    ("name", "module"), [("lightning", "lightning"), ("transformers", "transformers"), ("accelerate", "accelerate")]
)
def test_trainers_that_accumulate_gradients(tmp_path: Path, name: str, module: str) -> None:
    """Two batches are one step of the optimizer."""
    needs(module)
    run(tmp_path, name)
    assert only_steps(tmp_path) == [[3, 4, 5]]
    if name != "accelerate":
        (side,) = (tmp_path / "runs/processes").iterdir()
        assert json.loads(side.read_text())["steps"] == 12
