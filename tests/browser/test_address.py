"""The address is the whole state: what it names is shown again after a reload, in another language, on the way back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.grids import sight
from browsing.pages import FOUR_RANKS, WITH_STACKS, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

CONVOLUTION = json.dumps(["row", "aten::convolution_backward", "operators"])
VIEWS = [
    ("operators", {"operators.sort": "-host_self_ns", "operators.q": "conv", "sel": CONVOLUTION, "step": "4"}),
    ("operators", {"operators.by": "shape", "operators.cols": "name,shape,calls", "operators.source": "1"}),
    ("modules", {"view": "class"}),
    ("flame_graph", {"weight": "host", "zoom": "3", "frame": "3", "find": "conv"}),
    ("instances", {"name": "aten::conv2d"}),
    ("idle", {"step": "4:5"}),
    ("memory", {"open": "changes"}),
    ("roofline", {"roofline.sort": "-flops"}),
]


def shown(page: Page) -> str:
    """What a reader of the screen finds in page and dock."""
    settled(page)
    # A section that may stay empty does not say that it waits.
    page.wait_for_load_state("networkidle")
    return "\n".join(part.aria_snapshot() for part in page.locator("main, aside, header").all())


@pytest.mark.parametrize(("name", "parameters"), VIEWS)
def test_a_reload_shows_the_same(
    served: Served, page: Page, examples: Path, name: str, parameters: dict[str, str]
) -> None:
    page.goto(served(examples).at(name, run=WITH_STACKS, **parameters))
    before, address = shown(page), page.url
    page.reload()
    settled(page)
    page.wait_for_function(
        "wanted => document.querySelectorAll('aside').length === wanted", arg=int("sel" in parameters)
    )
    assert shown(page) == before
    assert page.url == address


def test_what_one_does_with_a_table_is_in_the_address(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    grid = page.get_by_role("grid")
    grid.get_by_role("columnheader", name="Calls").click()
    expect(grid.get_by_role("columnheader", name="Calls")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("searchbox", name="Filter").fill("conv calls>=10")
    expect(page.get_by_role("status").first).to_have_text(re.compile(r"^\d+ of \d+ rows"))
    grid.get_by_role("rowheader", name="aten::convolution_backward").click()
    expect(page.get_by_role("complementary")).to_contain_text("aten::convolution_backward")
    names = [row.texts for row in sight(grid).rows]
    page.reload()
    expect(page.get_by_role("complementary")).to_contain_text("aten::convolution_backward")
    assert [row.texts for row in sight(grid).rows] == names
    expect(grid.locator("[aria-selected=true]")).to_have_count(1)


def test_another_language_keeps_everything_else(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS, **VIEWS[0][1]))
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    settled(page)
    address, before = page.url, sight(grid)
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("navigation", name="页面")).to_be_visible()
    settled(page)
    after = sight(page.get_by_role("grid"))
    assert page.url == address
    assert after.columns == before.columns
    numbers = [[text for text in row.texts if re.match(r"[\d–]", text)] for row in after.rows]
    assert numbers == [[text for text in row.texts if re.match(r"[\d–]", text)] for row in before.rows]
    expect(page.locator("aside")).to_contain_text("aten::convolution_backward")


def test_the_way_back(served: Served, page: Page, examples: Path) -> None:
    """Pages and filters are entries of the history."""
    site = served(examples)
    page.goto(site.at("verdict", run=FOUR_RANKS))
    rail = page.get_by_role("navigation", name="Pages")
    rail.get_by_role("link", name="Kernels").click()
    page.get_by_role("searchbox", name="Filter").fill("gemm")
    expect(page).to_have_url(re.compile("kernels.q=gemm"))
    rail.get_by_role("link", name="Ranks").click()
    expect(page.get_by_role("heading", name="Ranks")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("searchbox", name="Filter")).to_have_value("gemm")
    page.go_back()
    expect(page.get_by_role("searchbox", name="Filter")).to_have_value("")
    page.go_back()
    expect(page.get_by_role("link", name="Verdict")).to_have_attribute("aria-current", "page")
    for _ in range(2):
        page.go_forward()
    expect(page.get_by_role("searchbox", name="Filter")).to_have_value("gemm")


def test_an_address_that_names_nothing_there_is_answered_in_words(
    served: Served, page: Page, examples: Path, allowed_errors: list[str]
) -> None:
    allowed_errors.append("status of 40[04]")
    page.goto(served(examples).at("kernels", run="gone.json.gz"))
    expect(page.get_by_role("alert")).to_contain_text("there is no run of this name")
    page.goto(served(examples).at("operators", run=WITH_STACKS, step="900:901", sel="nonsense"))
    expect(page.get_by_role("main")).not_to_be_empty()
    settled(page)
    expect(page.get_by_role("main")).to_contain_text(re.compile("step|Nothing to show"))
