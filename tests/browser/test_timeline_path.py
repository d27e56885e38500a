"""The critical path on the timeline: lit up, said, in the address, in a report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from browsing.pages import COLOUR_AT, FOUR_RANKS, PIXELS, on_stream, settled
from building import kernel, launched, operator, step, write
from made_ranks import MS, Compute, Layout, MadeRanks, data_parallel
from ranks_working import Extra

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from browsing.site import Served, Site

RUN = "path.json"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A step of 100 us: an operator launches a kernel that the step waits for; another one runs beside it, short."""
    path = tmp_path_factory.mktemp("path") / RUN
    beside = kernel("beside", 60_000, 65_000, 2, stream=20)
    write(
        path,
        step(1, 0, 100_000),
        operator("aten::mm", 10_000, 40_000),
        launched(kernel("gemm", 45_000, 120_000, 1), 30_000),
        launched(beside, 35_000),
    )
    return path


@pytest.fixture
def site(served: Served, trace: Path) -> Site:
    return served(trace.parent)


def answer(page: Page, site: Site) -> Any:
    asked = urlencode({"run": RUN, "t0": 0, "t1": 120_000, "px": 1000})
    return page.request.get(f"{site.url}api/timeline/path?{asked}").json()


def test_c_lights_the_path_up_and_back_takes_it_away(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN))
    button = page.get_by_role("button", name="Critical path")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("c")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("path=1"))
    told = answer(page, site)
    most = max(told["parts"], key=lambda part: part["duration_ns"])
    share = f"{most['share_pct']:.1f} %"
    said = re.compile(rf"Critical path of step 1: 120 us, {share} GPU compute\.".replace(" ", r"\s"))
    expect(page.locator("[data-path]")).to_have_text(said)
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_have_text(said)
    expect(dock.get_by_role("link", name="What if").first).to_have_attribute("href", re.compile("what_if"))
    page.go_back()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(dock).to_have_count(0)


def test_what_is_off_the_path_fades_and_what_is_on_it_does_not(site: Site, page: Page) -> None:
    def colour(stream: int, moment: int) -> list[int]:
        found: list[int] = page.evaluate(COLOUR_AT, _at(page, stream, moment))
        return found

    page.goto(site.at("timeline", run=RUN, t="-1200,121200"))
    expect(page.get_by_text("stream 20", exact=True)).to_be_visible()
    page.wait_for_function(f"(at) => ({COLOUR_AT})(at)[2] - ({COLOUR_AT})(at)[0] > 60", arg=_at(page, 7, 100_000))
    lit, beside = colour(7, 100_000), colour(20, 62_500)
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    page.wait_for_function(f"([at, was]) => ({COLOUR_AT})(at)[0] > was + 40", arg=[_at(page, 20, 62_500), beside[0]])
    assert colour(7, 100_000) == lit


DARK = f"() => ({PIXELS})((...colour) => Math.max(...colour) < 80) / document.querySelector('.plot canvas').width"
"""How many pixels of the plot are nearly black, for each column."""


def test_a_path_that_changes_its_row_in_every_pixel_is_no_black_band(
    served: Served, page: Page, tmp_path: Path
) -> None:
    calls = [operator("aten::linear", at, at + 5500) for at in range(0, 990_000, 6000)]
    inner = [operator("aten::addmm", at + 500, at + 4500) for at in range(0, 990_000, 6000)]
    deep = [operator("aten::empty", at + 2000, at + 4000) for at in range(0, 990_000, 6000)]
    write(tmp_path / RUN, step(1, 0, 1_000_000), *calls, *inner, *deep)
    page.goto(served(tmp_path).at("timeline", run=RUN, path="1"))
    settled(page)
    # The line along a row and what is written, 18 px a row: of a change in each column 36 px were black.
    page.wait_for_function(f"() => ({DARK})() > 1")
    assert page.evaluate(DARK) < 8


def _at(page: Page, stream: int, moment: int) -> list[float]:
    return on_stream(page, stream, (moment + 1200) / 122_400)


def test_the_tip_and_the_dock_say_what_a_piece_is(site: Site, page: Page) -> None:
    tracks = page.request.get(f"{site.url}api/timeline/tracks?run={RUN}").json()["tracks"]
    stream = next(track for track in tracks if track["kind"] == "stream" and track["stream"] == 7)
    event = f"{stream['first_lane']}.0"
    page.goto(site.at("timeline", run=RUN, path="1", at=event, sel=json.dumps(["event", event])))
    dock = page.get_by_role("complementary", name="Details")
    expect(
        dock.get_by_text(re.compile(r"On the critical path, GPU compute: 75.0\sus of 120\sus \(62.5\s%\)"))
    ).to_be_visible()
    expect(dock.get_by_text(re.compile("It began when its launch had reached the GPU"))).to_be_visible()
    expect(dock.get_by_text(re.compile("Try “gemm · x0.5” in What if"))).to_be_visible()
    spoken = page.locator(".desk [role=status][aria-live]")
    expect(spoken).to_contain_text("on the critical path")


