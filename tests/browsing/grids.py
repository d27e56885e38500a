"""Grids of the app as a reader of the screen finds them, and what is copied from them."""

from __future__ import annotations

import csv
import io
import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from stepscope.commands import cli

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

CLIPBOARD = ["clipboard-read", "clipboard-write"]
"""Permissions that a page needs for what is copied to be read."""

# What is in sight of a grid; titles hold the exact values, and are written when the pointer comes.
_READ = """grid => {
  const cells = row => [...row.querySelectorAll('[role=rowheader],[role=gridcell]')]
  const heads = [...grid.querySelectorAll('[role=columnheader]')]
  const rows = [...grid.querySelectorAll('[role=row][data-row]')]
  const parts = (cell, what) => [...cell.querySelectorAll(what)].map(part => part.textContent).join('')
  const unit = cell => parts(cell, '.unit').replace(/\\s/g, '')
  rows.flatMap(cells).forEach(cell => cell.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))
  return {
    columns: heads.map(head => head.title.split('\\n').at(-2)),
    rows: rows.map(row => ({
      index: Number(row.getAttribute('aria-rowindex')) - 2,
      texts: cells(row).map((cell, i) => `${parts(cell, '.start,.end,.value')} ${unit(cell) || unit(heads[i])}`.trim()),
      titles: cells(row).map(cell => cell.title),
    })),
  }
}"""


@dataclass(frozen=True)
class Row:
    """A row in sight."""

    index: int
    """Its place in the grid's order, from 0."""
    texts: list[str]
    titles: list[str]


@dataclass(frozen=True)
class Sight:
    """What one sees of a grid."""

    columns: list[str]
    """Names as the schema has them."""
    rows: list[Row]


def sight(grid: Locator) -> Sight:
    """The rows in sight of a grid."""
    read = grid.evaluate(_READ)
    return Sight(read["columns"], [Row(**row) for row in read["rows"]])


def copied(page: Page, grid: Locator, what: str) -> str:
    """What an entry of a grid's copy menu puts into the clipboard."""
    box = grid.locator("xpath=..")
    page.evaluate("navigator.clipboard.writeText('')")
    box.get_by_role("button", name="Copy", exact=True).click()
    box.get_by_role("button", name=what, exact=True).click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def csv_rows(text: str) -> list[dict[str, str]]:
    """Rows of CSV."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def printed(command: str) -> list[dict[str, Any]]:
    """The rows that a copied command prints."""
    words = shlex.split(command)
    assert words[0] == "stepscope", command
    done = CliRunner().invoke(cli, [*words[1:], "--format", "json"], catch_exceptions=False)
    assert done.exit_code == 0, f"{command}: {done.output}"
    # Ids and parameters of messages are beside the columns, which hold their words.
    rows = [
        {name: value for name, value in row.items() if name != "messages"} for row in json.loads(done.stdout)["rows"]
    ]
    return rows


def as_copied(value: Any) -> str:
    """A value as a cell of copied CSV. A text that a spreadsheet would run as a formula has an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return str(value)


def same(cell: str, value: Any) -> bool:
    """Whether a cell of copied CSV holds a value: whole numbers digit by digit, others as the same binary number."""
    if isinstance(value, float):
        return cell != "" and float(cell) == value
    return cell == as_copied(value)
