"""The page of hangs: which rank is waited for, in one sentence, and where the ranks are; none of a trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import nameless, settled
from building import flat, kernel, launched, step, write
from hang_building import MadeJob, one_left

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
    assert "Ranks" not in names, "nothing of it is on a timeline"


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
