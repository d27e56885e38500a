"""Runs without a GPU, without steps, of one step, broken, empty, no trace at all: words, no blank."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, PAGES, WITH_STACKS, settled, turned_to
from building import kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served, Site

FLAG = re.compile(r"Record with|ProfilerActivity|with_stack|profile_memory|no rows|up to where it is cut off")


@pytest.fixture(scope="module")
def site(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("kinds")
    work = [operator("aten::mm", 10_000, 30_000), *launched(kernel("gemm", 40_000, 60_000, 1), 20_000)]
    write(folder / "host.json", step(1, 0, 100_000), step(2, 100_000, 200_000), operator("aten::mm", 10_000, 30_000))
    write(folder / "gpu.json", kernel("gemm", 40_000, 60_000))
    write(folder / "nosteps.json", *work)
    write(folder / "one.json", step(7, 0, 100_000), *work)
    write(folder / "empty.json")
    whole = write(folder / "cut.json", step(1, 0, 100_000), *work).read_bytes()
    (folder / "cut.json").write_bytes(whole[: len(whole) * 2 // 3])
    (folder / "broken.json.gz").write_bytes(gzip.compress(whole)[:30])
    (folder / "other.json").write_text('{"traceEvents": {"this": "is no list"}}')
    return served(folder)


@pytest.mark.parametrize("run", ["host", "gpu", "nosteps", "one", "cut"])
def test_every_page_of_a_meagre_run_says_something(site: Site, page: Page, run: str) -> None:
    """Each page has rows, a picture, or the reason why it has none; the rail says the same."""
    for name in PAGES:
        page.goto(site.at(name, run=f"{run}.json"))
        turned_to(page, name)
        main = page.get_by_role("main")
        assert main.get_by_role("alert").count() == 0, f"{name}: {main.inner_text()}"
        there = main.get_by_role("row").count() + main.locator("canvas, svg, dl, li").count()
        assert there > 0 or FLAG.search(main.inner_text()), f"{name}: {main.inner_text()}"
        assert not re.search(r"\b(NaN|undefined|null|Infinity|\[object)\b", main.inner_text()), name


def test_what_does_not_open_says_why(site: Site, page: Page) -> None:
    page.goto(site.url)
    page.get_by_role("button", name=re.compile("recordings do not open")).click()
    for name in ("broken", "other"):
        row = page.get_by_role("listitem").filter(has_text=re.compile(f"^{name}"))
        expect(row).to_be_visible()
        expect(row.get_by_role("link")).to_have_count(0)
        assert len(row.locator("summary .quiet").inner_text()) > 10


def test_an_empty_trace_says_so_when_it_is_opened(site: Site, page: Page) -> None:
    page.goto(site.at("verdict", run="empty.json"))
    expect(page.get_by_role("alert")).to_contain_text("event")
    expect(page.get_by_role("link", name=re.compile("runs", re.IGNORECASE)).first).to_be_visible()


def test_gpu_work_outside_operators_is_not_said_to_be_missing(served: Served, page: Page, tmp_path: Path) -> None:
    """Seen of a MindSpore folder with kernels: of its operators the page said that no GPU work was recorded."""
    write(tmp_path / "apart.json", step(1, 0, 100_000), operator("aten::mm", 10_000, 30_000), kernel("gemm", 0, 9_000))
    page.goto(served(tmp_path).at("operators", run="apart.json"))
    expect(page.locator("main")).to_contain_text("of 1 operator: 100 %. No GPU work is linked to operators.")


def test_a_cut_trace_says_what_is_missing(site: Site, page: Page) -> None:
    page.goto(site.at("health", run="cut.json"))
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("Complete file")
    expect(page.get_by_role("main")).to_contain_text("Read with care")


@pytest.mark.parametrize("run", [WITH_STACKS, FOUR_RANKS])
def test_a_report_says_the_same(
    served: Served, page: Page, report_page: Callable[..., Page], examples: Path, run: str
) -> None:
    """The verdict of the report, opened from disk, is the server's, figures and health with it."""
    page.goto(served(examples).at("verdict", run=run))
    settled(page)
    report = report_page(examples / run)
    settled(report)
    for part in ("main .bound", "main [role=heading]", "main p.rest", "main .figures", "main ul[aria-label=Health]"):
        assert report.locator(part).first.inner_text() == page.locator(part).first.inner_text()
    expect(report.get_by_role("heading", level=1)).not_to_be_empty()


def test_nothing_leads_to_a_page_that_the_run_has_nothing_for(site: Site, page: Page) -> None:
    """Of GPU work alone, Verdict linked to Operators, and Health said that the rest of the GPU time stood there."""
    for name in ("verdict", "health"):
        page.goto(site.at(name, run="gpu.json"))
        turned_to(page, name)
        main = page.get_by_role("main")
        expect(main).to_contain_text("GPU work linked to its launch call")
        expect(main.locator("a[href*='/operators']")).to_have_count(0)
        expect(main).not_to_contain_text("in Operators")
