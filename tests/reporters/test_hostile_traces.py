"""Reports of traces that somebody wrote to break them: names with NUL, absurd nesting, files named in no UTF-8."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import stepscope
from building import Event, call, kernel, operator, step, timed, write
from report_page import SHELL, told
from stepscope.answers.requests import Choice
from stepscope.findings.report import make_report
from stepscope.reporters.html.report import HtmlReport, html_report
from stepscope.reporters.json_report import report_json
from stepscope.reporters.markdown_report import report_markdown
from stepscope.reporters.report_text import report_lines

DEEP = 100_000


def training(*more: Event) -> list[Event]:
    return [
        step(1, 0, 1000),
        operator("aten::mm", 10, 100),
        call(20, 30, 1),
        kernel("gemm", 100, 900, 1),
        *more,
    ]


def every_report(path: str) -> HtmlReport:
    """The report in each format, of which the page comes back."""
    made = make_report(stepscope.open(path).profile)
    said = "\n".join(line.text for line in report_lines(made))
    for text in (said, report_json(made), report_markdown(made)):
        assert text.encode()
    return html_report(made, [path], Choice(), shell=SHELL)


@pytest.mark.long
def test_a_frame_may_name_a_file_with_nul(tmp_path: Path) -> None:
    """`realpath` refuses such a name, where the page looked for lines to quote."""
    frame = timed("python_function", "x\0.py(3): f", 5, 900, process=1, thread=1)
    assert every_report(str(write(tmp_path / "a.json", *training(frame)))).sources == ()


@pytest.mark.long
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_arguments_may_be_nested_absurdly_deep(tmp_path: Path, opening: str, closing: str) -> None:
    """What took such an argument apart called itself for each bracket, until Python stopped it."""
    arguments = {"Input Dims": "DEEP", "Concrete Inputs": "DEEP", "odd": "DEEP"}
    path = write(tmp_path / "a.json", *training(operator("aten::add", 200, 300, **arguments)))
    inside = "1" if closing == "}" else ""
    path.write_text(path.read_text().replace('"DEEP"', opening * DEEP + inside + closing * DEEP))
    every_report(str(path))


@pytest.mark.long
def test_the_name_of_a_file_may_be_no_utf_8(tmp_path: Path) -> None:
    """Neither Polars nor orjson take halves of surrogate pairs, as which Python shows such a name."""
    path = os.path.join(tmp_path, os.fsdecode(b"na\xffme.json"))
    try:
        shutil.move(write(tmp_path / "a.json", *training()), path)
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    page = every_report(path)
    run = told(page.text)
    assert run["run"]["name"] == "na?me"
    assert run["verdict"]["command"] == f"stepscope report '{tmp_path}/na?me.json'"
    assert len(stepscope.open(run["run"]["path"]).profile.ranks) == 1


@pytest.mark.long
def test_a_damaged_file_beside_it_may_be_named_so_too(tmp_path: Path) -> None:
    for rank in range(2):
        write(tmp_path / f"rank{rank}.json", *training())
    try:
        (tmp_path / os.fsdecode(b"rank2\xff.json")).write_text("{")
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    skipped = told(every_report(str(tmp_path)).text)["run"]["skipped"]
    assert [Path(one["path"]).name for one in skipped] == ["rank2?.json"]
