"""Details of events and areas: where they are, why they matter, and the three actions."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import stepscope
from browsing.grids import printed
from browsing.pages import WITH_STACKS, expect_parameter, settled
from building import kernel, launched, operator, step, write
from made_ranks import Layout, MadeRanks, data_parallel
from stepscope.timeline.event_search import Event, stored_event
from stepscope.timeline.facts import event_facts
from stepscope.timeline.timeline import Timeline, open_timeline

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing.site import Served, Site

JOB = "job"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job of three ranks; the first collective was recorded on rank 1 alone."""
    made = MadeRanks(data_parallel(Layout(dp=3)), world=3, steps=2, described=False)
    found = tmp_path_factory.mktemp("details")
    replace(made, dropped=frozenset({(0, 0), (2, 0)})).write(found / JOB)
    return found


@pytest.fixture(scope="module")
def timeline(folder: Path) -> Timeline:
    return open_timeline(stepscope.open(folder / JOB).profile)


def collectives(timeline: Timeline, rank: int) -> list[Event]:
    """Communication kernels of a rank, by start."""
    trace = timeline.profile.ranks[rank].trace
    names = trace.text(trace.frame("activity", ["name"])["name"]).to_list()
    found = [stored_event(timeline, rank, "activity", row) for row, name in enumerate(names) if "nccl" in name]
    return sorted((event for event in found if event), key=lambda event: event.start)


def chosen(site: Site, page: Page, run: str, place: dict[str, Any]) -> Locator:
    at = f"{place['lane']}.{place['row']}"
    page.goto(site.at("timeline", run=run, at=at, sel=json.dumps(["event", at])))
    return page.get_by_role("complementary", name="Details")


def spoken(text: str) -> re.Pattern[str]:
    """The spaces within a part are such that no line breaks there."""
    return re.compile(text.replace(" ", r"\s"))


def test_an_event_says_where_it_is(served: Served, page: Page, folder: Path, timeline: Timeline) -> None:
    event = collectives(timeline, 1)[-1]
    facts = event_facts(event)
    same = facts["same_name"]
    dock = chosen(served(folder), page, JOB, event.place())
    stream, number = facts["on"]["stream"], f"{same['index'] + 1} of {same['calls']}"
    place = f"communication kernel · rank 1 · GPU 0 · stream {stream}.* · step {facts['step']} · {number}"
    expect(dock).to_contain_text(spoken(place))
    dock.get_by_role("button", name=re.compile("^cuda")).first.click()
    expect(dock).to_contain_text(
        spoken(f"runtime call · rank 1 · main thread · step {facts['step']} · [0-9]+ of [0-9]+")
    )


def test_merged_events_say_where_they_are(served: Served, page: Page, tmp_path: Path) -> None:
    write(tmp_path / "merged.json", step(4, 0, 9000), [operator("aten::mm", at, at + 50) for at in range(0, 9000, 100)])
    events = open_timeline(stepscope.open(tmp_path / "merged.json").profile)
    lane = stored_event(events, 0, "operator", 0)
    assert lane is not None
    page.goto(served(tmp_path).at("timeline", run="merged.json", sel=json.dumps(["cell", f"{lane.lane}.10.30"])))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock).to_contain_text(spoken("merged on the timeline · rank 0 · main thread · step 4"))


def test_a_collective_without_a_partner_says_why(served: Served, page: Page, folder: Path, timeline: Timeline) -> None:
    dock = chosen(served(folder), page, JOB, collectives(timeline, 1)[0].place())
    said = "No matching kernel on ranks 0, 2: all collectives recorded there begin later."
    expect(dock).to_contain_text(said)


