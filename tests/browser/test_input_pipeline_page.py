"""The page Data loading of a recorded input pipeline, and the pages of a run of MindSpore on a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.kinds import INPUT, MINDSPORE
from browsing.pages import nameless

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


def test_the_slow_operator_of_the_pipeline_is_named_and_marked(served: Served, page: Page, kinds: Path) -> None:
    page.goto(served(kinds).at("data_loading", run=INPUT))
    main = page.locator("main")
    expect(main).to_contain_text("Training waits for its input: 2 of 3 batches after the first were not ready")
    expect(main).to_contain_text("The slow operator of the input pipeline is MapOp (2 workers)")
    expect(main).to_contain_text("▲ bottleneck")
    for heading in ("Operators of the input pipeline", "CPU utilization", "Batches"):
        expect(main.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Data loading")).to_be_visible()
    assert nameless(page) == []


def test_host_time_and_gpu_activity_of_operators_stand_beside_each_other(
    served: Served, page: Page, kinds: Path
) -> None:
    page.goto(served(kinds).at("operators", run=MINDSPORE))
    main = page.locator("main")
    expect(main.get_by_role("heading", name="Operators, as added up by MindSpore")).to_be_visible()
    expect(main).to_contain_text("host time is no GPU time")
    expect(main).not_to_contain_text("(unattributed) takes the most GPU time")


def test_a_step_that_mindspore_divided_is_said_to_be(served: Served, page: Page, kinds: Path) -> None:
    page.goto(served(kinds).at("step_trace", run=MINDSPORE))
    expect(page.locator("main")).to_contain_text("as MindSpore divided it")
