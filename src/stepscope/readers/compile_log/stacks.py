"""Stacks as Python prints tracebacks: outermost frame first."""

from __future__ import annotations

import re

Frame = tuple[str, int, str]
"""File, line and function."""

_FRAME = re.compile(r'File "([^"\n]+)", line (\d{1,9}), in ([^\n\\]+)')
_LIBRARY = re.compile(
    r"[/\\]torch[/\\]|[/\\]site-packages[/\\]|[/\\]dist-packages[/\\]|[/\\]lib[/\\]python3\.\d+[/\\]|^<"
)


def frames_of(stack: str) -> list[Frame]:
    """Its frames.

    >>> frames_of('File "/w/a.py", line 3, in f\\n    g()')
    [('/w/a.py', 3, 'f')]
    """
    return [(file, int(line), function.strip()) for file, line, function in _FRAME.findall(stack)]


def own_frame(frames: list[Frame]) -> Frame | None:
    """The innermost frame that is not one of a library, else the innermost one."""
    own = [frame for frame in frames if _LIBRARY.search(frame[0]) is None]
    return next(reversed(own or frames), None)
