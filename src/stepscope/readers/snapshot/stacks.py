"""Frames and stacks, each once: an event names its stack by a number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.numeric import pickle_machine
from stepscope.numeric.pickle_machine import Ints
from stepscope.numeric.pickle_values import AlikeLists
from stepscope.readers.snapshot.values import Values
from stepscope.schema import STORE_TABLES

_KEYS = ("filename", "line", "name", "fx_original_trace")
_PART = 1 << 20


class Stacks:
    """All stacks of a snapshot, numbered as they are asked for."""

    def __init__(self, values: Values) -> None:
        dicts = values.frame_dicts("filename")
        values.note_unknown("frame", dicts, _KEYS)
        frames = pl.DataFrame(
            [
                values.words(dicts, "filename").alias("file"),
                values.numbers(dicts, "line", (1 << 31) - 1).alias("line"),
                values.words(dicts, "name").alias("function"),
                values.words(dicts, "fx_original_trace").alias("original"),
            ]
        )
        distinct = frames.unique(maintain_order=True).with_row_index("frame")
        rows = frames.join(distinct, frames.columns, "left", nulls_equal=True, maintain_order="left")["frame"]
        member = np.full(int(values.machine.state[pickle_machine.CONTAINERS]) + 1, -1, np.int32)
        member[dicts] = rows.to_numpy()
        self._frames = distinct
        self._lists = AlikeLists(values.machine, member)

    def numbers(self, lists: Ints) -> pl.Series:
        """Numbers of the stacks that some lists of frames are; null for -1 and for lists without frames."""
        there = lists >= 0
        found = np.full(len(lists), -1, np.int64)
        found[there] = self._lists.numbers(lists[there])
        length = np.diff(self._lists.ends, append=self._lists.ends[-1])
        good = there & (length[np.maximum(found, 0)] > 0)
        return pl.Series("stack", found).set(pl.Series(~good), None)

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """The frames, and which of them each stack is of, innermost first."""
        ends = self._lists.ends
        stacks = len(self._lists)
        lengths = np.diff(ends)
        types = STORE_TABLES["memory_stack"]
        at = 0
        while at < stacks:
            stop = max(at + 1, int(np.searchsorted(ends, ends[at] + _PART, side="right")) - 1)
            frames = self._lists.members[ends[at] : ends[stop]].astype(np.int64)
            numbers = np.repeat(np.arange(at, stop), lengths[at:stop])
            yield "memory_stack", pl.DataFrame({"stack": numbers, "frame": frames}, schema=types)
            at = stop
        if len(self._frames):
            yield (
                "memory_frame",
                self._frames.select(pl.col(n).cast(t) for n, t in STORE_TABLES["memory_frame"].items()),
            )
