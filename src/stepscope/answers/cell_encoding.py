"""Cells of the timeline as a report holds them: the same numbers as in a binary answer, in a form that packs better.

Times become gaps and lengths, rows follow from counts, and every column is split into planes: first the lowest bytes of
all its numbers, then the next ones. Small numbers leave planes of zeros, which take no room once packed: 5 to 6 bytes a
cell instead of 10 to 12.

Layout, little endian: u32 length of the header; the header as JSON, ``{"t0", "t1", "cell_ns", "cells", "lanes": [[lane,
cells], ...]}``; planes of gap (i64, from the end of the cell before, of a lane's first cell from ``t0``), length (i64),
skipped (i32, rows between the cell before and this one, of a lane's first cell from 0), count (u32), name (u32), busy
(u16), kind (u8), shade (u8).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.timeline.binary_format import unframe

PLANES = {
    "gap": "<i8",
    "length": "<i8",
    "skipped": "<i4",
    "count": "<u4",
    "name": "<u4",
    "busy": "<u2",
    "kind": "u1",
    "shade": "u1",
}
"""Columns in their order, and their types."""


def planes(answer: bytes | bytearray) -> bytes:
    """A binary answer about cells in the form described above."""
    header, columns = unframe(answer)
    lanes = [lane for lane in header["lanes"] if lane["count"]]
    first = np.array([lane["offset"] for lane in lanes], np.int64)
    start, end = columns["start"].astype(np.int64), columns["end"].astype(np.int64)
    rows, count = columns["first"].astype(np.int64), columns["count"].astype(np.int64)
    told = {
        "t0": header["t0"],
        "t1": header["t1"],
        "cell_ns": header["cell_ns"],
        "cells": len(start),
        "lanes": [[lane["lane"], lane["count"]] for lane in lanes],
    }
    values = {
        **columns,
        "gap": start - _shifted(end, first, header["t0"]),
        "length": end - start,
        "skipped": rows - _shifted(rows + count, first, 0),
    }
    text = json.dumps(told, separators=(",", ":")).encode()
    body = b"".join(_planes(values[name], kind) for name, kind in PLANES.items())
    return len(text).to_bytes(4, "little") + text + body


def _shifted(values: npt.NDArray[np.int64], first: npt.NDArray[np.int64], begin: int) -> npt.NDArray[np.int64]:
    """The value of the cell before; of each lane's first cell ``begin``."""
    before = np.roll(values, 1)
    before[first] = begin
    return before


def _planes(values: npt.NDArray[Any], kind: str) -> bytes:
    whole = np.ascontiguousarray(values.astype(kind))
    return whole.view(np.uint8).reshape(len(whole), whole.dtype.itemsize).T.tobytes()
