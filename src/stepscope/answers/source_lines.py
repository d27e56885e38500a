"""Lines of the source files that a run's stack frames name, where those files exist on this machine.

A trace is somebody else's text, so it may name any file. What it can make a page or a report show is limited to what a
stack frame may honestly name: a file that ends in ``.py``, that is a regular file, and not larger than a source file
is. It has to lie below the current folder, beside the trace, or above that up to the folder served, in no hidden folder
there; all of this once its links were followed. The request has to name the file exactly as a frame does.

The profiler cuts paths at the folders that Python searches, so most names are relative; they are looked for in each of
these folders.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from stepscope.analyses.host.named_files import named_files
from stepscope.errors import NotFound, StepscopeError
from stepscope.messages import Message
from stepscope.readers.sources import is_below
from stepscope.store.profile import Profile

MAX_BYTES = 4 << 20
CONTEXT = 200
_MAX_LINE = 1000
_SUFFIX = ".py"


def source_lines(
    profile: Profile, root: str, trace: str, written_ns: int, file: str, line: int, context: int = CONTEXT
) -> dict[str, Any]:
    """A line of a file and what stands around it.

    Args:
        root: the folder served.
        trace: a file of the profile; the source may lie beside it.
        written_ns: when the trace was written; a source that is newer may be another version.
        file: the file as a stack frame of the run names it.
        line: from 1 on.
        context: lines shown before and after it.

    Raises:
        NotFound: no frame names the file, it is not in these folders, or it has no such line.
    """
    name = file.replace("\\", "/")
    if not any(name in named_files(rank) for rank in profile.ranks):
        raise _not_shown(file, Message("error-source-unnamed"), Message("error-record-stacks"))
    for path in _candidates(name, _folders(root, trace)):
        text, newer = _read(path, written_ns)
        if text is not None:
            return _window(file, line, path, text, context) | {"newer": newer}
    raise _not_shown(file, Message("error-source-missing"), Message("error-serve-at-script"))


def _not_shown(file: str, found: Message, advice: Message) -> StepscopeError:
    return NotFound(Message("error-cannot-show", what=file[-100:]), found, advice)


def _folders(root: str, trace: str) -> list[str]:
    """Where sources may lie, links followed. Never all of the machine, though a server was started there."""
    found = [os.path.realpath(os.curdir)]
    folder, root = os.path.realpath(os.path.dirname(trace)), os.path.realpath(root)
    while is_below(folder, root) and folder not in found:
        found.append(folder)
        folder = os.path.dirname(folder)
    return [one for one in found if one != os.path.dirname(one)]


def _candidates(name: str, folders: Sequence[str]) -> Iterator[str]:
    """What a name may stand for, links followed: paths that lie in one of the folders and in no hidden one there."""
    if ".." in name.split("/") or "\0" in name or ":" in os.path.splitdrive(name)[1]:
        return
    for path in dict.fromkeys(os.path.realpath(os.path.join(folder, name)) for folder in folders):
        if any(is_below(path, one) and "/." not in path[len(one) :].replace(os.sep, "/") for one in folders):
            yield path


def _read(real: str, trace_ns: int) -> tuple[str | None, bool]:
    """Text of a source file and whether it is newer than the trace; None for anything but a source file.

    Args:
        real: the path, links followed.
    """
    if not real.endswith(_SUFFIX):
        return None, False
    try:
        # Without O_NONBLOCK, opening a pipe would wait for its writer.
        descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (OSError, ValueError):
        return None, False
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        os.close(descriptor)
        return None, False
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(MAX_BYTES).decode("utf-8", "replace"), status.st_mtime_ns > trace_ns


def _window(file: str, line: int, path: str, text: str, context: int) -> dict[str, Any]:
    lines = text.split("\n")
    if line > len(lines):
        raise _not_shown(file, Message("error-source-shorter", lines=len(lines)), Message("error-show-recorded"))
    first = max(1, line - context)
    shown = [one.rstrip("\r")[:_MAX_LINE] for one in lines[first - 1 : line + context]]
    href = f"vscode://file/{quote(path.replace(os.sep, '/').lstrip('/'))}:{line}"
    return {"file": file, "line": line, "first": first, "lines": shown, "path": path, "href": href}
