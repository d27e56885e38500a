"""What one does with a table: keyboard, filter, columns, a tree, very many rows."""

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
    from playwright.sync_api import Page

    from browsing.site import Served

MANY = """() => {
const made = (of) => Array.from({ length: 900000 }, (_, i) => of(i))
const table = {
  table: 'metadata', by: '', source: false, total: 1000000, origin_ns: '1700000000000000001', notes: [],
  columns: [{ name: 'key', type: 'text' }, { name: 'start_ns', type: 'int', moment: true }]
    .map((one) => ({ moment: false, description: '', ...one })),
  data: { key: made((i) => `row ${i}`), start_ns: made((i) => 5 * i) },
  command: 'stepscope show metadata run.json',
}
const ask = window.fetch
window.fetch = (url, options) => /api.table.*table=metadata/.test(url)
  ? Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(table) })
  : ask(url, options)
}"""


def test_a_grid_by_keyboard_only(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    grid = page.get_by_role("grid")
    grid.focus()
    page.keyboard.press("ArrowDown")
    second = grid.get_by_role("row").nth(2)
    name = second.get_by_role("rowheader").inner_text()
    page.keyboard.press("Enter")
    expect(second).to_have_attribute("aria-selected", "true")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(name)

    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    heading = grid.get_by_role("columnheader", name="Calls")
    expect(heading).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+Enter")
    expect_parameter(page, "operators.sort", "calls,-name")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")


@pytest.mark.parametrize(("where", "title"), [("step_trace", "Step 3"), ("idle", "late launch")])
def test_a_row_is_called_by_what_names_it(served: Served, page: Page, examples: Path, where: str, title: str) -> None:
    """A step was called "0", after its rank, and a cause of idle time "late_launch"."""
    page.goto(served(examples).at(where, run=WITH_STACKS))
    grid = page.get_by_role("grid").last
    grid.get_by_role("row").filter(has_text=title.removeprefix("Step ")).get_by_role("rowheader").first.click()
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(title)


def test_a_filter_says_what_is_only_near(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("operators", run=WITH_STACKS))
    field = page.get_by_role("searchbox", name="Filter")
    field.fill("covolution_backward")
    expect(page.get_by_text("no match for covolution_backward; similar:")).to_be_visible()
    expect(page.get_by_role("rowheader", name="aten::convolution_backward", exact=True)).to_be_visible()
    field.fill("calls > 1000000")
    expect(page.get_by_text("No row matches the filter.")).to_be_visible()
    field.press("Escape")
    expect(page.get_by_text("No row matches the filter.")).to_be_hidden()
    expect_parameter(page, "operators.q", None)


def test_columns_are_hidden_and_come_back(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("kernels", run=WITH_STACKS))
    heading = page.get_by_role("grid").first.get_by_role("columnheader", name="Min")
    expect(heading).to_be_visible()
    page.get_by_role("button", name="Columns").first.click()
    page.get_by_role("checkbox", name="Min").uncheck()
    expect(heading).to_be_hidden()
    page.get_by_role("button", name="As at first").click()
    expect(heading).to_be_visible()


def test_a_tree_opens_and_closes_by_arrow_keys(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("modules", run=WITH_STACKS))
    tree = page.get_by_role("treegrid")
    root = tree.get_by_role("row").nth(1)
    expect(root).to_have_attribute("aria-expanded", "true")
    inner = tree.get_by_role("row").nth(2)
    expect(inner).to_have_attribute("aria-level", "2")
    tree.focus()
    page.keyboard.press("ArrowLeft")
    expect(root).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowRight")
    expect(inner).to_have_attribute("aria-level", "2")


def test_an_icicle_zooms_by_keyboard_with_the_tree(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("modules", run=WITH_STACKS))
    icicle = page.get_by_role("tree", name=re.compile("^Share of each module"))
    icicle.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("zoom="))
    expect(page.get_by_role("treegrid").get_by_role("row", selected=True)).to_have_attribute("aria-level", "2")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("zoom="))


