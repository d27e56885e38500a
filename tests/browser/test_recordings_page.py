"""What a run consists of: bars on one clock, how surely, and why one is not; in the bar's box, the page, the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.pages import faint, nameless, settled
from building import flat, kernel, launched, step, write
from building.snapshots import MIB, MadeSnapshot

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
    expect(main).to_contain_text("3 of 5 recordings are on the run’s clock; not joined: old_rank0.csv, memory.pickle.")
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


def test_what_has_tables_and_no_clock_is_not_called_not_joined(served: Served, page: Page, tmp_path: Path) -> None:
    """Two were named so above the bars, one in the bar of the app: a snapshot of another time has its page."""
    write_run(tmp_path / "run")
    events = [step(0, 0, 2 * SECOND), launched(kernel("gemm", 50, SECOND, 1), 20)]
    write(tmp_path / "run" / "rank2.json", *flat(events), baseTimeNanoseconds=BASE, schemaVersion=1)
    made = MadeSnapshot()
    made.alloc(made.segment(4 * MIB), MIB, "train.py:3 main")
    made.write(tmp_path / "run" / "rank0_snapshot.pickle")
    page.goto(served(tmp_path).at("recordings", run="run"))
    settled(page)
    said = (
        "4 of 7 recordings are on the run’s clock; own tables, no common clock: rank0_snapshot.pickle; "
        "not joined: old_rank0.csv, memory.pickle."
    )
    expect(page.locator("main")).to_contain_text(said)
    expect(page.get_by_role("button", name="All recordings of this run")).to_contain_text("2 not joined")
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Memory")).to_be_visible()


def test_the_box_in_the_bar_leads_to_the_page(served: Served, page: Page, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    page.goto(served(tmp_path).at("verdict", run="run"))
    settled(page)
    button = page.get_by_role("button", name="All recordings of this run")
    expect(button).to_contain_text("2 not joined")
    button.click()
    box = page.get_by_role("group", name="All recordings of this run")
    expect(box.get_by_role("listitem")).to_have_count(5)
    box.get_by_role("link", name="Details in Recordings").click()
    expect(page.get_by_role("heading", name="Recordings", exact=True)).to_be_visible()
    expect(box).to_have_count(0)


def test_what_is_not_joined_is_named_where_it_is_missed_and_opens_by_itself(
    served: Served, page: Page, tmp_path: Path
) -> None:
    """A run with a snapshot of no rank was told to record with profile_memory=True."""
    write_run(tmp_path / "run")
    (tmp_path / "run/gpu_rank0.csv").unlink()
    site = served(tmp_path)
    page.goto(site.at("memory", run="run"))
    settled(page)
    note = page.get_by_role("note")
    expect(note).to_contain_text("This is in memory.pickle, which is not joined with the run.")
    expect(note).to_contain_text("belongs to no rank: neither the recording nor its name says one")
    expect(page.get_by_role("main")).not_to_contain_text("profile_memory")
    note.get_by_role("link", name="Open memory.pickle by itself").click()
    expect(page.get_by_role("main")).to_contain_text("1.00 MiB")
    assert page.url == site.at("memory", run="run/memory.pickle")
    page.goto(site.url)
    settled(page)
    expect(page.get_by_role("main")).not_to_contain_text("memory.pickle")


def test_what_is_not_joined_is_not_said_to_be_on_the_timeline(served: Served, page: Page, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    (tmp_path / "run/gpu_rank0.csv").unlink()
    page.goto(served(tmp_path).at("recordings", run="run"))
    settled(page)
    views = page.locator(".tiles")
    expect(views.get_by_role("heading")).to_have_text(["trace"])
    page.get_by_role("link", name="Open old_rank0.csv by itself").click()
    expect(page.get_by_role("heading", name="Telemetry", exact=True)).to_be_visible()


def recorded(folder: Path, rank: int, slowdown: float) -> None:
    """A window of ``stepscope record``, with what its process noted beside it."""
    said = {"program": "train.py", "with": "shapes stack", "kind": "full", "closed": "end", "first_step": 23}
    said |= {"last_step": 28, "steps_are": "optimizer", "stepscope_version": "1.2.3", "torch_version": "2.13.0"}
    said |= {"python_version": "3.11.7", "before_ns": 10**7, "after_ns": 10**7, "recorded_ns": round(slowdown * 10**7)}
    said |= {"slowdown": slowdown, "stop_ns": 5 * 10**7, "cores": 8, "gpus": 2, "activities": "CPU CUDA"}
    (folder / "processes").mkdir(parents=True, exist_ok=True)
    process = {"argv": ["train.py", "--lr", "0.1"], "executable": "/usr/bin/python"}
    (folder / f"processes/host_{rank}_rank{rank}.json").write_text(json.dumps(process))
    of_rank = {"rank": rank, "world_size": 2}
    events = [step(0, 0, SECOND), launched(kernel("gemm", 50, SECOND // 2, 1), 20)]
    trace = folder / f"host_{rank}_rank{rank}.1795604234978483385.pt.trace.json"
    write(trace, *flat(events), stepscopeRecording=said, distributedInfo=of_rank, schemaVersion=1)


def test_how_a_recording_was_made_and_what_it_cost(served: Served, page: Page, tmp_path: Path) -> None:
    recorded(tmp_path / "run", 0, 1.35)
    page.goto(served(tmp_path).at("recordings", run="run/host_0_rank0.1795604234978483385.pt.trace.json"))
    settled(page)
    main = page.locator("main")
    for said in (
        "python train.py --lr 0.1",
        "stepscope 1.2.3, torch 2.13.0, Python 3.11.7",
        "--with shapes,stack · activities CPU CUDA",
        "steps 23 to 28, whole",
        "steps in the window were 1.35x as long: measured",
        "13.5 ms recorded, 10.0 ms before the window, 10.0 ms after it",
        "held up one step for 50.0 ms",
        "8 cores, 2 GPUs that the process could use",
    ):
        expect(main).to_contain_text(said)


def test_ranks_that_were_recorded_have_a_row_each(
    served: Served, page: Page, report_page: Callable[..., Page], tmp_path: Path
) -> None:
    for rank, slowdown in enumerate((1.35, 1.5)):
        recorded(tmp_path / "run", rank, slowdown)
    page.goto(served(tmp_path).at("recordings", run="run"))
    settled(page)
    rows = page.locator("main table").filter(has_text="Recorded step").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("1.50x as long: measured")
    report = report_page(tmp_path / "run", page="recordings")
    expect(report.locator("main table").filter(has_text="Recorded step").locator("tbody tr")).to_have_count(2)
    # A report is passed on: it does not hold the command line.
    expect(report.locator("main")).not_to_contain_text("--lr")


def test_what_is_not_said_is_not_known(served: Served, page: Page, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    page.goto(served(tmp_path).at("recordings", run="run"))
    expect(page.locator("main")).to_contain_text("These recordings do not say how they were made")


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
    expect(page.locator("main")).to_contain_text("3 of 5 recordings are on the run’s clock")
    expect(page.get_by_role("list", name="Recordings on the run’s clock").get_by_role("listitem")).to_have_count(5)
