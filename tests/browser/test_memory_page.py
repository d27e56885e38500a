"""The page of a memory snapshot: bands with a cursor, flame graph, map of segments, growth, out of memory, states."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import polars as pl
import pytest

import stepscope
from analyses.test_memory_snapshots import leaking
from browsing.pages import expect_parameter, faint, nameless, settled
from building.snapshots import MIB, START_US, MadeSnapshot, random_history, small_training
from stepscope.reporters.cells import bytes_text

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from browsing.site import Served

RUN = "snapshot.pickle"
# As the chip has it, not as a note in the middle of a sentence.
ONLY = re.compile("Only what was alive from")
HOSTILE = "</title><img src=x onerror=window.harmed=1>"


def ran_out() -> MadeSnapshot:
    """Weights and activations, then a request that does not fit though the device has room: a limit was set."""
    made = MadeSnapshot()
    segment = made.segment(64 * MIB)
    made.alloc(segment, 20 * MIB, "torch/nn/modules/module.py:1 __init__", "model.py:4 build")
    made.alloc(segment, 30 * MIB, "model.py:9 forward")
    made.free(made.alloc(segment, 6 * MIB, "model.py:9 forward"))
    made.oom(32 * MIB, 1000 * MIB, "model.py:12 forward")
    return made


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grown")
    leaking(8).write(folder / RUN)
    return folder


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    ran_out().write(folder / RUN)
    return folder


def chart(page: Page, name: str) -> Locator:
    return page.locator(f'[aria-roledescription="chart"][aria-label^="{name}"]')


def saved(page: Page, figure: Locator) -> ET.Element:
    """The picture as a file, which any program can read."""
    figure.get_by_role("button", name=": Copy").click()
    with page.expect_download() as download:
        figure.get_by_role("button", name="SVG").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "var(" not in text
    return ET.fromstring(text)


def test_the_cursor_of_the_bands_stands_in_the_address(served: Served, page: Page, grown: Path) -> None:
    profile = stepscope.open(grown / RUN)
    levels = profile.show("memory_timeline", by="point")
    peak = levels.filter("peak").row(0, named=True)
    page.goto(served(grown).at("memory", run=RUN))
    settled(page)
    bands = chart(page, "Memory of cuda:0 by what it is for")
    expect(page.get_by_role("heading", name="Alive at")).to_contain_text(bytes_text(peak["allocated_bytes"]))
    alive = page.get_by_role("grid")
    rows = profile.show("memory_alive").filter(pl.col("point") == peak["point"])
    expect(alive).to_have_attribute("aria-rowcount", f"{len(rows) + 1}")
    bands.focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"[?&]point=\d+"))
    point = int(re.search(r"[?&]point=(\d+)", page.url)[1])  # type: ignore[index]
    assert point < peak["point"]
    level = levels.filter(pl.col("point") == point)["allocated_bytes"].item()
    expect(page.get_by_role("heading", name="Alive at")).to_contain_text(bytes_text(level))
    page.reload()
    settled(page)
    expect(page.get_by_role("heading", name="Alive at")).to_contain_text(bytes_text(level))
    legend = page.get_by_role("table", name="Bytes by category")
    expect(legend.get_by_role("row", name="allocated")).to_contain_text(bytes_text(level))


def test_reserved_is_the_most_that_ever_was(served: Served, page: Page, tmp_path: Path) -> None:
    """Once it was what was reserved when most was allocated."""
    made = MadeSnapshot()
    first = made.segment(8 * MIB)
    made.free(made.alloc(first, 7 * MIB, "model.py:9 forward"))
    made.segment(16 * MIB)
    made.write(tmp_path / RUN)
    page.goto(served(tmp_path).at("memory", run=RUN))
    settled(page)
    expect(page.locator(".answer")).to_contain_text("holds 7.00 MiB at its peak, with 24.0 MiB reserved")


def test_dragging_zooms_and_escape_shows_all(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN))
    settled(page)
    bands = chart(page, "Memory of cuda:0 by what it is for")
    box = bands.bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 100, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"[?&]range=\d+"))
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    bands.focus()
    page.keyboard.press("Escape")
    expect_parameter(page, "range", None)


def test_a_part_of_the_chart_is_shown_by_the_other_views(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN))
    settled(page)
    bands = chart(page, "Memory of cuda:0 by what it is for")
    box = bands.bounding_box()
    assert box
    page.mouse.move(box["x"] + 150, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 100, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"[?&]range=\d+"))
    begin, end = map(int, re.search(r"[?&]range=(\d+)%2C(\d+)", page.url).groups())  # type: ignore[union-attr]
    part = stepscope.open(grown / RUN, between_ns=(begin, end))
    page.get_by_role("radio", name="Peak").check()
    settled(page)
    expect(page.get_by_text(ONLY)).to_be_visible()
    # What grows in the part may be else than what the sentence says.
    expect(page.get_by_text("The sentence and the figures above are of the whole history.")).to_be_visible()
    peak, whole = part.show("memory_peak"), stepscope.open(grown / RUN).show("memory_peak")
    assert peak["alive_bytes"].sum() < whole["alive_bytes"].sum()
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", f"{len(peak) + 1}")
    expect(page.get_by_role("main")).to_contain_text(bytes_text(peak["alive_bytes"].sum()).split()[0])
    page.get_by_role("radio", name="Events").check()
    settled(page)
    rows = len(part.show("memory_events"))
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", f"{rows + 1}")
    page.get_by_role("radio", name="Segments").check()
    expect(page.get_by_text("This view is of the whole history.")).to_be_visible()
    page.get_by_role("button", name="Show the whole history").click()
    expect_parameter(page, "range", None)
    page.go_back()
    expect(page.get_by_text(ONLY)).to_be_visible()


def test_back_undoes_the_part(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN))
    settled(page)
    box = chart(page, "Memory of cuda:0 by what it is for").bounding_box()
    assert box
    page.mouse.move(box["x"] + 150, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 100, steps=4)
    page.mouse.up()
    expect(page.get_by_text(ONLY)).to_be_visible()
    page.go_back()
    expect_parameter(page, "range", None)
    expect(page.get_by_text(ONLY)).to_have_count(0)


def test_back_undoes_the_moment(served: Served, page: Page, grown: Path) -> None:
    """Neither a moment that was clicked nor the place of the slider made an entry: Back left the page."""
    page.goto(served(grown).at("memory", run=RUN))
    settled(page)
    chart(page, "Memory of cuda:0 by what it is for").click(position={"x": 200, "y": 100})
    expect(page).to_have_url(re.compile("point="))
    page.go_back()
    expect_parameter(page, "point", None)
    page.goto(served(grown).at("memory", run=RUN, tab="segments"))
    settled(page)
    page.get_by_role("slider", name="At an earlier entry").press("Home")
    expect(page).to_have_url(re.compile("event="))
    page.go_back()
    expect_parameter(page, "event", None)
    expect(page.get_by_role("heading", name="Segments of cuda:0 at the end")).to_be_visible()


def test_a_snapshot_is_compared_with_another_of_the_folder(served: Served, page: Page, tmp_path: Path) -> None:
    for name, steps in (("before", 8), ("after", 12)):
        leaking(steps).write(tmp_path / f"{name}.pickle")
    small_training().write(tmp_path / "other.pickle")
    page.goto(served(tmp_path).at("memory", run="after.pickle", tab="compare", base="other.pickle"))
    settled(page)
    page.get_by_label("Compare with").select_option("before.pickle")
    expect_parameter(page, "base", "before.pickle")
    compared = stepscope.open(tmp_path / "after.pickle").with_base(stepscope.open(tmp_path / "before.pickle"))
    rows = len(compared.show("memory_diff"))
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", f"{rows + 1}")
    expect(page.get_by_role("main")).to_contain_text(compared.notes("memory_diff")[0])
    page.get_by_role("radio", name="category").check()
    rows = len(compared.show("memory_diff", by="category"))
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", f"{rows + 1}")
    assert [*nameless(page), *faint(page)] == []
    page.go_back()  # the grouping, then the other snapshot
    expect_parameter(page, "compare", None)
    expect_parameter(page, "base", "before.pickle")
    page.go_back()
    expect_parameter(page, "base", "other.pickle")


def test_what_is_alone_is_compared_with_nothing(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN, tab="compare"))
    settled(page)
    expect(page.get_by_role("radio", name="Over time")).to_be_checked()
    expect(page.get_by_role("radio", name="Compare")).to_have_count(0)


def test_a_report_says_what_it_cannot_show_in_part(report_page: Callable[..., Page], grown: Path) -> None:
    page = report_page(grown / RUN, page="memory", params={"range": "1000,90000", "tab": "peak"})
    settled(page)
    expect(page.get_by_role("main")).to_contain_text("cannot show memory_peak of a part of the time")
    page.get_by_role("radio", name="Events").check()
    settled(page)
    expect(page.get_by_role("grid")).to_be_visible()


def test_a_view_is_an_entry_of_the_history(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN))
    settled(page)
    page.get_by_role("radio", name="Segments").check()
    expect_parameter(page, "tab", "segments")
    page.go_back()
    expect_parameter(page, "tab", None)
    expect(page.get_by_role("radio", name="Over time")).to_be_checked()


def test_frames_of_the_peak_zoom_and_open_their_stack(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN, tab="peak"))
    settled(page)
    figure = page.locator("figure").filter(has_text="Memory of cuda:0 at its peak, by stack")
    flame = figure.get_by_role("tree", name="Memory of cuda:0 at its peak")
    flame.focus()
    page.keyboard.press("ArrowDown")
    peak = stepscope.open(grown / RUN).show("memory_peak", by="stack")
    said = flame.locator("+ p").inner_text()
    assert "MiB" in said
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    picture = saved(page, figure)
    shown = "".join(picture.itertext())
    assert bytes_text(peak["alive_bytes"].sum()) in shown


def test_the_map_holds_every_block_and_says_what_is_free(served: Served, page: Page, grown: Path) -> None:
    profile = stepscope.open(grown / RUN)
    page.goto(served(grown).at("memory", run=RUN, tab="segments"))
    settled(page)
    main = page.locator("main")
    pools = profile.show("memory_fragmentation").row(0, named=True)
    for column in ("reserved_bytes", "allocated_bytes", "hole_bytes", "whole_free_bytes"):
        expect(main).to_contain_text(bytes_text(pools[column]))
    blocks = profile.show("memory_blocks")
    free = blocks.filter(pl.col("state") == "inactive")["bytes"].max()
    assert isinstance(free, int)
    expect(main).to_contain_text(f"Largest free block: {bytes_text(free)}")
    segments = chart(page, "Segments of cuda:0 at the end")
    segments.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tip")).to_contain_text("stream 0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    figure = page.locator("figure").filter(has=segments)
    picture = saved(page, figure)
    rects = picture.findall("{http://www.w3.org/2000/svg}rect")
    # A block may go on in the next line, and those too narrow to be seen share a box: bytes are to scale all the same.
    boxes = [one for one in rects if one.get("fill") != "none"]
    scale = sum(float(one.get("width", 0)) for one in boxes) / blocks["bytes"].sum()
    largest = blocks.sort("bytes")["bytes"][-1]
    own = [one for one in boxes if "".join(one.itertext()).endswith(f" {bytes_text(largest)}")]
    count = len(blocks.filter(pl.col("bytes") == largest))
    assert sum(float(one.get("width", 0)) for one in own) == pytest.approx(count * largest * scale, rel=0.01)


def test_growth_shows_each_step(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN, tab="growth"))
    settled(page)
    main = page.locator("main")
    expect(main).to_contain_text("Grew in 6 of 6 steps; 16.0 MiB in 8 blocks alive at the end of step 7.")
    bars = main.get_by_role("img", name="Alive bytes of train.py:7 at the end of each step")
    steps = stepscope.open(grown / RUN).show("memory_leaks", by="step")
    for row in steps.to_dicts():
        expect(bars).to_have_accessible_name(re.compile(f"step {row['step']}: {bytes_text(row['then_bytes'])}"))
    expect(bars.locator("title").first).to_have_text(re.compile(r"\+2\.00 MiB"))


def test_growth_of_a_zoomed_history_says_what_its_last_bar_shows(served: Served, page: Page, grown: Path) -> None:
    """The zoom ends within a step, whose block is no growth of a step."""
    made = leaking(8)
    begins = [(one["time_us"] - START_US) * 1000 for one in made.annotations if one["stage"] == "START"]
    page.goto(served(grown).at("memory", run=RUN, tab="growth", range=f"{begins[0] + 1},{begins[6] + 4000}"))
    main = page.locator("main")
    said = "14.0 MiB in 7 blocks alive at the end of step 6, 16.0 MiB in 8 blocks at the end of the part shown."
    expect(main).to_contain_text(said)
    bars = main.get_by_role("img", name="Alive bytes of train.py:7 at the end of each step")
    expect(bars.locator("text").last).to_have_text("14.0 MiB")


def test_out_of_memory_is_the_first_view(served: Served, page: Page, full: Path) -> None:
    page.goto(served(full).at("memory", run=RUN))
    settled(page)
    main = page.locator("main")
    expect(main).to_contain_text("Out of memory: 32.0 MiB asked at model.py:12; a memory limit was set.")
    expect(page.get_by_role("radio", name="Out of memory")).to_be_checked()
    bar = main.locator("figure svg[role=img]")
    expect(bar).to_have_accessible_name(re.compile(r"32\.0 MiB asked"))
    expect(main).to_contain_text("The limit lies between 64.0 MiB and 96.0 MiB.")
    expect(main).to_contain_text("1000 MiB of the device were free.")
    expect(main.get_by_role("list").filter(has_text="Largest allocations")).to_contain_text("model.py:9")
    assert "32.0 MiB asked" in "".join(saved(page, main.locator("figure").first).itertext())


def test_without_a_history_there_are_segments_and_a_word_why(served: Served, page: Page, tmp_path: Path) -> None:
    made = MadeSnapshot()
    made.alloc(made.segment(8 * MIB), 3 * MIB, "model.py:9 forward")
    made.history.clear()
    made.write(tmp_path / RUN)
    page.goto(served(tmp_path).at("memory", run=RUN))
    settled(page)
    expect(page.get_by_role("note")).to_contain_text("has no event history")
    expect(page.get_by_text("cuda:0 held 3.00 MiB when the snapshot was taken")).to_contain_text(
        "Its peak is not known"
    )
    expect(page.get_by_text("allocated at the end", exact=True)).to_be_visible()
    expect(page.get_by_text("peak allocated")).to_have_count(0)
    expect(page.get_by_role("radio", name="Segments")).to_be_checked()
    expect(page.get_by_role("radio", name="Over time")).to_have_count(0)
    expect(chart(page, "Segments of cuda:0 at the end").locator("canvas")).to_be_visible()


def test_a_history_without_times_is_drawn_along_its_entries(served: Served, page: Page, tmp_path: Path) -> None:
    made = MadeSnapshot(timed=False)
    segment = made.segment(8 * MIB)
    made.free(made.alloc(segment, 3 * MIB, "model.py:9 forward"))
    made.alloc(segment, MIB, "model.py:12 forward")
    made.write(tmp_path / RUN)
    page.goto(served(tmp_path).at("memory", run=RUN))
    settled(page)
    expect(page.get_by_role("radio", name="Over time")).to_be_checked()
    expect(page.get_by_role("heading", name="Alive at entry")).to_contain_text("3.00 MiB")
    expect(page.get_by_role("note")).to_have_count(0)


def test_names_of_a_snapshot_stay_text(served: Served, page: Page, tmp_path: Path) -> None:
    made = MadeSnapshot()
    made.alloc(made.segment(8 * MIB), 3 * MIB, f"model.py:9 {HOSTILE}")
    made.write(tmp_path / RUN)
    page.goto(served(tmp_path).at("memory", run=RUN, tab="peak"))
    settled(page)
    picture = saved(page, page.locator("figure").first)
    assert HOSTILE in "".join(picture.itertext())
    assert page.evaluate("window.harmed") is None


@pytest.mark.parametrize("tab", ["oom", "time", "peak", "segments", "growth", "events"])
@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
def test_each_view_can_be_read_and_named(
    served: Served, browse: Callable[..., Page], full: Path, language: str, dark: bool, tab: str
) -> None:
    page = browse(language=language, dark=dark)
    page.goto(served(full).at("memory", run=RUN, tab=tab))
    settled(page)
    assert [*nameless(page), *faint(page)] == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_report_has_the_views(report_page: Callable[..., Page], grown: Path) -> None:
    page = report_page(grown / RUN, page="memory")
    settled(page)
    expect(chart(page, "Memory of cuda:0 by what it is for").locator("svg").first).to_be_visible()
    expect(page.get_by_role("heading", name="Alive at")).to_be_visible()
    for tab, name in (("Segments", "Segments of cuda:0 at the end"), ("Growth", "What grows")):
        page.get_by_role("radio", name=tab).check()
        expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_ranks_are_chosen_by_their_peaks(served: Served, page: Page, tmp_path: Path) -> None:
    for rank in range(3):
        leaking(8 if rank != 1 else 12).write(tmp_path / "run" / f"rank{rank}_snapshot.pickle")
    page.goto(served(tmp_path).at("memory", run="run"))
    settled(page)
    bars = page.get_by_role("group", name="Peak by rank").get_by_role("button")
    expect(bars).to_have_count(3)
    # The highest is chosen.
    expect(bars.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".answer")).to_contain_text("cuda:0 of rank 1")
    bars.nth(2).click()
    expect_parameter(page, "device", "2|cuda:0")
    expect(page.locator(".answer")).to_contain_text("cuda:0 of rank 2")


def test_the_strip_of_a_snapshot_shows_its_memory(served: Served, page: Page, full: Path) -> None:
    page.goto(served(full).at("verdict", run=RUN))
    settled(page)
    strip = page.get_by_role("region", name="Steps")
    expect(strip).to_contain_text("The whole recording")
    expect(strip).to_contain_text("allocated on cuda:0, at most 56.0 MiB")
    expect(strip).not_to_contain_text("waiting")
    expect(strip).not_to_contain_text("prof.step")


def test_the_verdict_of_a_snapshot_shows_what_the_peak_is_made_of(served: Served, page: Page, full: Path) -> None:
    page.goto(served(full).at("verdict", run=RUN))
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name="Alive at the peak of cuda:0")).to_be_visible()
    peak = stepscope.open(str(full / RUN)).show("memory_peak", by="category").sort("alive_bytes", descending=True)
    rows = main.locator("section").filter(has_text="Alive at the peak").get_by_role("listitem")
    expect(rows).to_contain_text(peak["category"].head(6).to_list())
    expect(rows.first).to_contain_text(f"{peak['alive_bytes'][0] / MIB:.1f} MiB")


def test_the_slider_shows_the_segments_behind_an_earlier_entry(served: Served, page: Page, grown: Path) -> None:
    page.goto(served(grown).at("memory", run=RUN, tab="segments"))
    settled(page)
    expect(page.get_by_role("heading", name="Segments of cuda:0 at the end")).to_be_visible()
    slider = page.get_by_role("slider", name="At an earlier entry")
    last = int(slider.get_attribute("max") or 0)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_parameter(page, "event", f"{last - 2}")
    settled(page)
    expect(page.get_by_role("heading", name=f"after entry {last - 2} of the history")).to_be_visible()
    levels = stepscope.open(grown / RUN).show("memory_timeline").filter(pl.col("event") <= last - 2)
    expect(page.get_by_text(f"{bytes_text(levels['allocated_bytes'][-1])} allocated")).to_be_visible()
    chart(page, "Segments of cuda:0 after entry").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Details")).to_be_visible()
    expect(page.get_by_role("complementary", name="Details")).not_to_contain_text("not there")
    assert [*nameless(page), *faint(page)] == []
    page.get_by_role("button", name="Show the end").click()
    expect_parameter(page, "event", None)
    slider.focus()
    page.keyboard.press("Home")
    expect_parameter(page, "event", slider.get_attribute("min"))
    page.keyboard.press("End")
    expect_parameter(page, "event", None)


@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
@pytest.mark.parametrize("view", ["compare", "segments", "peak"])
def test_views_of_a_part_can_be_read_and_named(
    served: Served, browse: Callable[..., Page], tmp_path: Path, language: str, dark: bool, view: str
) -> None:
    for name in ("snapshot", "other"):
        leaking(8).write(tmp_path / f"{name}.pickle")
    page = browse(language=language, dark=dark)
    page.goto(served(tmp_path).at("memory", run=RUN, tab=view, event="20", range="2000,40000"))
    settled(page)
    assert [*nameless(page), *faint(page)] == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_colours_that_tell_something_stay_where_the_system_chooses_colours(
    served: Served, page: Page, grown: Path
) -> None:
    """Bars and swatches were gone in a high contrast theme, and no view looked chosen."""
    page.goto(served(grown).at("memory", run=RUN, tab="peak"))
    settled(page)
    page.emulate_media(forced_colors="active")
    swatch = page.locator("main .swatch").first
    assert swatch.evaluate("one => getComputedStyle(one).backgroundColor") != "rgb(255, 255, 255)"
    chosen = page.locator("label").filter(has_text=re.compile("^Peak$"))
    other = page.locator("label").filter(has_text=re.compile("^Growth$"))
    colours = [one.evaluate("one => getComputedStyle(one).backgroundColor") for one in (chosen, other)]
    assert colours[0] != colours[1]


def test_a_narrow_window_scrolls_down_only(served: Served, browse: Callable[..., Page], grown: Path) -> None:
    """At 640 px, a window of 1280 px enlarged twice, the top row ran out of the window."""
    page = browse(width=640, height=400)
    for tab in ("time", "segments"):
        page.goto(served(grown).at("memory", run=RUN, tab=tab))
        settled(page)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), tab


def test_a_report_says_above_the_chart_what_of_several_ranks_it_lacks(
    report_page: Callable[..., Page], tmp_path: Path
) -> None:
    """The chart of a later rank had no categories, and nothing said why."""
    for rank in range(4):
        random_history(rank, 6000).write(tmp_path / "job" / f"rank{rank}_snapshot.pickle")
    page = report_page(tmp_path / "job", page="memory", params={"device": "3|cuda:0"})
    settled(page)
    expect(page.get_by_text("Not every category and point of cuda:0 of rank 3 is in this report")).to_be_visible()
    expect(page.get_by_text("What was alive on cuda:0 of rank 3 is not in this report at every point")).to_be_visible()
    expect(page.get_by_text("Nothing was allocated then.")).to_have_count(0)
