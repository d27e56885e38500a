"""Events of tracks as rows with a start and a length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stepscope.numeric import packet_state as st
from stepscope.numeric.slices import NONE, pair_by_runs, pair_by_stack

Ints = npt.NDArray[np.int64]


class Slices(NamedTuple):
    """Rows of `Packets.events` that something is shown of.

    Attributes:
        rows: all but ends, in the order of the file.
        duration_ns: of each; 0 of an instant and of a counter.
        owner_row: of every event, ends included, the place in ``rows`` of what it belongs to; -1 for an end alone.
        unfinished: slices without an end, which end with the recording.
        alone: ends without a beginning.
    """

    rows: Ints
    duration_ns: Ints
    owner_row: Ints
    unfinished: int
    alone: int


def find_slices(events: Ints, by_runs: bool) -> Slices:
    """Pair beginnings and ends.

    Args:
        by_runs: whether the writer put as many ends behind some beginnings, in the same order, as PyTorch does: on a
            stack, slices of one track that have a time in common would get each other's ends.
    """
    kind, time = events[:, st.KIND], events[:, st.TIME]
    paired = np.flatnonzero((kind == st.BEGIN) | (kind == st.END))
    partner = _partners(events[paired], by_runs)
    alone = (partner == NONE) & (kind[paired] == st.END)
    unfinished = (partner == NONE) & (kind[paired] == st.BEGIN)
    duration = np.where(kind == st.STAGE, events[:, st.DURATION], 0)
    begins = (kind[paired] == st.BEGIN) & ~unfinished
    duration[paired[begins]] = time[paired[partner[begins]]] - time[paired[begins]]
    if len(time):
        last = int((time + np.maximum(duration, 0)).max())
        duration[paired[unfinished]] = last - time[paired[unfinished]]
    rows = np.flatnonzero(kind != st.END)
    owner_row = np.full(len(events), -1, np.int64)
    owner_row[rows] = np.arange(len(rows))
    ends = (kind[paired] == st.END) & ~alone
    owner_row[paired[ends]] = owner_row[paired[partner[ends]]]
    return Slices(rows, duration[rows], owner_row, int(unfinished.sum()), int(alone.sum()))


def _partners(events: Ints, by_runs: bool) -> Ints:
    is_end = events[:, st.KIND] == st.END
    if by_runs:
        found = pair_by_runs(is_end)
        if found is not None:
            return found
    uuids, track = np.unique(events[:, st.TRACK], return_inverse=True)
    order = np.argsort(events[:, st.TIME], kind="stable")
    partner = np.full(len(events), NONE, np.int64)
    pair_by_stack(order, track.astype(np.int64).reshape(-1), is_end, len(uuids), partner)
    return partner
