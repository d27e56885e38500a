"""Tracks of the timeline: as high as what is in view, in the order in which one looks, named where cells are merged."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import FOUR_RANKS, expect_parameter, settled
from building import kernel, launched, operator, step, timed, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from browsing.site import Served, Site

RUN = "tracks.json"
ROW = 18
"""CSS pixels of a row."""
LEAST = 24
"""CSS pixels of a track that can be folded: no less than folded, so that its button has room."""
STACKED, SHALLOW = "0,60000", "110000,290000"
"""Pieces of time: in the first each thread has a stack of five operators, in the second single ones."""

STEPS = "**/api/table?*table=steps*"
_SPIED = """() => {
  window.drawn = new Set()
  const draw = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.drawn.add(text)
    return draw.call(this, text, ...place)
  }
}"""
"""From now on `drawn` holds the texts that are drawn on canvases."""


@pytest.fixture(scope="module")
def site(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Two threads, a stream, annotations of the GPU two deep, and what the profiler says of itself."""
    folder = tmp_path_factory.mktemp("tracks")
    events: list[Any] = [step(1, 0, 300_000)]
    for thread in (1, 2):
        events += [operator(f"level {at}", 1000 + 100 * at, 50_000 - 100 * at, thread=thread) for at in range(5)]
        events += [operator("aten::conv2d", at, at + 30, thread=thread) for at in range(120_000, 200_000, 40)]
        events += [operator(f"aten::{at % 80}", at, at + 30, thread=thread) for at in range(210_000, 280_000, 40)]
    for name in ("outer", "inner"):
        events.append(timed("gpu_user_annotation", name, 60_000, 90_000, process=0, thread=7))
    events += launched(kernel("gemm", 60_000, 90_000, 1), 55_000)
    events.append(timed("Trace", "PyTorch Profiler (0)", 0, 300_000, process="Spans", thread="PyTorch Profiler"))
    write(folder / RUN, *events)
    return served(folder)


def shown(site: Site, page: Page, time: str) -> None:
    page.goto(site.at("timeline", run=RUN, t=time))
    settled(page)
    page.wait_for_selector(".plot canvas")


def label(page: Page, title: str) -> Locator:
    return page.locator(".label", has=page.get_by_text(title, exact=True))


def rows(count: int) -> str:
    return f"{count * ROW}px"


def test_a_track_has_rows_for_what_is_in_view(site: Site, page: Page) -> None:
    """Zoomed in, tracks kept the height of their deepest stack: half of the pane was blank."""
    shown(site, page, SHALLOW)
    main = label(page, "main thread")
    expect(main).to_have_css("height", rows(2))
    page.keyboard.press("0")
    expect(main).to_have_css("height", rows(6))
    shown(site, page, STACKED)
    expect(main).to_have_css("height", rows(6))


def test_tracks_stay_where_they_are_when_steps_come(site: Site, page: Page) -> None:
    """The row of steps came with them: all tracks moved down by a row while somebody reached for one."""
    held: list[Route] = []
    page.route(STEPS, lambda route: held.append(route))
    with page.expect_request(STEPS):
        shown(site, page, STACKED)
    second = label(page, "thread 2")
    expect(second).to_have_css("height", rows(5))
    before = second.bounding_box()
    page.evaluate(_SPIED)
    for one in held:
        one.continue_()
    page.unroute(STEPS)
    page.wait_for_function("() => window.drawn.has('step 1')")
    assert second.bounding_box() == before


