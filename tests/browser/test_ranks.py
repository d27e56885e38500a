"""The pages about many ranks: what their fields and charts say is what the tables hold, by keyboard too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import stepscope
from browsing.held_answers import HeldAnswers
from browsing.pages import FOUR_RANKS, expect_parameter, settled
from stepscope.messages.quantities import time_text
from stepscope.timeline.event_search import event_at
from stepscope.timeline.facts import event_facts
from stepscope.timeline.name_search import search_names
from stepscope.timeline.timeline import open_timeline

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


@pytest.fixture(scope="module")
def profile(examples: Path) -> Any:
    return stepscope.open(examples / FOUR_RANKS)


def exact(ns: int) -> str:
    return f"{time_text(ns)} ({ns:,} ns)" if abs(ns) >= 1000 else time_text(ns)


def test_who_is_late_is_said_and_shown(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    job = profile.show("job").row(0, named=True)
    expect(page.locator(".answer")).to_contain_text(f"A step of the job takes {time_text(job['duration_ns'])}")
    rows = profile.show("rank_matrix").sort("rank", "step").to_dicts()
    field = page.get_by_role("slider", name="Each step of each rank")
    expect(field).to_have_attribute("aria-valuemax", str(len(rows) - 1))
    field.focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    step = rows[1]["step"]
    at = next(row for row in rows if (row["rank"], row["step"]) == (2, step))
    expect(field).to_have_attribute("aria-valuetext", f"rank 2, step {step}: Lateness {exact(at['lateness_ns'])}")
    page.get_by_role("combobox", name="Colour shows").first.select_option("exposed_wait_ns")
    expect_parameter(page, "matrix", "exposed_wait_ns")
    wait = f"rank 2, step {step}: Exposed wait {exact(at['exposed_wait_ns'])}"
    expect(field).to_have_attribute("aria-valuetext", wait)
    field.focus()
    page.keyboard.press("Enter")
    expect_parameter(page, "rank", "2")
    expect_parameter(page, "step", str(step))
    settled(page)
    # All ranks are compared, whichever is selected.
    expect(page.get_by_role("grid", name="Who is late").get_by_role("row")).to_have_count(5)


def test_who_waits_for_whom(served: Served, page: Page, examples: Path, profile: Any) -> None:
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    waits = {(row["rank"], row["for_rank"]): row["wait_ns"] for row in profile.show("rank_waits").to_dicts()}
    field = page.get_by_role("slider", name="Who waits for whom")
    field.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(field).to_have_attribute("aria-valuetext", f"rank 0 waits for rank 2: {exact(waits[0, 2])}")
    page.keyboard.press("Enter")
    expect_parameter(page, "rank", "0,2")


def test_the_dock_covers_neither_field(served: Served, page: Page, examples: Path) -> None:
    """Of a few steps, too, the first field took three fifths: at 1280 who waits for whom lay under the dock."""
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    settled(page)
    page.get_by_role("slider", name="Each step of each rank").click(position={"x": 20, "y": 20})
    dock = page.get_by_role("complementary", name="Details").bounding_box()
    waits = page.get_by_role("slider", name="Who waits for whom").bounding_box()
    assert dock
    assert waits
    assert waits["x"] + waits["width"] <= dock["x"]


def test_communication_tells_transferring_from_waiting(
    served: Served, page: Page, examples: Path, profile: Any
) -> None:
    page.goto(served(examples).at("communication", run=FOUR_RANKS))
    rows = profile.show("communication").sort("total_ns", descending=True).to_dicts()
    settled(page)
    page.get_by_role("group", name="Transferring and waiting.").focus()
    page.keyboard.press("ArrowDown")
    figure = page.get_by_role("figure").filter(has=page.get_by_role("heading", name="Transferring and waiting"))
    said = figure.locator("[aria-live]")
    expect(said).to_contain_text(f"transfer {exact(rows[0]['transfer_ns'])}, ")
    expect(said).to_contain_text(f"waiting for another rank {exact(rows[0]['wait_ns'])}")
    page.get_by_role("radio", name="by size").check()
    settled(page)
    expect(page.get_by_role("grid", name="Communication", exact=True)).to_be_visible()
    notes = profile.show("pipeline")
    assert len(notes) == 0
    expect(page.get_by_role("heading", name="Pipeline bubbles")).to_be_visible()


def test_a_kernel_names_the_rank_that_it_waits_for(served: Served, page: Page, examples: Path, profile: Any) -> None:
    timeline = open_timeline(profile.profile)
    longest = search_names(timeline, "nccl", 1)["names"][0]["longest"]
    known = event_facts(event_at(timeline, longest["lane"], longest["row"]))["collective"]
    at = f"{longest['lane']}.{longest['row']}"
    page.goto(served(examples).at("timeline", run=FOUR_RANKS, at=at, sel=json.dumps(["event", at])))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock).to_contain_text(f"collective {known['op']} {known['collective']}")
    expect(dock).to_contain_text(f"rank that arrived last {known['last_rank']}")
    expect(dock).to_contain_text(f"waits for it {time_text(known['wait_ns'])}")
    # To the kernel that arrived last, and back from there.
    dock.get_by_text(f"rank {known['last_rank']}: arrived last").locator("xpath=following::button[1]").click()
    expect(dock).to_contain_text("waits for it 0 ns")


def test_one_rank_has_nothing_to_compare(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("ranks", run="batch_size.slow.pt.trace.json.gz"))
    expect(page.locator(".answer")).to_have_text("There is one rank.")
    expect(page.get_by_role("slider", name="Each step of each rank")).to_have_count(0)


FIELDS = [
    ("Who waits for whom", ["ArrowRight", "ArrowRight"], "Rank 0 · Waits for rank 2"),
    ("Each step of each rank", ["ArrowDown"], "Rank 1 · Step 2"),
]


@pytest.mark.parametrize(("name", "keys", "title"), FIELDS)
def test_a_cell_shows_its_row_in_the_dock(
    served: Served, page: Page, examples: Path, name: str, keys: list[str], title: str
) -> None:
    """A click selected rank and step and showed nothing."""
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    field = page.get_by_role("slider", name=name)
    field.focus()
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details").get_by_role("heading", level=2)).to_have_text(title)
    # The same cell again: all ranks, and nothing shown.
    page.keyboard.press("Enter")
    expect_parameter(page, "rank", None)
    expect(page.get_by_role("complementary", name="Details")).to_have_count(0)


@pytest.mark.parametrize("name", ["Who is late", "The job’s step", "Utilization", "Summary", "Clocks"])
def test_a_row_of_ranks_opens_the_dock(served: Served, page: Page, examples: Path, name: str) -> None:
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    settled(page)
    column, at = ("step", "3") if "step" in name else ("rank", "1")
    grid = page.get_by_role("grid", name=name, exact=True)
    grid.get_by_role("rowheader", name=at, exact=True).click()
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(f"{column.capitalize()} {at}")
    expect(grid.locator("[aria-selected=true]")).to_have_count(1)
    expect_parameter(page, "rank", None)
    # What a click did before is an action there; the row stays the one shown.
    dock.get_by_role("button", name="Filter to this").click()
    expect_parameter(page, column, at)
    settled(page)
    expect(dock.get_by_role("heading", level=2)).to_have_text(f"{column.capitalize()} {at}")


def test_a_row_of_launches_opens_the_dock_and_its_chart(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("launches", run="batch_size.slow.pt.trace.json.gz"))
    settled(page)
    row = page.get_by_role("grid").first.get_by_role("rowheader").nth(1)
    name = row.inner_text()
    row.click()
    expect(page.get_by_role("complementary", name="Details").get_by_role("heading", level=2)).to_have_text(name)
    expect_parameter(page, "api", name)
    page.go_back()
    expect(page.get_by_role("complementary", name="Details")).to_have_count(0)
    expect_parameter(page, "api", None)


def test_after_a_click_no_figures_of_before_and_after_stand_together(
    served: Served, page: Page, examples: Path
) -> None:
    """Each table showed its answer as it came: for seconds some were of the step chosen, the others of all."""
    page.goto(served(examples).at("ranks", run=FOUR_RANKS))
    settled(page)
    job = page.get_by_role("grid", name="The job’s step")
    before, said = job.inner_text(), page.locator(".answer").inner_text()
    held = HeldAnswers(page, "**/api/verdict?*")
    field = page.get_by_role("slider", name="Each step of each rank")
    field.focus()
    page.keyboard.press("ArrowDown")
    with page.expect_response(lambda answer: "table=job" in answer.url and "step" in answer.url):
        page.keyboard.press("Enter")
    expect(page.locator(".stale").first).to_be_attached()
    assert (job.inner_text(), page.locator(".answer").inner_text()) == (before, said)
    held.let_go()
    settled(page)
    expect(job).not_to_have_text(before)
    expect(page.locator(".answer")).not_to_have_text(said)


def test_what_is_of_one_rank_waits_until_the_verdict_says_of_which(served: Served, page: Page, examples: Path) -> None:
    held = HeldAnswers(page, "**/api/verdict?*")
    with page.expect_response(lambda answer: "table=idle" in answer.url):
        page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    title = page.get_by_role("heading", name="GPU idle time in a step")
    place = page.locator(".tiles").filter(has=title)
    expect(place).to_contain_text("Loading")
    expect(place.get_by_text("unknown")).to_have_count(0)
    held.let_go()
    expect(page.get_by_role("heading", name="GPU idle time in a step")).to_contain_text("rank 2")
    expect(place.get_by_text("unknown").first).to_be_visible()
