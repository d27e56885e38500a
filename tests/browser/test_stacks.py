"""The pages Flame graph and Instances: what is drawn, found, zoomed, and where it leads."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, WITH_STACKS, expect_parameter, settled
from building import kernel, launched, operator, step, write
from building.autograd import frame

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from browsing.site import Served, Site

RUN = "small.json"
TREE = re.compile("^Time by stack")


@pytest.fixture(scope="module")
def site(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Ten steps: each calls mm twice, from one function and from another; the last call of all takes long."""
    folder = tmp_path_factory.mktemp("stacks")
    events = [frame("train.py(1): main", 0, 1_000_000)]
    for number in range(10):
        at = number * 100_000
        last = 60_000 if number == 9 else 20_000
        events += [step(number + 1, at, at + 100_000), frame("model.py(5): forward", at + 1_000, at + 99_000)]
        events += [
            operator("aten::mm", at + 10_000, at + 20_000),
            operator("aten::mm", at + 30_000, at + 30_000 + last),
        ]
        events += launched(kernel("gemm", at + 12_000, at + 18_000, 2 * number + 1), at + 11_000)
        events += launched(kernel("gemm", at + 35_000, at + 45_000, 2 * number + 2), at + 31_000)
    write(folder / RUN, *events)
    return served(folder)


def graph(page: Page) -> Locator:
    found = page.get_by_role("tree", name=TREE)
    expect(found).to_be_visible()
    return found


def test_the_flame_graph_says_what_takes_time(site: Site, page: Page) -> None:
    page.goto(site.at("flame_graph", run=RUN))
    expect(page.get_by_text("aten::mm takes 100 % of GPU time by itself.")).to_be_visible()
    graph(page).focus()
    item = page.get_by_role("treeitem")
    expect(item).to_have_text("All frames, 160 us")
    for name, level in (("train.py(1): main", 2), ("model.py(5): forward", 3), ("aten::mm", 4)):
        page.keyboard.press("ArrowDown")
        expect(item).to_have_text(f"{name}, 160 us")
        expect(item).to_have_attribute("aria-level", str(level))
    page.get_by_role("radio", name="CPU time").check()
    expect(page).to_have_url(re.compile("weight=host"))
    expect(page.get_by_text("model.py(5): forward takes 64.0 % of CPU time by itself.")).to_be_visible()


def test_zoom_is_undone_by_back(site: Site, page: Page) -> None:
    page.goto(site.at("flame_graph", run=RUN))
    graph(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"zoom=\d"))
    expect(page.get_by_role("heading", name="aten::mm")).to_be_visible()
    page.go_back()
    expect(page).not_to_have_url(re.compile("zoom="))


@pytest.mark.parametrize(("area", "takes"), [({}, 60), ({"area": "0,20000"}, 10)])
def test_a_frame_leads_to_the_timeline(site: Site, page: Page, area: dict[str, str], takes: int) -> None:
    """From a frame no way led there. Of an area it is the longest in the area."""
    page.goto(site.at("flame_graph", run=RUN, weight="host", **area))
    graph(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="aten::mm")).to_be_visible()
    page.get_by_role("button", name="Show the longest on the timeline").click()
    expect(page).to_have_url(re.compile("timeline.*sel="))
    expect(page.get_by_role("complementary")).to_contain_text("aten::mm")
    expect(page.get_by_role("complementary")).to_contain_text(re.compile(rf"duration\s*{takes}\.0\sus"))
    page.go_back()
    expect(page).to_have_url(re.compile(r"flame_graph.*zoom=\d"))
    graph(page)
    # Back brought the zoom alone.
    expect(page.get_by_role("heading", name="aten::mm")).to_be_visible()


