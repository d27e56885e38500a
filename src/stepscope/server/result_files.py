"""Files of results in the folder that is served: histories of checks and ledgers, found by what they hold.

Looked for where the commands keep them: in the folder itself and in its ``.stepscope``, in files of JSON lines of any
name. A link that leads out of the folder is not followed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stepscope.errors import BadRequest, NotFound
from stepscope.messages import Message
from stepscope.readers.sources import is_below
from stepscope.server.listing import Run

PLACES = ("", ".stepscope")
MOST_BYTES = 16 << 20
"""Some ten thousand results."""

_SUFFIX = ".jsonl"
_MOST_FILES = 100
_HEAD_BYTES = 1 << 20
_HEAD_LINES = 20
_SLACK_S = 2.0
"""Moments of files are coarser than those of clocks."""


@dataclass(frozen=True)
class Kind:
    """What a file of results holds.

    Attributes:
        usual: the name that commands give it; such a file is one even if no line of it can be read.
        keys: what its lines have.
        tried: the beginning of what is said of one that cannot be read.
    """

    usual: str
    keys: frozenset[str]
    tried: str


HISTORY = Kind("history.jsonl", frozenset({"step_ns", "figures", "setup"}), "gate-cannot-read-history")
LEDGER = Kind("ledger.jsonl", frozenset({"promised_pct", "came_pct"}), "proof-cannot-read")


@dataclass(frozen=True)
class ResultFile:
    """A file of results; ``name`` is relative to the folder served."""

    name: str
    path: str
    size: int
    mtime_ns: int


def usual_path(root: str, kind: Kind) -> str:
    """Where a command should keep results for the app to find them."""
    return os.path.join(root, PLACES[-1], kind.usual)


def result_files(root: str, kind: Kind) -> list[ResultFile]:
    """Files of one kind, the one that changed last first."""
    found = [file for place in PLACES for file in _in_place(root, place, kind)]
    return sorted(found, key=lambda one: (-one.mtime_ns, one.name))


def chosen_file(files: list[ResultFile], name: str, kind: Kind) -> ResultFile:
    """A file by its name, which is looked up: no path is made from it. The newest where none is named.

    Raises:
        NotFound: there is none of this name.
        BadRequest: it is too large for a page.
    """
    file = next((one for one in files if name in ("", one.name)), None)
    if file is None:
        raise NotFound(Message(kind.tried, path=name), Message("error-no-such-file"), Message("error-choose-listed"))
    if file.size > MOST_BYTES:
        too_large = Message("gate-too-large", size=file.size, most=MOST_BYTES)
        raise BadRequest(Message(kind.tried, path=file.name), too_large, Message("gate-shorten"))
    return file


def _in_place(root: str, place: str, kind: Kind) -> Iterator[ResultFile]:
    folder = os.path.join(root, place)
    if not is_below(folder, root):
        return
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(_SUFFIX))
    except OSError:
        return
    for name in names[:_MOST_FILES]:
        path = os.path.join(folder, name)
        try:
            if not (is_below(path, root) and os.path.isfile(path) and (name == kind.usual or _holds(path, kind))):
                continue
            status = os.stat(path)
        except OSError:
            continue
        shown = f"{place}/{name}" if place else name
        yield ResultFile(shown, path, status.st_size, status.st_mtime_ns)


def _holds(path: str, kind: Kind) -> bool:
    """Whether one of its first lines is of this kind."""
    with open(path, "rb") as file:
        lines = file.read(_HEAD_BYTES).split(b"\n", _HEAD_LINES)[:_HEAD_LINES]
    return any(kind.keys <= _object(line).keys() for line in lines)


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class Links:
    """Which runs of a folder the paths in its results name.

    A path is as a command was given it, from a folder that is not known: the one served, or one above that.

    Args:
        root: the folder served.
        runs: those listed below it.
    """

    def __init__(self, root: str, runs: tuple[Run, ...]) -> None:
        self._runs = {path: run for run in reversed(runs) if run.opens for path in (*run.files, *run.paths)}
        self._bases = list(_above(root))

    def __call__(self, path: str, at_s: float) -> dict[str, Any]:
        """The name of a path, and the run that it is, unless that was recorded anew since."""
        plain = path[:1000].replace("\0", "")
        found = [os.path.normpath(os.path.join(base, plain)) for base in self._bases]
        run = next((self._runs[one] for one in found if one in self._runs), None)
        name = os.path.basename(plain.rstrip("/")) or plain
        if run is None:
            return {"name": name, "path": plain, "run": None, "state": "elsewhere"}
        is_newer = run.updated_ns / 1e9 > at_s + _SLACK_S
        state = "replaced" if is_newer else "here"
        return {"name": name, "path": plain, "run": None if is_newer else run.id, "state": state}


def _above(folder: str) -> Iterator[str]:
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
