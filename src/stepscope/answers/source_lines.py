"""Lines of the source files that a run's stack frames name, where those files exist on this machine.

A trace is somebody else's text, so it may name any file. What it can make this page show is limited to what a stack
frame may honestly name: a file that ends in ``.py``, also after its links were followed, that is a regular file, and
not larger than a source file is. The request has to name the file exactly as a frame does. What is shown stays between
this server and the page that asked (see `guard`): a trace cannot send anything anywhere.

The profiler cuts paths at the folders that Python searches, so most names are relative. They are looked for where the
server was started, beside the trace and above it up to the folder served, and where this Python finds its modules.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from stepscope.analyses.host.named_files import named_files
from stepscope.errors import NotFound, StepscopeError
from stepscope.messages import Message
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
        NotFound: no frame names the file, it is not on this machine, or it has no such line.
    """
    name = file.replace("\\", "/")
    if not any(name in named_files(rank) for rank in profile.ranks):
        raise _not_shown(file, Message("error-source-unnamed"), Message("error-record-stacks"))
    for path in _candidates(name, root, trace):
        text, newer = _read(path, written_ns)
        if text is not None:
            return _window(file, line, os.path.realpath(path), text, context) | {"newer": newer}
    raise _not_shown(file, Message("error-source-missing"), Message("error-serve-at-script"))


def _not_shown(file: str, found: Message, advice: Message) -> StepscopeError:
    return NotFound(Message("error-cannot-show", what=file[-100:]), found, advice)


def _candidates(name: str, root: str, trace: str) -> Iterator[str]:
    """Where a file may be; a relative name never leads above the folder it is looked for in."""
    if os.path.isabs(name):
        yield name
        return
    if ".." in name.split("/") or ":" in name:
        return
    folder = os.path.dirname(trace)
    yield os.path.join(os.getcwd(), name)
    while folder.startswith(root):
        yield os.path.join(folder, name)
        folder, last = os.path.split(folder)
        if not last:
            break
    for searched in sys.path:
        if searched and os.path.isdir(searched):
            yield os.path.join(searched, name)


def _read(path: str, trace_ns: int) -> tuple[str | None, bool]:
    """Text of a source file and whether it is newer than the trace; None for anything but a source file."""
    try:
        real = os.path.realpath(path)
        if not real.endswith(_SUFFIX):
            return None, False
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
