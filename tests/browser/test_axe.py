"""Accessibility: axe-core finds nothing on any page of any kind of recording, nor in what opens over a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.axe import SCRIPT, violations_in_both_themes
from browsing.kinds import DUMPS, FULL, INSPECTOR, JOB, LEAK, NSYS, TELEMETRY, TRACE
from browsing.pages import settled, turned_to
from building.live import running, window
from kernel_cases import write_report

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect
pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="axe-core is not installed; make check installs it")

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served, Site

PAGES_OF = {
    TRACE: (
        "verdict what_if timeline step_trace idle launches operators kernels modules flame_graph instances roofline "
        "memory recordings health tables"
    ),
    JOB: "verdict what_if timeline step_trace communication ranks recordings tables",
    LEAK: "verdict timeline memory instances recordings health",
    TELEMETRY: "verdict timeline telemetry operators recordings",
    NSYS: "verdict timeline launches kernels data_loading flame_graph recordings tables",
    DUMPS: "verdict hangs",
    INSPECTOR: "verdict run_collectives",
}
"""Pages of a run of each kind; of a page that looks the same for several of them, one."""

LOOKS = [("en-US", False), pytest.param("zh-CN", True, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def site(served: Served, kinds: Path) -> Site:
    """A recording of each kind, and a job that runs."""
    running(kinds / "job", windows=[window(1207, None)])
    return served(kinds)


def wrong_with(page: Page, what: str) -> list[str]:
    return [f"{what}: {one}" for one in violations_in_both_themes(page)]


@pytest.mark.parametrize(("language", "dark"), LOOKS)
def test_no_page_has_a_violation(site: Site, browse: Callable[..., Page], language: str, dark: bool) -> None:
    page = browse(language=language, dark=dark)
    wrong = []
    for run, names in PAGES_OF.items():
        for name in names.split():
            page.goto(site.at(name, run=run))
            turned_to(page, name)
            wrong += wrong_with(page, f"{name} of {run}")
    for name in ("runs", "record", "live"):
        page.goto(site.at(name))
        page.get_by_role("main").get_by_role("heading").first.wait_for()
        wrong += wrong_with(page, name)
    assert not wrong, "\n".join(wrong)


def test_nothing_that_opens_over_a_page_has_a_violation(site: Site, page: Page) -> None:
    """The dock at both sides, search, help and its glossary, the lists of the header."""
    wrong: list[str] = []

    def look(what: str) -> None:
        wrong.extend(wrong_with(page, what))

    page.goto(site.at("operators", run=TRACE))
    settled(page)
    page.get_by_role("rowheader").first.click()
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("table").first).to_be_visible()
    settled(page)
    look("dock")
    page.keyboard.press("Backslash")
    look("dock at the bottom")
    page.keyboard.press("Control+K")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("conv")
    expect(page.get_by_role("option").first).to_be_visible()
    look("search")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    look("help")
    page.get_by_role("button", name="Glossary").click()
    expect(page.get_by_role("dialog", name="Glossary").get_by_role("term").first).to_be_visible()
    look("glossary")
    page.keyboard.press("Escape")
    for button in page.locator("header .popover > button").all():
        button.click()
        look(button.inner_text())
        page.keyboard.press("Escape")
    assert not wrong, "\n".join(wrong)


def test_no_view_of_a_page_has_a_violation(site: Site, page: Page, allowed_errors: list[str]) -> None:
    """Overlays of the timeline, views of a snapshot, a page with its answer, what cannot be shown."""
    allowed_errors.append("404")
    wrong: list[str] = []

    def look(what: str, **run: str) -> None:
        if run:
            page.goto(site.at(what, **run))
            turned_to(page, what)
        wrong.extend(wrong_with(page, f"{what} {run}"))

    page.goto(site.at("timeline", run=JOB))
    settled(page)
    page.keyboard.press("c")
    page.keyboard.press("i")
    page.keyboard.press("1")
    expect(page.locator("[data-occurrence]")).to_be_visible()
    look("timeline with its overlays")
    for tab in ("time", "peak", "segments", "growth", "events", "compare"):
        look("memory", run=LEAK, tab=tab)
    look("memory", run=FULL)
    look("instances", run=TRACE, name="aten::mm")
    look("what_if", run=TRACE, changes="launch:all x0")
    look("kernels", run=TRACE, **{"kernels.q": "gpu >"})
    for page_of_none, run in (("what-if", TRACE), ("verdict", "nothing.json")):
        page.goto(site.at(page_of_none, run=run))
        expect(page.get_by_role("alert")).to_be_visible()
        look(f"no {page_of_none} of {run}")
    assert not wrong, "\n".join(wrong)


def test_a_kernel_beside_its_baseline_has_no_violation(served: Served, page: Page, tmp_path: Path) -> None:
    """Every section of the page with its second figure, and what opens below it."""
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("kernel_reports", run="kernels.ncu-rep", baseline="0|kernels.ncu-rep|0"))
    expect(page.get_by_role("main")).to_contain_text("Baseline: well")
    for name in ("Figures by section", "Links as a table"):
        page.get_by_role("button", name=name).click()
    settled(page)
    assert wrong_with(page, "kernel reports") == []
