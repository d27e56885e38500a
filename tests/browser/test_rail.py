"""The rail names what the run has recordings for; the other pages are in a fold, each with its reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.kinds import JOB, LEAK, TELEMETRY, TRACE
from browsing.pages import turned_to
from kernel_cases import write_report

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


RAILS = {
    LEAK: ["Verdict", "Timeline", "Flame graph", "Instances", "Memory", "Recordings", "Health", "All tables"],
    TELEMETRY: ["Verdict", "Timeline", "Telemetry", "Recordings", "Health", "All tables"],
}
RAIL_OF_KERNELS = ["Verdict", "Kernel reports", "Recordings", "Health", "All tables"]
"""Pages that a report of Nsight Compute has something for."""


def absent(page: Page, site: str, run: str) -> set[str]:
    """Tables that the recordings of the run lack something for."""
    tables = page.request.get(f"{site}api/run", params={"run": run}).json()["tables"]
    return {name for name, facts in tables.items() if facts["lack"]}


@pytest.mark.parametrize("run", [TRACE, LEAK, TELEMETRY])
def test_the_rail_names_no_page_without_a_recording(served: Served, page: Page, kinds: Path, run: str) -> None:
    """Of a snapshot fourteen of twenty entries led to nothing."""
    site = served(kinds)
    page.goto(site.at("verdict", run=run))
    rail = page.get_by_role("navigation", name="Pages")
    turned_to(page, "verdict")
    missing = absent(page, site.url, run)
    named = set(rail.get_by_role("link").evaluate_all("all => all.map((one) => one.hash.match(/\\w+/)[0])"))
    assert not (named & missing) - {"memory"}, "the page of memory has another table first"
    assert {"verdict", "recordings"} <= named
    fold = rail.get_by_role("button", name="No data")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    every = set(rail.get_by_role("link").evaluate_all("all => all.map((one) => one.hash.match(/\\w+/)[0])"))
    expect(fold).to_have_accessible_name(f"No data ({len(every - named)})")
    assert (every & missing) - {"memory"} <= every - named
    assert every & missing, "it has everything"


@pytest.mark.parametrize("run", RAILS)
def test_the_rail_knows_from_the_start_that_there_are_no_steps(
    served: Served, page: Page, kinds: Path, run: str
) -> None:
    """Step trace, Data loading, What if stood in the rail of a snapshot until they were opened, then they folded."""
    page.goto(served(kinds).at("verdict", run=run))
    rail = page.get_by_role("navigation", name="Pages")
    expect(rail.get_by_role("link")).to_have_text(RAILS[run])
    fold = rail.get_by_role("button", name="No data")
    folded = fold.inner_text()
    fold.click()
    rail.get_by_role("link", name="Step trace: The recording has no trace. Record with torch.profiler.").click()
    turned_to(page, "step_trace")
    expect(page.get_by_role("main").get_by_role("note")).to_contain_text("The recording has no trace")
    assert fold.inner_text() == folded


@pytest.mark.parametrize("run", [LEAK, TELEMETRY])
def test_a_timeline_without_a_trace_offers_nothing_about_steps(
    served: Served, page: Page, kinds: Path, run: str
) -> None:
    page.goto(served(kinds).at("timeline", run=run))
    tools = page.get_by_role("toolbar", name="Timeline tools")
    expect(tools.get_by_role("button", name="Recommendations")).to_be_visible()
    expect(tools.get_by_role("button", name=re.compile("Critical path|Simulated"))).to_have_count(0)
    for key in ("c", "g"):
        page.keyboard.press(key)
        expect(page.get_by_text("The recording has no trace. Record with torch.profiler.")).to_be_visible()
        assert "path" not in page.url
        assert "sim" not in page.url


def test_a_page_of_the_fold_is_found_by_keys_and_says_why(served: Served, page: Page, kinds: Path) -> None:
    page.goto(served(kinds).at("memory", run=LEAK))
    turned_to(page, "memory")
    rail = page.get_by_role("navigation", name="Pages")
    rail.get_by_role("link", name="All tables").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    current = rail.locator("[aria-current=page]")
    expect(current).to_have_accessible_name(re.compile("Record with|Nothing of the kind"))
    page.reload()
    expect(current).to_be_visible()


def test_kernels_measured_one_by_one_have_no_page_over_time(served: Served, page: Page, tmp_path: Path) -> None:
    """The rail named the timeline, Step trace, What if and others, each empty."""
    write_report(tmp_path / "kernels.ncu-rep")
    page.goto(served(tmp_path).at("verdict", run="kernels.ncu-rep"))
    rail = page.get_by_role("navigation", name="Pages")
    turned_to(page, "verdict")
    expect(rail.get_by_role("link")).to_have_text(RAIL_OF_KERNELS)
    rail.get_by_role("button", name="No data").click()
    said = re.compile("^Timeline: The recording has no events over time. Record a trace with")
    expect(rail.get_by_role("link", name=said)).to_be_visible()


def test_a_rank_chosen_in_a_table_that_goes_is_no_error(served: Served, page: Page, kinds: Path) -> None:
    """The table that was clicked was looked for after it was gone."""
    page.goto(served(kinds).at("ranks", run=JOB))
    turned_to(page, "ranks")
    page.get_by_role("main").get_by_role("grid").first.get_by_role("rowheader").first.click()
    page.get_by_role("button", name="Filter to this").click()
    expect(page).to_have_url(re.compile(r"[?&]rank=\d"))
    turned_to(page, "ranks")


def test_instances_of_a_recording_without_events_are_not_awaited(served: Served, page: Page, kinds: Path) -> None:
    """The page was loading for ever beside the word that there is nothing."""
    page.goto(served(kinds).at("instances", run=TELEMETRY))
    turned_to(page, "instances")
    expect(page.get_by_role("main").get_by_role("note")).to_be_visible()


def test_one_gpu_without_collectives_has_no_communication_in_its_rail(served: Served, page: Page, kinds: Path) -> None:
    """It stood there until it was opened and found empty, as did Data loading of a program without a loader."""
    page.goto(served(kinds).at("verdict", run=TRACE))
    turned_to(page, "verdict")
    rail = page.get_by_role("navigation", name="Pages")
    expect(rail.get_by_role("link", name="Kernels")).to_be_visible()
    for name in ("Communication", "Data loading"):
        expect(rail.get_by_role("link", name=name, exact=True)).to_have_count(0)
