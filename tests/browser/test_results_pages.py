"""The pages History and Prediction ledger: what begins them, what they say, and the way to runs and Compare."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing import axe
from browsing.pages import faint, nameless
from building.results import checked, kept, predicted

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served

SLOW, FIXED = (f"launch_bound_decode.{side}.pt.trace.json.gz" for side in ("slow", "fixed"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    made = tmp_path_factory.mktemp("results")
    for name in (SLOW, FIXED):
        shutil.copy(examples / name, made / name)
    now = time.time() + 10
    runs = [_run(n, now, [SLOW, FIXED][n % 2]) for n in range(24)]
    others = [_run(n, now, "gone.json") | {"setup": {"device": "NVIDIA H100"}} for n in range(7)]
    outcomes = [("inside", [18, 22, 26]), ("more", [40, 45, 50]), ("unclear", [-4, 3, 10])]
    of = {"at_s": now, "before": SLOW, "after": FIXED}
    kept(made, "history.jsonl", [*runs, *others])
    kept(made, "ledger.jsonl", [predicted(*one, **of) for one in outcomes])
    return made


def _run(n: int, now: float, recording: str) -> dict[str, Any]:
    step = (30e6 if n < 12 else 40e6) + 1e5 * (n % 5)
    outcome = "unknown" if n % 6 == 5 else "fine" if n < 12 else "regressed"
    return checked(
        n,
        step,
        at_s=now + n,
        label=f"c{n}",
        outcome=outcome,
        setup={"device": "NVIDIA H200", "torch": "2.11", "shapes": "on"},
        recordings=[recording],
        step_range_ns=[step - 2e6, step + 3e6],
        figures={"count:kernels": 96, "budget:GEMM time": 5e6},
        units={"count:kernels": "none", "budget:GEMM time": "ns"},
        outcomes={"step": outcome},
        limits={"step": 33e6},
    )


def test_empty_pages_say_how_they_are_filled(served: Served, page: Page, tmp_path: Path) -> None:
    page.goto(served(tmp_path).at("history"))
    expect(page.get_by_role("note")).to_contain_text("No history yet")
    expect(page.get_by_role("note")).to_contain_text(f"--history {tmp_path}/.stepscope/history.jsonl")
    page.get_by_role("link", name="Prediction ledger").click()
    expect(page.get_by_role("note")).to_contain_text("stepscope prove BEFORE AFTER --finding ID")


def test_predictions_are_counted_and_listed(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("ledger"))
    # An inconclusive one counted as if it lay outside.
    expect(page.locator("main dl")).to_contain_text("1 of 2")
    expect(page.locator("main dl")).to_contain_text("1 inconclusive")
    expect(page.locator("main dl")).to_contain_text("80 % aimed at")
    rows = page.locator("main table").first.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="its range includes 0").locator("svg text")).to_have_text("?")
    later = page.locator("main table").last.locator("tbody tr")
    expect(later).to_have_text(re.compile(r"Launch-bound\s+launch-bound\s*H200\s*1\s*unchanged"))
    rows.first.get_by_role("link", name=FIXED).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_history_marks_its_change_and_leads_to_compare(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("history"))
    notes = page.locator("main ul.notes")
    expect(notes).to_contain_text("Change point: step time")
    expect(notes).to_contain_text("Change points need 20 runs of one setup; there are 7.")
    expect(page.locator("main svg circle")).to_have_count(31)
    page.get_by_role("checkbox", name="Select c23 to compare").check()
    page.get_by_role("checkbox", name="Select c22 to compare").check()
    page.get_by_role("link", name="Compare the two selected").click()
    expect(page.get_by_role("combobox", name="Base")).to_have_value(SLOW)
    expect(page.get_by_role("combobox", name="New")).to_have_value(FIXED)


def test_arrows_walk_the_points_and_enter_opens_one(served: Served, page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 1920, "height": 1000})
    page.goto(served(folder).at("history"))
    points = page.locator("main svg a")
    expect(points).to_have_count(24)
    checks, chart = page.locator("main table").bounding_box(), page.locator("main svg").bounding_box()
    assert checks
    assert chart
    assert checks["x"] > chart["x"] + chart["width"]
    points.last.focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("link", name="c22:")).to_be_focused()
    assert points.evaluate_all("all => all.filter((one) => one.getAttribute('tabindex') === '0').length") == 1
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#/verdict"))


def test_another_figure_is_drawn(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("history"))
    page.get_by_role("combobox", name="Figure").select_option("budget:GEMM time")
    expect(page.locator("main header p").first).to_contain_text("GEMM time")


@pytest.mark.parametrize("name", ["history", "ledger"])
@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
def test_everyone_can_read_them(
    served: Served, browse: Callable[..., Page], folder: Path, name: str, language: str, dark: bool
) -> None:
    page = browse(language=language, dark=dark)
    page.goto(served(folder).at(name))
    expect(page.locator("main table").first).to_be_visible()
    assert nameless(page) == []
    assert faint(page) == []
    assert axe.violations(page) == []
