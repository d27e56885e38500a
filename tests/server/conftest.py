"""The server as a browser sees it, without a socket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from served import Client
from stepscope.server.app import make_app
from stepscope.server.guard import Access
from stepscope.server.summary_process import Outcome, summary_of

Serve = Callable[..., Client]


class Here:
    """Makes summaries in this process: none has to start."""

    def summary(self, paths: tuple[str, ...]) -> Outcome:
        return summary_of(paths)

    def interrupt(self) -> None:
        """It goes on to its end."""

    def rest(self) -> None:
        """Nothing was started."""


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """``serve(folder)``: a client of a server over it; over ``tmp_path`` where none is named."""

    def start(
        folder: Path = tmp_path, only: str | None = None, access: Access | None = None, web: Path | None = None
    ) -> Client:
        return Client(make_app(str(folder), only, access, web or tmp_path / "no web app", summariser=Here()))

    return start