def test_what_is_under_the_pointer_stays_where_it_is(site: Site, page: Page) -> None:
    shown(site, page, STACKED)
    main, second = label(page, "main thread"), label(page, "thread 2")
    expect(main).to_have_css("height", rows(6))
    expect(second).to_have_css("height", rows(5))
    box, plot = second.bounding_box(), page.locator(".plot").bounding_box()
    assert box
    assert plot
    page.mouse.move(plot["x"] + 200, box["y"] + 5)
    page.evaluate("(t) => { location.hash = location.hash.replace(/t=[^&]*/, `t=${t}`) }", SHALLOW)
    # It shrinks itself; above it nothing can, for the tracks are not scrolled.
    expect(second).to_have_css("height", f"{LEAST}px")
    expect(main).to_have_css("height", rows(6))
    assert second.bounding_box() == {**box, "height": LEAST}
    page.mouse.move(10, 10)
    expect(main).to_have_css("height", rows(2))
    # What grows above it does not push it away.
    box = second.bounding_box()
    assert box
    page.mouse.move(plot["x"] + 200, box["y"] + 5)
    page.keyboard.press("0")
    expect(main).to_have_css("height", rows(6))
    page.wait_for_function(
        "(y) => [...document.querySelectorAll('.label')].some((one) => Math.abs(one.getBoundingClientRect().y - y) < 1"
        " && one.innerText.includes('thread 2'))",
        arg=box["y"],
    )


def test_an_event_of_a_row_that_is_not_there_is_shown(site: Site, page: Page) -> None:
    shown(site, page, SHALLOW)
    main = label(page, "main thread")
    expect(main).to_have_css("height", rows(2))
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for events").fill("level 4")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details").get_by_role("heading", level=2)).to_have_text("level 4")
    expect(main).to_have_css("height", rows(6))


def test_tracks_stand_in_the_order_in_which_one_looks(site: Site, page: Page) -> None:
    shown(site, page, "0,300000")
    titles = page.locator(".label .title")
    expect(titles).to_have_text(["stream 7", "annotations", "main thread", "thread 2", *COUNTERS])
    expect(page.get_by_role("button", name="Rows of annotations")).to_have_attribute("aria-expanded", "false")
    again = page.get_by_role("button", name="Show PyTorch Profiler: it only says that the profiler was on")
    expect(again).to_have_text("1 hidden")
    again.click()
    expect(label(page, "PyTorch Profiler")).to_be_visible()
    expect(again).to_have_count(0)
    label(page, "PyTorch Profiler").hover()
    page.get_by_role("button", name="Hide: PyTorch Profiler").click()
    expect(again).to_be_visible()


COUNTERS = ["GPU busy", "queue depth · stream 7"]


def test_a_run_of_merged_cells_bears_a_name(site: Site, page: Page) -> None:
    """At 7 ms of a ResNet nothing on the host had a name."""
    shown(site, page, "0,300000")
    page.evaluate(_SPIED)
    page.mouse.move(700, 500)
    page.keyboard.press("s")
    page.wait_for_function("() => [...drawn].some((text) => text.startsWith('aten::conv2d ×'))")
    drawn: list[str] = page.evaluate("[...drawn]")
    whole = [text for text in drawn if text.startswith("aten::conv2d ×")]
    assert whole == ["aten::conv2d ×2000"]
    assert any(re.fullmatch(r"aten::\d+, … ×1750", text) for text in drawn), drawn


def test_in_a_report_too(report_page: Callable[..., Page], tmp_path: Any) -> None:
    write(tmp_path / RUN, step(1, 0, 9000), *(operator(f"level {at}", 100 + at, 2000 - at) for at in range(4)))
    page = report_page(tmp_path / RUN, page="timeline", params={"t": "4000,6000"})
    expect(label(page, "main thread")).to_have_css("height", f"{LEAST}px")


def test_back_undoes_how_tracks_are_shown(site: Site, page: Page) -> None:
    """A track that was folded, pinned or hidden made no entry: Back left the page."""
    shown(site, page, STACKED)
    stream = label(page, "stream 7")
    host = page.get_by_role("button", name="Host", expanded=True)
    stream.hover()
    stream.get_by_role("button", name="Pin").click()
    expect(page).to_have_url(re.compile("pin="))
    host.click()
    expect(host).to_have_count(0)
    page.go_back()
    expect(host).to_be_visible()
    expect(page.get_by_text("Change of the tracks undone")).to_be_visible()
    page.go_back()
    expect_parameter(page, "pin", None)
    stream.hover()
    stream.get_by_role("button", name="Hide").click()
    expect(stream).to_have_count(0)
    page.go_back()
    expect(stream).to_have_count(1)
    page.locator(".label .fold").first.click()
    expect(page).to_have_url(re.compile("fold="))
    page.go_back()
    expect_parameter(page, "fold", None)


