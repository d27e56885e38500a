"""Pages that tests use one after the other: a new one costs more than most of what is checked in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from browsing.watching import Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

PATIENCE_MS = 90_000
"""How long a page is waited for before a test gives up: on a slow machine a trace takes its time to open, and a test
that passes never waits longer than it has to."""

_FORGET = "() => { try { localStorage.clear(); sessionStorage.clear() } catch { /* a page without storage */ } }"


@dataclass(frozen=True)
class _Window:
    key: str
    """What it was opened with."""
    watched: Watched
    page: Page
    size: ViewportSize | None


class Windows:
    """Pages of a browser. What a test did in one is gone when the next gets it, also if the test failed: document,
    storage, pointer, size, media.

    Only code that the browser compiled stays, which is most of what opening the app takes. What cannot be taken back
    (``add_init_script``, ``route``, ``expose_function``) needs a page of its own.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[_Window] = []
        self._used: list[_Window] = []

    def open(self, **options: Any) -> Page:
        """An empty page, with nobody else's until `empty`.

        Args:
            **options: of Playwright's `new_context`.
        """
        key = repr(sorted(options.items()))
        window = next((one for one in self._idle if one.key == key), None)
        if window is None:
            window = self._new(key, options)
        else:
            self._idle.remove(window)
        self._used.append(window)
        return window.page

    def complaints(self) -> list[str]:
        """What must not have happened in the pages that were opened since the last `empty`."""
        return [text for window in self._used for text in window.watched.complaints()]

    def empty(self) -> None:
        """End what the pages show, so that they can be opened again."""
        from playwright.sync_api import Error

        while self._used:
            window = self._used.pop()
            try:
                self._clear(window)
            except Error:  # it was closed, or hangs
                window.watched.context.close()
            else:
                self._idle.append(window)

    def close(self) -> None:
        """Close all pages."""
        for window in (*self._used, *self._idle):
            window.watched.context.close()
        self._used.clear()
        self._idle.clear()

    def _new(self, key: str, options: dict[str, Any]) -> _Window:
        context = self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        return _Window(key, Watched(context), page, page.viewport_size)

    def _clear(self, window: _Window) -> None:
        for other in window.watched.context.pages:
            if other is not window.page:
                other.close()
        window.page.evaluate(_FORGET)
        window.page.goto("about:blank")
        window.page.mouse.move(0, 0)
        if window.size:
            window.page.set_viewport_size(window.size)
        window.page.emulate_media(media="null", forced_colors="null")
        # Only now: a page that is left gives up what it still waits for, which is no fault of the next test's.
        window.watched.forget()
