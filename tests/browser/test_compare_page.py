"""The page Compare: two runs chosen, the answer first, then causes, rows, counts and timelines; the same as a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import faint, nameless
from building import kernel, launched, operator, step, write
from stepscope.comparison.job import compare_profiles
from stepscope.reporters.comparison_page import comparison_html
from stepscope.store.opening import open_profile

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

SLOW, FIXED = (f"launch_bound_decode.{side}.pt.trace.json.gz" for side in ("slow", "fixed"))
SENTENCE = re.compile(r"^The step is .*\sfaster, \d+\s% \(.* → .*\)")


def choose(page: Page, label: str, name: str) -> None:
    field = page.get_by_role("combobox", name=label, exact=True)
    field.fill(name)
    expect(page.get_by_role("option", name=name, exact=True)).to_have_attribute("aria-selected", "true")
    field.press("Enter")


def test_two_runs_are_chosen_and_the_answer_comes_first(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("compare"))
    expect(page.locator("main")).to_contain_text("Choose two runs")
    choose(page, "Base", SLOW)
    choose(page, "New", FIXED)
    expect(page.locator("main header p").first).to_have_text(SENTENCE)
    assert f"base={SLOW}" in page.url
    falls = page.get_by_role("list", name="From the base step to the new one").get_by_role("listitem")
    expect(falls.first).to_contain_text("Base")
    expect(falls.last).to_contain_text("New")


def test_several_recordings_of_a_side(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("compare", base=SLOW, new=FIXED))
    again = FIXED.replace("launch_bound_decode", "batch_size")
    choose(page, "Another recording after the change", again)
    expect(page.get_by_role("group", name="New")).to_contain_text("✕")
    expect(page.get_by_title(re.compile(f"{SLOW} · 1 recording · ")).first).to_be_visible()
    expect(page.get_by_title(re.compile(f"{again} · 2 recordings · ")).first).to_be_visible()
    page.get_by_role("button", name="Swap base and new").click()
    chip = page.get_by_role("group", name="Base").get_by_role("button", name=f"Leave out {again}")
    expect(chip).to_be_visible()
    page.reload()
    chip.click()
    expect(page.get_by_role("button", name="Leave out")).to_have_count(0)
    page.go_back()
    expect(chip).to_be_visible()


def test_typing_finds_a_run_and_adds_none(served: Served, page: Page, examples: Path) -> None:
    """Letters typed at the closed list each chose a run: a name of a dozen letters added as many."""
    page.goto(served(examples).at("compare", base=SLOW, new=FIXED))
    another = page.get_by_role("combobox", name="Another recording before the change")
    another.focus()
    page.keyboard.type("batch_size.f")
    expect(page.get_by_role("option").first).to_have_text(re.compile("batch_size.fixed"))
    assert "more_base" not in page.url
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    expect(another).to_have_value("")
    page.keyboard.type("batch_size.f")
    page.get_by_role("option").first.click()
    expect(page.get_by_role("button", name="Leave out")).to_have_count(1)
    assert "batch_size.fixed" in page.url


def test_exchanging_the_sides_turns_the_answer_round(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("compare", base=SLOW, new=FIXED))
    answer = page.locator("main header p").first
    expect(answer).to_have_text(SENTENCE)
    page.get_by_role("button", name="Swap base and new").click()
    expect(answer).to_have_text(re.compile(r"^The step is .*\sslower"))
    page.locator("main").press("x")
    expect(answer).to_have_text(SENTENCE)


def test_every_view_has_something_to_show(served: Served, browse: Callable[..., Page], examples: Path) -> None:
    page = browse(language="zh-CN", dark=True)
    page.goto(served(examples).at("compare", base=SLOW, new=FIXED))
    expect(page.locator("main header p").first).to_have_text(re.compile("^迭代变快"))
    page.get_by_text("各行", exact=True).click()
    expect(page.get_by_role("heading", name="内核")).to_be_visible()
    page.get_by_text("计数", exact=True).click()
    expect(page.locator("main table")).to_contain_text("API 调用")
    page.get_by_text("时间线", exact=True).click()
    expect(page.locator("main svg rect").first).to_be_attached()
    assert nameless(page) == []
    assert faint(page) == []


def test_a_run_leads_to_its_comparison(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=FIXED))
    page.get_by_role("link", name="Compare with…").click()
    expect(page.get_by_role("combobox", name="New")).to_have_value(FIXED)


def test_the_file_is_the_same_page_without_a_network(
    browse: Callable[..., Page], compiled: None, examples: Path, tmp_path: Path
) -> None:
    path = tmp_path / "x.html"
    base, new = (open_profile(str(examples / name)) for name in (SLOW, FIXED))
    path.write_text(comparison_html(compare_profiles([base], [new])), encoding="utf-8")
    page = browse()
    page.goto(path.as_uri())
    expect(page.locator("main header p").first).to_have_text(SENTENCE)
    expect(page.get_by_role("navigation")).to_have_count(0)
    page.get_by_text("Timeline", exact=True).click()
    expect(page.locator("main svg rect").first).to_be_attached()


def test_a_run_with_itself_has_no_differences(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("compare", base=FIXED, new=FIXED))
    main = page.locator("main")
    expect(main.locator("header p").first).to_have_text(
        "No differences: both sides are the same recording, or equal to the nanosecond."
    )
    expect(main.get_by_role("radio")).to_have_count(0)


def test_one_step_of_each_side_and_other_devices_are_said(served: Served, page: Page, tmp_path: Path) -> None:
    for device, end in (("H100", 90_000), ("H200", 120_000)):
        events = [
            step(0, 0, 40_000),
            operator("aten::mm", 10_000, 30_000),
            *launched(kernel("gemm", 30_000, end, 1), 20_000),
        ]
        write(tmp_path / f"{device}.json", *events, deviceProperties=[{"id": 0, "name": f"NVIDIA {device}"}])
    page.goto(served(tmp_path).at("compare", base="H100.json", new="H200.json"))
    main = page.locator("main")
    expect(main).to_contain_text("The device differs: NVIDIA H100 → NVIDIA H200.")
    expect(main).to_contain_text("Base: 1 recording, 1 step · New: 1 recording, 1 step")


def test_both_runs_can_be_opened_and_the_colours_of_their_bars_are_named(
    served: Served, page: Page, examples: Path
) -> None:
    """Neither had a way from the comparison, and the bars had no legend."""
    page.goto(served(examples).at("compare", base=SLOW, new=FIXED))
    expect(page.get_by_role("list", name="Parts of the step")).to_contain_text("compute")
    page.get_by_role("link", name=f"Base: {SLOW}").click()
    expect(page.get_by_role("link", name="Verdict", exact=True)).to_have_attribute("aria-current", "page")
    assert f"run={SLOW}" in page.url


def test_a_snapshot_is_not_offered(served: Served, page: Page, kinds: Path) -> None:
    """It was, and was refused once it was chosen."""
    page.goto(served(kinds).at("compare"))
    page.get_by_role("link", name="Compare memory snapshots").wait_for()
    page.get_by_role("combobox", name="Base").click()
    names = page.get_by_role("option").all_text_contents()
    assert names
    assert not any("pickle" in name for name in names)
