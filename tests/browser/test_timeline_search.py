"""The search of the timeline: hits light up, Enter takes the first, N and P go on, and the tracks stay in sight."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, expect_parameter, settled
from building import kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from browsing.site import Served, Site

RUN = "search.json"
TWINS = ("main thread", "GPU 0 · annotations")
PICTURE = "() => document.querySelector('.plot canvas').toDataURL()"
RESTS = f"() => {{ const now = ({PICTURE})(); return [window.rested === now, window.rested = now][0] }}"


@pytest.fixture(scope="module")
def site(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Three steps, each with a GEMM that is launched in an operator, and a short kernel."""
    folder = tmp_path_factory.mktemp("search")
    events = []
    for number in range(3):
        at = number * 100_000
        events += [step(number + 1, at, at + 100_000), operator("aten::mm", at + 10_000, at + 30_000)]
        events += launched(kernel("gemm", at + 50_000, at + 70_000, 2 * number + 1), at + 20_000)
        events += launched(kernel("copy", at + 80_000, at + 80_010, 2 * number + 2), at + 25_000)
    write(folder / RUN, *events)
    return served(folder)


def first_hit(page: Page, site: Site, name: str, **chosen: str) -> Locator:
    """The dock with the first event of a name, searched for on the timeline of four ranks."""
    page.goto(site.at("timeline", run=FOUR_RANKS, **chosen))
    settled(page)
    page.wait_for_selector(".plot canvas")
    page.keyboard.press("/")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    return page.get_by_role("complementary", name="Details")


@pytest.fixture
def timeline(site: Site, page: Page) -> Page:
    page.goto(site.at("timeline", run=RUN))
    settled(page)
    page.wait_for_selector(".plot canvas")
    return page


def test_enter_takes_the_first_hit_and_goes_on(timeline: Page) -> None:
    """It did nothing: one had to go down into the list first, and N typed an n."""
    timeline.keyboard.press("/")
    timeline.keyboard.type("gem")
    timeline.keyboard.press("Enter")
    dock = timeline.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text("gemm")
    expect(dock).to_contain_text("step 1 · 1 of 3")
    panel = timeline.get_by_role("region", name="Search for events by name")
    expect(panel.get_by_role("list")).to_have_count(0)  # the tracks are what one looks at now
    timeline.keyboard.press("n")
    expect(dock).to_contain_text("step 2 · 2 of 3")
    timeline.keyboard.press("Enter")
    expect(dock).to_contain_text("step 3 · 3 of 3")
    timeline.keyboard.press("p")
    expect(dock).to_contain_text("step 2 · 2 of 3")
    timeline.keyboard.press("/")
    expect(panel.get_by_role("searchbox")).to_be_focused()
    expect(panel.get_by_role("list")).to_be_visible()
    timeline.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_the_hit_is_in_sight_and_large_enough_to_be_seen(timeline: Page) -> None:
    timeline.keyboard.press("/")
    timeline.keyboard.type("copy")
    timeline.keyboard.press("Enter")
    expect(timeline).to_have_url(re.compile("[?&]t="))
    found = re.search(r"[?&]t=(-?\d+)%2C(-?\d+)", timeline.evaluate("location.href"))
    assert found
    start, end = int(found[1]), int(found[2])
    assert start < 80_000 < 80_010 < end < start + 1000
    panel = timeline.get_by_role("region", name="Search for events by name").bounding_box()
    tracks = timeline.get_by_role("application", name="Timeline").bounding_box()
    assert panel
    assert tracks
    assert panel["y"] + panel["height"] <= tracks["y"]


def test_next_is_the_next_hit_beside_a_recommendation_too(served: Served, page: Page, examples: Path) -> None:
    """N and the button went to the next occurrence of the recommendation, and to 3 of 6: not to twins on the GPU."""
    dock = first_hit(page, served(examples), "extra_work", rec="straggler")
    panel = page.get_by_role("region", name="Search for events by name")
    expect(panel).to_contain_text("6 ×")
    place = dock.get_by_text("rank 2 ·").first
    expect(place).to_contain_text("step 2 · 1 of 3")
    panel.get_by_role("button", name="Next (N)").click()
    for following in ("GPU 0 · annotations · step 2", *(f"{track} · step {at}" for at in (3, 4) for track in TWINS)):
        expect(place).to_contain_text(following)
        page.keyboard.press("n")
    expect(page.get_by_role("status").filter(has_text="No later event")).to_be_visible()


def test_the_first_event_is_not_shown_beside_nothing(served: Served, page: Page, examples: Path) -> None:
    """Of all in sight: half of the window lay before the recording, as its first kernel was too near to the edge."""
    dock = first_hit(page, served(examples), "nvjet")
    expect(dock.get_by_role("heading", level=2)).to_contain_text("nvjet")
    expect(dock).to_contain_text("985.679 us")
    settled(page)
    assert float((re.search(r"[?&]t=(-?\d+)", page.url) or ["", "0"])[1]) > -50e6


def test_hits_light_up_while_one_types(timeline: Page) -> None:
    timeline.wait_for_function(RESTS, polling=300)
    plain = timeline.evaluate(PICTURE)
    timeline.keyboard.press("/")
    timeline.keyboard.type("gemm")
    timeline.wait_for_function(f"(plain) => ({PICTURE})() !== plain", arg=plain)
    expect_parameter(timeline, "hl", None)
    lit = timeline.evaluate(PICTURE)
    timeline.keyboard.press("Escape")
    timeline.wait_for_function(f"(lit) => ({PICTURE})() !== lit", arg=lit)


def test_the_panel_opens_under_its_button(timeline: Page) -> None:
    button = timeline.get_by_role("button", name="Search /")
    button.click()
    at, panel = button.bounding_box(), timeline.get_by_role("region", name="Search for events by name").bounding_box()
    assert at
    assert panel
    assert abs(panel["x"] - at["x"]) < 24
    assert 0 <= panel["y"] - (at["y"] + at["height"]) < 24


def test_nothing_found_takes_nothing(timeline: Page) -> None:
    timeline.keyboard.press("/")
    timeline.keyboard.type("no such name")
    timeline.keyboard.press("Enter")
    expect(timeline.get_by_text("0 names")).to_be_visible()
    expect(timeline.get_by_role("complementary", name="Details")).to_have_count(0)
    expect(timeline.get_by_role("searchbox", name="Search for events")).to_be_focused()


def test_an_address_with_a_search_leaves_the_keys_to_the_tracks(site: Site, page: Page) -> None:
    """Back to one put the cursor into the field: L replaced what was searched for by an l."""
    page.goto(site.at("timeline", run=RUN, q="gemm", sel='["event","0.1"]'))
    settled(page)
    field = page.get_by_role("searchbox", name="Search for events")
    expect(field).to_have_value("gemm")
    expect(field).not_to_be_focused()
    page.keyboard.press("n")
    expect(field).to_have_value("gemm")
    page.keyboard.press("/")
    expect(field).to_be_focused()


def test_the_panel_lies_below_all_of_the_toolbar(site: Site, page: Page) -> None:
    """It hid the way out of what is highlighted, in the second line of the toolbar."""
    page.goto(site.at("timeline", run=RUN, hl="0", m="0,100000;100000,200000;200000,300000"))
    settled(page)
    page.keyboard.press("/")
    toolbar = page.get_by_role("toolbar").bounding_box()
    panel = page.get_by_role("region", name="Search for events by name").bounding_box()
    assert toolbar
    assert panel
    assert panel["y"] >= toolbar["y"] + toolbar["height"] - 1
