"""Text of a trace is text on every page, in docks, beside the pointer: nothing of it becomes an element or runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.grids import CLIPBOARD, copied
from browsing.hostile import EVIL, LONG, NAMES, hostile
from browsing.pages import PAGES, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served, Site

RUN = "<img src=x onerror=window.harm=1>.json"


@pytest.fixture(scope="module")
def site(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "runs").mkdir()
    hostile(folder / "runs" / RUN)
    return served(folder / "runs")


def assert_unharmed(page: Page) -> None:
    """No element was made of a name, and none of them ran."""
    assert page.locator("img, iframe, object, embed").count() == 0
    assert page.evaluate("window.harm") is None
    inherited = page.evaluate("(() => { const found = []; for (const name in {}) found.push(name); return found })()")
    assert inherited == [], "a name changed what all objects have"
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "a name is wider than the window"


def test_no_page_makes_elements_of_names(site: Site, page: Page) -> None:
    page.goto(site.url)
    expect(page.get_by_role("link", name=RUN.removesuffix(".json"))).to_be_visible()
    assert_unharmed(page)
    for name in PAGES:
        page.goto(site.at(name, run=RUN))
        settled(page)
        assert_unharmed(page)
    page.goto(site.at("operators", run=RUN))
    expect(page.get_by_role("main")).to_contain_text("<img src=x onerror=window.harm=1>")


@pytest.mark.parametrize("page_name", ["operators", "kernels"])
def test_the_dock_shows_names_as_they_are(site: Site, page: Page, page_name: str) -> None:
    page.goto(site.at(page_name, run=RUN))
    settled(page)
    dock = page.get_by_role("complementary", name="Details")
    grid = page.get_by_role("grid").first
    grid.get_by_role("row").nth(1).click()
    expect(dock).to_be_visible()
    seen = set()
    for _ in NAMES:
        settled(page)
        assert_unharmed(page)
        seen.add(dock.get_by_role("heading", level=2).text_content())
        grid.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    assert {EVIL, LONG} <= seen


def test_nothing_beside_the_pointer_is_more_than_text(site: Site, page: Page) -> None:
    page.goto(site.at("operators", run=RUN))
    settled(page)
    chart = page.locator("main canvas").first
    box = chart.bounding_box()
    assert box
    for share in (0.1, 0.3, 0.5):
        page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * share)
    assert_unharmed(page)
    page.goto(site.at("timeline", run=RUN, t="0,900000"))
    plot = page.get_by_role("application", name="Timeline")
    expect(plot).to_be_visible()
    box = plot.bounding_box()
    assert box
    tip = plot.locator(".tip")
    texts = set()
    for y in range(20, 260, 12):
        page.mouse.move(box["x"] + box["width"] * 0.08, box["y"] + y)
        texts |= set(tip.all_inner_texts())
    assert_unharmed(page)
    assert any("<img src=x" in text for text in texts), texts


def test_what_is_copied_runs_nowhere(site: Site, browse: Callable[..., Page]) -> None:
    """A spreadsheet takes a cell that begins with `=` for a formula."""
    page = browse(permissions=CLIPBOARD)
    page.goto(site.at("operators", run=RUN))
    settled(page)
    text = copied(page, page.get_by_role("grid"), "Copy as CSV")
    assert "'=HYPERLINK(1)" in text
    assert "\r\n=" not in text


def test_the_report_of_hostile_names(report_page: Callable[..., Page], tmp_path: Path) -> None:
    """The data of a report stand inside its HTML: a name that ends a script must not end it."""
    page = report_page(hostile(tmp_path / "hostile.json"), page="operators")
    settled(page)
    assert_unharmed(page)
    expect(page.get_by_role("main")).to_contain_text("<img src=x onerror=window.harm=1>")
