"""The web app as one file without data, as the build leaves it, and the page that it becomes.

The app's script is packed like the data: a megabyte of it takes half as much. A few lines unpack it, and say what to do
in a browser that cannot.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.reporters.html.parts import Part, packed

FILE = Path(__file__).resolve().parent.parent.parent / "web" / "report.html"

LICENSES = FILE.with_name("licenses.txt")

DATA_MARK = "<!--stepscope:data-->"
"""Where the data go."""

_HEAD = '<meta charset="utf-8" />'
_SCRIPT = re.compile(r'<script type="module"[^>]*>(?P<text>.*?)</script>', re.DOTALL)

_UNPACK = """
const say = (text) => { document.getElementById('app').textContent = text }
const open = async () => {
  const packed = atob(document.getElementById('stepscope-app').textContent)
  const bytes = Uint8Array.from(packed, (one) => one.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const script = document.createElement('script')
  script.type = 'module'
  script.textContent = await new Response(stream).text()
  document.head.append(script)
}
const old = 'This report needs a newer browser: Chrome or Edge 103, Firefox 115, Safari 16.4 or later.'
const broken = 'This report is damaged: it was not copied as a whole.'
if (typeof DecompressionStream === 'undefined') say(old)
else addEventListener('DOMContentLoaded', () => open().catch(() => say(broken)))
"""

_NOSCRIPT = "<noscript>This report is a program: it needs JavaScript. Nothing in it asks the network.</noscript>\n"


def _how_to_get_it(file: Path) -> Message:
    """A clone in use has a Makefile that builds the app; what was installed elsewhere is installed anew."""
    clone = file.parents[3] if len(file.parents) > 3 else file.parent
    if (clone / "Makefile").is_file() and (clone / "hatch_build.py").is_file():
        return Message("error-make-web", folder=str(clone))
    return Message("error-install-with-app")


def read_shell(file: Path = FILE) -> str:
    """The app without data.

    Raises:
        BadRequest: this installation was made without it.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        found, advice = Message("error-no-app"), _how_to_get_it(file)
        raise BadRequest(Message("error-cannot-write-html"), found, advice) from error
    if text.count(DATA_MARK) != 1 or _HEAD not in text or len(_SCRIPT.findall(text)) != 1:
        found, advice = Message("error-app-damaged"), Message("error-install-anew")
        raise BadRequest(Message("error-cannot-write-html"), found, advice)
    return text


def read_licenses(file: Path = LICENSES) -> str:
    """The licenses of the libraries that the app holds code of; they ask to go with every copy of it."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    return text.replace("<", "&lt;")  # no element can end in it


def page_with(shell: str, parts: Iterable[Part], licenses: str = "") -> str:
    """The report: the app, its data, and a policy that forbids every request and every script but the app's own."""
    found = _SCRIPT.search(shell)
    script = found["text"] if found else ""
    app = packed("app", script.encode())
    without = _SCRIPT.sub("", shell, count=1)
    head = f'{_HEAD}\n    <meta http-equiv="Content-Security-Policy" content="{policy([_UNPACK, script])}" />'
    before, after = without.replace(_HEAD, head, 1).split(DATA_MARK)
    unpack = f"<script>{_UNPACK}</script>\n"
    notice = f'<script type="text/plain" id="stepscope-licenses">\n{licenses}</script>\n' if licenses else ""
    return "".join([before, _NOSCRIPT, unpack, app.element, *(part.element for part in parts), notice, after])


def policy(scripts: Iterable[str]) -> str:
    """What the page may load and run: itself. Styles may stand in elements, where charts set them."""
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
        "worker-src blob:; form-action 'none'; base-uri 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
