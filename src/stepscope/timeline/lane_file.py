"""Lanes in a file beside the store: flat columns that are mapped into memory, so that opening reads nothing.

A file is the mark, the length of its head, the head as JSON, and the columns, each starting at a multiple of 64 bytes.
It is written under another name and renamed when complete; its head says how long it has to be.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.store.result_cache import new_result
from stepscope.timeline.tracks import Track

_MARK = b"stepTL\x00\x00"
_ALIGNED = 64


Arrays = Mapping[str, Sequence[npt.NDArray[Any]]]
"""Columns by name, each in pieces that stand one behind the other."""


class Saved(NamedTuple):
    """Tracks and their columns, which may lie in a file."""

    tracks: list[Track]
    overlaps: int
    columns: Mapping[str, npt.NDArray[Any]]


def load(path: Path) -> Saved | None:
    """What a file holds, mapped; None where there is none, or one that is damaged."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except (OSError, ValueError):
        return None
    try:
        return _parsed(mapped)
    except (ValueError, KeyError, TypeError):
        return None  # it will be written anew


def _parsed(mapped: mmap.mmap) -> Saved:
    if mapped[:8] != _MARK:
        raise ValueError("another kind of file")
    head = json.loads(mapped[16 : 16 + int.from_bytes(mapped[8:16], "little")])
    if head["size"] != len(mapped):
        raise ValueError("not written to its end")
    columns = {
        name: np.frombuffer(mapped, np.dtype(dtype), length, offset) for name, dtype, length, offset in head["columns"]
    }
    return Saved([Track.of(facts) for facts in head["tracks"]], head["overlaps"], columns)


def save(path: Path, tracks: list[Track], overlaps: int, pieces: Arrays) -> Saved:
    """Write columns and map them; a folder that cannot be written is no error, they then stay in memory."""
    try:
        with new_result(path) as temporary, temporary.open("wb") as file:
            _write(file, tracks, overlaps, pieces)
        found = load(path)
    except OSError:
        found = None
    return found if found is not None else Saved(tracks, overlaps, _joined(pieces))


def _joined(pieces: Arrays) -> dict[str, npt.NDArray[Any]]:
    """Columns in one piece each."""
    return {name: np.concatenate(parts) if len(parts) > 1 else parts[0] for name, parts in pieces.items()}


def _write(file: BinaryIO, tracks: list[Track], overlaps: int, pieces: Arrays) -> None:
    head: dict[str, Any] = {"tracks": [track.facts() for track in tracks], "overlaps": overlaps}
    # The offsets are digits of the head, whose length they depend on: they are counted from its end, rounded up.
    room = len(json.dumps(head)) + 128 * (len(pieces) + 1)
    at = _up(16 + room)
    columns = []
    for name, parts in pieces.items():
        length = sum(len(part) for part in parts)
        columns.append((name, parts[0].dtype.str, length, at))
        at = _up(at + length * parts[0].dtype.itemsize)
    text = json.dumps(head | {"columns": columns, "size": at}).encode()
    file.write(_MARK + len(text).to_bytes(8, "little") + text)
    for (_, _, _, offset), parts in zip(columns, pieces.values(), strict=True):
        file.write(bytes(offset - file.tell()))
        for part in parts:
            file.write(np.ascontiguousarray(part).view(np.uint8).data)
    file.write(bytes(at - file.tell()))


def _up(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
