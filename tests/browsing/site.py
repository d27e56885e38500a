"""The real server over a folder, as a command of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

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
    """``stepscope serve`` until it is stopped.

    In a process of its own: what it computes in the background would run beside the other tests otherwise, and
    Python 3.11 fails when two threads parse source at once. Tests open its pages by addresses of their own, so it asks
    for no token unless told to.
    """

    def __init__(self, path: Path, *, with_token: bool = False) -> None:
        options = [] if with_token else ["--no-token"]
        command = [sys.executable, "-m", "stepscope", "serve", str(path), "--port", "0", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        url = re.search(r"http://[^\s#]+", said)
        assert url, f"stepscope serve said: {said}"
        self.site = Site(url.group())

    def stop(self) -> None:
        """End, and wait until it has."""
        self._process.terminate()
        self._process.wait(_SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()
