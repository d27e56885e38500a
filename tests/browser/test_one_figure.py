"""One figure for one thing, as seen: the verdict, the strip, what if and the pages say the same, or another base."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import FOUR_RANKS, WITH_STACKS
from building import Events, kernel, launched, step, write

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

MS = 1_000_000


def figure(page: Page, label: str) -> str:
    """A large figure of the page, by its label."""
    return page.get_by_role("main").locator("dl.figures > div").filter(has_text=label).locator(".figure").inner_text()


def test_the_recorded_step_of_the_verdict_is_that_of_what_if(served: Served, page: Page, examples: Path) -> None:
    site = served(examples)
    page.goto(site.at("verdict", run=WITH_STACKS))
    page.get_by_role("heading", level=1).wait_for()
    recorded, unprofiled = figure(page, "recorded step time"), figure(page, "excluding profiler overhead")
    page.goto(site.at("what_if", run=WITH_STACKS))
    times = page.get_by_role("main").locator("dl", has=page.get_by_text("excluding profiler overhead"))
    expect(times.locator("dd").nth(0)).to_contain_text(recorded)
    expect(times.locator("dd").nth(1)).to_contain_text(unprofiled.removeprefix("~"))


def test_the_step_of_the_job_is_that_of_what_if(served: Served, page: Page, examples: Path) -> None:
    site = served(examples)
    page.goto(site.at("verdict", run=FOUR_RANKS))
    page.get_by_role("heading", level=1).wait_for()
    job = figure(page, "job step time")
    page.goto(site.at("what_if", run=FOUR_RANKS))
    main = page.get_by_role("main")
    expect(main.get_by_role("heading", name="Step of the job")).to_be_visible()
    expect(main.locator("dl[aria-label='Step time']").first).to_contain_text(job)
    page.goto(site.at("ranks", run=FOUR_RANKS))
    expect(main.locator(".answer")).to_contain_text(f"A step of the job takes {job}")


def test_a_cause_of_idle_time_has_one_share(served: Served, page: Page, examples: Path) -> None:
    site = served(examples)
    page.goto(site.at("verdict", run=WITH_STACKS))
    causes = page.get_by_role("main").locator(
        "section", has=page.get_by_role("heading", name="GPU idle time in a step")
    )
    causes.locator("li .number").nth(1).wait_for()
    time, share = causes.locator("li").first.locator(".number").all_inner_texts()
    page.goto(site.at("idle", run=WITH_STACKS))
    expect(page.locator(".answer")).to_contain_text(f"{time} a step ({share} of it)")


def test_a_step_says_on_whose_clock_it_is(served: Served, page: Page, examples: Path) -> None:
    site = served(examples)
    page.goto(site.at("step_trace", run=WITH_STACKS))
    strip = page.get_by_role("region", name="Steps")
    expect(strip).to_contain_text(re.compile(r"CPU [\d.]+.ms · [\d.]+.ms to [\d.]+.ms"))
    expect(page.locator(".answer")).to_contain_text("on the GPU’s clock (mean of 2 steady steps)")
    said = re.search(r"A step takes ([\d.]+.ms)", page.locator(".answer").inner_text())
    assert said
    expect(strip).to_contain_text(f"GPU {said[1]}")  # what the black line on each bar marks


def test_a_far_longer_step_does_not_set_the_scale_and_says_so(served: Served, page: Page, tmp_path: Path) -> None:
    events: list[Events] = []
    at = 0
    for number in range(30):
        long = 1000 * MS if number == 17 else 10 * MS
        events += [step(number, at, at + long), launched(kernel("k", at + MS, at + 2 * MS, number + 1), at)]
        at += long
    write(tmp_path / "outlier.json", *events)
    page.goto(served(tmp_path).at("verdict", run="outlier.json"))
    expect(page.get_by_role("region", name="Steps")).to_contain_text(re.compile(r"1 above 11\.0.ms, clipped"))
    bars = page.get_by_role("slider", name="Steps")
    bars.focus()
    page.keyboard.press("Home")
    for _ in range(17):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("longer than the strip shows")).to_be_visible()


def test_shares_of_steps_name_their_clock(served: Served, page: Page, examples: Path) -> None:
    """Computing took 13.7 % beside 14.7 %: of the CPU's steps in the strip, of the GPU's in the figures."""
    page.goto(served(examples).at("verdict", run=WITH_STACKS))
    figures = page.get_by_role("main").locator("dl.figures > div")
    for label in ("GPU busy", "GPU computing"):
        expect(figures.filter(has_text=label)).to_contain_text("of the step on the GPU’s clock")
    strip = page.get_by_role("region", name="Steps", exact=True)
    expect(strip.locator(".parts > span").first).to_have_text("Of the CPU’s step:")  # last, it was cut off where narrow
    expect(page.get_by_role("heading", name="GPU idle time in a step on the GPU’s clock, by cause")).to_be_visible()
