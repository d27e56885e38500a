"""A selection travels: from a row to its kernels, to its place on the timeline, to what belongs to it, and back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import stepscope
from browsing.grids import printed, sight
from browsing.pages import WITH_STACKS, settled

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

OPERATOR = "aten::convolution_backward"


def test_from_an_operator_to_its_kernel_to_the_timeline_and_back(served: Served, page: Page, examples: Path) -> None:
    kernels = stepscope.open(examples / WITH_STACKS).show("kernels", by="op").filter(pl.col("op") == OPERATOR)
    longest = kernels.sort("total_ns", descending=True).row(0, named=True)
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    page.get_by_role("rowheader", name=OPERATOR, exact=True).click()
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", name=OPERATOR)).to_be_visible()

    dock.get_by_title(longest["name"], exact=True).click()
    expect(dock.get_by_role("heading", level=2)).to_have_text(longest["name"])
    dock.get_by_role("button", name="Show on timeline").click()

    page.wait_for_url("**/timeline?*")
    expect(dock.get_by_role("heading", level=2)).to_have_text(longest["name"])
    expect(dock).to_contain_text(re.compile(f"operator\\s*{OPERATOR}"))
    dock.get_by_title("cudaLaunchKernel").first.click()
    expect(dock.get_by_role("heading", level=2)).to_have_text(re.compile("cudaLaunchKernel"))

    page.go_back()
    expect(dock.get_by_role("heading", level=2)).to_have_text(longest["name"])
    expect(page.get_by_role("grid")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("grid")).to_be_visible()
    expect(dock.get_by_role("heading", level=2)).to_have_text(longest["name"])
    page.go_back()
    expect(dock.get_by_role("heading", level=2)).to_have_text(OPERATOR)


def test_the_place_of_an_operator_is_its_longest_call(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    page.get_by_role("rowheader", name=OPERATOR, exact=True).click()
    dock = page.get_by_role("complementary", name="Details")
    dock.get_by_role("button", name="Show on timeline").click()
    page.wait_for_url("**/timeline?*")
    expect(dock).to_contain_text("GPU work it launched")
    expect(dock.get_by_role("heading", level=2)).to_have_text(OPERATOR)


def test_a_gap_is_shown_on_the_timeline(served: Served, page: Page, examples: Path) -> None:
    """Its row led to a timeline that did not know where to look."""
    gap = stepscope.open(examples / WITH_STACKS).show("idle", by="gap").row(0, named=True)
    page.goto(served(examples).at("tables", run=WITH_STACKS, table="idle", **{"idle.by": "gap"}))
    page.get_by_role("row").nth(1).click()
    page.get_by_role("button", name="Show on timeline").click()
    page.wait_for_url(re.compile(r"/timeline\?.*\bt=\d+%2C\d+"))
    start, end = (int(number) for number in re.findall(r"[?&]t=(\d+)%2C(\d+)", page.url)[0])
    assert gap["duration_ns"] < end - start < 4 * gap["duration_ns"] + 4000


def test_steps_chosen_on_the_strip_limit_every_table(served: Served, page: Page, examples: Path) -> None:
    expected = printed(f"stepscope show operators {examples / WITH_STACKS} --step 4")
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    settled(page)
    strip = page.get_by_role("slider", name="Steps")
    strip.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("step=4"))
    settled(page)
    seen = sight(page.get_by_role("grid"))
    calls = seen.columns.index("calls")
    assert [(row.titles[0], row.titles[calls]) for row in seen.rows[:10]] == [
        (f"Operator: {row['name']}", f"Calls: {row['calls']:,}") for row in expected[:10]
    ]
