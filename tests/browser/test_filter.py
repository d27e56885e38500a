"""One filter in the run's header, which every page follows, or says that it does not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import stepscope
from browsing.grids import sight
from browsing.pages import (
    COLOUR_AT,
    FOUR_RANKS,
    PAGES,
    WITH_STACKS,
    drawn,
    expect_parameter,
    on_stream,
    settled,
    turned_to,
)
from building import kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

OPERATOR = "aten::convolution_backward"


def test_every_page_follows_what_one_filters_to(served: Served, page: Page, examples: Path) -> None:
    """`Filter everything to this` filtered one table of one page."""
    recording = stepscope.open(examples / WITH_STACKS)
    kernels = recording.show("kernels", by="op").filter(pl.col("op") == OPERATOR)
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    page.get_by_role("rowheader", name=OPERATOR, exact=True).click()
    page.get_by_role("complementary").get_by_role("button", name="Filter to this").click()
    header = page.get_by_role("banner")
    expect(header).to_contain_text(f"operator = {OPERATOR}")
    expect(page.get_by_role("status").filter(has_text="1 of 1 rows").or_(page.get_by_text("1 row"))).to_be_visible()
    assert {row.texts[0] for row in sight(page.get_by_role("grid")).rows} == {OPERATOR}

    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Kernels").click()
    expect(page.get_by_role("heading", name="Kernels", level=1)).to_be_visible()
    expect(header).to_contain_text(f"operator = {OPERATOR}")
    expect(page.get_by_role("grid").first).to_have_attribute("aria-rowcount", str(kernels.height + 1))
    page.reload()
    expect(page.get_by_role("grid").first).to_have_attribute("aria-rowcount", str(kernels.height + 1))

    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Step trace").click()
    expect(page.get_by_role("note").filter(has_text="Not filtered by operator: Step trace.")).to_be_visible()
    header.get_by_role("button", name="Remove the filter").click()
    expect_parameter(page, "only", None)
    page.go_back()
    expect(header).to_contain_text(f"operator = {OPERATOR}")
    expect(page.get_by_role("note").filter(has_text="Not filtered")).to_be_visible()


def test_the_timeline_dims_what_the_filter_leaves_out(served: Served, page: Page, examples: Path) -> None:
    # The middle of the plot, in which only a highlight changes anything.
    picture = "() => document.querySelector('.plot canvas').toDataURL()"
    page.goto(served(examples).at("timeline", run=WITH_STACKS))
    settled(page)
    plain = page.evaluate(picture)
    page.goto(served(examples).at("timeline", run=WITH_STACKS, only=f"operator:{OPERATOR}"))
    settled(page)
    page.wait_for_function("plain => document.querySelector('.plot canvas').toDataURL() !== plain", arg=plain)
    expect(page.get_by_role("note").filter(has_text="Not filtered")).to_have_count(0)
    page.goto(served(examples).at("timeline", run=WITH_STACKS, only="operator:aten::none"))
    expect(page.get_by_role("note")).to_contain_text("no event of the timeline is called aten::none")
    page.goto(served(examples).at("timeline", run=WITH_STACKS, only="source:train.py:10"))
    expect(page.get_by_role("note")).to_contain_text("a name has many source lines")
    page.goto(served(examples).at("timeline", run=WITH_STACKS, only="stream:99"))
    expect(page.get_by_role("note")).to_contain_text("no track is stream 99 alone")
    page.goto(served(examples).at("timeline", run=WITH_STACKS, only="collective:all_reduce"))
    expect(page.get_by_role("note")).to_contain_text("no kernel of this recording is of collective all_reduce")


DIMMING = [(WITH_STACKS, "kind:gemm"), (WITH_STACKS, "stream:7"), (FOUR_RANKS, "collective:all_reduce")]


@pytest.mark.parametrize(("run", "only"), DIMMING)
def test_the_timeline_dims_by_what_tables_know_of_kernels(
    served: Served, page: Page, examples: Path, run: str, only: str
) -> None:
    """Colours of kernels that are left stay, others fade: none is dimmed by a note only."""
    picture = "() => document.querySelector('.plot canvas').toDataURL()"
    page.goto(served(examples).at("timeline", run=run))
    settled(page)
    plain = page.evaluate(picture)
    page.goto(served(examples).at("timeline", run=run, only=only))
    settled(page)
    page.wait_for_function("plain => document.querySelector('.plot canvas').toDataURL() !== plain", arg=plain)
    expect(page.get_by_role("note").filter(has_text="Not filtered")).to_have_count(0)


def test_what_an_operator_launched_keeps_its_colour(served: Served, page: Page, tmp_path: Path) -> None:
    """Filtered to an operator, the timeline dimmed its kernels: only what bears its name was left."""
    inner, other = operator("aten::mm", 12_000, 38_000), operator("aten::relu", 50_000, 60_000)
    write(
        tmp_path / "one.json",
        step(1, 0, 100_000),
        *(operator("aten::linear", 10_000, 40_000), inner, other),
        launched(kernel("same_name", 45_000, 60_000, 1), 30_000),
        launched(kernel("same_name", 70_000, 90_000, 2), 55_000),
    )
    where = {"run": "one.json", "t": "0,100000"}

    def colours() -> list[list[int]]:
        return [page.evaluate(COLOUR_AT, on_stream(page, 7, share)) for share in (0.5, 0.8)]

    page.goto(served(tmp_path).at("timeline", **where))
    drawn(page)
    plain = colours()
    page.goto(served(tmp_path).at("timeline", **where, only="operator:aten::linear"))
    drawn(page, 100)
    faded = [on_stream(page, 7, 0.8), plain[1][0]]
    page.wait_for_function(f"([at, was]) => ({COLOUR_AT})(at)[0] > was + 40", arg=faded)
    assert colours()[0] == plain[0]


def test_a_report_says_which_filters_it_cannot_follow(report_page: Callable[..., Page], examples: Path) -> None:
    page = report_page(examples / WITH_STACKS, page="timeline", params={"only": "kind:gemm"})
    expect(page.get_by_role("note")).to_contain_text("this report does not hold which kernels are of a kind")
    page = report_page(examples / WITH_STACKS, page="timeline", params={"only": f"operator:{OPERATOR}"})
    expect(page.get_by_role("note")).to_contain_text("does not hold what the operator launched")


ROWS = [
    ("kernels", "kernels", "name", ["kernel", "operator", "kind"]),
    ("modules", "modules", "path", ["module"]),
    ("communication", "communication", "op", ["collective"]),
]


@pytest.mark.parametrize(("name", "table", "column", "roles"), ROWS)
def test_a_row_offers_what_it_is_and_what_it_belongs_to(
    served: Served, page: Page, examples: Path, name: str, table: str, column: str, roles: list[str]
) -> None:
    run = FOUR_RANKS if name == "communication" else WITH_STACKS
    rows = stepscope.open(examples / run).show(table)
    row = rows.filter(pl.col(column).is_not_null()).row(0, named=True)
    facts = {"communication": [row.get("op"), row.get("group"), row.get("dtype")]}
    key = json.dumps(facts.get(table, row[column])) if table in facts else row[column]
    page.goto(served(examples).at(name, run=run, sel=json.dumps(["row", key, table])))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("button", name="Filter to this")).to_have_attribute(
        "title", re.compile(rf"^Filter to {roles[0]} ")
    )
    for role in roles[1:]:
        expect(dock.get_by_role("button", name=f"Filter to its {role}")).to_be_visible()


EVERY_ROLE = [
    f"operator:{OPERATOR}",
    "kernel:ampere_sgemm",
    "module:ResNet_0",
    "source:train.py:10",
    "stream:7",
    "collective:allreduce",
    "kind:gemm",
]


@pytest.mark.parametrize("only", EVERY_ROLE)
def test_no_page_fails_of_a_filter(served: Served, page: Page, examples: Path, only: str) -> None:
    """A column that a table does not have would be refused; each page says what it filters or that it does not."""
    for name in PAGES:
        page.goto(served(examples).at(name, run=WITH_STACKS, only=only))
        turned_to(page, name)
        assert page.get_by_role("alert").count() == 0, name
        if name not in ("timeline", "tables"):
            expect(page.get_by_role("note").filter(has_text=re.compile("iltered")).first).to_be_visible()


def test_a_filtered_headline_says_of_which_rows_it_is(served: Served, page: Page, examples: Path) -> None:
    """With one operator left, the page said that it takes the most GPU time of all."""
    page.goto(served(examples).at("operators", run=WITH_STACKS, only="operator:aten::add_"))
    expect(page.locator(".answer")).to_contain_text("aten::add_ takes")
    expect(page.locator(".answer")).not_to_contain_text("the most")
    page.goto(served(examples).at("idle", run=WITH_STACKS, only="source:train.py:1"))
    expect(page.get_by_role("note").filter(has_text="Filtered")).to_be_visible()
    expect(page.locator(".answer")).to_have_count(0)


def test_no_figures_stand_under_a_step_that_there_is_not(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS, step="99999"))
    expect(page.get_by_label("Steps", exact=True).get_by_text("There is no step 99999")).to_be_visible()
