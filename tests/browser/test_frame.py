"""The frame of the app: the strip, the rail, the search, the ranks, languages and themes, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import stepscope
from browsing.pages import FOUR_RANKS, expect_parameter, settled
from building import annotation, kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from browsing.site import Served

    Browse = Callable[..., Page]
    ReportPage = Callable[..., Page]

STRAGGLER = "ddp4_straggler"
ONE_RANK = "batch_size.slow.pt.trace.json.gz"
LATE = "Rank 2 is a straggler"


def test_the_strip_by_keyboard(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("health", run=ONE_RANK))
    strip = page.get_by_role("slider", name="Steps")
    steps = stepscope.open(examples / ONE_RANK).show("steps")
    numbers = steps["step"].to_list()
    expect(strip).to_have_attribute("aria-valuemax", str(numbers[-1]))
    strip.focus()
    page.keyboard.press("Home")
    milliseconds = steps["duration_ns"][0] / 1e6
    expect(strip).to_have_attribute("aria-valuetext", re.compile(rf"^step {numbers[0]}: {milliseconds:.0f}"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("banner")).to_contain_text(f"step {numbers[0]}")
    expect_parameter(page, "step", str(numbers[0]))
    page.keyboard.press("Shift+BracketRight")
    page.wait_for_url(f"**step={numbers[1]}*")
    page.keyboard.press("Alt+Shift+BracketRight")
    expect_parameter(page, "step", f"{numbers[1]}:{numbers[2]}")
    page.keyboard.press("Shift+BracketRight")  # at the end already: it stays
    expect_parameter(page, "step", f"{numbers[1]}:{numbers[2]}")
    page.get_by_role("button", name="Select all steps").click()
    expect_parameter(page, "step", None)


def test_the_strip_by_mouse(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("health", run=ONE_RANK))
    strip = page.get_by_role("slider", name="Steps")
    numbers = stepscope.open(examples / ONE_RANK).show("steps")["step"].to_list()
    expect(strip).to_have_attribute("aria-valuemax", str(numbers[-1]))  # before its steps are there, none is hit
    box = strip.bounding_box()
    assert box
    wide, middle = 24, box["y"] + box["height"] / 2
    page.mouse.click(box["x"] + wide / 2, middle)
    expect_parameter(page, "step", str(numbers[0]))
    page.mouse.move(box["x"] + wide * 1.5, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + wide * 2.5, middle, steps=3)
    page.mouse.up()
    expect_parameter(page, "step", f"{numbers[1]}:{numbers[2]}")
    strip.dblclick(position={"x": wide / 2, "y": box["height"] / 2})
    expect_parameter(page, "step", None)


def test_3000_steps_have_room_in_the_strip(served: Served, page: Page, tmp_path: Path) -> None:
    work = [[step(i, i * 100, i * 100 + 100), operator("aten::mm", i * 100 + 10, i * 100 + 60)] for i in range(3000)]
    write(tmp_path / "long.json", *work)
    page.goto(served(tmp_path).at("health", run="long.json"))
    strip = page.get_by_role("slider", name="Steps")
    expect(strip).to_have_attribute("aria-valuemax", "2999")
    region = page.get_by_role("region", name="Steps", exact=True)
    expect(region).to_contain_text("3,000 steps")
    assert region.evaluate(OUTSIDE) == []
    strip.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"step=29\d\d%3A2999"))  # several steps are a bar


def test_ranks_are_chosen_and_limit_the_verdict(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=STRAGGLER))
    expect(page.get_by_role("heading", level=1)).to_contain_text(LATE)
    expect(page.get_by_role("button", name="rank 3")).to_be_visible()
    page.get_by_role("button", name="Ranks: All 4 ranks").click()
    page.get_by_label("Ranks", exact=True).get_by_role("textbox").fill("0-1")
    page.keyboard.press("Enter")
    expect_parameter(page, "rank", "0,1")
    expect(page.get_by_role("button", name="rank 1")).to_be_visible()
    expect(page.get_by_role("button", name="rank 3")).to_have_count(0)
    # Rank 2 is not among them, and still it is the one that they wait for.
    expect(page.get_by_role("heading", level=1)).to_contain_text(LATE)


def test_a_measure_that_nobody_has_is_told_and_replaced(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("health", run=STRAGGLER, heat="slowness"))
    expect(page.get_by_text("There is no measure 'slowness': straggler delay is shown.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Colour shows")).to_have_value("delay")


def test_ranks_against_steps(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("health", run=STRAGGLER))
    page.get_by_role("button", name="Ranks against steps").click()
    heat = page.get_by_role("slider", name="Time of each step on each rank")
    expect(heat).to_have_attribute("aria-valuemax", "11")  # its table is here
    heat.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    opened = stepscope.open(examples / STRAGGLER)
    late = opened.show("rank_matrix", rank=2)["lateness_ns"][1]
    expect(heat).to_have_attribute("aria-valuetext", f"rank 2, step 3: {late / 1e6:.0f} ms")  # the straggler's delay
    page.keyboard.press("ArrowUp")
    expect(heat).to_have_attribute("aria-valuetext", "rank 1, step 3: 0 ns")
    page.get_by_role("combobox", name="Colour shows").select_option("step time (GPU)")
    period = opened.show("steps", rank=1)["period_ns"][1]
    expect(heat).to_have_attribute("aria-valuetext", f"rank 1, step 3: {period / 1e6:.0f} ms")
    heat.focus()
    page.keyboard.press("Enter")
    expect_parameter(page, "rank", "1")
    expect_parameter(page, "step", "3")


def test_the_search_leads_to_pages_and_kernels(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=STRAGGLER))
    expect(page.get_by_role("slider", name="Steps")).to_be_visible()
    page.keyboard.press("Control+k")
    search = page.get_by_role("combobox", name="Search")
    expect(search).to_be_focused()
    search.fill("health")
    page.keyboard.press("Enter")
    page.wait_for_url("**/health?*")
    expect(search).to_have_count(0)
    page.keyboard.press("Control+k")
    search.fill("nccl allreduce")
    expect(page.get_by_role("option").first).to_contain_text("ncclDevKernel_AllReduce")
    page.keyboard.press("Enter")
    page.wait_for_url("**/kernels?*")
    expect(page.get_by_role("complementary", name="Details")).to_contain_text("ncclDevKernel_AllReduce")
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary", name="Details")).to_have_count(0)
    page.keyboard.press("Control+k")
    search.fill("steps 3-4")
    page.keyboard.press("Enter")
    expect_parameter(page, "step", "3:4")


def test_help_names_the_keys(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("health", run=ONE_RANK))
    expect(page.get_by_role("slider", name="Steps")).to_be_visible()
    page.keyboard.press("Shift+?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Move the selected steps")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_language_and_theme_change_without_reload(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=ONE_RANK))
    expect(page.get_by_role("link", name="Verdict")).to_be_visible()
    page.evaluate("window.same = true")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("link", name="诊断")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("[\u4e00-\u9fff]"))
    page.get_by_role("button", name="EN").click()
    for theme in ("light", "dark"):
        page.get_by_role("button", name="Theme").click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    assert page.evaluate("window.same") is True


def test_an_entry_without_data_says_what_records_it(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=STRAGGLER))
    rail = page.get_by_role("navigation", name="Pages")
    rail.get_by_role("button", name="No data").click()
    entry = rail.get_by_role("link", name="Memory")
    expect(entry).to_have_accessible_name(re.compile("no memory events.*profile_memory=True"))
    entry.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/memory?*")
    expect(page.get_by_role("main")).to_contain_text("profile_memory=True")


def test_the_tab_key_goes_to_the_content_first(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("health", run=ONE_RANK))
    expect(page.get_by_role("heading", name="Health")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_a_run_that_arrives_is_marked(served: Served, page: Page, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    page.goto(served(tmp_path / "runs").at("runs"))
    expect(page.get_by_role("main")).to_contain_text("No recordings were found")
    expect(page.get_by_role("main")).to_contain_text("tensorboard_trace_handler")
    write(tmp_path / "runs" / "first.pt.trace.json", step(1, 0, 1000), operator("aten::mm", 10, 500))
    row = page.get_by_role("row", name=re.compile("first"))
    expect(row).to_contain_text("new")
    row.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/verdict?run=first*")


def test_hostile_names_and_no_steps(served: Served, page: Page, tmp_path: Path) -> None:
    """Names are text wherever the frame shows them; a trace without steps says so."""
    evil = "<img src=x onerror=alert(1)>" + "k" * 4000
    events = launched(kernel(evil, 100, 900, 1), at=20)
    (tmp_path / "runs").mkdir()
    name = "<b>bold.pt.trace.json"
    write(tmp_path / "runs" / name, operator(evil, 0, 200), annotation("once", 0, 10), events)
    page.goto(served(tmp_path / "runs").at("verdict", run=name))
    expect(page.get_by_role("main")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.get_by_role("region", name="Steps")).to_contain_text("The whole trace")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("onerror")
    expect(page.get_by_role("option").first).to_contain_text("<img src=x onerror")
    assert page.locator("img").count() == 0


def test_a_selection_that_does_not_exist_is_one_message(
    served: Served, page: Page, examples: Path, allowed_errors: list[str]
) -> None:
    """Every table of the page used to refuse for itself."""
    allowed_errors.append("status of 400")
    page.goto(served(examples).at("verdict", run=STRAGGLER, rank="99"))
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("0-3")
    page.get_by_role("alert").get_by_role("button", name="All 4 ranks").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(LATE)


def test_a_report_says_what_its_selection_limits(report_page: ReportPage, examples: Path) -> None:
    page = report_page(examples / ONE_RANK)
    note = page.get_by_role("note").filter(has_text="A report holds")
    expect(page.get_by_role("slider", name="Steps")).to_be_visible()
    expect(note).to_have_count(0)
    page.get_by_role("slider", name="Steps").focus()
    page.keyboard.press("Enter")
    expect(note).to_be_visible()


def test_a_printed_page_is_a_document(served: Served, page: Page, examples: Path) -> None:
    # Text began at the edge of the paper, and lists of ranks and closed folds were printed, which only a click opens.
    page.goto(served(examples).at("verdict", run=STRAGGLER))
    page.get_by_role("heading", name="Where a step’s time goes").wait_for()
    fold = page.get_by_role("button", name="Steps as a table")
    ranks = page.get_by_role("button", name="All 4 ranks")
    assert fold.is_visible()
    assert ranks.is_visible()
    page.emulate_media(media="print")
    assert not fold.is_visible()
    assert not ranks.is_visible()
    assert not page.get_by_role("slider", name="Steps").is_visible()
    for heading in page.locator("main").get_by_role("heading").all():
        box = heading.bounding_box()
        assert box is not None
        assert box["x"] >= 16
    page.goto(served(examples).at("verdict", run=STRAGGLER, rank="1,2", open="rows"))
    page.get_by_role("grid", name="Steps").wait_for()
    assert page.get_by_role("banner").get_by_text("Ranks 1-2").last.is_visible()
    assert page.get_by_role("button", name="Steps as a table").is_visible()


def test_charts_are_printed(served: Served, page: Page, examples: Path) -> None:
    """The page has another width on paper, and charts were drawn anew with no height."""
    page.goto(served(examples).at("operators", run=STRAGGLER))
    settled(page)
    canvases = page.locator("main canvas")
    expect(canvases).to_have_count(2)
    page.emulate_media(media="print")
    page.wait_for_function("() => matchMedia('print').matches")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert all(box and box["height"] > 100 for box in (one.bounding_box() for one in canvases.all()))


def test_closed_folds_are_printed_without_the_heading_above_them(served: Served, page: Page, examples: Path) -> None:
    # The last sheet of Kernels held nothing but that heading.
    page.goto(served(examples).at("kernels", run=STRAGGLER))
    heading = page.get_by_role("heading", name="More about GPU work")
    expect(heading).to_be_visible()
    page.emulate_media(media="print")
    expect(heading).not_to_be_visible()
    page.goto(served(examples).at("kernels", run=STRAGGLER, open="memcpy"))
    expect(heading).to_be_visible()
    expect(page.get_by_role("button", name="Memcpy")).to_be_visible()


def test_t_goes_to_the_table_below_the_charts(served: Served, page: Page, examples: Path) -> None:
    # The key did nothing but on Flame graph.
    site = served(examples)
    for name in ("step_trace", "idle", "roofline"):
        page.goto(site.at(name, run=STRAGGLER))
        settled(page)
        grid = page.get_by_role("grid").first
        expect(grid).to_be_visible()
        page.keyboard.press("t")
        expect(grid).to_be_focused()
        expect(grid).to_be_in_viewport()
    filtered = page.get_by_role("searchbox").first
    filtered.press("t")
    expect(filtered).to_be_focused()
    expect(filtered).to_have_value("t")


def test_a_printed_report_names_its_run_once(report_page: ReportPage, examples: Path) -> None:
    page = report_page(examples / ONE_RANK)
    page.emulate_media(media="print")
    expect(page).to_have_title(re.compile(" · Verdict · "))  # without the run's name until that is read
    name = page.evaluate("document.title").split(" · ")[0]
    shown = page.get_by_role("banner").get_by_text(name, exact=True).locator("visible=true")
    expect(shown).to_have_count(1)


# What a canvas shows: the middle of all its inks' brightness, 0 to 255, and -1 without any ink.
BRIGHTNESS = """
  const brightness = (canvas) => {
    const { width, height } = canvas
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, width, height)
    const inks = []
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 128) inks.push(data[i] + data[i + 1] + data[i + 2])
    return inks.length > 0 ? inks.sort((a, b) => a - b)[inks.length >> 1] / 3 : -1
  }"""
PRINTING = "dispatchEvent(new Event('beforeprint'))"


def test_paper_is_light_at_once(served: Served, browse: Browse, examples: Path) -> None:
    # A dark timeline was printed as it stood on the screen, under light labels, and charts over time were left out.
    page = browse(dark=True)
    page.goto(served(examples).at("timeline", run=ONE_RANK))
    settled(page)
    tracks = page.locator(".plot canvas").first
    expect(tracks).to_be_visible()
    assert tracks.evaluate(f"(canvas) => {{ {BRIGHTNESS}; return brightness(canvas) }}") < 128
    assert tracks.evaluate(f"(canvas) => {{ {BRIGHTNESS}; {PRINTING}; return brightness(canvas) }}") > 128
    page.goto(served(examples).at("memory", run=ONE_RANK))
    page.locator("figure canvas").first.wait_for()
    # The chart draws in a microtask, of which a browser does all before it prints.
    printed = f"{BRIGHTNESS}; {PRINTING}; await null; return brightness(document.querySelector('figure canvas'))"
    assert page.evaluate(f"async () => {{ {printed} }}") > 0
    assert page.locator(":root").get_attribute("data-theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(":root").get_attribute("data-theme") == "dark"


def test_what_was_not_recorded_is_no_warning(served: Served, page: Page, examples: Path) -> None:
    # Options that were off stood with the checks that failed, under one red ring.
    page.goto(served(examples).at("verdict", run=STRAGGLER))
    said = page.locator("main").get_by_role("list", name="Health")
    line = said.get_by_role("link").filter(has_text="not recorded:")
    line.wait_for()
    checks = stepscope.open(examples / STRAGGLER).show("health")
    lacking = set(checks.filter(checks["value"] == "not recorded")["check"])
    failed = set(checks.filter(checks["status"] != "ok")["check"]) - lacking
    assert lacking
    more = re.search(r"(\d+) more warnings? in Health", said.inner_text())
    assert more
    assert said.get_by_role("listitem").count() - 2 + int(more[1]) == len(failed)
    assert "with_stack=True" in line.inner_text()


def test_what_is_chosen_shows_at_once_and_says_what_is_on_its_way(served: Served, page: Page, examples: Path) -> None:
    # A click on an operator of ten million events seemed to do nothing for seconds.
    page.goto(served(examples).at("operators", run=STRAGGLER))
    row = page.get_by_role("grid").get_by_role("rowheader", name="aten::mm", exact=True)
    row.wait_for()
    settled(page)
    held: list[Route] = []
    page.route("**/api/table?*by=*", lambda route: held.append(route))
    row.click()
    details = page.get_by_role("complementary", name="Details")
    details.get_by_role("heading", name="aten::mm").wait_for()
    details.get_by_text("Loading…").first.wait_for()
    assert details.get_by_text("Calls").first.is_visible()
    for one in held:
        one.continue_()
    page.unroute("**/api/table?*by=*")
    details.get_by_text("Loading…").first.wait_for(state="detached")


def test_an_address_without_a_run_lists_them(served: Served, page: Page, examples: Path) -> None:
    """It said Loading… for ever: nothing was being opened."""
    page.goto(served(examples).at("verdict"))
    page.get_by_role("heading", name="Runs", exact=True).wait_for()
    page.get_by_text(STRAGGLER).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(LATE)


OUTSIDE = """(bar) => {
  const own = bar.getBoundingClientRect()
  return [...bar.querySelectorAll('button, label, span')].filter((one) => {
    const { left, right, bottom, width } = one.getBoundingClientRect()
    const isIn = left >= own.left - 1 && right <= own.right + 1 && bottom <= own.bottom + 1
    return width > 0 && !one.closest('.unseen') && !isIn
  }).map((one) => one.textContent)
}"""


def test_what_is_chosen_and_marked_has_room_at_1280(served: Served, page: Page, examples: Path) -> None:
    """Chips of the toolbar and the last parts of the strip's legend were cut off."""
    marks = "0,100000000;100000000,200000000;200000000,300000000"
    page.goto(served(examples).at("timeline", run=FOUR_RANKS, step="2", m=marks))
    settled(page)
    toolbar = page.get_by_role("toolbar")
    expect(toolbar.get_by_role("button", name=re.compile("^Mark"))).to_have_count(3)
    assert toolbar.evaluate(OUTSIDE) == []
    strip = page.get_by_role("region", name="Steps", exact=True)
    expect(strip).to_contain_text("Python, other")
    assert strip.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_the_frame_is_no_wider_than_900_px(served: Served, browse: Browse, examples: Path, language: str) -> None:
    """With a filter the header was 962 px wide there: Help was out of reach, and the strip's legend lost entries."""
    page = browse(language=language, width=900)
    page.goto(served(examples).at("kernels", run=FOUR_RANKS, step="2:3", only="operator:aten::mm"))
    settled(page)
    strip = page.locator("section.strip")
    expect(strip.locator(".parts")).to_contain_text("host" if language == "en-US" else "主机")
    assert page.get_by_role("banner").evaluate(OUTSIDE) == []
    assert strip.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 900


def test_the_list_of_runs_has_room_at_900_px(served: Served, browse: Browse, examples: Path) -> None:
    """Its health stood outside the window."""
    page = browse(width=900)
    page.goto(served(examples).url)
    health = page.get_by_role("columnheader", name="Health")
    expect(health).to_be_visible()
    box = health.bounding_box()
    assert box
    assert box["x"] + box["width"] <= 900
    assert page.get_by_role("main").evaluate("(main) => main.scrollWidth - main.clientWidth") == 0
