"""The web app as one file without data, as the build leaves it, and the page that it becomes."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from stepscope.errors import BadRequest
from stepscope.reporters.html.parts import Part

FILE = Path(__file__).resolve().parent.parent.parent / "web" / "report.html"

DATA_MARK = "<!--stepscope:data-->"
"""Where the data go."""

_HEAD = '<meta charset="utf-8" />'
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)


def read_shell(file: Path = FILE) -> str:
    """The app without data.

    Raises:
        BadRequest: this installation was made without it.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        advice = "Install stepscope without STEPSCOPE_SKIP_WEB, or choose --format text, markdown or json."
        raise BadRequest("cannot write an HTML report", "this installation has no web app", advice) from error
    if text.count(DATA_MARK) != 1 or _HEAD not in text:
        raise BadRequest(
            "cannot write an HTML report", "the web app of this installation is damaged", "Install stepscope anew."
        )
    return text


def page_with(shell: str, parts: Iterable[Part]) -> str:
    """The report: the app, its data, and a policy that forbids every request and every script but the app's own."""
    head = f'{_HEAD}\n    <meta http-equiv="Content-Security-Policy" content="{policy(shell)}" />'
    before, after = shell.replace(_HEAD, head, 1).split(DATA_MARK)
    return "".join([before, *(part.element for part in parts), after])


def policy(shell: str) -> str:
    """What the page may load and run: itself. Styles may stand in elements, where charts set them."""
    scripts = [found["text"] for found in _SCRIPT.finditer(shell) if "octet-stream" not in found["attributes"]]
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "worker-src blob:; form-action 'none'; base-uri 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