def test_the_three_actions_of_an_event(served: Served, page: Page, examples: Path) -> None:
    """The command that is copied lists this event, and it alone."""
    site = served(examples)
    timeline = open_timeline(stepscope.open(examples / WITH_STACKS).profile)
    trace = timeline.profile.ranks[0].trace
    event = stored_event(timeline, 0, "activity", trace.rows("activity") // 2)
    assert event
    dock = chosen(site, page, WITH_STACKS, event.place())
    buttons = dock.get_by_role("button")
    expect(dock.get_by_role("button", name="Show on timeline")).to_be_visible()
    actions = [text for text in buttons.all_inner_texts() if text in ACTIONS]
    assert actions == ACTIONS
    command = dock.get_by_role("button", name="Copy as command").get_attribute("title")
    rows = printed(command or "")
    assert [(row["name"], int(row["duration_ns"])) for row in rows] == [(event.name, event.end - event.start)]
    dock.get_by_role("button", name="Filter to this").click()
    page.wait_for_function(
        "(wanted) => new URLSearchParams(location.hash.split('?')[1]).get('only') === wanted",
        arg=f"kernel:{event.name}",
    )


ACTIONS = ["Show on timeline", "Filter to this", "Copy as command"]


def test_the_three_actions_of_an_area(served: Served, page: Page, examples: Path) -> None:
    steps = stepscope.open(examples / WITH_STACKS).show("steps")
    origin = open_timeline(stepscope.open(examples / WITH_STACKS).profile).origin_ns
    start = steps["start_ns"][0] - origin
    length = steps["duration_ns"][0]
    area = f"{start + length // 4}.{start + length // 2}"
    page.goto(served(examples).at("timeline", run=WITH_STACKS, sel=json.dumps(["area", area])))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("button", name="Filter to this")).to_be_visible()
    assert [text for text in dock.get_by_role("button").all_inner_texts() if text in ACTIONS] == ACTIONS
    command = dock.get_by_role("button", name="Copy as command").get_attribute("title")
    assert printed(command or "")
    dock.get_by_role("button", name="Filter to this").click()
    expect_parameter(page, "step", str(steps["step"][0]))


def test_the_widest_share_fits_its_column(served: Served, page: Page, examples: Path) -> None:
    """Of an area that one kernel fills, ">99.9 %" was cut at the end of the dock's column."""
    page.goto(served(examples).at("timeline", run=WITH_STACKS, sel=json.dumps(["area", "0.100000000"])))
    cell = page.get_by_role("complementary", name="Details").locator("td.number").last
    assert cell.evaluate("(one) => { one.innerText = '>99.9\\u00a0%'; return one.scrollWidth - one.clientWidth }") == 0


def test_arguments_are_folded_and_idle_time_is_named(served: Served, page: Page, examples: Path) -> None:
    timeline = open_timeline(stepscope.open(examples / WITH_STACKS).profile)
    trace = timeline.profile.ranks[0].trace
    events = (stored_event(timeline, 0, "activity", row) for row in range(trace.rows("activity")))
    event = next(one for one in events if one and event_facts(one)["idle_before"])
    gap = event_facts(event)["idle_before"]
    dock = chosen(served(examples), page, WITH_STACKS, event.place())
    expect(dock).to_contain_text("Why it matters")
    recorded = dock.get_by_role("button", name="As recorded")
    expect(recorded).to_have_attribute("aria-expanded", "false")
    recorded.click()
    expect(dock).to_contain_text("correlation")
    dock.get_by_role("button", name=re.compile("^Idle: ")).click()
    expect_parameter(page, "at", f"{gap['lane']}.{gap['row']}")


def test_words_of_a_command_are_those_of_a_shell(served: Served, page: Page, folder: Path, timeline: Timeline) -> None:
    dock = chosen(served(folder), page, JOB, collectives(timeline, 0)[0].place())
    command = dock.get_by_role("button", name="Copy as command").get_attribute("title")
    words = shlex.split(command or "")
    assert words[:3] == ["stepscope", "show", "instances"]
    assert Path(words[3]).name == JOB


