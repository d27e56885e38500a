"""A browser, the real server, the real report; see README.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import stepscope
from browsing.chromium import launched
from browsing.kinds import write_kinds
from browsing.reports import Reports, address
from browsing.site import Running, Served, Site
from browsing.windows import PATIENCE_MS, Windows
from stepscope.findings.report import make_report
from stepscope.server.web import FOLDER
from stepscope.timeline import open_timeline

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Browse = Callable[..., "Page"]
ReportPage = Callable[..., "Page"]


_SERVERS = 8


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium; tests skip where there is none, or no web app.

    For this folder, not for the session: while Playwright runs, its event loop runs in this thread, and no other test
    of the process could start one.
    """
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed; make test installs it")
    if not (FOLDER / "index.html").is_file():
        pytest.skip("the web app is not built; make web builds it")
    with launched() as found:
        if isinstance(found, str):
            pytest.skip(found)
        from playwright.sync_api import expect

        expect.set_options(timeout=PATIENCE_MS)
        yield found


@pytest.fixture(scope="session")
def compiled(own_cache: Path, examples: Path) -> None:
    """What a page waits for is compiled: after a change in numeric/ that takes longer than any page should wait."""
    profile = stepscope.open(examples / "launch_bound_decode.fixed.pt.trace.json.gz").profile
    make_report(profile)
    open_timeline(profile)


@pytest.fixture(scope="session")
def served(compiled: None) -> Iterator[Served]:
    """Serves folders and files. Of many the ones that were not asked for longest end: each takes 0.1 GB and more."""
    running: dict[Path, Running] = {}

    def serve(path: Path) -> Site:
        running[path] = running.pop(path, None) or Running(path)
        if len(running) > _SERVERS:
            running.pop(next(iter(running))).stop()
        return running[path].site

    yield serve
    for one in running.values():
        one.stop()


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    """A folder with a recording of each kind; their names are in `browsing.kinds`."""
    return write_kinds(tmp_path_factory.mktemp("kinds"), examples)


@pytest.fixture
def allowed_errors() -> list[str]:
    """Regular expressions of errors that a test causes on purpose."""
    return []


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Iterator[Windows]:
    """Pages that tests use one after the other."""
    found = Windows(browser)
    yield found
    found.close()


@pytest.fixture
def browse(windows: Windows, allowed_errors: list[str]) -> Iterator[Browse]:
    """Opens pages, as if each had a profile of its own; their errors fail the test."""

    def new(
        language: str = "en-US",
        dark: bool = False,
        width: int = 1280,
        height: int = 800,
        offline: bool = False,
        **options: Any,
    ) -> Page:
        return windows.open(
            locale=language,
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": height},
            offline=offline,
            **options,
        )

    yield new
    complaints = windows.complaints()
    windows.empty()
    unexpected = [text for text in complaints if not any(re.search(pattern, text) for pattern in allowed_errors)]
    assert not unexpected, "\n".join(unexpected)


@pytest.fixture
def page(browse: Browse) -> Page:
    """A page of 1280 x 800 in English, light."""
    return browse()


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory, compiled: None) -> Reports:
    """Reports as files: ``reports.of(path)``."""
    return Reports(tmp_path_factory.mktemp("reports"))


@pytest.fixture
def report_page(browse: Browse, reports: Reports) -> ReportPage:
    """Opens the report of a trace from disk, without a network."""

    def open_report(
        path: Path,
        *arguments: str,
        page: str = "verdict",
        params: dict[str, str] | None = None,
        **options: Any,
    ) -> Page:
        opened = browse(offline=True, **options)
        opened.goto(address(reports.of(path, *arguments), page, params or {}))
        return opened

    return open_report
