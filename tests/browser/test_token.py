"""The address with its token opens the app, and stays neither in the address bar nor in what the page asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing.site import Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUN = "batch_size.slow.pt.trace.json.gz"


@pytest.fixture
def site(compiled: None, examples: Path) -> Iterator[Running]:
    running = Running(examples / RUN, with_token=True)
    yield running
    running.stop()


def test_the_printed_address_opens_the_app_and_its_pages(page: Page, site: Running) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.site.url}#/verdict?run={RUN}")
    page.get_by_text("Step time:").first.wait_for()
    assert [url for url in asked if "token=" in url] == [f"{site.site.url}"]
    assert "token" not in page.evaluate("location.href")
    assert f"#/verdict?run={RUN}" in page.evaluate("location.href")
    page.reload()
    page.get_by_text("Step time:").first.wait_for()
