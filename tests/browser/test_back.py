"""Back from everywhere: whatever was done on a way through the app is one entry, and Back undoes each exactly once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, WITH_STACKS

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

# What one sees of where one is: the address, the page, what the dock shows, filters, what is switched on and chosen.
SIGHT = """() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
  const texts = (selector) => shown(selector).map((one) => one.innerText.trim())
  const names = (selector) => shown(selector).map((one) => one.ariaLabel ?? (one.closest('label') ?? one).innerText)
  return [location.hash, ...texts('h1, aside h2, header .chip, [data-occurrence]'),
    ...names('[role=toolbar] [aria-pressed=true], input:checked, nav [aria-current=page]')]
}"""

# Which entry of the history lies so far back; not counted, as a browser keeps no more than 50 of them.
ENTRY = "back => navigation.entries()[navigation.currentEntry.index - back]?.key ?? null"

# The address has a piece of time, and another one than before.
MOVED = """before => location.hash.includes('t=') && (before === 't=' || !location.hash.includes(before))"""

RESTS = f"""() => {{
  if (document.querySelector('[aria-busy=true], .skeleton') || !document.querySelector('nav')) return false
  const now = JSON.stringify(({SIGHT})())
  return [window.rested === now, window.rested = now][0]
}}"""


class Way:
    """What was seen after each thing that was done."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._seen = [self._sight()]
        self._at = self._entry(0)

    def _sight(self, every_ms: int = 300) -> list[str]:
        self._page.evaluate("() => { window.rested = null }")
        self._page.wait_for_function(RESTS, polling=every_ms)
        found: list[str] = self._page.evaluate(SIGHT)
        return found

    def _entry(self, back: int) -> str | None:
        found: str | None = self._page.evaluate(ENTRY, back)
        return found

    def did(self, what: str, *, glides: bool = False) -> None:
        """It has changed what is seen, and is one entry, which has the piece of time that the timeline glides to."""
        self._page.wait_for_function(f"at => ({ENTRY})(0) !== at", arg=self._at)
        if glides:
            before = re.search("[?&]t=[^&]*|$", self._seen[-1][0])
            assert before
            self._page.wait_for_function(MOVED, arg=before.group() or "t=")
        self._seen.append(self._sight(1000 if glides else 300))
        assert self._seen[-1] != self._seen[-2], what
        assert self._entry(1) == self._at, what
        self._at = self._entry(0)

    def is_again(self) -> None:
        """What was seen last is seen."""
        assert self._sight() == self._seen[-1]

    def back(self) -> None:
        """All the way: each Back shows what was seen before, to the first sight."""
        for wanted in reversed(self._seen[:-1]):
            self._page.go_back()
            assert self._sight() == wanted


def test_from_a_table_to_the_overlays_of_the_timeline(served: Served, page: Page, examples: Path) -> None:
    """A row, a filter, a view, the timeline, an event, a zoom, its overlays, occurrences of a recommendation."""
    page.goto(served(examples).at("kernels", run=WITH_STACKS))
    dock = page.get_by_role("complementary", name="Details")
    way = Way(page)
    page.get_by_role("grid").get_by_role("rowheader").first.click()
    way.did("a row")
    page.keyboard.press("Shift+BracketRight")
    way.did("a step")
    dock.get_by_role("button", name="Filter to this").click()
    way.did("a filter")
    page.get_by_role("radiogroup").first.get_by_role("radio").nth(1).check()
    way.did("a view")
    page.get_by_role("grid").get_by_role("rowheader").first.click()
    way.did("a row of the view")
    dock.get_by_role("button", name="Show on timeline").click()
    way.did("the timeline")
    page.keyboard.press("BracketLeft")
    way.did("an event")
    page.keyboard.press("f")
    way.did("a zoom")
    page.keyboard.press("c")
    way.did("the critical path")
    page.keyboard.press("i")
    page.get_by_role("button", name=re.compile("^1: ")).wait_for()
    way.did("the recommendations")
    page.keyboard.press("1")
    way.did("one of them", glides=True)
    page.keyboard.press("n")
    way.did("its next occurrence", glides=True)
    page.keyboard.press("n")
    way.did("the one after it", glides=True)
    page.keyboard.press("g")
    expect(page.locator("[data-simulated]")).to_contain_text("bottleneck then")
    way.did("the simulated step", glides=True)
    page.keyboard.press("Escape")
    way.did("out of the one")
    page.keyboard.press("Escape")
    way.did("out of them")
    way.back()


def test_a_recommendation_is_gone_to_where_the_address_has_a_view(served: Served, page: Page, examples: Path) -> None:
    """The first press of 1 left the view of the address; and a zoom after it went back when the view rested."""
    page.goto(served(examples).at("timeline", run=WITH_STACKS, t="0,1000000"))
    page.get_by_role("toolbar").first.wait_for()
    way = Way(page)
    page.keyboard.press("i")
    page.get_by_role("button", name=re.compile("^1: ")).wait_for()
    way.did("the recommendations")
    page.keyboard.press("1")
    way.did("one of them", glides=True)
    page.keyboard.press("w")
    way.did("a zoom", glides=True)
    way.back()
    for _ in range(3):
        page.go_forward()
    expect(page.locator("[data-occurrence]")).to_be_visible()
    page.reload()
    way.is_again()


def test_through_the_links_of_the_app(served: Served, page: Page, examples: Path) -> None:
    """A run of the list, a card, the rail, the search, back to the list, and the pages beside it."""
    page.goto(served(examples).at("runs"))
    rail = page.get_by_role("navigation", name="Pages")
    page.get_by_role("link", name=FOUR_RANKS).wait_for()
    way = Way(page)
    page.get_by_role("link", name=FOUR_RANKS).click()
    page.get_by_role("heading", level=1).wait_for()
    way.did("a run")
    page.get_by_role("link", name=re.compile("^Show on")).first.click()
    expect(page.locator("[data-occurrence]")).to_be_visible()
    way.did("a card", glides=True)
    rail.get_by_role("link", name="What if").click()
    way.did("an entry of the rail")
    page.keyboard.press("Control+k")
    page.keyboard.type("communication")
    page.get_by_role("dialog").get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    way.did("a page of the search")
    page.keyboard.press("Control+k")
    page.keyboard.type("3 to 4")
    page.get_by_role("dialog").get_by_role("option").first.wait_for()
    page.keyboard.press("Enter")
    way.did("steps of the search")
    page.get_by_role("link", name="Runs", exact=True).click()
    way.did("the list")
    rail.get_by_role("link", name="Record").click()
    way.did("how to record")
    page.get_by_role("radio", name=re.compile("running", re.IGNORECASE)).first.check()
    way.did("another way to record")
    rail.get_by_role("link", name="Live").click()
    way.did("what runs")
    way.back()


def test_in_a_report(report_page: Callable[..., Page], examples: Path) -> None:
    page = report_page(examples / WITH_STACKS)
    page.get_by_role("heading", level=1).wait_for()
    way = Way(page)
    page.get_by_role("link", name=re.compile("^Show on")).first.click()
    expect(page.locator("[data-occurrence]")).to_be_visible()
    way.did("a card", glides=True)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Memory").click()
    way.did("an entry of the rail")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Operators").click()
    way.did("another")
    page.get_by_role("grid").get_by_role("rowheader").first.click()
    way.did("a row")
    page.get_by_role("complementary", name="Details").get_by_role("button", name="Show on timeline").click()
    way.did("its place")
    page.keyboard.press("c")
    way.did("the critical path")
    way.back()
