"""The page of hangs: which rank is waited for, in one sentence, and where the ranks are; none of a trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import nameless, settled
from building import flat, kernel, launched, step, write
from building.hangs import MadeJob, one_left

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

SAID = "Rank 3 never entered all_reduce 4 of the default group; 3 ranks (0-2) wait since 12:00:04 UTC at train.py:88."


def test_who_is_waited_for_and_where_the_ranks_are(served: Served, page: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps"))
    main = page.locator("main")
    expect(main).to_contain_text(SAID)
    for said in ("never entered", "3 of 4 ranks entered", "py-spy dump", "Dumps of 4 of 4 ranks are here.", "rank 0-2"):
        expect(main).to_contain_text(said)
    page.get_by_role("button", name="Stack").first.click()
    expect(main).to_contain_text("train.py(88): step")
    assert nameless(page) == []
    rail = page.get_by_role("navigation", name="Pages")
    names = [one.inner_text() for one in rail.get_by_role("link").all()]
    assert names[:2] == ["Hangs", "Verdict"]
    assert "Ranks" not in names, "nothing of it belongs to a step"


def test_the_figures_of_a_hang_are_who_is_missing_and_who_waits(served: Served, page: Page, tmp_path: Path) -> None:
    """The number of the collective in its group was the only large figure."""
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps"))
    figures = page.locator("dl.figures").first
    expect(figures).to_contain_text("Missing ranks")
    found = dict(zip(figures.locator("dt").all_inner_texts(), figures.locator("dd").all_inner_texts(), strict=True))
    assert found["Missing ranks"] == "3"
    assert found["Waiting ranks"] == "0-2"
    assert list(found)[:3] == ["Missing ranks", "Waiting ranks", "Waited at least"]
    assert "Sequence" not in found


def test_the_verdict_is_that_sentence(served: Served, page: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("verdict", run="dumps"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(SAID)


def test_a_job_in_which_nothing_hangs_says_so(served: Served, page: Page, tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call()
    job.write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps"))
    expect(page.locator("main")).to_contain_text("No collective hangs: all 2 recorded ones")


def test_a_trace_has_no_such_page_in_the_rail(served: Served, page: Page, tmp_path: Path) -> None:
    write(tmp_path / "trace.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    page.goto(served(tmp_path).at("kernels", run="trace.json"))
    settled(page)
    expect(page.get_by_role("link", name="Hangs")).to_have_count(0)


def test_a_report_of_one_file_holds_the_page(report_page: Any, tmp_path: Path) -> None:
    page = report_page(one_left().write(tmp_path / "dumps"), page="hangs")
    expect(page.locator("main")).to_contain_text(SAID)


def test_the_calls_around_the_hang_as_a_matrix(served: Served, page: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps"))
    matrix = page.get_by_role("grid", name="Calls around the hang")
    expect(matrix.get_by_role("rowheader")).to_have_text(["rank 0", "rank 1", "rank 2", "rank 3"])
    assert matrix.get_by_role("gridcell").all_inner_texts() == [*"✓✓✓…" * 3, *"✓✓✓×"]
    assert nameless(page) == []
    legend = page.get_by_role("list", name="Signs of the matrix")
    signs = ["×never entered", "…started, waiting", "✓completed"]
    assert legend.get_by_role("listitem").all_inner_texts() == signs


def test_a_cell_is_shown_in_the_dock_and_stays_in_sight(served: Served, page: Page, tmp_path: Path) -> None:
    """The page scrolled down to the cell's row in the table of calls."""
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps", open="hang_calls"))
    cell = page.get_by_role("gridcell", name="rank 3, all_reduce 4: never entered")
    cell.click()
    dock = page.get_by_role("complementary", name="Details")
    for said in ("all_reduce 4 · rank 3", "missing", "all_reduce 3", "/home/me/train.py"):
        expect(dock).to_contain_text(said)
    expect(cell).to_be_in_viewport(ratio=1)
    page.get_by_role("grid", name="Calls around the hang").focus()
    page.keyboard.press("ArrowUp")
    expect(dock).to_contain_text("all_reduce 4 · rank 0-2")
    page.keyboard.press("Escape")
    expect(dock).to_have_count(0)


def test_the_cursor_begins_where_a_rank_is_missing(served: Served, page: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps"))
    page.get_by_role("grid", name="Calls around the hang").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details")).to_contain_text("all_reduce 4 · rank 3")


def test_many_ranks_are_few_rows_that_open(served: Served, page: Page, tmp_path: Path) -> None:
    job = MadeJob(64)
    job.call()
    job.call(ranks=[rank for rank in range(64) if rank != 7], state="started")
    job.write(tmp_path / "dumps")
    site = served(tmp_path)
    page.goto(site.at("hangs", run="dumps"))
    matrix = page.get_by_role("treegrid", name="Calls around the hang")
    names = matrix.get_by_role("rowheader")
    expect(names).to_have_text(["rank 7", re.compile(r"ranks 0-6, 8-63\s\(63\)")])
    names.nth(1).click()
    expect(matrix).to_have_attribute("aria-rowcount", "66")
    assert names.count() < 40, "those out of sight are not drawn"
    matrix.focus()
    page.keyboard.press("End")
    page.keyboard.press("Control+End")
    expect(names.last).to_have_text("rank 63")
    # The verdict of many ranks said what one of them waits in.
    page.goto(site.at("verdict", run="dumps"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rank 7 never entered all_reduce 2")


def test_each_hanging_group_has_its_matrix(served: Served, page: Page, tmp_path: Path) -> None:
    job = MadeJob(4)
    job.group("1", "tp", [0, 1])
    job.call(ranks=[0, 1, 2], state="started")
    job.call("broadcast", group="1", ranks=[0], state="started")
    job.write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("hangs", run="dumps"))
    matrix = page.get_by_role("grid", name="Calls around the hang")
    expect(matrix.get_by_role("rowheader")).to_have_count(4)
    page.get_by_role("combobox", name="Process group").select_option(label="tp: broadcast 1, never entered")
    expect(matrix.get_by_role("rowheader")).to_have_text(["rank 0", "rank 1"])
