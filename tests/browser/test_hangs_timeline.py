"""The timeline of dumps: collectives of each process group, what did not end marked; why it is empty."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import drawn, nameless, settled
from building.hangs import MadeJob, one_left

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


def chosen(at: str) -> dict[str, str]:
    """The address of an event."""
    return {"at": at, "sel": json.dumps(["event", at])}


def test_where_each_rank_waits_is_seen_and_said(served: Served, page: Page, tmp_path: Path) -> None:
    job = one_left()
    job.call("broadcast", ranks=[0], state="scheduled", line=90)
    job.write(tmp_path / "dumps")
    site = served(tmp_path)
    page.goto(site.at("timeline", run="dumps", **chosen("0.3")))
    drawn(page)
    rail = page.get_by_role("navigation", name="Pages")
    assert [one.inner_text() for one in rail.get_by_role("link").all()][:3] == ["Hangs", "Verdict", "Timeline"]
    expect(page.locator(".title")).to_have_text(["default (0)", "tp (1)", *["default (0)"] * 3, "tp (1)"])
    expect(page.locator(".heading")).to_have_text([f"▾ rank {rank}" for rank in range(4)])
    legend = page.get_by_role("list", name="Colours").first
    expect(legend.get_by_role("listitem")).to_have_text(["communication", "not started", "not finished"])
    dock = page.get_by_role("complementary", name="Details")
    for said in ("Not finished up to the last time", "started", "collective_seq_id", "[[4, 2]]", "/home/me/train.py"):
        expect(dock).to_contain_text(said)
    assert nameless(page) == []
    page.goto(site.at("timeline", run="dumps", **chosen("0.4")))
    expect(dock).to_contain_text("Not finished: scheduled, and not started on the GPU")


def test_a_call_leads_to_the_same_one_on_other_ranks(served: Served, page: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    site = served(tmp_path)
    page.goto(site.at("timeline", run="dumps", **chosen("0.3")))
    drawn(page)
    dock = page.get_by_role("complementary", name="Details")
    for said in ("Rank 3 never entered it.", "Ranks 0-2 entered it", "On the other ranks", "rank 2: not finished"):
        expect(dock).to_contain_text(said)
    expect(dock).to_contain_text("clocks of these agree")
    dock.get_by_role("button", name="all_reduce").nth(1).click()
    expect(dock).to_contain_text("rank 1: not finished · called 1 ns earlier")
    expect(dock).to_contain_text("rank 2 · default (0)")
    assert nameless(page) == []


def test_recordings_says_whose_clocks_the_times_are_of(served: Served, page: Page, tmp_path: Path) -> None:
    one_left().write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("recordings", run="dumps"))
    settled(page)
    main = page.locator("main")
    expect(main).to_contain_text("All 4 recordings have times of their hosts’ wall clocks.")
    rows = main.get_by_role("listitem").filter(has=page.get_by_role("button"))
    said = [" ".join(row.inner_text().split()) for row in rows.all()]
    assert [one.partition("events ")[2] for one in said] == ["reference clock", *["wall clock of its host"] * 3]
    assert all("4.50 s long" in one for one in said[:3])
    expect(main).to_contain_text("those of several only as well as these agree")
    rail = page.get_by_role("navigation", name="Pages")
    expect(rail.get_by_role("link", name="Ranks")).to_have_count(0)


def test_dumps_without_times_say_why_it_is_empty(served: Served, page: Page, tmp_path: Path) -> None:
    job = MadeJob(2)
    job.call(time_created_ns=None, time_discovered_started_ns=None, time_discovered_completed_ns=None)
    job.write(tmp_path / "dumps")
    page.goto(served(tmp_path).at("timeline", run="dumps"))
    main = page.locator("main")
    expect(main).to_contain_text("2 collectives of the dumps have no time (time_created_ns)")
    expect(main).not_to_contain_text("torch.profiler")


def test_a_report_holds_it(report_page: Any, tmp_path: Path) -> None:
    page = report_page(one_left().write(tmp_path / "dumps"), page="timeline", params=chosen("0.3"))
    drawn(page)
    expect(page.get_by_role("complementary", name="Details")).to_contain_text("Not finished up to the last time")
