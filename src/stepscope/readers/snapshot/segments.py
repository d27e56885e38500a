"""Segments and their blocks, as they were when the snapshot was taken."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from stepscope.numeric.pickle_machine import DICT, Ints
from stepscope.numeric.pickle_values import items_of
from stepscope.readers.snapshot.stacks import Stacks
from stepscope.readers.snapshot.values import Values
from stepscope.schema import STORE_TABLES

_KEYS = (
    *("device", "address", "total_size", "allocated_size", "active_size", "requested_size", "stream"),
    *("segment_type", "segment_pool_id", "is_expandable", "frames", "blocks"),
)
_BLOCK_KEYS = ("address", "size", "requested_size", "state", "frames", "history")


class Segments:
    """All segments.

    Attributes:
        count: how many there are.
        damaged: segments and blocks that are none.
        repeated: whether one list of blocks stands for several segments, as no recorder writes it.
    """

    def __init__(self, values: Values, segments: int | None) -> None:
        found, kinds = values.members(segments) if segments is not None else (np.empty(0, np.int64), np.empty(0))
        self._values = values
        self._segments = found[kinds == DICT]
        self.damaged = len(found) - len(self._segments)
        self.count = len(self._segments)
        self._blocks = values.lists(self._segments, "blocks")
        filled = self._blocks[self._blocks >= 0]
        filled = filled[values.machine.size[filled] > 0]
        self.repeated = len(np.unique(filled)) < len(filled)

    def tables(self, stacks: Stacks) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield ``memory_segment`` and ``memory_block``."""
        if self.count == 0:
            return
        values, segments = self._values, self._segments
        values.note_unknown("segment", segments, _KEYS)
        address = values.numbers(segments, "address")
        columns = {
            "device": values.numbers(segments, "device", (1 << 31) - 1),
            "address": address,
            "bytes": values.sizes(segments, "total_size"),
            "allocated_bytes": values.sizes(segments, "allocated_size"),
            "active_bytes": values.sizes(segments, "active_size"),
            "requested_bytes": values.sizes(segments, "requested_size"),
            "stream": values.numbers(segments, "stream", least=-(1 << 62)),
            "size_class": values.words(segments, "segment_type"),
            "pool": values.pairs(segments, "segment_pool_id"),
            "expandable": values.flags(segments, "is_expandable"),
            "stack": stacks.numbers(values.lists(segments, "frames")),
        }
        yield "memory_segment", pl.DataFrame(columns, schema=STORE_TABLES["memory_segment"])
        yield "memory_block", self._block_frame(address, stacks)

    def _block_frame(self, addresses: pl.Series, stacks: Stacks) -> pl.DataFrame:
        values = self._values
        there = np.flatnonzero(self._blocks >= 0)
        found, kinds, ends = items_of(values.machine, self._blocks[there])
        self.damaged += int(np.count_nonzero(kinds != DICT))
        segment = np.repeat(there, np.diff(ends))[kinds == DICT]
        blocks = found[kinds == DICT]
        values.note_unknown("block", blocks, _BLOCK_KEYS)
        size = values.sizes(blocks, "size")
        requested, frames = _with_history(values, blocks)
        frame = pl.DataFrame(
            {
                "segment": segment,
                "address": values.numbers(blocks, "address"),
                "bytes": size,
                "requested_bytes": requested,
                "state": values.words(blocks, "state"),
                "stack": stacks.numbers(frames),
            },
            schema=STORE_TABLES["memory_block"],
        )
        # Before PyTorch 2.0 blocks say no address: they lie one behind the other.
        begin = addresses.gather(frame["segment"]) + (pl.col("bytes").cum_sum() - pl.col("bytes")).over("segment")
        return frame.with_columns(pl.coalesce("address", begin).alias("address"))


def _with_history(values: Values, blocks: Ints) -> tuple[pl.Series, Ints]:
    """Requested size and frames of blocks; of old files those of the newest entry of a block's ``history``."""
    requested, frames = values.sizes(blocks, "requested_size"), values.lists(blocks, "frames")
    histories = values.lists(blocks, "history")
    rows = np.flatnonzero(histories >= 0)
    rows = rows[values.machine.size[histories[rows]] > 0]
    if len(rows) == 0:
        return requested, frames
    items, kinds, ends = items_of(values.machine, histories[rows])
    newest, are_dicts = items[ends[:-1]], kinds[ends[:-1]] == DICT
    rows, newest = rows[are_dicts], newest[are_dicts]
    real = values.sizes(newest, "real_size")
    requested = requested.scatter(rows, pl.coalesce(requested.gather(rows), real, eager=True))
    older = values.lists(newest, "frames")
    frames[rows] = np.where(frames[rows] >= 0, frames[rows], older)
    return requested, frames
