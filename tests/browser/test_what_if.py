"""The page What if: what is switched and moved is asked, stands in the address, and equals the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

import pytest

import stepscope
from browsing.pages import FOUR_RANKS, WITH_STACKS, expect_parameter, settled
from stepscope.analyses.simulation.changes import parse_change
from stepscope.findings.what_if import what_if
from stepscope.messages.quantities import time_text

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

OPTIMIZER = "host:Optimizer.step#SGD.step"


def changes(*texts: str) -> str:
    """Changes as the address has them."""
    return json.dumps(texts, separators=(",", ":"))


def expect_changes(page: Page, *texts: str) -> None:
    """Wait until the address holds these changes."""
    expect(page).to_have_url(re.compile(rf"[?&]changes={re.escape(quote_plus(changes(*texts)))}(&|$)"))


def test_details_of_another_page_do_not_cover_what_if(served: Served, page: Page, examples: Path) -> None:
    """At 1280 px they lay over the sentence and the bars; nothing of What if can be shown in them."""
    chosen = json.dumps(["row", "aten::mm", "operators"])
    page.goto(served(examples).at("operators", run=WITH_STACKS, sel=chosen))
    details = page.get_by_role("complementary", name="Details")
    expect(details).to_be_visible()
    page.get_by_role("link", name="What if").click()
    expect(page.get_by_role("main")).to_contain_text("No changes yet")
    expect(details).to_have_count(0)
    page.go_back()
    expect(details).to_be_visible()


def test_a_switch_and_a_slider_are_answered_as_on_the_command_line(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("what_if", run=WITH_STACKS))
    expect(page.get_by_role("main")).to_contain_text("No changes yet")
    page.get_by_role("checkbox", name="Optimizer.step#SGD.step").check()
    expect_changes(page, f"{OPTIMIZER} x0.5")
    slider = page.get_by_role("slider", name="Optimizer.step#SGD.step")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "x0.2")
    expect_changes(page, f"{OPTIMIZER} x0.2")
    (found,) = what_if(stepscope.open(examples / WITH_STACKS).profile, [parse_change(f"{OPTIMIZER} x0.2")])
    after, before = time_text(found.together.after.best), time_text(found.together.before.best)
    said = page.get_by_role("main").locator("header p").first
    expect(said).to_contain_text(f"With these changes a step takes about {after}")
    expect(said).to_contain_text(f"without them {before}")
    expect(page.get_by_role("row", name=re.compile("x0.2"))).to_contain_text(after)


def test_each_change_is_one_entry_of_the_history(served: Served, page: Page, examples: Path) -> None:
    """Back left the page, with all that was chosen."""
    page.goto(served(examples).at("what_if", run=WITH_STACKS))
    box = page.get_by_role("checkbox", name="Optimizer.step#SGD.step")
    box.check()
    expect_changes(page, f"{OPTIMIZER} x0.5")
    page.get_by_role("slider", name="Optimizer.step#SGD.step").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect_changes(page, f"{OPTIMIZER} x0.35")
    page.go_back()
    expect_changes(page, f"{OPTIMIZER} x0.5")
    page.go_back()
    expect_parameter(page, "changes", None)
    expect(box).not_to_be_checked()


def test_several_changes_are_answered_alone_and_together(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("what_if", run=WITH_STACKS, changes=changes(f"{OPTIMIZER} x0.5", "cuda-graph")))
    rows = page.get_by_role("table", name="Each change by itself").get_by_role("row")
    expect(rows).to_have_count(4)
    expect(rows.nth(3)).to_contain_text("All together")
    expect(page.get_by_role("main")).to_contain_text("whether a CUDA graph is possible")
    expect(page.get_by_role("table", name="Longest on the critical path")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Each step is a CUDA graph")).to_be_checked()
    page.reload()
    expect(rows).to_have_count(4)
    page.get_by_role("button", name="Reset all").click()
    expect(page.get_by_role("main")).to_contain_text("No changes yet")
    expect_parameter(page, "changes", None)


def test_a_change_can_be_written(served: Served, page: Page, examples: Path, allowed_errors: list[str]) -> None:
    allowed_errors.append("status of 400")
    page.goto(served(examples).at("what_if", run=WITH_STACKS))
    field = page.get_by_role("textbox", name="Another change")
    field.fill("kernel:gemm")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Write it as kernel:NAME xFACTOR.")
    field.fill("kernel:/gemm/ x0.5")
    field.press("Enter")
    expect(page.get_by_role("row", name="/gemm/ · x0.5")).to_contain_text("activities")
    field.fill("kernel:nothing at all x0.5")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("no kernel, memcpy or memset of the steps has this name")
    page.get_by_role("checkbox", name="nothing at all").click()  # its row goes with it
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_finding_leads_to_its_change(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run="launch_bound_decode.slow.pt.trace.json.gz"))
    page.get_by_role("main").get_by_role("link", name="What if", exact=True).first.click()
    expect(page.get_by_role("heading", name="What if")).to_be_visible()
    chosen = page.get_by_role("region", name="Changes").get_by_role("checkbox", checked=True)
    expect(chosen).to_have_count(1)
    expect(chosen).to_have_accessible_name(re.compile("kernel launches a step.* saves ~"))


def test_a_straggler_has_one_figure_on_its_card_and_here(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    card = (
        page.get_by_role("main")
        .get_by_role("listitem")
        .filter(has=page.get_by_role("link", name="What if", exact=True))
    )
    expect(card).to_contain_text("117 ms")
    expect(card).to_contain_text("29 to 40 %")
    expect(card.get_by_role("link", name="Show on timeline")).to_be_visible()
    expect(card.get_by_role("link", name="Ranks")).to_be_visible()
    card.get_by_role("link", name="What if", exact=True).click()
    expect_changes(page, "no-straggler:2")
    said = page.get_by_role("main").locator("header p").first
    expect(said).to_have_text(
        "A step of the job: 341 ms -> ~224 ms (205 ms to 242 ms). Saves ~117 ms, 34 % (29 to 40 %)."
    )
    expect(page.get_by_role("checkbox", name="Rank 2 works like the others")).to_be_checked()
    expect(page.get_by_role("button", name="Each rank")).to_have_count(0)


def test_what_is_simulated_is_marked_so(served: Served, page: Page, examples: Path) -> None:
    """Its figures stood there like measured ones, without `~`, and its bars were plain."""
    striped = "(all) => all.map((one) => getComputedStyle(one).backgroundImage.startsWith('repeating-linear-gradient'))"
    page.goto(served(examples).at("what_if", run=FOUR_RANKS, changes=changes("no-straggler:2")))
    step = page.get_by_label("Step time").filter(has_text="with these changes")
    expect(step).to_contain_text(re.compile(r"recorded\s*341.*with these changes\s*~224"))
    assert step.locator(".block .block").evaluate_all(striped) == [False, True]
    alone = page.get_by_role("table", name="Each change by itself, and all together").get_by_role("row").nth(1)
    expect(alone).to_contain_text(re.compile(r"~224\sms.*~117\sms"))
    page.goto(served(examples).at("verdict", run=FOUR_RANKS))
    cards = page.get_by_role("main").get_by_role("listitem")
    card = cards.filter(has=page.get_by_role("link", name="What if", exact=True))
    expect(card).to_be_visible()
    assert card.locator(".block .block").evaluate_all(striped) == [True]


def test_recommendations_are_offered_before_anything_is_chosen(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("what_if", run=FOUR_RANKS))
    first = page.get_by_role("checkbox").first
    expect(first).to_have_accessible_name(re.compile("Rank 2 works like the others.*saves ~117 ms, 34 %"))
    first.check()
    expect(page.get_by_role("heading", name="Step of the job")).to_be_visible()


def test_changes_can_be_of_one_rank(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("what_if", run=FOUR_RANKS, changes=changes("overlap-communication")))
    page.get_by_role("combobox", name="Simulated changes apply to").select_option("rank 1")
    expect_changes(page, "overlap-communication on rank 1")
    page.get_by_role("checkbox", name="Rank 2 works like the others").check()
    expect_changes(page, "overlap-communication on rank 1", "no-straggler:2")
    rows = page.get_by_role("table", name="Each change by itself").get_by_role("row")
    expect(rows).to_have_count(4)


def test_changes_are_answered_in_words(served: Served, page: Page, examples: Path) -> None:
    """The table had them as the command line has them: `no-straggler:2`."""
    made = changes("no-straggler:2", "kernel:/nccl/ x0.5 on rank 1", "op:aten::mm x0", "no-sync")
    page.goto(served(examples).at("what_if", run=FOUR_RANKS, changes=made))
    rows = page.get_by_role("table", name="Each change by itself, and all together").get_by_role("rowheader")
    expect(rows).to_contain_text(
        [
            "Rank 2 works like the others",
            "/nccl/ · x0.5 · rank 1",
            "aten::mm · removed",
            "No synchronization with the GPU",
        ]
    )
    expect(rows.first.locator("span").first).to_have_attribute("title", "no-straggler:2")


def test_ranks_are_answered_each_by_itself(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).at("what_if", run=FOUR_RANKS, changes=changes("overlap-communication")))
    page.get_by_role("button", name="Each rank").click()
    ranks = page.get_by_role("table", name="Ranks").get_by_role("row")
    expect(ranks).to_have_count(5)
    page.get_by_role("button", name="rank 3", exact=True).click()
    expect_parameter(page, "of", "3")
    expect(page.get_by_role("heading", name="rank 3")).to_be_visible()
    page.goto(served(examples).at("what_if", run=FOUR_RANKS, rank="1", changes=changes("overlap-communication")))
    settled(page)
    expect(page.get_by_role("table", name="Ranks")).to_have_count(0)
    expect(page.get_by_role("main")).to_contain_text("With these changes a step takes about")


def test_a_report_gives_the_command(report_page: Callable[..., Page], examples: Path) -> None:
    page = report_page(examples / WITH_STACKS, page="what_if", params={"changes": changes("kernel:/gemm/ x0.5")})
    main = page.get_by_role("main")
    expect(main).to_contain_text("A report has no server")
    expect(main).to_contain_text(f"stepscope what-if {examples / WITH_STACKS} --change 'kernel:/gemm/ x0.5'")
    expect(page.get_by_role("checkbox")).to_have_count(0)
