"""How to record: every answer changes the command, which is there to be copied; and what this machine lacks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from building.live import running
from stepscope.capture.doctor.examination import CHECKS

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
expect = sync_api.expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browsing.site import Served


def command(page: Page) -> str:
    return " ".join(page.locator("main pre").first.inner_text().split())


def test_answers_are_options_of_the_command(served: Served, page: Page, tmp_path: Path) -> None:
    page.goto(served(tmp_path).at("record"))
    expect(page.locator("main pre").first).to_have_text(
        f"stepscope record --out {tmp_path}/job1 -- python train.py", use_inner_text=True
    )
    page.get_by_role("radio", name="When I ask").check()
    page.get_by_role("checkbox", name="Do you need lines of your code").uncheck()
    page.get_by_role("checkbox", name="Do you need power, clocks").check()
    page.get_by_label("Only these ranks").fill("0,7")
    page.get_by_label("Command of the job").fill("torchrun train.py")
    page.get_by_label("Folder of the recording").fill("my runs")
    assert command(page) == (
        "stepscope record --on-demand --with shapes --telemetry 10 --ranks 0,7 --out 'my runs' -- torchrun train.py"
    )
    page.get_by_label("Only these ranks").fill("0 to 7")
    expect(page.get_by_text("Write ranks as 0,7.")).to_be_visible()
    assert "--ranks" not in command(page)


def test_a_running_job_is_attached_to_or_shown(served: Served, page: Page, tmp_path: Path) -> None:
    running(tmp_path / "a")
    page.goto(served(tmp_path).at("record", how="running"))
    expect(page.locator("main")).to_contain_text("records into the folder it was started with")
    page.get_by_label("Process ID").fill("42")
    expect(page.locator("main pre").first).to_have_text(f"stepscope attach --out {tmp_path}/job1 42")
    page.get_by_role("link", name="train.py --size 7b in a").click()
    expect(page.get_by_role("heading", name="Live", exact=True)).to_be_visible()


def test_lines_for_the_code(served: Served, page: Page, tmp_path: Path) -> None:
    page.goto(served(tmp_path).at("record"))
    page.get_by_text("In your code").click()
    expect(page.locator("main pre").first).to_contain_text(f'with stepscope.profile("{tmp_path}/job1") as p:')
    expect(page.get_by_role("button", name="Copy code")).to_be_visible()
    expect(page.get_by_role("radio", name="When I ask")).to_have_count(0)


def test_back_finds_the_answers_as_they_were(served: Served, page: Page, tmp_path: Path) -> None:
    """What had been typed and ticked was lost on the way back."""
    page.goto(served(tmp_path).at("record"))
    expect(page.locator("main pre").first).to_contain_text(f"{tmp_path}/job1")
    entries = page.evaluate("history.length")
    page.get_by_label("Only these ranks").fill("0,7")
    page.get_by_label("Command of the job").press_sequentially("x.py")
    page.get_by_label("Folder of the recording").fill("")
    assert page.evaluate("history.length") == entries
    page.get_by_role("checkbox", name="Do you need power, clocks").check()
    before = command(page)
    assert before == "stepscope record --telemetry 10 --ranks 0,7 -- x.pypython train.py"
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Runs").click()
    page.get_by_role("heading", name="Runs", exact=True).wait_for()
    page.go_back()
    expect(page.get_by_label("Only these ranks")).to_have_value("0,7")
    assert command(page) == before
    page.go_back()
    expect(page.get_by_role("checkbox", name="Do you need power, clocks")).not_to_be_checked()
    expect(page.get_by_label("Only these ranks")).to_have_value("0,7")


def test_every_check_of_the_doctor_with_its_state(served: Served, page: Page, tmp_path: Path) -> None:
    page.goto(served(tmp_path).at("record"))
    cards = page.locator("section").filter(has_text="Is this machine ready?").locator("ul > li")
    expect(cards).to_have_count(len(CHECKS))
    failed = cards.filter(has=page.get_by_text("failed", exact=True)).locator(".strong").all_inner_texts()
    says = f"before this is fixed: {', '.join(failed)}" if failed else "Everything that recording needs is here."
    expect(page.locator("main")).to_contain_text(says)
    for check in CHECKS:
        expect(cards.filter(has_text=check.name).first).to_be_visible()
