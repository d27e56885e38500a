"""The simulated step on the timeline: turned on and off, reached from a card and from What if, in a report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode

import pytest

from browsing.pages import WITH_STACKS
from building import kernel, launched, operator, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served, Site

RECORDINGS = Path(__file__).parents[1] / "recordings"
RUN = "loader_in_the_main_process.json.gz"
CHANGES = json.dumps(["fix:data-loading"])


@pytest.fixture
def site(served: Served) -> Site:
    return served(RECORDINGS)


def answer(page: Page, site: Site) -> Any:
    """The step as the server has it."""
    asked = {"run": RUN, "t0": "0", "t1": "1000", "px": "100", "changes": CHANGES}
    return page.request.get(f"{site.url}api/timeline/simulated", params=asked).json()


def ms(ns: int) -> str:
    return f"{ns / 1e6:.3g} ms"


def test_g_shows_the_step_of_the_first_recommendation_and_back_takes_it_away(site: Site, page: Page) -> None:
    page.goto(site.at("timeline", run=RUN))
    button = page.get_by_role("button", name="Simulated step")
    expect(button).to_be_visible()
    page.keyboard.press("g")
    told = answer(page, site)
    said = page.locator("[data-simulated-said]")
    expect(said).to_contain_text(f"Step {told['step']}: {ms(told['recorded_ns'])} recorded")
    expect(said).to_contain_text(f"~{ms(told['after_ns'])} with the fix")
    lane = page.locator("[data-simulated]")
    expect(lane).to_contain_text(f"{ms(told['saving_ns'])} less than without the fix · bottleneck then: host-bound")
    dock = page.get_by_role("complementary", name="Details")
    expect(dock.get_by_role("heading", level=2)).to_contain_text("recorded")
    expect(dock.get_by_role("row").filter(has_text="main thread")).to_contain_text(
        ms(told["tracks"][0]["simulated_ns"])
    )
    # It named neither the recording nor that these are changes.
    command = dock.get_by_role("button", name="Copy as command").get_attribute("title") or ""
    assert command.startswith("stepscope what-if ")
    assert command.endswith(f"{RUN} --change fix:data-loading")
    page.keyboard.press("g")
    expect(lane).to_have_count(0)
    page.go_back()
    # On other pages the dock told of it for ever that it was on its way.
    expect(dock).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Operators").click()
    expect(page.get_by_role("heading", name="Operators", level=1)).to_be_visible()
    expect(dock).to_have_count(0)
    page.go_back()
    expect(lane).to_be_visible()
    page.go_back()
    expect(lane).to_have_count(0)
    expect(button).to_be_visible()


def test_a_change_bears_the_name_of_its_recommendation(site: Site, page: Page) -> None:
    """It was "fix:data-loading"."""
    page.goto(site.at("timeline", run=RUN, sim=CHANGES, sel='["simulated",""]'))
    changes = page.get_by_role("complementary", name="Details").get_by_role("definition").first
    expect(changes).to_have_text("Data loading")
    expect(changes).to_have_attribute("title", "fix:data-loading")


def test_the_simulation_follows_the_recommendation_chosen(served: Served, page: Page, examples: Path) -> None:
    """The step simulated stayed that of the recommendation chosen before."""
    first, second = (json.dumps([f"fix:{name}"]) for name in ("small-batch", "launch-bound"))
    site = served(examples)
    page.goto(site.at("timeline", run=WITH_STACKS, rec="small-batch", sim=first, sel='["simulated",""]'))
    page.get_by_role("button", name=re.compile("^2: ")).click()
    page.wait_for_function("(fix) => decodeURIComponent(location.hash).includes(fix)", arg=f"sim={second}")
    assert "rec=launch-bound" in page.url


def test_the_card_leads_to_the_step(site: Site, page: Page) -> None:
    page.goto(site.at("verdict", run=RUN))
    page.get_by_role("link", name="Simulated step").first.click()
    expect(page.locator("[data-simulated]")).to_be_visible()
    told = answer(page, site)
    page.wait_for_function(
        "([start, end]) => { const t = decodeURIComponent(location.hash).match(/t=(-?\\d+),(-?\\d+)/);"
        " return t && +t[1] <= start && +t[2] >= end && +t[2] - +t[1] < 1.3 * (end - start) }",
        arg=[told["begin"], told["end"]],
    )
    page.go_back()
    expect(page.get_by_role("link", name="Simulated step").first).to_be_visible()


def test_what_if_leads_to_the_step_and_the_dock_leads_back(site: Site, page: Page) -> None:
    page.goto(site.at("what_if", run=RUN, changes=CHANGES))
    page.get_by_role("link", name="Show the simulated step on the timeline").click()
    expect(page.locator("[data-simulated]")).to_be_visible()
    page.get_by_role("complementary", name="Details").get_by_role("link", name="Open in What if").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What if")


def test_on_another_step_the_chip_says_which_one_is_simulated_and_goes_there(site: Site, page: Page) -> None:
    told = answer(page, site)
    before = told["begin"] - 1_000_000
    page.goto(site.at("timeline", run=RUN, sim=CHANGES, t=f"0,{before}"))
    chip = page.get_by_role("button", name=f"Simulated: step {told['step']}")
    expect(chip).to_have_attribute("title", re.compile(f"Go to step {told['step']}"))
    expect(chip).to_contain_text("→")
    chip.click()
    expect(chip).to_have_attribute("title", re.compile("recorded"))
    page.get_by_role("button", name="Hide the simulated step").click()
    expect(page.locator("[data-simulated]")).to_have_count(0)


@pytest.mark.parametrize("share", [None, 0.1])
def test_g_goes_to_its_step_where_that_is_out_of_sight(site: Site, page: Page, share: float | None) -> None:
    """Nothing was drawn until the chip was clicked, and nothing said why; nor where the step began at the edge."""
    told = answer(page, site)
    end = told["begin"] - 1_000_000 if share is None else told["begin"] + share * (told["end"] - told["begin"])
    page.goto(site.at("timeline", run=RUN, t=f"0,{end:.0f}"))
    expect(page.get_by_role("button", name="Simulated step")).to_be_visible()
    expect(page.locator(".range")).not_to_contain_text("100")  # the view of the address is shown
    page.keyboard.press("g")
    page.wait_for_function(
        "([start, end]) => { const t = decodeURIComponent(location.hash).match(/t=(-?\\d+),(-?\\d+)/);"
        " return t && +t[1] <= start && +t[2] >= end }",
        arg=[told["begin"], told["end"]],
    )
    expect(page.get_by_role("button", name=f"Simulated: step {told['step']}")).not_to_contain_text("←")
    page.go_back()
    expect(page.get_by_role("button", name="Simulated step")).to_be_visible()


def test_a_step_in_sight_does_not_move_the_view(site: Site, page: Page) -> None:
    told = answer(page, site)
    view = f"{told['begin'] - 100_000},{told['end'] + 100_000}"
    page.goto(site.at("timeline", run=RUN, t=view))
    expect(page.get_by_role("button", name="Simulated step")).to_be_visible()
    page.keyboard.press("g")
    expect(page.locator("[data-simulated]")).to_be_visible()
    assert view in unquote(page.url)


# The tracks change their heights as their events arrive: where the row stands is measured with what is drawn there.
STRIPED = """(label) => {
  const plot = document.querySelector('.plot canvas')
  const { top, height } = label.getBoundingClientRect()
  const row = top + height / 2 - 4 - plot.getBoundingClientRect().top
  const ratio = plot.width / plot.clientWidth
  const copy = Object.assign(document.createElement('canvas'), { width: plot.width, height: Math.round(9 * ratio) })
  const context = copy.getContext('2d', { willReadFrequently: true })
  context.drawImage(plot, 0, -Math.round(row * ratio))
  const { data } = context.getImageData(0, 0, copy.width, copy.height)
  const seen = new Set()
  for (let at = 0; at < data.length; at += 4) seen.add(`${data[at] >> 4} ${data[at + 1] >> 4} ${data[at + 2] >> 4}`)
  return seen.size > 3
}"""


def test_stripes_stand_below_the_track_and_say_what_they_are(site: Site, page: Page) -> None:
    told = answer(page, site)
    window = f"{told['begin'] - 100_000},{told['end'] + 100_000}"
    page.goto(site.at("timeline", run=RUN, sim=CHANGES, t=window))
    label = page.get_by_text("simulated", exact=True).first
    expect(label).to_be_visible()
    page.wait_for_function(STRIPED, arg=label.element_handle())
    plot = page.locator(".plot canvas").first.bounding_box()
    place = label.bounding_box()
    assert plot
    assert place
    row = place["y"] + place["height"] / 2
    middle = (told["after_ns"] / 2 + 100_000) / (told["end"] - told["begin"] + 200_000)
    page.mouse.move(plot["x"] + middle * plot["width"], row)
    tip = page.locator(".tip")
    expect(tip).to_contain_text("as recorded")
    expect(tip).to_contain_text(f"from the begin of step {told['step']}")


def test_a_report_holds_the_steps_of_its_recommendations(report_page: Callable[..., Page]) -> None:
    page = report_page(RECORDINGS / RUN, page="timeline", params={"sim": CHANGES})
    expect(page.locator("[data-simulated]")).to_contain_text("less than without the fix")
    expect(page.get_by_role("link", name="Open in What if")).to_have_count(0)


def test_in_chinese(site: Site, browse: Callable[..., Page]) -> None:
    page = browse(language="zh-CN", dark=True)
    page.goto(site.at("timeline", run=RUN, sim=CHANGES))
    expect(page.locator("[data-simulated]")).to_contain_text("届时的瓶颈：主机受限")


LONGER = json.dumps(["kernel:gemm x60"])
REACHES = """([start, end]) => {
  const t = decodeURIComponent(location.hash).match(/t=(-?\\d+),(-?\\d+)/)
  return t && +t[1] <= start && +t[2] >= end
}"""


def test_a_step_that_gets_longer_than_the_recording_is_seen_to_its_end(
    served: Served, page: Page, tmp_path: Path
) -> None:
    """One could not look there: its end and the range around it were never seen."""
    begins = range(0, 300_000, 100_000)
    write(
        tmp_path / "small.json",
        *(step(at, begin, begin + 100_000) for at, begin in enumerate(begins)),
        *(operator("aten::mm", begin + 10_000, begin + 40_000) for begin in begins),
        *(launched(kernel("gemm", begin + 45_000, begin + 95_000, begin + 1), begin + 30_000) for begin in begins),
    )
    site = served(tmp_path)
    asked = urlencode({"run": "small.json", "t0": 0, "t1": 1000, "px": 100, "changes": LONGER})
    told = page.request.get(f"{site.url}api/timeline/simulated?{asked}").json()
    assert told["after_ns"] > 1_000_000
    page.goto(site.at("timeline", run="small.json", sim=LONGER))
    expect(page.locator("[data-simulated]")).to_contain_text("more than without the change")
    page.wait_for_function(REACHES, arg=[told["begin"], told["begin"] + told["after_high_ns"]])
    shown = page.url
    page.reload()
    expect(page.locator("[data-simulated]")).to_contain_text("more than without the change")
    assert page.url == shown
    page.keyboard.press("g")
    page.wait_for_function(f"(ends) => !location.hash.includes('sim=') && !({REACHES})(ends)", arg=[0, 1_000_000])
    page.go_back()
    expect(page.locator("[data-simulated]")).to_be_visible()
    assert page.url == shown
    page.goto(site.at("what_if", run="small.json", changes=LONGER))
    said = re.compile(r"Takes \S+\s\w+ longer, \d+\s% \(\d+ to \d+\s%\)\.")
    expect(page.get_by_role("main")).to_contain_text(said)
