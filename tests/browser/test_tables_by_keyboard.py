"""A table without a mouse: to it, through it, into a row and back, sorted and filtered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import WITH_STACKS, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing.site import Served


@pytest.fixture
def grid(served: Served, page: Page, examples: Path) -> Locator:
    """The table of operators with the focus on it, reached with the tab key from the filter."""
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)
    page.get_by_role("searchbox", name="Filter").focus()
    found = page.get_by_role("grid")
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(found).to_be_focused()
    return found


def pointed(page: Page) -> str:
    """What the cell with the cursor is."""
    # A row far away is drawn a frame after the cursor has gone there.
    page.wait_for_function(
        "() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')"
    )
    text: str = page.evaluate("""() => {
      const id = document.activeElement.getAttribute('aria-activedescendant')
      const cell = document.getElementById(id)
      const row = cell.closest('[role=row]')
      return `${row.getAttribute('aria-rowindex')}.${cell.getAttribute('aria-colindex')}`
    }""")
    return text


def test_arrows_go_from_cell_to_cell(grid: Locator, page: Page) -> None:
    assert pointed(page) == "2.1"
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert pointed(page) == "3.3"
    page.keyboard.press("Control+End")
    rows, columns = grid.get_attribute("aria-rowcount"), grid.get_attribute("aria-colcount")
    page.wait_for_function("rows => document.querySelector(`[role=row][aria-rowindex='${rows}']`)", arg=rows)
    assert pointed(page) == f"{rows}.{columns}"
    page.keyboard.press("Control+Home")
    page.keyboard.press("PageDown")
    assert int(pointed(page).split(".")[0]) > 8


def test_enter_opens_the_row_and_escape_closes_it(grid: Locator, page: Page) -> None:
    name = grid.get_by_role("rowheader").nth(1).inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(name)
    expect(grid).to_be_focused()
    expect(grid.get_by_role("row", selected=True)).to_contain_text(name)
    page.keyboard.press("Escape")
    expect(dock).to_have_count(0)
    expect(grid).to_be_focused()


def test_the_heading_sorts(grid: Locator, page: Page) -> None:
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    heading = grid.get_by_role("columnheader", name="Calls")
    expect(heading).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    expect(page).to_have_url(re.compile("operators.sort=-calls"))


def test_menus_open_and_close_by_keyboard(grid: Locator, page: Page) -> None:
    copy = page.get_by_role("button", name="Copy", exact=True)
    copy.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Copy")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Copy")).to_have_count(0)
    expect(copy).to_be_focused()


def test_the_rail_is_a_menu(grid: Locator, page: Page) -> None:
    rail = page.get_by_role("navigation", name="Pages")
    rail.get_by_role("link", name="Operators").focus()
    page.keyboard.press("ArrowDown")
    expect(rail.get_by_role("link", name="Kernels")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Kernels", level=1)).to_be_visible()


LOOK = """one => {
  const { backgroundColor, outlineStyle, outlineWidth } = getComputedStyle(one)
  return [backgroundColor, outlineStyle, outlineWidth].join()
}"""


def test_what_is_chosen_and_pointed_at_shows_where_the_system_chooses_colours(grid: Locator, page: Page) -> None:
    """The chosen row, the keyboard's cell, and the hit that Enter would open looked like the others."""
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    chosen = grid.get_by_role("row", selected=True)
    expect(chosen).to_have_count(1)
    page.emulate_media(forced_colors="active")
    rows = grid.get_by_role("row")
    looks = [rows.nth(at).get_by_role("gridcell").first.evaluate(LOOK) for at in (1, 2)]
    assert looks[0] != looks[1], "the second one is chosen"
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(chosen).to_have_count(0)
    looks = [rows.nth(2).get_by_role("gridcell").nth(at).evaluate(LOOK) for at in (0, 1)]
    assert looks[0] != looks[1], "the first one is pointed at"
    page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    expect(options.nth(1)).to_be_visible()
    assert options.nth(0).evaluate(LOOK) != options.nth(1).evaluate(LOOK)
