"""One file of each kind of recording: it opens from disk, all its pages do, and paper shows them to their end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.kinds import DUMPS, INPUT, INSPECTOR, JOB, LEAK, MINDSPORE, NSYS, TELEMETRY, TRACE
from browsing.pages import settled, turned_to

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What hides a part of what it holds. Names that are cut with an ellipsis are whole in what is copied.
CLIPPED = """(upright) => [...document.querySelectorAll('main *')]
  .filter((one) => !upright || !one.closest('.across'))
  .filter((one) => one.checkVisibility() && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => {
    const { overflowX, textOverflow } = getComputedStyle(one)
    return overflowX !== 'visible' && textOverflow !== 'ellipsis' && !one.matches('.visually-hidden')
  })
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 60)}`)"""


@pytest.mark.parametrize("run", [TRACE, JOB, LEAK, TELEMETRY, NSYS, INPUT, MINDSPORE, DUMPS, INSPECTOR])
def test_every_page_of_a_report_opens_and_is_printed(report_page: Callable[..., Page], kinds: Path, run: str) -> None:
    page = report_page(kinds / run)
    settled(page)
    rail = page.get_by_role("navigation", name="Pages")
    wrong = []
    for name in rail.get_by_role("link").evaluate_all("all => all.map((one) => one.hash.match(/\\w+/)[0])"):
        rail.locator(f"a[href^='#/{name}']").first.click()
        turned_to(page, name)
        main = page.get_by_role("main")
        wrong += [f"{name}: {one}" for one in main.get_by_role("alert").all_inner_texts()]
        wrong += [f"{name}: {one}" for one in re.findall(r"\b(?:NaN|undefined|Infinity|\[object)\b", main.inner_text())]
        page.emulate_media(media="print")
        # Wide tables have sheets across for themselves, which are half as wide again (print.css).
        for width, upright in ((720, True), (1080, False)):
            page.set_viewport_size({"width": width, "height": 1000})
            wrong += [f"{name} on paper of {width}: {one}" for one in page.evaluate(CLIPPED, upright)]
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1280, "height": 800})
    assert not wrong, "\n".join(wrong)


def test_cards_and_headings_are_not_torn_by_the_end_of_a_page(report_page: Callable[..., Page], kinds: Path) -> None:
    page = report_page(kinds / TRACE)
    settled(page)
    page.emulate_media(media="print")
    card = page.get_by_role("region", name="Recommendations").get_by_role("listitem").first
    assert card.evaluate("one => getComputedStyle(one).breakInside") == "avoid"
    assert card.get_by_role("heading").first.evaluate("one => getComputedStyle(one).breakAfter") == "avoid"