def test_the_dock_leaves_the_timeline_its_room(served: Served, browse: Callable[..., Page], examples: Path) -> None:
    """The details once left 456 of 1,280 pixels of time; at 200 % zoom three rows were seen."""
    address = served(examples).at("timeline", run=WITH_STACKS, at="0.0", sel=json.dumps(["event", "0.0"]))
    page = browse(width=1280, height=800)
    page.goto(address)
    dock, plot = page.get_by_role("complementary", name="Details"), page.get_by_role("application", name="Timeline")
    expect(dock).to_be_visible()
    box, below = plot.bounding_box(), dock.bounding_box()
    assert box
    assert below
    assert box["width"] >= 900
    assert box["height"] >= 18 * 18
    assert below["y"] >= box["y"] + box["height"]
    dock.get_by_role("separator", name="Size of the details").press("ArrowUp")
    page.wait_for_function("(y) => document.querySelector('aside').getBoundingClientRect().y < y", arg=below["y"])
    small = browse(width=640, height=400)
    small.goto(address)
    expect(small.get_by_role("complementary", name="Details")).to_be_visible()
    box = small.get_by_role("application", name="Timeline").bounding_box()
    assert box
    assert box["height"] >= 8 * 18
    box = small.get_by_role("toolbar").first.bounding_box()
    assert box
    assert box["height"] < 80  # it had three lines
    expect(small.get_by_role("button", name=re.compile("^Dock at the"))).to_have_count(0)
    expect(small.get_by_role("separator", name="Width of the titles")).to_have_attribute("aria-valuenow", "96")
    rail = small.get_by_role("navigation", name="Pages").bounding_box()
    assert rail
    assert rail["width"] <= 48


def test_the_toolbar_keeps_its_height_while_one_zooms(served: Served, page: Page, examples: Path) -> None:
    """Of less than a tenth of a per cent of the recording it had a second line at 1280: tracks jumped by 31 pixels."""
    heights = []
    for end in (42_000_000, 41_000_000, 40_020_000, 40_000_200):
        page.goto(served(examples).at("timeline", run=WITH_STACKS, t=f"40000000,{end}"))
        settled(page)
        box = page.get_by_role("toolbar").first.bounding_box()
        assert box
        heights.append(box["height"])
    assert set(heights) == {heights[0]}


BROKEN_WORDS = """(table) => [...table.querySelectorAll('td.name')].flatMap((cell) => {
  const at = document.createRange()
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const broken = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    at.selectNodeContents(node)
    if (node.data.length < 12 && !/\\s/.test(node.data) && at.getClientRects().length > 1) broken.push(node.data)
  }
  return broken
})"""


def test_a_table_of_the_dock_below_keeps_its_header_and_names_their_words(
    served: Served, page: Page, examples: Path
) -> None:
    """The header stood in one column of the dock, rows in the next; names broke inside words."""
    site = served(examples)
    page.goto(site.at("timeline", run=WITH_STACKS, path="1", sel=json.dumps(["path", ""])))
    tables = page.get_by_role("complementary", name="Details").get_by_role("table")
    expect(tables).to_have_count(2)
    for table in tables.all():
        lefts = table.locator("tr > :first-child").evaluate_all(
            "all => all.map((one) => Math.round(one.getBoundingClientRect().x))"
        )
        assert len(lefts) > 3
        assert len(set(lefts)) == 1, lefts
        assert table.evaluate(BROKEN_WORDS) == []


def test_where_no_steps_were_marked_none_is_named(served: Served, page: Page, tmp_path: Path) -> None:
    """The whole trace was "step 0": in the ruler, of an event, of the critical path."""
    gemm = kernel("gemm", 50_000, 70_000, 1)
    write(tmp_path / "small.json", operator("aten::mm", 10_000, 30_000), *launched(gemm, 20_000))
    page.goto(served(tmp_path).at("timeline", run="small.json", at="0.0", sel=json.dumps(["event", "0.0"])))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock).to_contain_text("gemm")
    expect(page.get_by_role("main")).not_to_contain_text(re.compile("steps?"))
    expect(dock).not_to_contain_text(re.compile("steps?"))
    page.keyboard.press("c")
    expect(dock.get_by_role("heading", level=2)).to_have_text(re.compile("^Critical path of the whole trace: "))