def test_rows_beyond_what_a_browser_can_scroll(served: Served, page: Page, examples: Path) -> None:
    """900,000 rows are 21.6 million px; Chromium's elements end at some 33, other browsers' at 17 million."""
    page.goto(served(examples).url)
    page.evaluate(MANY)
    page.goto(served(examples).at("tables", run=WITH_STACKS, table="metadata"))
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "900001")
    expect(page.get_by_text("the first 900,000 of 1,000,000 are here")).to_be_visible()
    grid.focus()
    page.keyboard.press("End")
    expect(grid.get_by_role("rowheader", name="row 899999")).to_be_visible()
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    expect(grid.get_by_role("rowheader", name="row 0", exact=True)).to_be_visible()
    page.get_by_role("searchbox", name="Filter").fill("start >= 4499995")
    expect(grid).to_have_attribute("aria-rowcount", "2")
    expect(grid.get_by_role("rowheader", name="row 899999")).to_be_visible()


def test_a_table_of_one_row_is_figures_on_its_own_page_too(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("tables", run=WITH_STACKS, table="utilization"))
    main = page.get_by_role("main")
    expect(main.locator("dl.figures")).to_contain_text("GPU utilization")
    expect(main.get_by_role("grid")).to_have_count(0)
    main.get_by_role("button", name=re.compile("columns as a table")).click()
    expect(main.get_by_role("grid").get_by_role("row")).to_have_count(2)


def test_sentences_in_cells_are_in_the_readers_language(
    served: Served, browse: Callable[..., Page], examples: Path
) -> None:
    page = browse(language="zh-CN")
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    late = page.get_by_role("grid", name="慢 rank")
    expect(late).to_contain_text("多出 20 个内核")
    expect(late).not_to_contain_text("more kernels")
    expect(late).to_contain_text("慢 rank")


def test_the_dock_says_what_a_cell_says(served: Served, browse: Callable[..., Page], examples: Path) -> None:
    """What a recording holds was English there, and the recording's name was its kind."""
    page = browse(language="zh-CN")
    page.goto(served(examples).at("recordings", run=FOUR_RANKS))
    row = page.get_by_role("grid").get_by_role("row").filter(has_text="rank0")
    expect(row).to_contain_text("CUDA 调用")
    row.get_by_role("rowheader").first.click()
    dock = page.get_by_role("complementary", name="详情")
    expect(dock).to_contain_text("CUDA 调用")
    expect(dock.get_by_role("heading", level=2)).to_have_text(re.compile("^rank0"))


def test_a_wide_table_is_printed_across(served: Served, page: Page, examples: Path) -> None:
    """On paper upright it was printed with letters of 4 px; it has sheets across now, the rest of its page upright."""
    page.goto(served(examples).at("kernels", run=WITH_STACKS))
    settled(page)
    sheets = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(format="A4", prefer_css_page_size=True))
    across = [float(width) > float(height) for width, height in sheets]
    assert across[0] is False
    assert any(across)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 734, "height": 1000})
    grid = page.get_by_role("grid").first
    upright = float(grid.evaluate("one => one.style.getPropertyValue('--paper')"))
    assert float(grid.evaluate("one => getComputedStyle(one).zoom")) == pytest.approx(
        min(0.64, 1.5 * upright), abs=0.01
    )


def test_a_number_is_never_in_sight_without_its_unit(served: Served, page: Page, examples: Path) -> None:
    """The right edge of the window cuts a column of times: its numbers would stand there without their units."""
    page.goto(served(examples).at("data_loading", run="ddp4_straggler"))
    grid = page.get_by_role("grid", name="Ranks")
    expect(grid.get_by_role("row")).to_have_count(5)
    cut = grid.locator(".cut")
    expect(cut).to_have_count(4)
    expect(cut.first.locator("span").first).to_have_css("clip-path", "inset(100%)")
    grid.evaluate("grid => grid.scrollLeft = grid.scrollWidth")
    expect(cut).to_have_count(0)
