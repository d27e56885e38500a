"""The output shown in the README files is what the commands print today."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = ["README.md", "README.zh-CN.md"]


def shown_outputs(file: str) -> list[tuple[str, list[str]]]:
    """Commands of indented blocks and the lines shown below them."""
    found: list[tuple[str, list[str]]] = []
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ stepscope"):
            found.append((line[6:], []))
        elif line and not line.startswith("    "):
            found.append(("", []))  # prose ends a block
        elif found:
            found[-1][1].append(line[4:])
    return [(command, "\n".join(lines).strip("\n").splitlines()) for command, lines in found if command]


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_shown_output_is_real(file: str) -> None:
    shown = [(command, lines) for command, lines in shown_outputs(file) if lines]
    assert len(shown) == 3
    for command, lines in shown:
        out = printed(command)
        assert "..." in lines or out == lines
        at = 0
        for part in parts(lines):
            at = position(part, out, at)


def parts(lines: list[str]) -> list[list[str]]:
    """What stands between lines of three dots."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line == "...":
            found.append([])
        else:
            found[-1].append(line)
    return [part for part in found if part]


def position(part: list[str], out: list[str], begin: int) -> int:
    """Where an output goes on after some lines of it, which must stand in it in one piece."""
    for at in range(begin, len(out)):
        if out[at : at + len(part)] == part:
            return at + len(part)
    raise AssertionError(f"not printed: {part[0]}")


@pytest.mark.long
@pytest.mark.parametrize("page", ["docs/reading-a-report.md", "docs/reading-a-report.zh-CN.md"])
def test_a_report_that_is_explained_part_by_part_is_real(page: str) -> None:
    """Explanations stand between its parts; every indented block but the last is of the one report."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = [[line[4:] for line in block.splitlines()] for block in re.findall(r"(?:^    .+\n)+", text, re.MULTILINE)]
    command, *header = blocks[0]
    assert command.startswith("$ stepscope report ")
    out = printed(command[2:])
    at = 0
    for part in [header, *(part for block in blocks[1:-1] for part in parts(block))]:
        at = position(part, out, at)
    assert len(blocks) > 15
    assert printed(blocks[-1][0])


def printed(command: str) -> list[str]:
    """The lines that a command prints."""
    arguments = [sys.executable, "-m", "stepscope", *shlex.split(command)[1:]]
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def test_both_readme_files_show_the_same_commands() -> None:
    english, chinese = ([command for command, _ in shown_outputs(file)] for file in FILES)
    assert [command.replace(" --lang zh", "") for command in chinese] == english
    assert english != chinese, "the Chinese one shows Chinese output"


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_python_shown_is_true(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)  # a report is written there
    text = (ROOT / file).read_text(encoding="utf-8")
    shown = doctest.DocTestParser().get_doctest(text, {}, file, file, 0)
    assert len(shown.examples) >= 6
    failed, _ = doctest.DocTestRunner(verbose=False).run(shown)
    assert failed == 0
    assert (tmp_path / "report.html").stat().st_size > 100_000
