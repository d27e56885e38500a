"""Jobs that run: how far they are, a window on a click at its price, and what is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browsing.pages import faint, nameless
from browsing.site import Running, Site
from building import step, write
from building.live import GONE, MS, announce, running, window

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browsing.site import Served

TWO_RANKS = {"world_size": 2}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


@pytest.fixture
def site(compiled: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server with a token, which finds those that announced themselves below ``tmp_path``."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    running = Running(folder, with_token=True)
    yield running.site
    running.stop()


@pytest.fixture
def signals() -> Iterator[list[int]]:
    heard: list[int] = []
    before = signal.signal(signal.SIGUSR2, lambda number, _: heard.append(number))
    yield heard
    signal.signal(signal.SIGUSR2, before)


def test_a_job_says_how_far_and_how_fast_it_is(served: Served, page: Page, folder: Path) -> None:
    running(folder / "a")
    page.goto(served(folder).at("live"))
    main = page.locator("main")
    expect(main).to_contain_text("train.py --size 7b")
    expect(main).to_contain_text("ready to record")
    said = [" ".join(one.inner_text().split()) for one in main.locator("dl.figures > div").all()]
    assert said == [
        "Steps so far 1,204",
        "Step time 12.0 ms mean of the last 100 steps Record a window to see why.",
        "Best 100 steps 10.0 ms 20 % slower now",
    ]
    expect(main).to_contain_text("No telemetry: start the job with --telemetry 10")


def test_without_a_token_the_command_stands_in_place_of_the_button(served: Served, page: Page, folder: Path) -> None:
    running(folder / "a")
    page.goto(served(folder).at("live"))
    expect(page.get_by_text(f"stepscope attach {os.getpid()}", exact=True)).to_be_visible()
    expect(page.locator("main")).to_contain_text("--no-token, so any user of this machine could press a button here")
    expect(page.get_by_role("button", name="now")).to_have_count(0)


def test_a_job_that_was_not_started_to_be_asked_has_no_button(site: Site, page: Page, folder: Path) -> None:
    running(folder / "a", on_demand=False, next=[1300, 1305])
    page.goto(site.at("live"))
    expect(page.locator("main")).to_contain_text("It records steps 1300 to 1305 by itself.")
    running(folder / "a", on_demand=False, state="done")
    expect(page.locator("main")).to_contain_text("stepscope record --on-demand -- python train.py --size 7b")
    expect(page.get_by_role("button", name="now")).to_have_count(0)


def test_a_click_has_two_ranks_recorded_and_the_link_waits_for_both(
    site: Site, page: Page, folder: Path, tmp_path: Path, signals: list[int]
) -> None:
    out = folder / "job"
    announce(tmp_path, out)
    told: dict[str, Any] = {"state": "waiting", "windows": []}

    def both(**changed: Any) -> None:
        told.update(changed)
        running(out, rank=0, **TWO_RANKS, **told)
        running(out, GONE, rank=1, on_demand=False, **TWO_RANKS, **told)

    both()
    page.goto(site.at("live"))
    main = page.locator("main")
    # What it costs stands there before it is pressed: two steps before the window, six in it, at 12 ms, 1.6x.
    expect(main).to_contain_text("About 154 ms: these steps take about 1.60x as long.")
    page.get_by_role("button", name="Record 6 steps now").click()
    expect(main).to_contain_text("Requested. The window begins with one of the next steps.")
    expect(page.get_by_role("button", name="Record 6 steps now")).to_be_disabled()
    assert signals == [signal.SIGUSR2]
    both(state="recording", recording=[1207, 1212])
    expect(main).to_contain_text("Recording steps 1207 to 1212.")
    write(out / "job_rank0.json", step(1, 0, 10))
    running(out, rank=0, **TWO_RANKS, **{**told, "windows": [window(1207, "job_rank0.json")]})
    expect(main).to_contain_text("waiting for all ranks")
    expect(page.get_by_role("link", name="Open")).to_have_count(0)
    write(out / "job_rank1.json", step(1, 0, 10))
    both(state="waiting", recording=None)
    running(out, rank=0, **TWO_RANKS, **{**told, "windows": [window(1207, "job_rank0.json")]})
    running(out, GONE, rank=1, on_demand=False, **TWO_RANKS, **{**told, "windows": [window(1207, "job_rank1.json")]})
    expect(main).to_contain_text("window 1: steps 1207 to 1212")
    expect(main).to_contain_text("recorded steps were 1.31x as long: measured")
    expect(main).to_contain_text("As in the last window; then one step waits 5.00 ms for the profiler to stop.")
    page.get_by_role("link", name="Open").click()
    expect(page.get_by_role("button", name="All 2 ranks")).to_be_visible()


def test_a_refusal_is_said(site: Site, page: Page, folder: Path, allowed_errors: list[str]) -> None:
    allowed_errors.append("400")
    running(folder / "a")
    page.goto(site.at("live"))
    page.get_by_role("button", name="Record 6 steps now").click()
    expect(page.get_by_role("alert")).to_contain_text("none of its processes on this machine was started for it")


def test_a_rank_that_was_killed_is_missed(served: Served, page: Page, folder: Path) -> None:
    running(folder / "a", rank=0)
    running(folder / "a", GONE, 40, rank=1)
    page.goto(served(folder).at("live"))
    expect(page.locator("main")).to_contain_text("Lost contact with rank 1: last seen 4")
    rows = page.locator("main table tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("lost contact, 4")


def test_a_job_that_ends_stays_until_one_leaves(served: Served, page: Page, folder: Path) -> None:
    file = running(folder / "a", windows=[window(1190, None)])
    page.goto(served(folder).at("live"))
    expect(page.locator("main")).to_contain_text("1,204")
    file.unlink()
    expect(page.locator("main").get_by_role("link", name="Its recordings are in the list of runs.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("1,204")


def test_a_job_that_recorded_nothing_ends_without_a_link_to_recordings(
    served: Served, page: Page, folder: Path
) -> None:
    file = running(folder / "a")
    page.goto(served(folder).at("live", job="a"))
    expect(page.locator("main")).to_contain_text("Record a window to see why.")
    file.unlink()
    main = page.locator("main")
    expect(main).to_contain_text("It had recorded nothing when it was last seen.")
    expect(main).not_to_contain_text("Record a window to see why.")
    page.reload()
    running(folder / "b")
    expect(main).to_contain_text("This job is not running here. What it recorded is in the list of runs.")


def test_before_the_first_step_has_ended_no_step_has_a_time(site: Site, page: Page, folder: Path) -> None:
    running(folder / "a", steps=0, step_ns=[], pace={"last_ns": None, "best_ns": None})
    page.goto(site.at("live"))
    page.locator("main dl.figures").wait_for()
    said = [" ".join(one.inner_text().split()) for one in page.locator("main dl.figures > div").all()]
    assert said == [
        "Steps so far 0",
        "Step time – known after its first step",
        "Best 100 steps – known after 100 steps",
    ]
    expect(page.locator("main")).not_to_contain_text("last 0 steps")
    expect(page.locator("main")).to_contain_text("A window can be requested here once a step has been timed.")


def test_back_returns_to_the_rank_and_the_job_before(served: Served, page: Page, folder: Path) -> None:
    running(folder / "a", rank=0)
    running(folder / "a", GONE, rank=1, steps=1300)
    running(folder / "b", GONE + 1, argv=["other.py"], began_ns=1)
    page.goto(served(folder).at("live"))
    command, steps = page.locator("main h2.mono"), page.locator("main dl.figures > div").first
    page.get_by_role("button", name="rank 1").click()
    expect(steps).to_contain_text("1,300")
    page.get_by_role("button", name="other.py").click()
    expect(command).to_have_text("other.py")
    page.go_back()
    expect(command).to_have_text("train.py --size 7b")
    expect(steps).to_contain_text("1,300")
    page.go_back()
    expect(steps).to_contain_text("1,204")


def test_where_nothing_runs_it_says_how_to_start(served: Served, page: Page, folder: Path) -> None:
    page.goto(served(folder).at("live"))
    expect(page.locator("main")).to_contain_text("No job is recording below this folder.")
    expect(page.locator("main")).to_contain_text(f"--out {folder}/job1 -- python train.py")


def bars(page: Page) -> str:
    return str(page.locator("main svg path").first.get_attribute("d"))


def stepped(folder: Path, steps: int) -> None:
    """As many steps more, each longer than the ones before."""
    running(folder / "a", steps=steps, step_ns=[MS * (at + 1) for at in range(steps % 100)])


def test_the_picture_stands_still_under_the_pointer(served: Served, page: Page, folder: Path) -> None:
    stepped(folder, 1210)
    page.goto(served(folder).at("live"))
    expect(page.locator("main")).to_contain_text("1,210")
    page.get_by_role("img", name="Time of the last 10 steps").hover(position={"x": 30, "y": 40})
    expect(page.locator("main")).to_contain_text("step 1201: 2.00 ms")
    before = bars(page)
    stepped(folder, 1220)
    expect(page.locator("main")).to_contain_text("1,220")
    assert bars(page) == before
    page.mouse.move(20, 300)
    expect(page.get_by_role("img", name="Time of the last 20 steps")).to_be_visible()


def test_with_reduced_motion_it_moves_when_asked(served: Served, browse: Callable[..., Page], folder: Path) -> None:
    page = browse(reduced_motion="reduce")
    stepped(folder, 1210)
    page.goto(served(folder).at("live"))
    expect(page.get_by_role("img", name="Time of the last 10 steps")).to_be_visible()
    stepped(folder, 1220)
    expect(page.locator("main")).to_contain_text("1,220")
    expect(page.get_by_role("img", name="Time of the last 10 steps")).to_be_visible()
    page.get_by_role("button", name="Show the newest").click()
    expect(page.get_by_role("img", name="Time of the last 20 steps")).to_be_visible()


@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
@pytest.mark.parametrize("name", ["live", "record"])
def test_the_pages_can_be_read_and_named(
    served: Served, browse: Callable[..., Page], folder: Path, name: str, language: str, dark: bool
) -> None:
    running(folder / "a", rank=0, windows=[window(1190, None)], problems=["ValueError: x"])
    running(folder / "a", GONE, 40, rank=1)
    page = browse(language=language, dark=dark)
    page.goto(served(folder).at(name))
    page.get_by_role("heading", level=1).wait_for()
    page.locator("main .code, main svg").first.wait_for()
    assert [*nameless(page), *faint(page)] == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("name", ["live", "record"])
def test_a_report_has_neither(report_page: Callable[..., Page], examples: Path, name: str) -> None:
    page = report_page(examples / "batch_size.slow.pt.trace.json.gz", page=name)
    expect(page.get_by_text("Step time:").first).to_be_visible()
    expect(page.get_by_role("navigation").get_by_role("link", name="Verdict")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("link", name="Record", exact=True)).to_have_count(0)
    expect(page.get_by_role("link", name="Live", exact=True)).to_have_count(0)
