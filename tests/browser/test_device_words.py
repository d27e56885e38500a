"""Pages of a run on NPUs call its devices so; those of another run opened after it do not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import settled
from building import kernel, launched, step, write
from building.ascend import write_run

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browsing.site import Served

NPU = "npu/node_900_20260101000000000_ascend_pt"
PAGES = (
    "verdict",
    "what_if",
    "step_trace",
    "idle",
    "launches",
    "operators",
    "ranks",
    "roofline",
    "flame_graph",
    "tables",
)
NAMED = """
() => [...document.body.querySelectorAll('*')].flatMap((one) => [
  ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
  ...['title', 'aria-label', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
]).filter((text) => /\\bGPUs?\\b|torch\\.cuda\\.(synchronize|Event)/.test(text))
"""
"""Texts on the page, and those that the pointer or a screen reader meets."""


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_no_page_of_an_npu_speaks_of_a_gpu(
    served: Served, browse: Callable[..., Page], tmp_path: Path, language: str
) -> None:
    write_run(tmp_path / "npu")
    write(tmp_path / "gpu.json", step(1, 0, 100), launched(kernel("gemm", 20, 60, 1), 10))
    site, page = served(tmp_path), browse(language=language)
    for name in PAGES:
        page.goto(site.at(name, run=NPU))
        settled(page)
        expect(page.locator("main")).to_contain_text("NPU")
        assert (name, page.evaluate(NAMED)) == (name, [])
    page.goto(site.at("verdict", run="gpu.json"))
    settled(page)
    expect(page.locator("main")).to_contain_text("GPU")
    expect(page.locator("main")).not_to_contain_text("NPU")


def test_a_report_of_an_npu_says_so(report_page: Callable[..., Page], tmp_path: Path) -> None:
    page = report_page(write_run(tmp_path / "npu"), page="operators")
    settled(page)
    expect(page.locator("main")).to_contain_text("NPU self")
    assert page.evaluate(NAMED) == []