@pytest.mark.parametrize("down", [3, 50])
def test_details_of_a_frame_are_in_sight(served: Served, page: Page, tmp_path: Path, down: int) -> None:
    """They lay below the graph, their buttons below the window; and no row moves under the pointer."""
    calls = [frame(f"deep.py({n}): level{n}", 10 * n, 100_000 - 10 * n) for n in range(60)]
    write(tmp_path / RUN, *calls)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(served(tmp_path).at("flame_graph", run=RUN))
    tree = graph(page)
    tree.hover(position={"x": 300, "y": 22 * (down + 1) + 10})
    before = tree.bounding_box()
    tree.click(position={"x": 300, "y": 22 * (down + 1) + 10})
    expect(page.get_by_role("heading", name=f"deep.py({down}): level{down}", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Show the longest on the timeline")).to_be_in_viewport(ratio=1)
    after = tree.bounding_box()
    assert before
    assert after
    assert (before["x"], before["y"], before["width"]) == (after["x"], after["y"], after["width"])


def test_an_area_is_of_all_tracks_and_says_so(site: Site, page: Page) -> None:
    """An area of some tracks was shown with the stacks of all, without a word."""
    page.goto(site.at("flame_graph", run=RUN, area="0,20000"))
    expect(page.get_by_role("link", name=re.compile("^Area: 20.0 us from .*, all tracks$"))).to_be_visible()


def test_a_search_adds_up_what_it_lights_up(site: Site, page: Page) -> None:
    page.goto(site.at("flame_graph", run=RUN, weight="host"))
    graph(page)
    page.get_by_role("searchbox", name="Find frames").fill("MM")
    expect(page.get_by_text("34.0 % of the time in 1 frame")).to_be_visible()
    page.get_by_role("searchbox", name="Find frames").fill("nothing")
    expect(page.get_by_text("No frame has this name.")).to_be_visible()
    page.get_by_role("button", name="model.py(5): forward").click()
    expect(page.get_by_role("searchbox", name="Find frames")).to_have_value("model.py(5): forward")
    expect(page.get_by_text("98.0 % of the time in 1 frame")).to_be_visible()


def test_the_same_as_a_table(site: Site, page: Page) -> None:
    page.goto(site.at("flame_graph", run=RUN))
    graph(page)
    page.keyboard.press("t")
    table = page.get_by_role("treegrid", name="Time by stack")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table.get_by_role("row").nth(3)).to_have_attribute("aria-level", "3")
    page.keyboard.press("t")
    graph(page)


def test_the_table_shows_what_is_zoomed_to(site: Site, page: Page) -> None:
    """It showed all frames; and its frames were folded by row."""
    page.goto(site.at("flame_graph", run=RUN, zoom="1"))
    graph(page)
    page.keyboard.press("t")
    rows = page.get_by_role("treegrid", name="Time by stack").get_by_role("row")
    expect(rows).to_have_count(3)  # with the heading
    expect(rows.nth(1)).to_contain_text("model.py(5): forward")
    page.get_by_role("button", name="All frames").click()
    expect(rows).to_have_count(4)
    page.go_back()
    expect(rows).to_have_count(3)
    page.go_back()
    graph(page)


def test_names_that_are_lit_up_are_entries_of_the_history(site: Site, page: Page) -> None:
    """Back left the page."""
    page.goto(site.at("flame_graph", run=RUN))
    page.get_by_role("button", name="model.py(5): forward").click()
    expect_parameter(page, "find", "model.py%285%29%3A+forward")
    page.go_back()
    expect_parameter(page, "find", None)
    graph(page)


def test_a_run_without_stacks_shows_operators_and_says_so(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("flame_graph", run=FOUR_RANKS))
    graph(page)
    expect(page.get_by_text("Python stacks were not recorded (with_stack=True)")).to_be_visible()


def test_an_event_leads_to_its_stacks_and_instances(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN))
    expect(page.get_by_role("application", name="Timeline")).to_be_visible()
    settled(page)
    page.keyboard.press("l")
    expect(page.get_by_role("status").filter(has_text="Choose")).to_be_visible()
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search for events").fill("aten::mm")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name=re.compile("^aten::mm")).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary")).to_contain_text("aten::mm")
    page.get_by_role("searchbox", name="Search for events").press("Escape")
    page.keyboard.press("l")
    expect(page).to_have_url(re.compile(r"flame_graph.*area=\d"))
    expect(page.get_by_role("link", name=re.compile("^Area:"))).to_be_visible()
    graph(page)
    page.get_by_role("button", name="Show the whole run").click()
    expect(page).not_to_have_url(re.compile("area="))
    page.go_back()
    page.go_back()
    expect(page.get_by_role("complementary")).to_contain_text("aten::mm")
    # The cursor is on it, too: what is read aloud says so.
    expect(page.get_by_role("status").filter(has_text=re.compile("^aten::mm"))).to_have_count(1)
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("instances.*name=aten%3A%3Amm"))


def test_instances_say_which_take_long(site: Site, page: Page) -> None:
    page.goto(site.at("instances", run=RUN, name="aten::mm"))
    said = "aten::mm: 20 instances, median 15.0 us, longest 60.0 us. 1 outlier, in step 10."
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_role("group", name=re.compile("^Durations"))).to_be_visible()
    expect(page.get_by_role("group", name=re.compile("^Over time"))).to_be_visible()
    rows = page.get_by_role("grid", name="Instances").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("yes")
    steps = page.get_by_role("grid", name="By step")
    expect(steps).to_have_attribute("aria-rowcount", "11")


def test_an_instance_opens_on_the_timeline(site: Site, page: Page) -> None:
    page.goto(site.at("instances", run=RUN, name="aten::mm"))
    page.get_by_role("grid", name="Instances").get_by_role("row").nth(1).click()
    page.get_by_role("button", name="Show on timeline").click()
    expect(page.get_by_role("application", name="Timeline")).to_be_visible()
    expect(page.get_by_role("complementary")).to_contain_text("60.0 us")
    expect(page.get_by_role("complementary").get_by_role("link", name="Instances")).to_be_visible()


def test_few_instances_have_no_histogram(site: Site, page: Page) -> None:
    page.goto(site.at("instances", run=RUN, name="train.py(1): main"))
    expect(page.get_by_role("group", name=re.compile("^Over time"))).to_be_visible()
    expect(page.get_by_role("group", name=re.compile("^Durations"))).to_have_count(0)


def test_another_name_is_chosen_from_the_table(site: Site, page: Page) -> None:
    page.goto(site.at("instances", run=RUN))
    expect(page.get_by_text("gemm: 20 instances")).to_be_visible()
    page.get_by_role("grid", name="All names").get_by_role("row").filter(has_text="cudaLaunchKernel").click()
    expect(page.get_by_text("cudaLaunchKernel: 20 instances")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("gemm: 20 instances")).to_be_visible()


def test_a_report_holds_both_pages(report_page: Callable[..., Page], examples: Path) -> None:
    page = report_page(examples / WITH_STACKS, page="flame_graph")
    graph(page).focus()
    expect(page.get_by_role("treeitem")).to_contain_text("All frames")
    page.get_by_role("link", name="Instances", exact=True).first.click()
    expect(page.get_by_role("grid", name="Instances")).to_be_visible()
    expect(page.get_by_text(re.compile("instances, median"))).to_be_visible()
