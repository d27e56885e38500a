"""Finding and starting Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

VARIABLE = "STEPSCOPE_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

ARGUMENTS = [
    "--no-sandbox",  # as root, in a container
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    # Whatever a page asks for by a name fails here and shows as an error; nothing leaves the machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def executable() -> str | None:
    """The Chromium to drive; None for Playwright's own."""
    named = os.environ.get(VARIABLE)
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


@contextmanager
def launched() -> Iterator[Browser | str]:
    """A browser, or why there is none."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = _start(playwright)
        yield started
        if not isinstance(started, str):
            started.close()


def _start(playwright: Playwright) -> Browser | str:
    from playwright.sync_api import Error

    path = executable()
    try:
        return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    except Error as error:
        first = str(error).strip().splitlines()[0]
        advice = f"install chromium, or name one in {VARIABLE}"
        return f"no browser ({first}); {advice}" if path is None else f"{path} does not start ({first}); {advice}"
