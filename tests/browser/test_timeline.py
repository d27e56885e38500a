"""The timeline in a browser: what keys and gestures select is what the server answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

import pytest

from browsing.pages import drawn
from building import annotation, call, kernel, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served, Site

RUN = "batch_size.slow.pt.trace.json.gz"


def asked(page: Page, site: Site, path: str, **parameters: Any) -> Any:
    """An answer of the server."""
    return page.request.get(f"{site.url}api/timeline/{path}?{urlencode({'run': RUN, **parameters})}").json()


def parameter(page: Page, name: str) -> str | None:
    address: str = page.evaluate("location.href")  # `page.url` hears of it later
    found = parse_qs(address.partition("?")[2]).get(name)
    return found[0] if found else None


def span(page: Page) -> float:
    start, _, end = (parameter(page, "t") or "0,inf").partition(",")
    return float(end) - float(start)


@pytest.fixture
def timeline(served: Served, page: Page, examples: Path) -> Site:
    site = served(examples)
    page.goto(site.at("timeline", run=RUN))
    drawn(page)
    return site


def test_every_event_has_a_track_and_the_page_says_how_many(timeline: Site, page: Page) -> None:
    tracks = asked(page, timeline, "tracks")
    assert tracks["left_out"] == 0
    expect(page.get_by_text(f"{tracks['events']:,} events on {len(tracks['tracks'])} tracks")).to_be_visible()
    titles = [track["title"]["text"]["en"] for track in tracks["tracks"] if track["kind"] == "stream"]
    assert titles
    for title in titles:
        expect(page.get_by_text(title, exact=True)).to_be_visible()


def test_keys_zoom_and_the_address_keeps_what_is_seen(timeline: Site, page: Page) -> None:
    page.mouse.move(800, 400)
    page.keyboard.press("w", delay=300)
    page.wait_for_function("() => location.hash.includes('t=')")
    near = span(page)
    page.keyboard.press("w", delay=300)
    page.wait_for_function(
        "(near) => { const [a, b] = decodeURIComponent(location.hash).match(/t=(\\d+),(\\d+)/).slice(1).map(Number);"
        " return b - a < near }",
        arg=near,
    )
    kept = parameter(page, "t")
    page.reload()
    drawn(page, 100)
    assert parameter(page, "t") == kept
    page.keyboard.press("0")
    page.wait_for_function("() => !location.hash.includes('t=')")


def test_the_event_chosen_by_keyboard_is_the_one_the_server_tells(timeline: Site, page: Page) -> None:
    page.keyboard.press(".")
    page.wait_for_function("() => location.hash.includes('at=')")
    tracks = asked(page, timeline, "tracks")["tracks"]
    lane = next(one["first_lane"] for one in tracks if one["kind"] == "operators") + 1
    page.goto(timeline.at("timeline", run=RUN, at=f"{lane}.10"))
    spoken = page.locator(".desk [role=status][aria-live]")
    expect(spoken).to_contain_text(asked(page, timeline, "event", lane=lane, row=10)["name"])
    page.keyboard.press(".")
    expect(page).to_have_url(re.compile(rf"at={lane}\.11\b"))
    event = asked(page, timeline, "event", lane=lane, row=11)
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(event["name"])
    expect(spoken).to_contain_text(event["name"])
    page.keyboard.press("Escape")
    expect(dock).to_be_hidden()


def test_a_kernel_leads_to_its_launch_and_back(timeline: Site, page: Page) -> None:
    tracks = asked(page, timeline, "tracks")["tracks"]
    stream = max((one for one in tracks if one["kind"] == "stream"), key=lambda one: one["busy_ns"])
    lane, row = stream["first_lane"], stream["events"] // 2
    flow = asked(page, timeline, "flows", lane=lane, row=row)["flows"][0]
    with page.expect_response(re.compile(f"/flows[?].*lane={lane}&row={row}$")) as arrows:
        page.goto(timeline.at("timeline", run=RUN, at=f"{lane}.{row}"))
    arrows.value.finished()
    expect(page.locator(".desk [role=status][aria-live]")).to_contain_text(flow["to"]["name"])
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")  # they are drawn
    page.keyboard.press("[")
    launch = flow["from"]
    expect(page).to_have_url(re.compile(rf"at={launch['lane']}\.{launch['row']}\b"))
    expect(page.locator(".desk [role=status][aria-live]")).to_contain_text(launch["name"])


def test_a_dragged_area_shows_the_server_s_partition(timeline: Site, page: Page) -> None:
    ruler = page.locator(".ruler canvas").bounding_box()
    assert ruler
    page.mouse.move(ruler["x"] + 200, ruler["y"] + 8)
    page.mouse.down()
    page.mouse.move(ruler["x"] + 500, ruler["y"] + 8, steps=4)
    page.mouse.up()
    page.wait_for_function("() => location.hash.includes('area')")
    start, end = json.loads(parameter(page, "sel") or "[]")[1].split(".")
    facts = asked(page, timeline, "area", t0=start, t1=end)
    (rank,) = facts["ranks"]
    parts = ("compute_ns", "exposed_communication_ns", "exposed_memory_ns", "idle_ns")
    assert sum(rank[part] for part in parts) == int(end) - int(start)
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_text(f"{facts['events']:,} events")).to_be_visible()
    shown = [item.get_attribute("title") for item in dock.locator("dd[title]").all()]
    digits = [int(re.sub(r"\D", "", re.sub(r".*\(|\)", "", text or ""))) for text in shown]
    assert digits[:4] == [rank[part] for part in parts]


def test_search_counts_as_the_server_does_and_walks(timeline: Site, page: Page) -> None:
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for events by name").fill("aten::mm")
    found = asked(page, timeline, "search", q="aten::mm", limit=200)
    expect(page.get_by_role("status").get_by_text(re.compile(rf"^{found['total']} names?$"))).to_be_visible()
    best = found["names"][0]
    page.get_by_role("button", name=re.compile(re.escape(best["name"]))).first.click()
    first = best["first"]
    expect(page).to_have_url(re.compile(rf"at={first['lane']}\.{first['row']}\b"))
    following = asked(page, timeline, "next", code=best["code"], lane=first["lane"], row=first["row"], direction=1)
    page.keyboard.press("n")
    place = following["place"]
    expect(page).to_have_url(re.compile(rf"at={place['lane']}\.{place['row']}\b"))


def test_tracks_fold_pin_hide_and_filter(timeline: Site, page: Page) -> None:
    fold = page.get_by_role("button", name="Rows of main thread", exact=True)
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(fold).to_have_attribute("aria-expanded", "false")
    page.get_by_text("stream 7", exact=True).first.hover()
    page.get_by_role("button", name="Pin to the top: stream 7").click()
    expect(page.get_by_role("button", name="Unpin: stream 7")).to_be_visible()
    page.get_by_role("searchbox", name="Filter tracks").fill("no such track")
    expect(page.get_by_text("main thread", exact=True)).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="Unpin: stream 7")).to_be_visible()


def test_chinese_and_dark_show_the_same_events(browse: Callable[..., Page], served: Served, examples: Path) -> None:
    page = browse(language="zh-CN", dark=True, width=2560, height=1440)
    page.goto(served(examples).at("timeline", run=RUN))
    drawn(page)
    expect(page.get_by_text("主线程", exact=True).first).to_be_visible()
    expect(page.get_by_text("所有有开始时刻和时长的事件")).to_be_visible()


def test_names_that_are_html_are_shown_as_text(served: Served, page: Page, tmp_path: Path) -> None:
    name = "<img src=x onerror=document.title='taken'>"
    host = [step(1, 0, 9000), annotation(name, 100, 8000), operator(name, 200, 4000), call(300, 400, 7)]
    write(tmp_path / "hostile.json", host, kernel(name, 500, 3000, correlation=7))
    page.goto(served(tmp_path).at("timeline", run="hostile.json", at="0.0"))
    page.wait_for_selector(".plot canvas")
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for events by name").fill("<img")
    page.get_by_role("button", name=re.compile("onerror")).first.click()
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(name)
    assert page.title() != "taken"


def test_titles_of_tracks_are_drawn_as_wide_as_wanted(served: Served, page: Page, tmp_path: Path) -> None:
    """Seen at 1,280 pixels: `127 packed streams: commun…`. The time has the room; a double click fits the titles."""
    little = [kernel("ncclAllReduce", 10 * stream, 10 * stream + 9, stream=stream) for stream in range(20, 147)]
    write(tmp_path / "trace.json", step(0, 0, 200_000), kernel("gemm", 2000, 190_000), *little)
    page.goto(served(tmp_path).at("timeline", run="trace.json"))
    title = page.locator(".label .title", has_text="streams: communication")
    title.wait_for()
    edge = page.get_by_role("separator", name="Width of the titles")
    expect(edge).to_have_attribute("aria-valuenow", "168")
    expect(page.get_by_title(re.compile("^127 streams: communication"))).to_be_visible()
    edge.dblclick()
    assert title.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    edge.press("ArrowLeft")
    expect(edge).not_to_have_attribute("aria-valuenow", "168")
    box = edge.bounding_box()
    assert box
    page.mouse.move(box["x"] + 3, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(10, box["y"] + 20, steps=4)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "96")


def test_a_report_answers_its_timeline_from_itself(report_page: Callable[..., Page], examples: Path) -> None:
    page = report_page(examples / RUN, page="timeline")
    drawn(page)
    page.keyboard.press(".")
    name = page.get_by_role("complementary", name="Details").get_by_role("heading", level=2).first
    expect(name).to_have_text(re.compile(r"\w{3}"))
    expect(page.locator(".desk [role=status][aria-live]")).to_contain_text(name.inner_text())
