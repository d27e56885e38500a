"""Lines of the source files that the tables of a report name, where those files are on this machine.

A report is passed on, and a trace may name any file: `source_lines` takes only those below the current folder or beside
the trace, and whoever makes the report is told which.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from stepscope.answers.source_lines import source_lines
from stepscope.errors import NotFound
from stepscope.reporters.html.parts import Part, packed
from stepscope.store.profile import Profile

MAX_PLACES = 300
MAX_BYTES = 400_000
"""Most places, and most text, of which lines are kept."""

CONTEXT = 12
"""Lines before and after."""

_PLACE = re.compile(r"^(?P<file>.+\.py):(?P<line>\d+)$")


def hold_sources(profile: Profile, frames: Iterable[pl.DataFrame]) -> list[dict[str, Any]]:
    """What `/api/source` answers for each place that a column ``source`` names, with fewer lines around it."""
    trace = os.path.abspath(profile.ranks[0].source) if profile.ranks else ""
    try:
        written_ns = os.stat(trace).st_mtime_ns
    except OSError:
        return []  # from elsewhere, so its sources are elsewhere too
    found = []
    room = MAX_BYTES
    for file, line in places(frames):
        try:
            answer = source_lines(profile, os.path.dirname(trace), trace, written_ns, file, line, CONTEXT)
        except NotFound:
            continue
        size = sum(map(len, answer["lines"]))
        if size <= room:
            room -= size
            found.append(answer)
    return found


def pack_sources(places: list[dict[str, Any]], room: int) -> tuple[Part, int]:
    """The first places that fit into some bytes of the page, and how many they are."""
    held = len(places)
    part = packed("sources", json.dumps(places).encode())
    while held and part.size > room:
        held //= 2
        part = packed("sources", json.dumps(places[:held]).encode())
    return part, held


def places(frames: Iterable[pl.DataFrame]) -> Iterator[tuple[str, int]]:
    """Files and lines that tables name, each once, at most `MAX_PLACES`."""
    columns = [frame["source"].cast(pl.String).drop_nulls() for frame in frames if "source" in frame.columns]
    texts = pl.concat(columns).unique(maintain_order=True).to_list() if columns else []
    matched = [found for found in map(_PLACE.match, texts) if found]
    for found in matched[:MAX_PLACES]:
        yield found["file"], int(found["line"])
