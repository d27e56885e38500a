"""Lines to a terminal or a pipe: colour only on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from stepscope.reporters.display_width import wrapped
from stepscope.reporters.sections.text_lines import Line

DEFAULT_WIDTH, _LEAST, _MOST = 100, 60, 160
_STYLES = {"heading": "bold cyan", "strong": "bold", "warning": "yellow", "error": "bold red", "dim": "dim"}


def output_width(file: TextIO) -> int:
    """Columns to fill: the terminal's, of a pipe what the variable COLUMNS says; at most 160, at least 60."""
    if not file.isatty():
        said = os.environ.get("COLUMNS", "")
        return max(_LEAST, min(_MOST, int(said))) if said.isdecimal() and len(said) < 6 else DEFAULT_WIDTH
    import shutil

    return max(_LEAST, min(_MOST, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns))


def print_lines(lines: Iterable[Line], file: TextIO | None = None) -> None:
    """Print lines, styled where the file is a terminal that wants colour."""
    file = file or sys.stdout
    if not file.isatty():
        file.writelines(f"{line.text}\n" for line in lines)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=file, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text(line.text, style=_STYLES.get(line.style, "")))


def print_described(entries: Iterable[tuple[str, str]], hang: int) -> None:
    """Names and what each stands for, which begins in a column and is wrapped there."""
    for name, text in entries:
        first, *others = wrapped(text, output_width(sys.stdout), " " * hang)
        sys.stdout.writelines(f"{line}\n" for line in (f"{name:<{hang}}{first[hang:]}", *others))
