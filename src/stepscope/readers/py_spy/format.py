"""Recognise samples of Python stacks by py-spy.

Formats: speedscope JSON (``-f speedscope``; https://www.speedscope.app/file-format-schema.json), sampled or with
events, and collapsed stacks (``-f raw``), a line for each stack with its count. Seen: py-spy
0.4.3; made: events of other tools.
Read: stacks, samples, threads. Ignored: columns of frames, names of profiles that are no thread.
Neither format says when sampling began, and samples of idle threads are left out unless asked for (``--idle``).
"""

from __future__ import annotations

import re

from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import HOST_SAMPLES, Input, Match, Reader, Reading

RECORDER = "py-spy"
_SPEEDSCOPE = re.compile(rb'\s*\{[^\[\]]{0,2000}"https?://www\.speedscope\.app/file-format-schema\.json"')
_LINES = 5
_PLACE = re.compile(r" \([^()]*:\d{1,9}\)$")


class _Samples(Reader):
    recorder = RECORDER
    kind = HOST_SAMPLES


class Speedscope(_Samples):
    """``py-spy record -f speedscope``."""

    name = "speedscope"
    suffixes = (".json", ".speedscope")

    def recognise(self, beginning: Beginning) -> Match | None:
        known = _SPEEDSCOPE.match(beginning.first) is not None
        return Match(self.kind, self.recorder, self.name) if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.py_spy.reading import SamplesReading
        from stepscope.readers.py_spy.speedscope import from_speedscope

        return SamplesReading(given, from_speedscope)


class CollapsedStacks(_Samples):
    """``py-spy record -f raw``."""

    name = "collapsed"
    suffixes = (".raw", ".folded", ".collapsed")

    def recognise(self, beginning: Beginning) -> Match | None:
        *lines, _ = beginning.first.decode("utf-8", "replace").split("\n", _LINES)
        known = bool(lines) and all(map(_is_stack, lines))
        return Match(self.kind, self.recorder, self.name) if known else None

    def read(self, given: Input) -> Reading:
        from stepscope.readers.py_spy.collapsed import from_collapsed
        from stepscope.readers.py_spy.reading import SamplesReading

        return SamplesReading(given, from_collapsed)


def _is_stack(line: str) -> bool:
    """Whether a line is a stack of py-spy with a count: other tools' frames do not end in file and line."""
    stack, _, count = line.rstrip("\r").rpartition(" ")
    return count.isascii() and count.isdigit() and any(_PLACE.search(frame[-2000:]) for frame in stack.split(";"))
