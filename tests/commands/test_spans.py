"""``--span``, and recordings of another recorder, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import kernel, launched, step, write
from command_line import Run
from readers.csv_kernels import EXAMPLE, KernelCsv
from stepscope.readers import registry


@pytest.fixture
def logdir(tmp_path: Path) -> str:
    """Two cycles of one process."""
    for cycle in range(2):
        begin = 1_000 * cycle
        events = [step(cycle, begin, begin + 100), launched(kernel("gemm", begin + 20, begin + 60, 1), begin + 10)]
        write(tmp_path / f"node1_40.17000000000000000{cycle:02}.pt.trace.json", *events)
    return str(tmp_path)


@pytest.mark.long
def test_the_last_span_is_shown_and_another_one_with_span(run: Run, logdir: str) -> None:
    assert run("show", "steps", logdir, "--format", "csv", "--columns", "rank,step").out == "rank,step\n0,1\n"
    assert run("show", "steps", logdir, "--span", "1", "--format", "csv", "--columns", "rank,step").out == (
        "rank,step\n0,0\n"
    )
    assert "2 of 2" in run("report", logdir).out


def test_a_span_that_is_not_there_is_refused(run: Run, logdir: str) -> None:
    outcome = run("report", logdir, "--span", "3")
    assert outcome.code == 2
    assert outcome.err == (
        "stepscope: cannot show span 3: node1_40 has spans 1-2. Name one of them, or leave --span out.\n"
    )


@pytest.mark.long
def test_a_second_reader_appears_in_the_report(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kernels.csv").write_text(EXAMPLE)
    with registry.added(KernelCsv()):
        outcome = run("report", str(tmp_path / "kernels.csv"))
        health = run("show", "health", str(tmp_path), "--format", "csv", "--columns", "check,detail")
    assert outcome.code == 0
    assert "softmax" in outcome.out
    assert "profiler overhead" not in outcome.out
    assert "events,recorded by KernelCsv" in health.out
