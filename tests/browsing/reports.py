"""Reports as files, each made once."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

from click.testing import CliRunner

from stepscope.commands import cli


class Reports:
    """Makes reports with the command line, into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[tuple[str, ...], Path] = {}

    def of(self, path: Path, *arguments: str) -> Path:
        """The report of a trace as one HTML file."""
        key = (str(path), *arguments)
        if key not in self._made:
            target = self._folder / f"report{len(self._made)}.html"
            done = CliRunner().invoke(cli, ["report", *key, "-o", str(target)], catch_exceptions=False)
            assert done.exit_code == 0, done.output
            self._made[key] = target
        return self._made[key]


def address(report: Path, page: str, parameters: dict[str, str]) -> str:
    """The address of a page of a report on disk."""
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{report.as_uri()}#/{page}{query}"
