"""Recordings that hold no steps."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building.compiling import MadeLog
from building.hangs import one_left
from building.inspector import over_time
from readers.ncu_building import report
from readers.ncu_files import TWO
from stepscope.analyses import table_notes
from stepscope.errors import BadRequest
from stepscope.findings.report import make_report
from stepscope.messages.rendering import render
from stepscope.reporters.sections.opening import facts


def _steps(path: Path) -> tuple[int, list[int], str]:
    """Rows of ``steps``, the steps of ``summary``, and what is said of them."""
    profile = stepscope.open(path)
    frame = profile.show("steps")
    (said,) = table_notes(profile.profile, "steps", frame)
    return len(frame), profile.show("summary")["steps"].unique().to_list(), render(said)


def test_compilations_are_no_steps(tmp_path: Path) -> None:
    """Seen of TORCH_TRACE logs: phases at the top of a thread that repeat were taken for training steps, and findings
    spoke of the first recorded one."""
    log = MadeLog()
    for number in range(3):
        log.event("dynamo", "B", f"{number}/0")
        log.us += 1_000_000
        log.event("dynamo", "E", f"{number}/0")
    path = log.write(tmp_path)
    said = "no rows: logs of torch.compile hold no steps; a trace of the program does"
    assert _steps(path) == (0, [0], said)
    assert len(stepscope.open(path).show("findings")) == 0


def test_dumps_and_reports_of_kernels_have_no_step_of_length_zero(tmp_path: Path) -> None:
    """Seen of dumps: a step 0 of 0 ns of each rank that began at -1,790,856,000,000 ms, as none of their times is."""
    said = "no rows: dumps of the flight recorder hold no steps; a trace of the program does"
    assert _steps(one_left().write(tmp_path / "dumps")) == (0, [0], said)
    (tmp_path / "a.ncu-rep").write_bytes(report(TWO))
    said = "no rows: reports of kernels hold no steps; a trace of the program does"
    assert _steps(tmp_path / "a.ncu-rep") == (0, [0], said)


def test_findings_of_logs_say_where_lateness_is_said(tmp_path: Path) -> None:
    """Seen of logs of NCCL Inspector whose verdict named the late rank: "nothing of the CPU was recorded in the
    steps"; and the count of measured collectives held damaged lines."""
    folder = over_time(4).write(tmp_path)
    profile = stepscope.open(folder)
    (said,) = table_notes(profile.profile, "findings", profile.show("findings"))
    assert render(said) == (
        "no rows: logs of NCCL Inspector hold no steps; the verdict and the tables collective_lateness and "
        "collective_bandwidth say which rank is late and which link is slow"
    )
    first = min(folder.iterdir())
    first.write_text(first.read_text() + '{"header": {}\n')
    assert facts(make_report(stepscope.open(folder).profile)).startswith("NCCL Inspector · ")
    assert facts(make_report(stepscope.open(folder).profile)) == facts(make_report(profile.profile))


def test_a_report_alone_wants_a_trace_beside_it(tmp_path: Path) -> None:
    """Seen of ``what-if`` on a report of kernels: to record with ProfilerActivity.CPU."""
    (tmp_path / "a.ncu-rep").write_bytes(report(TWO))
    with pytest.raises(BadRequest) as error:
        stepscope.open(tmp_path / "a.ncu-rep").what_if("no-sync")
    assert str(error.value).endswith("Put a trace of the program beside it.")
