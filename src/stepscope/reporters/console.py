"""Lines to a terminal or a pipe: colour only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from stepscope.reporters.sections.text_lines import Line

DEFAULT_WIDTH = 100
_STYLES = {"heading": "bold cyan", "strong": "bold", "warning": "yellow", "error": "bold red", "dim": "dim"}


def output_width(file: TextIO) -> int:
    """Columns to fill: the terminal's, at most 160, at least 60; `DEFAULT_WIDTH` for a pipe."""
    if not file.isatty():
        return DEFAULT_WIDTH
    import shutil

    return max(60, min(160, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns))


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
