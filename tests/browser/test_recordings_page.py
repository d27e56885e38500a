"""What a run consists of: bars on one clock, how surely, and why one is not; in the bar's box, the page, the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import faint, nameless, settled
from building import flat, kernel, launched, step, write
from snapshot_building import MIB, MadeSnapshot

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browsing.site import Served

SECOND = 10**9
BASE = 1_790_000_000 * SECOND


def write_run(folder: Path) -> None:
    """A trace of two seconds, a log around it, one of a minute later, and a snapshot of no rank."""
    folder.mkdir()
    events = [step(0, 0, 2 * SECOND), launched(kernel("gemm", 50, SECOND, 1), 20)]
    write(folder / "rank0.json", *flat(events), baseTimeNanoseconds=BASE, schemaVersion=1)
    write(folder / "rank1.json", *flat(events), baseTimeNanoseconds=BASE, schemaVersion=1)
    for name, start in (("gpu_rank0.csv", -SECOND), ("old_rank0.csv", 62 * SECOND)):
        lines = [f"{BASE + start + i * SECOND // 4},0,100" for i in range(20)]
        (folder / name).write_text("\n".join(["time_ns,gpu,power_w", *lines]) + "\n")
    made = MadeSnapshot()
    made.alloc(made.segment(4 * MIB), MIB, "train.py:3 main")
    made.write(folder / "memory.pickle")


def test_bars_say_how_each_recording_belongs(served: Served, page: Page, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    page.goto(served(tmp_path).at("recordings", run="run"))
    settled(page)
    main = page.locator("main")
    expect(main).to_contain_text("3 of 5 recordings are on one clock; not joined: old_rank0.csv, memory.pickle.")
    rows = main.get_by_role("listitem").filter(has=page.get_by_role("button"))
    expect(rows).to_have_count(5)
    said = [" ".join(row.inner_text().split()) for row in rows.all()]
    assert said[0].startswith("trace · rank 0 rank0.json from 0 ns, 2.00 s long")
    assert said[0].endswith("events reference clock")
    assert "telemetry · rank 0 gpu_rank0.csv from -1.00 s, 4.75 s long" in said[1]
    assert "same clock, ±" in said[1]
    assert "rank1.json" in said[2]
    assert "old_rank0.csv not joined: it begins 60.0 s after" in said[3]
    assert "memory.pickle belongs to no rank" in said[4]
    # The log begins left of the trace; what is not joined has no bar.
    bars = [rows.nth(i).locator("svg rect").first.bounding_box() for i in range(3)]
    assert all(bars)
    assert bars[1]["x"] < bars[0]["x"]  # type: ignore[index]
    assert abs(bars[0]["x"] - bars[2]["x"]) < 1  # type: ignore[index]
    assert rows.nth(3).locator("svg").count() == 0
    rows.nth(3).get_by_role("button").click()
    expect(page.get_by_role("complementary")).to_contain_text("old_rank0.csv")


def test_the_box_in_the_bar_leads_to_the_page(served: Served, page: Page, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    page.goto(served(tmp_path).at("verdict", run="run"))
    settled(page)
    button = page.get_by_role("button", name="All recordings of this run")
    expect(button).to_contain_text("2 not joined")
    button.click()
    box = page.get_by_role("group", name="All recordings of this run")
    expect(box.get_by_role("listitem")).to_have_count(5)
    box.get_by_role("link", name="All of it: Recordings").click()
    expect(page.get_by_role("heading", name="Recordings", exact=True)).to_be_visible()
    expect(box).to_have_count(0)


@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
def test_the_page_can_be_read_and_named(
    served: Served, browse: Callable[..., Page], tmp_path: Path, language: str, dark: bool
) -> None:
    write_run(tmp_path / "run")
    page = browse(language=language, dark=dark)
    page.goto(served(tmp_path).at("recordings", run="run"))
    settled(page)
    page.locator("header .popover button").last.click()
    assert [*nameless(page), *faint(page)] == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_report_has_the_page(report_page: Callable[..., Page], tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    page = report_page(tmp_path / "run", page="recordings")
    expect(page.locator("main")).to_contain_text("3 of 5 recordings are on one clock")
    expect(page.get_by_role("list", name="Recordings on the run’s clock").get_by_role("listitem")).to_have_count(5)
