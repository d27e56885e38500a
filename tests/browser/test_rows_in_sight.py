"""What was clicked never leaves the screen: the dock opens beside it, and the keyboard walks with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, WITH_STACKS, drawn, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing.site import Served


IN_SIGHT = """() => {
  const row = document.querySelector('main [aria-selected=true]').getBoundingClientRect()
  const main = document.querySelector('main').getBoundingClientRect()
  return row.top >= main.top && row.bottom <= main.bottom
}"""


def lies_in_sight(page: Page, row: Locator) -> bool:
    box, main = row.bounding_box(), page.get_by_role("main").bounding_box()
    assert main
    return box is not None and main["y"] <= box["y"] and box["y"] + box["height"] <= main["y"] + main["height"]


def widths(page: Page) -> list[int]:
    found: list[int] = page.evaluate(
        "[...document.querySelectorAll('[role=columnheader]')].map((one) => Math.round(one.offsetWidth))"
    )
    return found


TABLES = [("operators", WITH_STACKS), ("kernels", FOUR_RANKS), ("idle", WITH_STACKS), ("launches", WITH_STACKS)]


@pytest.mark.parametrize(("name", "run"), TABLES)
def test_a_clicked_row_stays_where_it_is(served: Served, page: Page, examples: Path, name: str, run: str) -> None:
    """Charts went from side by side to one above the other when details opened: the row jumped by 262 px."""
    page.goto(served(examples).at(name, run=run))
    settled(page)
    # The sentence above the charts is of a further table, and may come last.
    page.wait_for_load_state("networkidle")
    row = page.get_by_role("grid").first.get_by_role("row").nth(1)
    row.scroll_into_view_if_needed()
    before, columns = row.bounding_box(), widths(page)
    row.get_by_role("rowheader").click()
    chosen = page.locator("main [role=row][aria-selected=true]").first
    expect(chosen).to_be_visible()
    settled(page)
    now = chosen.bounding_box()
    # The sentence above may wrap beside the dock; what it takes is scrolled, in whole px.
    assert now == {key: pytest.approx(value, abs=1) for key, value in (before or {}).items()}
    assert widths(page) == columns
    assert lies_in_sight(page, chosen)


@pytest.mark.parametrize("name", ["launches", "roofline"])
def test_a_clicked_row_stays_on_a_scrolled_page(served: Served, page: Page, examples: Path, name: str) -> None:
    """Of a page that was scrolled: the sentence above wrapped, and what it took was scrolled twice, by the browser too.

    The clicked row went up by 19 to 47 px under the pointer.
    """
    page.goto(served(examples).at(name, run=WITH_STACKS))
    settled(page)
    page.wait_for_load_state("networkidle")
    header = page.locator("#content header").first
    height = header.evaluate("(one) => one.offsetHeight")
    row = page.get_by_role("grid").first.get_by_role("row").nth(1)
    row.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    assert page.get_by_role("main").evaluate("(one) => one.scrollTop") > 0
    before = row.bounding_box()
    row.get_by_role("rowheader").click()
    expect(page.get_by_role("complementary")).to_be_visible()
    settled(page)
    assert header.evaluate("(one) => one.offsetHeight") > height  # else nothing wrapped
    now = page.locator("main [role=row][aria-selected=true]").first.bounding_box()
    assert now == {key: pytest.approx(value, abs=1) for key, value in (before or {}).items()}


@pytest.mark.parametrize("side", ["right", "bottom"])
def test_the_row_stays_in_sight_while_arrows_walk(served: Served, page: Page, examples: Path, side: str) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)
    page.get_by_role("rowheader").first.click()
    if side == "bottom":
        page.keyboard.press("Backslash")
    chosen = page.locator("main [role=row][aria-selected=true]")
    for _ in range(30):
        before = chosen.get_attribute("aria-rowindex")
        page.keyboard.press("ArrowDown")
        expect(chosen).not_to_have_attribute("aria-rowindex", str(before))
        assert lies_in_sight(page, chosen)
    for _ in range(30):
        page.keyboard.press("ArrowUp")
    expect(chosen).to_have_attribute("aria-rowindex", "2")
    page.wait_for_function(IN_SIGHT)
    if side == "bottom":
        page.keyboard.press("Backslash")  # pages are used again with what they prefer


def test_a_pinned_row_comes_into_sight_too(served: Served, page: Page, examples: Path) -> None:
    """Modules at 1280: the row of what belongs to no module stood half below the window."""
    page.goto(served(examples).at("modules", run=WITH_STACKS))
    settled(page)
    rows = int(page.get_by_role("treegrid").get_attribute("aria-rowcount") or 0)
    page.get_by_role("rowheader").first.click()
    chosen = page.locator("main [role=row][aria-selected=true]")
    for at in range(3, rows + 1):
        page.keyboard.press("ArrowDown")
        expect(chosen).to_have_attribute("aria-rowindex", str(at))
        page.wait_for_function(IN_SIGHT)


def test_what_the_search_finds_has_its_row_in_sight(served: Served, page: Page, examples: Path) -> None:
    """Its details opened with the row far below the window."""
    page.goto(served(examples).at("health", run=WITH_STACKS))
    settled(page)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search").fill("aten::convolution_backward")
    expect(page.get_by_role("option").first).to_contain_text("aten::convolution_backward")
    page.keyboard.press("Enter")
    page.wait_for_url("**/operators?*")
    settled(page)
    chosen = page.locator("main [role=row][aria-selected=true]")
    expect(chosen).to_contain_text("aten::convolution_backward")
    page.wait_for_function(IN_SIGHT)


@pytest.mark.parametrize(("width", "time"), [(1280, 900), (1920, 1160)])
def test_the_timeline_has_room_beside_its_dock(
    served: Served, browse: Callable[..., Page], examples: Path, width: int, time: int
) -> None:
    """Track names took 272 px and details 552: 456 px of 1280 were left for the time."""
    page = browse(width=width, height=800 if width == 1280 else 1080)
    page.goto(served(examples).at("timeline", run=FOUR_RANKS))
    settled(page)
    drawn(page)
    plot = page.locator(".plot")
    box = plot.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    box = plot.bounding_box()
    assert box
    assert box["width"] >= time
    assert box["height"] >= 18 * 18


CUT = """(card) => {
  const [own, page] = [card, document.querySelector('main')].map((one) => one.getBoundingClientRect())
  return own.top < page.top || own.bottom > page.bottom
}"""


def test_a_recommendation_is_whole_above_the_dock(served: Served, page: Page, examples: Path) -> None:
    """The dock at the bottom cut it in half, and only the link that had the focus came into sight."""
    chosen = json.dumps(["row", "[0,4]", "steps"])
    page.goto(served(examples).at("verdict", run=WITH_STACKS, sel=chosen))
    settled(page)
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Simulated step")).first
    link = card.get_by_role("link").last
    link.focus()
    page.keyboard.press("Backslash")
    try:
        expect(page.locator("aside.bottom")).to_be_visible()
        # It opened where half of the card had been.
        assert not card.evaluate(CUT)
        page.get_by_role("main").evaluate("one => one.scrollTop = 0")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        expect(link).to_be_focused()
        assert not card.evaluate(CUT)
    finally:
        page.keyboard.press("Backslash")  # pages are used again with what they prefer


COVERED = """() => {
  const at = document.activeElement
  const [own, dock] = [at, document.querySelector('aside')].map((one) => one.getBoundingClientRect())
  return at.closest('main') !== null && own.left >= dock.left && own.top < dock.bottom
}"""


@pytest.mark.parametrize("width", [1280, 1920])
def test_what_the_keyboard_reaches_is_not_under_the_dock(
    served: Served, browse: Callable[..., Page], examples: Path, width: int
) -> None:
    """Tab went through the buttons of the charts at the right while the dock hid them."""
    page = browse(width=width, height=800)
    page.goto(served(examples).at("launches", run=WITH_STACKS, sel=json.dumps(["row", "[0,4]", "steps"])))
    settled(page)
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    page.get_by_role("main").focus()
    names = []
    for _ in range(24):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.textContent.trim()"))
        assert not page.evaluate(COVERED), names[-1]
    assert names.count("Copy") > 1, "the charts at the right were not reached"


def test_sentences_wrap_beside_the_dock(served: Served, page: Page, examples: Path) -> None:
    """The first one ran under it."""
    page.goto(served(examples).at("idle", run=WITH_STACKS))
    settled(page)
    page.get_by_role("rowheader").first.click()
    dock = page.get_by_role("complementary", name="Details").bounding_box()
    assert dock
    ends = page.locator("main header p").evaluate_all("all => all.map((one) => one.getBoundingClientRect().right)")
    assert ends
    assert max(ends) <= dock["x"]


def test_arrows_bring_each_column_out_from_under_the_dock(served: Served, page: Page, examples: Path) -> None:
    """The whole page went sideways, and the last columns stayed covered."""
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)
    page.get_by_role("rowheader").first.click()
    grid, dock = page.get_by_role("grid"), page.get_by_role("complementary", name="Details")
    for at in range(2, int(grid.get_attribute("aria-colcount") or 0) + 1):
        page.keyboard.press("ArrowRight")
        cell = page.locator(f"main .cursor[aria-colindex='{at}']")
        expect(cell).to_be_visible()
        page.wait_for_function(
            "([cell, dock]) => cell.getBoundingClientRect().right <= dock.getBoundingClientRect().left",
            arg=[cell.element_handle(), dock.element_handle()],
        )
    assert page.get_by_role("main").evaluate("(one) => one.scrollLeft") == 0
