"""What holds for every page, in both languages and both themes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, PAGES, WITH_STACKS, faint, nameless, settled, turned_to, wrong_grids

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

LOOKS = [
    ("en-US", False, WITH_STACKS),
    ("zh-CN", True, FOUR_RANKS),
    pytest.param("zh-CN", True, WITH_STACKS, marks=pytest.mark.slow),
    pytest.param("en-US", False, FOUR_RANKS, marks=pytest.mark.slow),
]
"""Each language, each theme and each run once; the other way round takes as long again."""


OUTSIDE = """() => {
  const dock = document.querySelector('aside')?.getBoundingClientRect()
  return document.documentElement.scrollWidth > innerWidth || !dock || dock.right > innerWidth || dock.left < 0
}"""


@pytest.mark.parametrize(("language", "dark", "run"), LOOKS)
def test_pages_can_be_read_and_named(
    served: Served, browse: Callable[..., Page], examples: Path, language: str, dark: bool, run: str
) -> None:
    """Nothing without a name, roles and counts of grids that fit, contrast, no page wider than the window.

    Nor is one with the dock open, at 200 % zoom (in Chinese) and on a wide screen (in English).
    """
    page = browse(language=language, dark=dark)
    wrong = []
    for name in PAGES:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(served(examples).at(name, run=run, sel=json.dumps(["row", "[0,4]", "steps"])))
        turned_to(page, name)
        found = [*nameless(page), *wrong_grids(page), *faint(page)]
        for width, height in ((1280, 800), (640, 400) if language == "zh-CN" else (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            if page.evaluate(OUTSIDE):
                found.append(f"wider than a window of {width} px, or the dock is not in it")
        if language == "zh-CN" and not re.search("[\u4e00-\u9fff]", page.get_by_role("main").inner_text()):
            found.append("nothing in Chinese")
        wrong += [f"{name}: {one}" for one in found]
    assert not wrong, "\n".join(wrong)


# Headings of the page in their order: one of the first level, none that leaves out the level above it.
HEADINGS = """() => {
  const every = document.querySelectorAll('main :is(h1, h2, h3, h4, [role=heading])')
  const all = [...every].filter((one) => one.checkVisibility())
  const levels = all.map((one) => Number(one.ariaLevel ?? one.tagName[1]))
  const wrong = all.filter((_, i) => levels[i] > (levels[i - 1] ?? 0) + 1).map((one) => one.outerHTML.slice(0, 80))
  const first = levels.filter((one) => one === 1).length
  return first === 1 ? wrong : [`${first} h1`, ...wrong]
}"""


@pytest.mark.parametrize("run", [WITH_STACKS, FOUR_RANKS])
def test_headings_are_in_order(served: Served, page: Page, examples: Path, run: str) -> None:
    """The timeline had no heading, data loading went from the first level to the third."""
    wrong = []
    for name in PAGES:
        page.goto(served(examples).at(name, run=run))
        turned_to(page, name)
        page.get_by_role("main").get_by_role("heading", level=1).first.wait_for(state="attached")
        wrong += [f"{name}: {one}" for one in page.evaluate(HEADINGS)]
    assert not wrong, "\n".join(wrong)


def test_paper_shows_code_to_its_end(served: Served, page: Page, examples: Path) -> None:
    """A line to write was clipped at the edge of the paper: `# was: num_work`."""
    page.goto(served(examples).at("verdict", run=WITH_STACKS))
    code = page.locator("main pre")
    code.first.wait_for()
    page.set_viewport_size({"width": 640, "height": 900})
    page.emulate_media(media="print")
    assert code.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


@pytest.mark.parametrize("dark", [False, True])
def test_the_list_of_runs_can_be_read_and_named(
    served: Served, browse: Callable[..., Page], examples: Path, dark: bool
) -> None:
    page = browse(dark=dark)
    page.goto(served(examples).url)
    expect(page.get_by_role("link", name=FOUR_RANKS)).to_be_visible()
    assert [*nameless(page), *faint(page)] == []


def test_what_has_the_focus_shows_it(served: Served, page: Page, examples: Path) -> None:
    """Every stop of the tab key differs from how it looks without the focus."""
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate("""() => {
              const one = document.activeElement
              const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
              const shown = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
              return [one.outerHTML.slice(0, 120), one === document.body || shown]
            }""")
        )
    assert len({what for what, _ in seen}) > 30
    assert [what for what, shown in seen if not shown] == []
