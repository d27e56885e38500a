"""Reports of memory snapshots: the verdict in both languages, the sections, and what stands beside a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import flat, kernel, launched, operator, step, write
from building.snapshots import START_US, MadeSnapshot, small_training, troubled
from stepscope.findings.report import make_report
from stepscope.findings.verdict import verdict
from stepscope.messages.rendering import render
from stepscope.reporters.html.report import MAX_BYTES, html_report
from stepscope.reporters.report_text import report_lines


def sentences(made: MadeSnapshot, folder: Path, language: str = "en") -> list[str]:
    rank = made.opened(folder).profile.ranks[0]
    return [render(one, language) for one in verdict(rank).sentences]


def test_the_verdict_says_why_memory_ran_out_then_the_peak_and_what_grows(tmp_path: Path) -> None:
    assert sentences(troubled(), tmp_path) == [
        (
            "Out of memory: 400 MiB asked at train.py:8; a set limit is the reason: it lies from 200 MiB to below "
            "600 MiB, 200 MiB were reserved, and 64.0 GiB of the device were free."
        ),
        (
            "Largest then: 12.0 MiB of unknown in 6 blocks at train.py:7 and 10.0 MiB of parameters in 1 block at "
            "train.py:3."
        ),
        "Memory grows by 2.00 MiB a step at train.py:7: 12.0 MiB in 6 blocks are never released.",
        "Peak on cuda:0: 22.0 MiB: unknown 55 % and parameters 45 %.",
        "Fragmentation: 178 MiB, 89 % of what is reserved, are free between blocks in use.",
    ]


def test_the_verdict_in_chinese(tmp_path: Path) -> None:
    said = sentences(troubled(), tmp_path, "zh")
    assert said[0].startswith("显存不足：请求 400 MiB（train.py:8）；原因是设定的上限")
    assert said[2] == "显存每次迭代增长 2.00 MiB（train.py:7）：6 个块共 12.0 MiB 从未释放。"


def test_without_a_history_there_is_no_peak(tmp_path: Path) -> None:
    made = small_training()
    made.history.clear()
    made.annotations.clear()
    said = sentences(made, tmp_path)
    assert said[0].startswith("Allocated on cuda:0 when the snapshot was taken: 7.63 MiB")
    assert "The peak is not known: no history was recorded." in said[0]


@pytest.mark.long
def test_sections_of_a_report(tmp_path: Path) -> None:
    report = make_report(troubled().opened(tmp_path).profile)
    lines = [line.text for line in report_lines(report, 100)]
    assert "memory snapshot · 1 rank" in lines[1]
    headings = ("Verdict", "Health of the recording", "Out of memory", "Memory that grows from step to step")
    places = [lines.index(one) for one in headings]
    assert places == sorted(places)
    assert any(line.startswith("Memory at the peak by category") for line in lines)
    assert not any("kernel" in line or "GPU activity" in line for line in lines)


@pytest.mark.long
def test_an_html_report_is_written(tmp_path: Path) -> None:
    from stepscope.answers.requests import Choice

    report = make_report(troubled().opened(tmp_path).profile)
    done = html_report(report, (str(tmp_path / "snapshot.pickle"),), Choice(None, None), MAX_BYTES, False)
    assert (done.left_out, len(done.text) > 100_000) == ([], True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["rank0_snapshot.pickle", "rank1_snapshot.pickle"])
def test_a_folder_with_a_trace_and_a_snapshot(tmp_path: Path, name: str) -> None:
    """Of the same rank it stands beside the trace; that of another rank is a rank of its own."""
    troubled().write(tmp_path / name)
    events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
    write(tmp_path / "rank0.json", *events, baseTimeNanoseconds=START_US * 1000)
    profile = stepscope.open(tmp_path)
    rows = profile.show("recordings").select("kind", "rank").rows()
    assert rows == [("trace", 0), ("memory_snapshot", int(name[4]))]
    leaks = profile.show("memory_leaks").select("rank", "source").rows()
    assert leaks == [(int(name[4]), "train.py:7")]
    report = make_report(profile.profile)
    said = [render(one) for found in report.verdicts for one in found.sentences]
    assert any(one.startswith("Out of memory: 400 MiB") for one in said)


def test_health_of_a_snapshot(tmp_path: Path) -> None:
    made = small_training()
    del made.history[:5]
    health = made.opened(tmp_path).show("health").select("check", "status", "value").rows()
    checks = {check: (status, value) for check, status, value in health}
    assert checks["memory_history"] == ("ok", "3.81 MiB earlier")
    assert checks["memory_releases"] == ("ok", "0")
    assert "gpu_activity" not in checks
