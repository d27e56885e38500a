"""Recommendations on the timeline: a lane of occurrences, walked through by keys, reached from a card."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import FOUR_RANKS, settled
from building import Events, call, kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browsing.site import Served, Site

RECORDINGS = Path(__file__).parents[1] / "recordings"
RUN = "loader_in_the_main_process.json.gz"


@pytest.fixture
def site(served: Served) -> Site:
    return served(RECORDINGS)


def marks(page: Page, site: Site) -> Any:
    return page.request.get(f"{site.url}api/timeline/marks?run={RUN}").json()


def view(page: Page) -> tuple[int, int]:
    found = re.search(r"[?&]t=(-?\d+)%2C(-?\d+)", page.evaluate("location.href"))
    assert found
    return int(found[1]), int(found[2])


def test_a_finding_is_chosen_and_its_occurrences_are_walked_through(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN))
    told = marks(page, site)
    shown = told["marks"]
    many = told["findings"][0]["of"]
    expect(page.get_by_role("button", name="Recommendations")).to_be_visible()
    page.keyboard.press("i")
    number = page.get_by_role("button", name=re.compile("^1: "))
    expect(number).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("1")
    expect(number).to_have_attribute("aria-pressed", "true")
    said = page.locator("[data-occurrence]")
    expect(said).to_contain_text(f"1 · occurrence 1 of {many} · step {shown['step'][0]}")
    page.keyboard.press("n")
    expect(said).to_contain_text(f"1 · occurrence 2 of {many} · step {shown['step'][1]}")
    page.wait_for_function(
        "([start, end]) => { const t = decodeURIComponent(location.hash).match(/t=(-?\\d+),(-?\\d+)/);"
        " return t && +t[1] <= start && +t[2] >= end }",
        arg=[shown["start"][1], shown["end"][1]],
    )
    begin, end = view(page)
    share = (shown["end"][1] - shown["start"][1]) / (end - begin)
    assert 0.5 < share < 0.7
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(said).to_contain_text(f"occurrence {many} of {many}")
    page.keyboard.press("Escape")
    expect(number).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    expect(number).to_have_count(0)


@pytest.mark.parametrize("key", ["n", "p"])
def test_where_no_recommendation_is_chosen_the_keys_go_to_the_first(site: Site, page: Page, key: str) -> None:
    """They asked for an event to be chosen."""
    page.goto(site.at("timeline", run=RUN))
    expect(page.get_by_role("button", name="Recommendations")).to_be_visible()
    page.keyboard.press("i")
    number = page.get_by_role("button", name=re.compile("^1: "))
    expect(number).to_have_attribute("aria-pressed", "false")
    page.keyboard.press(key)
    expect(number).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-occurrence]")).to_contain_text("1 · occurrence 1 of")


def test_a_number_pressed_before_they_have_come_takes_effect_when_they_come(site: Site, page: Page) -> None:
    """It was lost, and nothing said so. It is one entry of the history, also where it was what showed them."""
    held: list[Route] = []
    page.route("**/api/timeline/marks*", lambda route: held.append(route))
    page.goto(site.at("timeline", run=RUN))
    expect(page.get_by_role("button", name="Recommendations")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator("span[aria-busy=true]")).to_have_text("Loading…")
    for one in held:
        one.continue_()
    page.unroute("**/api/timeline/marks*")
    expect(page.locator("[data-occurrence]")).to_contain_text("1 · occurrence 1 of")
    page.keyboard.press("9")
    expect(page.get_by_role("status").get_by_text(re.compile("^There (is|are) only [0-9]+ rec"))).to_be_visible()
    page.go_back()
    expect(page.locator("[data-occurrence]")).to_be_empty()
    expect(page.get_by_role("button", name="Recommendations")).to_have_attribute("aria-pressed", "false")


def test_recommendations_that_do_not_come_say_so(site: Site, page: Page, allowed_errors: list[str]) -> None:
    """The band above the tracks stayed empty."""
    allowed_errors.append("500")
    page.route("**/api/timeline/marks*", lambda route: route.fulfill(status=500))
    page.goto(site.at("timeline", run=RUN, rec="*"))
    expect(page.get_by_role("main").get_by_role("alert")).to_have_text("This could not be shown")
    page.unroute("**/api/timeline/marks*")


def test_the_card_leads_to_the_first_occurrence_and_back(site: Site, page: Page) -> None:
    page.goto(site.at("verdict", run=RUN))
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Show on timeline")).first
    title = card.get_by_role("heading", level=3).inner_text()
    card.get_by_role("link", name="Show on timeline").click()
    expect(page.locator("[data-occurrence]")).to_contain_text("occurrence 1 of")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(title)
    expect(dock.get_by_role("link", name="Simulated step")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dock).to_have_count(0)
    page.go_back()
    expect(dock).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="Show on timeline").first).to_be_visible()


def test_an_occurrence_of_a_straggler_shows_its_tracks(served: Served, page: Page, examples: Path) -> None:
    """Rank 2 was named, ranks 0 and 1 were seen; and G said that there was no recommendation at all."""
    page.goto(served(examples).at("timeline", run=FOUR_RANKS, rec="straggler", sel='["finding","straggler"]'))
    expect(page.locator("[data-occurrence]")).to_contain_text("rank 2")
    expect(page.get_by_role("main").get_by_text("rank 2 · GPU", exact=True)).to_be_in_viewport(ratio=1)
    page.keyboard.press("g")
    expect(page.get_by_role("status").get_by_text("not simulated within a step")).to_be_visible()


def test_below_a_later_step_of_the_host_it_is_said_where_the_work_was_launched(
    served: Served, page: Page, examples: Path
) -> None:
    """Of a straggler "rank 2 · step 3" stood below step 4 of the ruler."""
    page.goto(served(examples).at("timeline", run=FOUR_RANKS, rec="straggler", occ="1"))
    expect(page.locator("[data-occurrence]")).to_contain_text(re.compile(r"rank 2 · launched in step \d"))


def test_a_report_holds_the_occurrences(report_page: Callable[..., Page]) -> None:
    page = report_page(RECORDINGS / RUN, page="timeline", params={"rec": "data-loading"})
    expect(page.locator("[data-occurrence]")).to_contain_text("occurrence 1 of")


def test_in_chinese(site: Site, browse: Callable[..., Page]) -> None:
    page = browse(language="zh-CN", dark=True)
    page.goto(site.at("timeline", run=RUN, rec="data-loading", occ="2"))
    expect(page.locator("[data-occurrence]")).to_contain_text("第 2 处")


def waiting_often(path: Path, steps: int, waits: int) -> None:
    """Steps that ask for a value of the GPU so many times."""
    events: list[Events] = []
    for number in range(steps):
        begin = number * waits * 80_000
        for wait in range(waits):
            at, correlation = begin + wait * 80_000, 2 * (number * waits + wait) + 1
            events += [operator("aten::mm", at, at + 20_000), operator("aten::item", at + 25_000, at + 70_000)]
            events.append(launched(kernel("gemm", at + 15_000, at + 60_000, correlation), at + 5_000))
            events.append(call(at + 35_000, at + 64_000, correlation + 1, name="cudaStreamSynchronize"))
        events.append(step(number, begin, begin + waits * 80_000))
    write(path, *events)


# Share of the pixels of a row of the plot, some pixels high, that what lies over the tracks covers.
MARKED = """([top, height]) => {
  const plot = document.querySelector('.plot canvas + canvas')
  const ratio = plot.width / plot.clientWidth
  const copy = new OffscreenCanvas(plot.width, Math.round(height * ratio)).getContext('2d')
  copy.drawImage(plot, 0, -Math.round(top * ratio))
  const { data } = copy.getImageData(0, 0, copy.canvas.width, copy.canvas.height)
  let marked = 0
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 128) marked++
  return marked / (data.length / 4)
}"""


def test_of_400_occurrences_events_are_still_to_be_seen(served: Served, page: Page, tmp_path: Path) -> None:
    """Seen as a whole, outlines of events a pixel or two wide covered their row."""
    waiting_often(tmp_path / "many.json", 16, 25)
    page.goto(served(tmp_path).at("timeline", run="many.json"))
    settled(page)
    page.keyboard.press("i")
    page.get_by_role("button", name=re.compile("^1: ")).wait_for()
    page.keyboard.press("1")
    said = page.locator("[data-occurrence]")
    expect(said).to_contain_text("1 · occurrence 1 of 400 · step 0")
    page.keyboard.press("p")
    expect(said).to_contain_text("1 · occurrence 400 of 400 · step 15")
    page.keyboard.press("Digit0")
    expect(page.locator(".range")).to_contain_text("100 %")
    plot, label = page.locator(".plot canvas").first.bounding_box(), page.get_by_text("main thread").bounding_box()
    assert plot
    assert label
    row = label["y"] - plot["y"] + 18  # below the steps
    page.wait_for_function(f"([top]) => ({MARKED})([top + 13, 5]) > 0.2", arg=[row])
    assert page.evaluate(MARKED, [row + 3, 8]) < 0.05
