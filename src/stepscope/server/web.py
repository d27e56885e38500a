"""The built web app as files, or a page that says how to get it."""

from __future__ import annotations

import html
import os
import re
from functools import lru_cache
from pathlib import Path

from isal import igzip
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from stepscope.errors import NotFound
from stepscope.messages import Message
from stepscope.server.responses import takes_gzip

FOLDER = Path(__file__).resolve().parent.parent / "web"
"""Where the build puts the app."""

_HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.[a-z0-9.]+$")
"""Names that change with the content, as Vite makes them."""

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}")
_TEXTS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_FOREVER = "public, max-age=31536000, immutable"
_MISSING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>stepscope</title></head>
<body><h1>The web app is not part of this installation</h1>
<p>{reason}</p>
<p>The API answers all the same, for example <a href="/api/runs">/api/runs</a>; so do
<code>stepscope report</code> and <code>stepscope show</code>.</p></body></html>
"""


class WebApp:
    """Serves the files of a folder by the paths they have in it, and no others; built anew, they are served anew.

    Args:
        folder: the built app.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    async def __call__(self, request: Request) -> Response:
        """A file, or the app's page for the root.

        Raises:
            NotFound: the app has no such file.
        """
        name = request.path_params.get("path", "") or "index.html"
        path = self._file(name)
        if path is None:
            if name == "index.html":
                return HTMLResponse(missing_page(), 200, {"cache-control": "no-store"})
            raise NotFound(Message("error-cannot-answer"), Message("error-no-app-file"), Message("error-open-root"))
        headers = {"cache-control": _FOREVER if _HASHED.search(name) else "no-cache", "vary": "accept-encoding"}
        if path.suffix in _TEXTS and takes_gzip(request):
            packed = await run_in_threadpool(_packed, path, path.stat().st_mtime_ns)
            return Response(packed, headers=headers | {"content-encoding": "gzip"}, media_type=_TEXTS[path.suffix])
        return FileResponse(path, headers=headers)

    def _file(self, name: str) -> Path | None:
        """The file of a path made of plain names only, if there is one."""
        if not all(_PLAIN_NAME.fullmatch(part) for part in name.split("/")):
            return None
        path = self._folder.joinpath(*name.split("/"))
        return path if path.is_file() else None


@lru_cache(maxsize=64)
def _packed(path: Path, _: int) -> bytes:
    """A file, packed once for each of its versions."""
    return igzip.compress(path.read_bytes(), 3)


def missing_page() -> str:
    """Why there is no app, and how to get it."""
    if os.environ.get("STEPSCOPE_SKIP_WEB"):
        reason = "STEPSCOPE_SKIP_WEB is set: unset it and install again: pip install --force-reinstall --no-deps ."
    else:
        reason = (
            "Installing from a clone builds it: pip install . (or make web for a clone in use). "
            "It was left out if STEPSCOPE_SKIP_WEB was set while installing."
        )
    return _MISSING.format(reason=html.escape(reason))