def test_a_jump_into_a_folded_track_is_one_step_back(served: Served, page: Page, tmp_path: Path) -> None:
    """It was two: the first Back only folded the track again."""
    levels = [operator(f"level {at}", 1000 + 100 * at, 50_000 - 100 * at) for at in range(20)]
    write(tmp_path / RUN, step(1, 0, 300_000), levels)  # deeper than what a folded track shows
    page.goto(served(tmp_path).at("timeline", run=RUN))
    settled(page)
    fold = page.get_by_role("button", name="Rows of main thread")
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for events").fill("level 14")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    page.go_back()
    expect_parameter(page, "sel", None)
    expect(fold).to_have_attribute("aria-expanded", "false")


def test_the_buttons_of_a_track_leave_its_name_alone(site: Site, page: Page) -> None:
    """They took its room: "autogr / ad", "main / thread ·"."""
    shown(site, page, STACKED)
    main = label(page, "main thread")
    title, tools = main.locator(".title"), main.get_by_role("button", name="Hide")
    expect(tools).to_be_hidden()
    before = title.bounding_box()
    main.hover()
    expect(tools).to_be_visible()
    assert title.bounding_box() == before


def test_streams_of_all_ranks_stand_together(served: Served, page: Page, examples: Path) -> None:
    """Of four ranks one saw the streams with everything else between them."""
    page.goto(served(examples).at("timeline", run=FOUR_RANKS))
    settled(page)
    page.get_by_role("radio", name="by kind").check()
    heading = page.get_by_role("button", name=re.compile(r"^stream 7\b"))
    expect(heading).to_have_attribute("aria-expanded", "true")
    titles = page.locator(".label .title")
    expect(titles.first).to_have_text("rank 0")
    ranks = [f"rank\xa0{rank}" for rank in range(4)]
    assert titles.all_inner_texts()[:8] == ranks * 2
    heading.click()
    expect(heading).to_have_attribute("aria-expanded", "false")
    page.go_back()
    expect(heading).to_have_attribute("aria-expanded", "true")
    page.go_back()
    expect(page.get_by_role("button", name="rank 0 · GPU")).to_be_visible()


def test_a_counter_is_named_whole_beside_the_most_that_it_reaches(served: Served, page: Page, tmp_path: Path) -> None:
    """Two streams both were "queue depth ·"."""
    write(
        tmp_path / RUN,
        step(1, 0, 1_000_000),
        *(launched(kernel("gemm", 100_000 + 9000 * at, 108_000 + 9000 * at, at + 1), 1000 * at) for at in range(1, 40)),
    )
    page.goto(served(tmp_path).at("timeline", run=RUN))
    settled(page)
    line = page.locator(".label .line").filter(has_text="queue depth")
    expect(line).to_contain_text("stream 7")
    shown, whole = line.locator(".title").evaluate(
        "title => [title.closest('.line').getBoundingClientRect().bottom, title.getBoundingClientRect().bottom]"
    )
    assert whole <= shown


def test_in_a_narrow_window_the_order_of_tracks_has_a_line_for_each(
    served: Served, browse: Callable[..., Page], examples: Path
) -> None:
    page = browse(width=640, height=800)
    page.goto(served(examples).at("timeline", run=FOUR_RANKS))
    settled(page)
    labels = page.get_by_role("radiogroup", name="Tracks that stand together").locator("label")
    boxes = [box for box in (one.bounding_box() for one in labels.all()) if box]
    assert len({box["x"] for box in boxes}) == 1
    assert all(box["height"] < 24 for box in boxes)


def test_other_events_of_a_thread_have_a_title_of_their_own(served: Served, page: Page, tmp_path: Path) -> None:
    """Both tracks of the main thread had the same title; what differs stands first, where nothing cuts it off."""
    own = timed("overhead", "Chunk Allocation", 120_000, 130_000, process=1, thread=1)
    write(tmp_path / "t.json", step(1, 0, 300_000), operator("aten::mm", 1000, 50_000), own)
    page.goto(served(tmp_path).at("timeline", run="t.json"))
    settled(page)
    expect(label(page, "main thread")).to_have_count(1)
    expect(label(page, "other · main thread")).to_have_count(1)
