"""What the tutorial shows is what the commands print today, on the recordings that ship with it."""

from __future__ import annotations

import csv
import gzip
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from stepscope.commands import cli
from stepscope.schema import TABLES
from test_readme import parts, position, printed
from test_words import ROOT

FOLDER = ROOT / "docs" / "tutorial"
PAGES = sorted(FOLDER.glob("*.md"))
SHOWN = re.compile(r"^    \$ (stepscope .*)$", re.MULTILINE)
IN_CODE = re.compile(r"^(stepscope .*)$", re.MULTILINE)
QUOTED = re.compile(r"`(stepscope [^`\n]*)`")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SHIPPED = ("docs/", "examples/", "tests/")
ROW = re.compile(r"^\| `(\w+)` \|(.+)\|$", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:\.\d+)? (?:us|ms|%)|(?<=\| )\d+\.\d+(?= \|)")


class Shown(NamedTuple):
    """A command and the blocks of its output that a page shows, with prose between them."""

    command: str
    blocks: list[list[str]]


def outputs(page: Path) -> list[Shown]:
    """Commands on recordings that ship with stepscope. Indented lines are output, other code stands in fences."""
    found: list[Shown] = []
    is_apart = True
    for line in FENCED.sub("", page.read_text(encoding="utf-8")).splitlines():
        if line.startswith("    $ "):
            found.append(Shown(line[6:], [[]]))
        elif line.startswith("    "):
            if is_apart:
                found[-1].blocks.append([])
            found[-1].blocks[-1].append(line[4:])
        is_apart = not line.startswith("    ")
    return [one for one in found if one.command.startswith("stepscope") and " record " not in one.command]


def named_commands(page: Path) -> list[list[str]]:
    text = page.read_text(encoding="utf-8")
    found = [*SHOWN.findall(text), *IN_CODE.findall("\n".join(FENCED.findall(text))), *QUOTED.findall(text)]
    return [shlex.split(command, comments=True) for command in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_options_tables_and_recordings_exist(page: Path) -> None:
    for _, name, *arguments in named_commands(page):
        command = cli.get_command(click.Context(cli), name)
        assert command is not None, name
        known = {option for parameter in command.params for option in parameter.opts}
        ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
        assert {one for one in ours if one.startswith("--")} <= known, arguments
        if name == "show":
            assert arguments[0] in TABLES
        assert all((ROOT / one).exists() for one in ours if one.startswith(SHIPPED)), arguments


def check(shown: Shown) -> None:
    """Each block stands in the output, one behind the other; dots stand for what is left out."""
    out = printed(shown.command)
    at = 0
    for block in shown.blocks:
        for part in parts(block):
            at = position(part, out, at)


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_first_report_is_what_its_recording_gives(page: str) -> None:
    first = outputs(FOLDER / page)[0]
    assert len(first.blocks) > 7
    check(first)


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shown_output_is_real(page: Path) -> None:
    for shown in outputs(page):
        assert any(shown.blocks), shown.command
        check(shown)


@pytest.mark.parametrize("page", ["4-nsight-compute.md", "4-nsight-compute.zh-CN.md"])
def test_numbers_of_kernels_are_those_of_the_report(page: str) -> None:
    """Each value of a table row stands in what Nsight Compute printed of that kernel, with its unit."""
    with gzip.open(FOLDER / "recordings" / "nsight_compute.details.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    checked = 0
    for kernel, cells in ROW.findall((FOLDER / page).read_text(encoding="utf-8")):
        of_kernel = [row for row in rows if row["Kernel Name"].split("(")[0] == kernel]
        values = {f"{row['Metric Value']} {row['Metric Unit']}" for row in of_kernel}
        plain = {row["Metric Value"] for row in of_kernel}
        for number in NUMBER.findall(f"| {cells} |"):
            assert number in values or number in plain, (kernel, number)
            checked += 1
    assert checked > 40


@pytest.mark.parametrize("page", ["4-nsight-compute.md", "4-nsight-compute.zh-CN.md"])
def test_the_script_that_reads_the_csv_prints_the_first_table(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    code = next(block for block in FENCED.findall((FOLDER / page).read_text(encoding="utf-8")) if "DictReader" in block)
    exec(code.removeprefix("```python").removesuffix("```"), {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8 * 4, "memory throughput is there in % and in bytes"
    assert "saxpy Duration 58.56 us" in lines
    assert "bank_conflict Memory Throughput 97.98 %" in lines


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name.endswith(".zh-CN.md")], ids=lambda page: page.name
)
def test_pictures_of_chinese_pages_are_chinese(page: Path) -> None:
    pictures = re.findall(r"screenshots/([\w-]+)\.png", page.read_text(encoding="utf-8"))
    assert [name for name in pictures if not name.endswith("-zh")] == []


def test_both_languages_show_the_same_commands() -> None:
    english = [page for page in PAGES if not page.name.endswith(".zh-CN.md")]
    assert len(english) * 2 == len(PAGES)
    for page in english:
        chinese = outputs(page.with_suffix(".zh-CN.md"))
        assert [one.command.replace(" --lang zh", "") for one in chinese] == [one.command for one in outputs(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_output_does_not_follow_a_list(page: Path) -> None:
    """Markdown takes lines indented by four behind a list for a paragraph of its last item."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    assert re.findall(r"^(?:- |\d+\. ).*\n(?:\S.*\n|  \S.*\n)*\n    \S.*$", text, re.MULTILINE) == []


def test_what_ships_is_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file()) < 2_400_000
