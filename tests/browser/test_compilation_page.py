"""The page of compilation: what was compiled again and why, where graphs break; none of a trace without a log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import nameless, settled
from building import flat, kernel, launched, step, write
from building.compiling import training

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


def test_what_was_compiled_again_and_why(served: Served, page: Page, tmp_path: Path) -> None:
    training().write(tmp_path)
    page.goto(served(tmp_path).at("compilation", run="dedicated_log_torch_trace_abc123.log"))
    main = page.locator("main")
    totals = "6 compilations took 19.0 s; 3 recompilations of them 5.01 s; 1 failed; graphs break at 1 line."
    expect(main).to_contain_text(totals)
    for said in (
        "This guard failed: tensor 'x' size mismatch at index 0. expected 3, actual 4",
        "It reached the recompile limit and runs eagerly from then on.",
        "The function was compiled too often and runs eagerly",
        "Avoid print.",
    ):
        expect(main).to_contain_text(said)
    assert nameless(page) == []


def test_a_trace_without_a_log_has_no_such_page_in_the_rail(served: Served, page: Page, tmp_path: Path) -> None:
    write(tmp_path / "trace.json", *flat([step(0, 0, 100), launched(kernel("gemm", 20, 60, 1), 10)]))
    page.goto(served(tmp_path).at("kernels", run="trace.json"))
    settled(page)
    expect(page.get_by_role("link", name="Compilation")).to_have_count(0)
