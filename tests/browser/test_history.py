"""The back button undoes one thing at a time, and says what."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, WITH_STACKS, expect_parameter, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browsing.site import Served


def parameter(page: Page, name: str) -> str | None:
    found = re.search(rf"[?&]{name}=([^&]*)", page.url)
    return found[1] if found else None


def moved_from(page: Page, before: str | None) -> None:
    """Wait until the timeline has gone elsewhere and the address rests: a slow machine draws few frames of a glide."""
    page.wait_for_function("before => !before || !location.hash.includes(before)", arg=before)
    page.wait_for_function("() => location.hash.includes('t=')")
    rests = "() => [window.seen, window.seen = location.hash].every((one) => one === location.hash)"
    page.wait_for_function(rests, polling=400)


def test_back_undoes_a_row_a_view_and_a_step(served: Served, page: Page, examples: Path) -> None:
    """Selecting made no entry: one Back left the page."""
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    grid = page.get_by_role("grid")
    dock = page.get_by_role("complementary", name="Details")
    names = [grid.get_by_role("rowheader").nth(i).inner_text() for i in range(2)]
    grid.get_by_role("rowheader").nth(0).click()
    expect(dock.get_by_role("heading", level=2)).to_have_text(names[0])
    grid.get_by_role("rowheader").nth(1).click()
    expect(dock.get_by_role("heading", level=2)).to_have_text(names[1])
    page.keyboard.press("Escape")
    expect(dock).to_have_count(0)
    page.get_by_role("radiogroup").first.get_by_role("radio").nth(1).check()
    expect_parameter(page, "operators.by", "shape")
    page.keyboard.press("Shift+BracketRight")
    page.keyboard.press("Shift+BracketRight")
    expect(page.get_by_role("button", name="Select all steps")).to_be_visible()

    said = page.get_by_role("status")
    page.go_back()
    expect_parameter(page, "step", None)
    expect(said.get_by_text("Step selection undone")).to_be_visible()
    page.go_back()
    expect_parameter(page, "operators.by", None)
    expect(said.get_by_text("View change undone")).to_be_visible()
    page.go_back()
    expect(dock.get_by_role("heading", level=2)).to_have_text(names[1])
    expect(said.get_by_text("Selection undone")).to_be_visible()
    page.go_back()
    expect(dock.get_by_role("heading", level=2)).to_have_text(names[0])
    page.go_back()
    expect(dock).to_have_count(0)
    expect(page.get_by_role("heading", name="Operators", level=1)).to_be_visible()


SCROLLED = """() => [...document.querySelectorAll('main, main [role=grid]')].map((one) => Math.round(one.scrollTop))"""
# To the end, until it stays there: a page grows as its tables arrive, and what then stands beside what may change.
SCROLL = """() => {
  const all = [...document.querySelectorAll('main, main [role=grid]')]
  all.forEach((one) => one.scrollTo(0, 1e6))
  const now = all.map((one) => `${one.scrollTop} ${one.scrollHeight}`).join()
  window.stayed = window.ended === now ? window.stayed + 1 : 0
  window.ended = now
  return window.stayed > 20
}"""


def test_back_returns_to_where_a_page_was_scrolled_to(
    served: Served, browse: Callable[..., Page], examples: Path
) -> None:
    """It returned to the top of pages and tables; and from far down a page the next one began far down, too."""
    page = browse(height=240)
    there = f"wanted => JSON.stringify(({SCROLLED})()) === JSON.stringify(wanted)"
    rail = page.get_by_role("navigation", name="Pages")
    for name in ("verdict", "operators"):
        page.goto(served(examples).at(name, run=WITH_STACKS))
        settled(page)
        page.wait_for_function(SCROLL)
        scrolled = page.evaluate(SCROLLED)
        assert scrolled[-1] > 0
        rail.get_by_role("link", name="Kernels", exact=True).click()
        expect(page.get_by_role("heading", name="Kernels", level=1)).to_be_visible()
        assert page.evaluate(SCROLLED)[0] == 0
        page.go_back()
        page.wait_for_function(there, arg=scrolled)

    page.goto(served(examples).at("runs"))
    link = page.get_by_role("link", name=FOUR_RANKS)
    link.wait_for()
    page.wait_for_function(SCROLL)
    scrolled = page.evaluate(SCROLLED)
    assert scrolled[0] > 0
    link.evaluate("one => one.click()")  # a pointer would scroll it into sight
    settled(page)
    held: list[Route] = []
    page.route("**/api/runs*", lambda route: held.append(route))
    with page.expect_request("**/api/runs*"):
        page.go_back()
    assert page.evaluate(SCROLLED) == [0]
    for one in held:
        one.continue_()
    page.unroute("**/api/runs*")
    page.wait_for_function(there, arg=scrolled)


def test_a_table_and_a_page_are_scrolled_as_before_after_back_and_a_reload(
    served: Served, browse: Callable[..., Page], examples: Path
) -> None:
    """The table that had been sorted began at its top, and a page that was reloaded, too."""
    page = browse(height=240)
    # Charts that arrive move the page, not what is scrolled in the table.
    there = f"wanted => ({SCROLLED})()[1] === wanted"
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)
    page.wait_for_function(SCROLL)
    page_top, scrolled = page.evaluate(SCROLLED)
    assert page_top > 0
    assert scrolled > 0
    page.get_by_role("grid").get_by_role("columnheader").nth(1).evaluate("one => one.click()")
    page.wait_for_function("() => location.hash.includes('.sort=')")
    page.wait_for_function("() => document.querySelector('main [role=grid]').scrollTop === 0")
    page.go_back()
    page.wait_for_function(there, arg=scrolled)
    page.wait_for_timeout(600)
    page.reload()
    page.wait_for_function(there, arg=scrolled)
    page.wait_for_function(f"() => ({SCROLLED})()[0] > 0")


def test_back_undoes_how_runs_and_tables_are_sorted(served: Served, page: Page, examples: Path) -> None:
    """Back left the page."""
    for name, parameters, key in (("runs", {}, "sort"), ("instances", {"run": WITH_STACKS}, "instances.sort")):
        page.goto(served(examples).at(name, **parameters))
        table = page.locator("main table").or_(page.get_by_role("grid", name="Instances"))
        heading = table.get_by_role("columnheader").filter(has_text=re.compile("^(Steps|Duration)")).first
        heading.locator("button").or_(heading).last.click()
        page.wait_for_function("key => location.hash.includes(key + '=')", arg=key)
        page.go_back()
        expect_parameter(page, key, None)
        expect(heading).to_be_visible()


def test_what_back_undid_is_said_until_the_next_way(served: Served, page: Page, examples: Path) -> None:
    """Two seconds long it stood there, on the next page too."""
    page.goto(served(examples).at("verdict", run=WITH_STACKS))
    rail = page.get_by_role("navigation", name="Pages")
    said = page.get_by_role("status").filter(has_text="Filter undone")
    for way in (page.go_back, rail.get_by_role("link", name="Operators").click):
        rail.get_by_role("link", name="Kernels").click()
        page.get_by_role("main").get_by_role("searchbox").first.fill("gemm")
        page.wait_for_function("() => location.hash.includes('=gemm')")
        page.go_back()
        expect(said).to_be_visible()
        way()
        expect(said).to_have_count(0, timeout=1000)


def test_a_filter_that_is_typed_is_one_entry(served: Served, page: Page, examples: Path) -> None:
    """Back left the page, or opened the details again that had been closed before."""
    for name, parameters in (("runs", {}), ("flame_graph", {"run": WITH_STACKS}), ("operators", {"run": WITH_STACKS})):
        page.goto(served(examples).at(name, **parameters))
        field = page.get_by_role("main").get_by_role("searchbox").first
        field.press_sequentially("add")
        page.wait_for_function("() => location.hash.includes('=add')")
        page.go_back()
        expect(field).to_have_value("")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.url == served(examples).at(name, **parameters)
    expect(page.get_by_role("status").filter(has_text="Filter undone")).to_be_visible()
    field.blur()
    page.keyboard.press("t")
    page.keyboard.press("Enter")
    dock = page.get_by_role("complementary", name="Details")
    dock.wait_for()
    page.keyboard.press("Escape")
    expect(dock).to_have_count(0)
    field.press_sequentially("add")
    page.go_back()
    expect(field).to_have_value("")
    expect(dock).to_have_count(0)


def test_what_is_typed_after_a_rest_is_an_entry_of_its_own(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("timeline", run=WITH_STACKS))
    tracks = page.get_by_role("main").get_by_role("searchbox").first
    tracks.press_sequentially("st")
    page.wait_for_timeout(1000)
    tracks.press_sequentially("ream")
    page.go_back()
    expect(tracks).to_have_value("st")
    page.go_back()
    expect(tracks).to_have_value("")


def test_a_fold_is_an_entry(served: Served, page: Page, examples: Path) -> None:
    """Back left the page."""
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    fold = page.get_by_role("button", name="Steps as a table")
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "true")
    page.go_back()
    expect(fold).to_have_attribute("aria-expanded", "false")


def test_walking_with_the_cursor_is_one_entry(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)  # a chart that comes above the table moves it away under the pointer
    grid = page.get_by_role("grid")
    dock = page.get_by_role("complementary", name="Details")
    name = grid.get_by_role("rowheader").nth(3).inner_text()
    grid.get_by_role("rowheader").first.click()
    expect(dock).to_be_visible()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(dock.get_by_role("heading", level=2)).to_have_text(name)
    page.go_back()
    expect(dock).to_have_count(0)
    expect(page.get_by_role("heading", name="Operators", level=1)).to_be_visible()


def test_back_on_the_timeline_returns_through_all_in_order(served: Served, page: Page, examples: Path) -> None:
    """After a click, F, [ and N one Back left the page."""
    page.goto(served(examples).at("kernels", run=WITH_STACKS))
    grid = page.get_by_role("grid")
    grid.get_by_role("rowheader").first.click()
    dock = page.get_by_role("complementary", name="Details")
    whole = dock.get_by_role("heading", level=2).inner_text()
    dock.get_by_role("button", name="Show on timeline").click()
    page.wait_for_url("**/timeline?*")
    expect(page.get_by_role("status").filter(has_text=whole[:20])).to_be_attached()  # read aloud: it is selected
    settled(page)
    shown = parameter(page, "t")
    selected = parameter(page, "sel")
    page.keyboard.press("f")
    moved_from(page, shown)
    fitted = parameter(page, "t")
    page.keyboard.press("BracketLeft")
    page.wait_for_function("old => !location.hash.includes(old)", arg=selected)
    launch = parameter(page, "sel")
    page.keyboard.press("n")
    page.wait_for_function("old => !location.hash.includes(old)", arg=launch)

    said = page.get_by_role("status")
    page.go_back()
    expect(said.get_by_text("Selection undone")).to_be_visible()
    assert parameter(page, "sel") == launch
    page.go_back()
    page.wait_for_function("wanted => location.hash.includes(wanted)", arg=selected)
    assert parameter(page, "t") == fitted
    page.go_back()
    expect(said.get_by_text("Zoom undone")).to_be_visible()
    assert parameter(page, "t") == shown
    assert parameter(page, "sel") == selected
    page.go_forward()
    page.wait_for_function("wanted => location.hash.includes(wanted)", arg=fitted)
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", name="Kernels", level=1)).to_be_visible()


def test_areas_and_moving_about(served: Served, page: Page, examples: Path) -> None:
    """An area is an entry; so is a pan, and what is dragged is none until it is let go."""
    page.goto(served(examples).at("timeline", run=WITH_STACKS))
    settled(page)
    plot = page.locator(".plot canvas").last
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 90, steps=8)
    page.mouse.up()
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    page.keyboard.press("f")
    moved_from(page, None)
    zoomed = parameter(page, "t")
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="Details")).to_have_count(0)
    page.keyboard.press("d")
    moved_from(page, zoomed)
    page.go_back()
    expect(page.get_by_role("status").get_by_text("Pan undone")).to_be_visible()
    assert parameter(page, "t") == zoomed
    page.go_back()
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("status").get_by_text("Zoom undone")).to_be_visible()
    expect_parameter(page, "t", None)
    page.go_back()
    expect(page.get_by_role("complementary", name="Details")).to_have_count(0)
    expect_parameter(page, "sel", None)
    assert "/timeline?" in page.url


def test_a_pan_from_the_whole_recording_is_called_one(served: Served, page: Page, examples: Path) -> None:
    """The address of the whole view has no piece of time: its pan was called a zoom."""
    page.goto(served(examples).at("timeline", run=WITH_STACKS))
    settled(page)
    page.locator(".plot canvas").last.hover()
    page.keyboard.press("d")
    moved_from(page, None)
    page.go_back()
    expect(page.get_by_role("status").get_by_text("Pan undone")).to_be_visible()
    expect_parameter(page, "t", None)


def test_back_undoes_what_a_page_shows(served: Served, page: Page, examples: Path) -> None:
    """Values of the fields of ranks and columns of a table: Back left the page."""
    main = page.locator("main")
    page.goto(served(examples).at("ranks", run=FOUR_RANKS, heat="delay"))
    settled(page)  # else the first field is that of whichever table was answered first
    for key, field in (("matrix", main.get_by_role("combobox").first), ("heat", page.locator(".heat select"))):
        before = field.input_value()
        field.select_option(index=2)
        page.wait_for_function("key => new RegExp(key + '=(?!delay)').test(location.hash)", arg=key)
        page.go_back()
        expect(field).to_have_value(before)
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    page.get_by_role("button", name="Columns").click()
    column = page.get_by_role("checkbox").nth(1)
    column.click()
    page.wait_for_function("() => location.hash.includes('cols=')")
    page.go_back()
    expect_parameter(page, "operators.cols", None)