def test_a_report_holds_the_path_of_a_typical_step(report_page: Callable[..., Page], trace: Path) -> None:
    page = report_page(trace, page="timeline", params={"path": "1", "sel": '["path",""]'})
    expect(page.locator("[data-path]")).to_contain_text("Critical path of step 1: 120 us")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_text("kernel:gemm x0.5").first).to_be_visible()
    expect(dock.get_by_role("link", name="What if")).to_have_count(0)


def test_the_path_in_chinese_and_dark(site: Site, browse: Callable[..., Page]) -> None:
    page = browse(language="zh-CN", dark=True)
    page.goto(site.at("timeline", run=RUN, path="1"))
    expect(page.locator("[data-path]")).to_contain_text("第 1 次迭代的关键路径：120 us")


def test_of_too_many_steps_the_dock_says_once_what_to_do(served: Served, page: Page, tmp_path: Path) -> None:
    steps = range(21)
    write(
        tmp_path / RUN,
        *(step(at, at * 100_000, (at + 1) * 100_000) for at in steps),
        *(operator("aten::mm", at * 100_000 + 1000, at * 100_000 + 90_000) for at in steps),
    )
    page.goto(served(tmp_path).at("timeline", run=RUN))
    settled(page)
    page.keyboard.press("c")
    expect(page.locator("aside")).to_contain_text("Select up to 20 steps")
    expect(page.locator("aside").get_by_text("Select up to 20 steps")).to_have_count(1)


def test_what_is_switched_on_shows_where_the_system_chooses_colours(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN))
    settled(page)
    page.keyboard.press("c")
    expect(page.locator("aside tbody tr").first).to_be_visible()
    page.emulate_media(forced_colors="active")
    names = ("Critical path", "Recommendations")
    buttons = [page.get_by_role("button", name=name) for name in names]
    on, off = (one.evaluate("one => getComputedStyle(one).backgroundColor") for one in buttons)
    assert on != off
    shares = page.locator("aside td .coloured > span").first
    assert shares.evaluate("one => getComputedStyle(one).backgroundColor") != "rgb(255, 255, 255)"


def test_no_row_of_the_dock_is_torn_between_its_columns(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN))
    settled(page)
    page.keyboard.press("c")
    expect(page.locator("aside tbody tr").first).to_be_visible()
    torn = "rows => rows.filter(row => row.getClientRects().length > 1).map(row => row.innerText)"
    assert page.locator("aside tr").evaluate_all(torn) == []


def test_a_path_out_of_sight_says_where_it_is(served: Served, page: Page, examples: Path) -> None:
    """Begin of a step: all of the path is on rank 2, below the window. C faded everything and lit nothing."""
    page.goto(served(examples).at("timeline", run=FOUR_RANKS, t="340000000,400000000"))
    settled(page)
    page.keyboard.press("c")
    said = page.get_by_role("status").filter(has_text="The critical path is out of sight: most of it is on rank 2.")
    expect(said).to_be_visible()
    before = page.url
    said.get_by_role("button", name="Go there").click()
    expect(said).to_have_count(0)
    assert page.url == before  # the same piece of time, other tracks


def test_a_path_in_another_piece_of_time_is_gone_to(served: Served, page: Page, examples: Path) -> None:
    """The GPU comes to the first step's work 320 ms after the recording began: before, nothing of the path runs."""
    page.goto(served(examples).at("timeline", run=FOUR_RANKS, t="0,100000000"))
    settled(page)
    page.keyboard.press("c")
    said = page.get_by_role("status").filter(has_text="The critical path is out of sight.")
    said.get_by_role("button", name="Go there").click()
    expect(said).to_have_count(0)
    expect(page.get_by_role("toolbar")).to_contain_text(re.compile(r"3\d\d(\.\d+)? ms \("))


def test_the_path_of_eight_ranks_goes_through_the_late_one(served: Served, page: Page, tmp_path: Path) -> None:
    extra = Extra(5, Compute(5 * MS, range="extra_work"))
    MadeRanks(data_parallel(Layout(dp=8)), world=8, extras=(extra,)).write(tmp_path / "job")
    page.goto(served(tmp_path).at("timeline", run="job"))
    settled(page)
    page.keyboard.press("c")
    said = page.locator("[data-path]")
    expect(said).to_have_text(re.compile("Critical path of steps 0 to 2 over the ranks: .* GPU compute"))
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("row").filter(has_text="communication")).to_be_visible()
    end = page.request.get(f"{served(tmp_path).url}api/timeline/tracks?run=job").json()["end"]
    asked = urlencode({"run": "job", "t0": 0, "t1": end, "px": 1000})
    told = page.request.get(f"{served(tmp_path).url}api/timeline/path?{asked}").json()
    assert sum(part["duration_ns"] for part in told["parts"]) == told["total_ns"]


def test_paper_has_the_overlays_that_are_on(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN, path="1", t="-1200,121200"))
    expect(page.locator("[data-path]")).to_contain_text("Critical path")
    picture = "[...document.querySelectorAll('.plot canvas')].map((one) => one.toDataURL()).join()"
    printed = f"(() => {{ dispatchEvent(new Event('beforeprint')); return {picture} }})()"
    page.wait_for_function(f"() => window.last === (window.last = {picture})", polling=300)
    assert page.evaluate(printed) == page.evaluate("window.last")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
