"""The output shown in the README files is what the commands print today."""

from __future__ import annotations

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


@pytest.mark.parametrize("file", FILES)
def test_shown_output_is_real(file: str) -> None:
    shown = [(command, lines) for command, lines in shown_outputs(file) if lines]
    assert len(shown) == 2
    for command, lines in shown:
        arguments = shlex.split(command)[1:]
        out = subprocess.run(
            [sys.executable, "-m", "stepscope", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        whole = lines[: lines.index("...")] if "..." in lines else lines
        assert out[: len(whole)] == whole
        assert "..." in lines or out == whole


def test_both_readme_files_show_the_same_blocks() -> None:
    assert shown_outputs(FILES[0]) == shown_outputs(FILES[1])
