"""Answers of the server that a test keeps back for a while."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


class HeldAnswers:
    """What a page asks for at some addresses waits until `let_go`; from then on nothing does."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self._waiting: list[Route] | None = []
        page.route(address, self._asked)

    def _asked(self, route: Route) -> None:
        if self._waiting is None:
            route.continue_()
        else:
            self._waiting.append(route)

    def let_go(self) -> None:
        waiting, self._waiting = self._waiting or [], None
        for one in waiting:
            one.continue_()
