"""The harness itself: what it counts as an error, and that a page opens at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.watching import Watched, complaint
from browsing.windows import Windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from browsing.site import Served


@pytest.mark.parametrize(
    "url",
    ["https://fonts.example/a.woff2", "http://10.0.0.1/", "ws://other/", "ftp://x/", "https://127.0.0.1.example/"],
)
def test_requests_that_leave_the_machine_are_found(url: str) -> None:
    assert complaint(url, False) == f"a request leaves the machine: {url}"
    assert complaint(url, True) == f"a request leaves the machine: {url}"


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/api/runs", "data:,", "blob:null/1", "about:blank"])
def test_requests_that_stay_here_are_none(url: str) -> None:
    assert complaint(url, False) is None


def test_a_report_is_one_file() -> None:
    assert complaint("file:///x/report.html", True) is None
    assert complaint("file:///x/style.css", False) == "a report asks for another file: file:///x/style.css"


def test_errors_of_a_page_are_seen(browser: Browser) -> None:
    watched = Watched(browser.new_context())
    page = watched.context.new_page()
    page.set_content("<script>console.error('told'); setTimeout(() => { throw new Error('thrown') })</script>")
    page.evaluate("new Promise((done) => setTimeout(done, 20))")
    page.evaluate("fetch('https://elsewhere.example/').catch(() => 0)")
    complaints = "\n".join(watched.complaints())
    watched.context.close()
    assert "console: told" in complaints
    assert "thrown" in complaints
    assert "a request leaves the machine: https://elsewhere.example/" in complaints


def test_the_app_opens(served: Served, page: Page, examples: Path) -> None:
    page.goto(served(examples).url)
    page.get_by_role("link", name="batch_size.slow").first.click()
    page.wait_for_url("**run=batch_size.slow.pt.trace.json.gz*")


def test_a_page_begins_anew_for_the_next_test(browser: Browser, served: Served, examples: Path) -> None:
    """A page is used again: nothing of what one test did is there in the next."""
    windows = Windows(browser)
    first = windows.open(locale="en-US")
    first.goto(served(examples).url)
    first.evaluate("() => { localStorage.left = 1; sessionStorage.left = 1; window.left = 1; console.error('left') }")
    assert windows.complaints() == ["error in the console: left ()"]
    first.set_viewport_size({"width": 640, "height": 400})
    first.emulate_media(media="print", forced_colors="active")
    other = windows.open(locale="en-US")
    assert other is not first
    windows.empty()
    second = windows.open(locale="en-US")
    assert second in (first, other)
    assert second.url == "about:blank"
    for page in (second, windows.open(locale="en-US")):
        page.goto(served(examples).url)
        assert page.evaluate("() => [localStorage.left, sessionStorage.left, window.left]") == [None, None, None]
        assert page.viewport_size == {"width": 1280, "height": 720}
        assert not page.evaluate("() => matchMedia('print, (forced-colors: active)').matches")
    assert windows.complaints() == []
    assert windows.open(locale="zh-CN") not in (first, other)
    windows.close()
