"""The real server over a folder, in a thread of the tests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import uvicorn

from stepscope.server.app import make_app
from stepscope.server.guard import Access
from stepscope.server.serving import listening
from stepscope.server.serving import served as named

_SECONDS = 10.0


@dataclass(frozen=True)
class Site:
    """Addresses of the app."""

    url: str

    def at(self, page: str, **parameters: str) -> str:
        """The address of a page of the app: ``at("kernels", run="dit.json.gz", step="3:5")``."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        return f"{self.url}#/{page}{query}"


Served = Callable[[Path], Site]
"""Serves a folder or file and says where."""


class Running:
    """A server that answers until it is stopped."""

    def __init__(self, path: Path) -> None:
        what = named(str(path))
        self._listener = listening("127.0.0.1", 0)
        port = self._listener.getsockname()[1]
        self.site = Site(f"http://127.0.0.1:{port}/")
        app = make_app(what.root, what.only, Access(None, True, port))
        config = uvicorn.Config(app, log_level="error", access_log=False, ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._listener],), name=f"serves {path}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End, and wait until it has."""
        self._server.should_exit = True
        self._thread.join(_SECONDS)
        self._listener.close()
