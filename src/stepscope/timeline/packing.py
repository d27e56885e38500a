"""Little-used streams packed together: a CUDA graph replays on hundreds of them, most of them nearly empty."""

from __future__ import annotations

import numpy as np

from stepscope.messages import Message
from stepscope.numeric import depths
from stepscope.numeric.depths import Laid
from stepscope.numeric.nested import Ints
from stepscope.timeline import kinds
from stepscope.timeline.events import Group
from stepscope.timeline.sharing import busiest
from stepscope.timeline.tracks import GPU, PACKED, SINGLE, Track

MOST_STREAMS = 12
"""Streams of a GPU that are shown each by itself, in any case."""

_LITTLE = 0.01
"""A stream with less than this share of its GPU's work is packed where there are more of them."""

_CLASSES = ("lane-compute", "lane-communication", "lane-copies")
"""Messages that name what a stream mostly does."""


def mark_communication(group: Group) -> None:
    """Say of streams that mostly communicate or copy that they do."""
    shares = _time_by_class(group)
    for track, times in zip(group.tracks, shares, strict=True):
        if times.sum() > 0 and 2 * times[0] < times.sum():
            of = Message(_CLASSES[1 + int(np.argmax(times[1:]))])
            track.title = Message("lane-of", title=track.title, of=of)


def _time_by_class(group: Group) -> np.ndarray:
    """Time of each track in `_CLASSES`."""
    key = group.track * len(_CLASSES) + _class_of(group.events)
    length = group.events.end - group.events.start
    size = len(group.tracks) * len(_CLASSES)
    return np.bincount(key, weights=length, minlength=size).reshape(-1, len(_CLASSES))


def _class_of(events: Laid) -> Ints:
    table = np.zeros(len(kinds.KINDS), np.int64)
    table[[kinds.COMMUNICATION, kinds.MEMCPY, kinds.MEMSET]] = [1, 2, 2]
    return table[events.kind]


def packed_group(group: Group) -> Group | None:
    """The events of little-used streams once more, on packed tracks; those streams are listed by themselves on demand.

    Args:
        group: all streams of a rank.

    Returns:
        None where no GPU has too many streams.
    """
    little = _little_used(group)
    rows = np.flatnonzero(little[group.track])
    if len(rows) == 0:
        return None
    for track, packed in zip(group.tracks, little, strict=True):
        track.listed = SINGLE if packed else track.listed
    gpus, gpu = _gpus(group)
    events = Laid._make(column[rows] for column in group.events)
    key = gpu[group.track[rows]] * len(_CLASSES) + _class_of(events)
    used, number = np.unique(key, return_inverse=True)
    line = group.track if group.line is None else group.line
    pairs = np.unique(number * (int(line.max()) + 1) + line[rows])
    streams = np.bincount(pairs // (int(line.max()) + 1))
    tracks = []
    for value, count in zip(used.tolist(), streams.tolist(), strict=True):
        title = Message("lane-packed", streams=count, of=Message(_CLASSES[value % len(_CLASSES)]))
        tracks.append(Track(GPU, "packed", title, device=gpus[value // len(_CLASSES)], listed=PACKED))
    return Group(tracks, number.astype(np.int32), group.tie[rows], events, depths.PACKED)


def _gpus(group: Group) -> tuple[list[int | None], Ints]:
    """The GPUs of some streams by number, and the place of each track's among them."""
    gpus = sorted({track.device for track in group.tracks}, key=lambda device: (device is None, device or 0))
    place = {gpu: i for i, gpu in enumerate(gpus)}
    return gpus, np.array([place[track.device] for track in group.tracks])


def _little_used(group: Group) -> np.ndarray:
    """Which tracks of streams are packed."""
    time = _time_by_class(group).sum(axis=1)
    _, gpu = _gpus(group)
    shared = np.array([track.shared for track in group.tracks])
    streams = np.bincount(gpu, weights=np.maximum(shared, 1))
    little = ~busiest(np.where(shared, -1, time), gpu, MOST_STREAMS)
    little |= (time < _LITTLE * np.bincount(gpu, weights=time)[gpu]) | (shared > 0)
    packed: np.ndarray = little & (streams[gpu] > MOST_STREAMS)
    return packed
