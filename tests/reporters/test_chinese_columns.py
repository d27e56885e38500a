"""A report in Chinese: columns stand under one another although a character takes two columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from stepscope.analyses.critical_path.critical_path import OWN_NAMES
from stepscope.commands import cli
from stepscope.messages.language import CHINESE, speaking
from stepscope.reporters.display_width import width_of
from stepscope.reporters.sections import critical_path


def section(report: str, title: str) -> list[str]:
    """The lines of a section below its title."""
    lines = report.splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith(title)) + 1
    return lines[begin : lines.index("", begin)]


def chinese_report(examples: Path) -> str:
    with speaking(CHINESE):
        return CliRunner().invoke(cli, ["report", str(examples / "batch_size.slow.pt.trace.json.gz")]).output


@pytest.mark.long
def test_bars_begin_in_one_column(examples: Path) -> None:
    """Titles were filled up by their characters, so that the times of Chinese lines stood further right."""
    report = chinese_report(examples)
    for title in ("迭代时间分解", "迭代轨迹"):
        ends = {width_of(line[: line.index("%")]) for line in section(report, title)}
        assert len(ends) == 1, title


def test_parts_of_the_path_that_are_no_event_have_words() -> None:
    assert set(critical_path._OWN_NAMES) == set(OWN_NAMES)


def test_the_peak_of_memory_is_said(examples: Path) -> None:
    """The note was looked for by its English words."""
    assert section(chinese_report(examples), "显存")[0].startswith("  cuda:0：峰值 728 MiB")
