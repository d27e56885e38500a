"""What must not happen on any page: errors in the console or in a script, and requests that leave the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

LOCAL = {"127.0.0.1", "localhost"}
INSIDE = {"data", "blob", "about"}


class Watched:
    """A browser context and what was seen in its pages."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self._errors: list[str] = []
        self._requests: list[tuple[str, bool]] = []
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)

    def complaints(self) -> list[str]:
        """Everything that must not have happened."""
        return [*self._errors, *(text for url, is_page in self._requests if (text := complaint(url, is_page)))]

    def forget(self) -> None:
        """Begin anew."""
        self._errors.clear()
        self._requests.clear()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._errors.append(f"{message.type} in the console: {message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: WebError) -> None:
        self._errors.append(f"error in a script: {error.error}")

    def _on_request(self, request: Request) -> None:
        self._requests.append((request.url, request.is_navigation_request()))


def complaint(url: str, is_page: bool) -> str | None:
    """Why a request must not happen: it leaves the machine, or a report asks for another file.

    Args:
        is_page: whether it asks for the page itself.
    """
    parts = urlsplit(url)
    if parts.scheme in INSIDE or (parts.scheme == "file" and is_page):
        return None
    if parts.scheme == "file":
        return f"a report asks for another file: {url}"
    return None if parts.hostname in LOCAL else f"a request leaves the machine: {url}"
