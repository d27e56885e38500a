"""Lanes of events with their coarser levels, as arrays that may lie in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from stepscope.numeric.nested import Ints
from stepscope.timeline.lane_file import Saved
from stepscope.timeline.tracks import Track

LEVEL_BITS = 6

NOWHERE = np.uint32(0xFFFFFFFF)
"""Place of an event that has none, because it has no time."""


@dataclass(frozen=True)
class LaneSet:
    """Lanes of one rank.

    The columns ``start``, ``end``, ``name`` and ``kind`` hold the events, lane by lane, and behind them the cells of
    the coarser levels, lane by lane and level by level; ``first``, ``count`` and ``busy`` are of the cells alone.

    Attributes:
        tracks: whose lanes these are.
        overlaps: events that begin inside another one of their track and end behind it.
        columns: ``lane_first`` (where each lane's events begin, and the end of the last); start, end (ns), name, kind;
            first, count, busy; ``entry_key`` (lane and level of each level), ``entry_bounds``; ``source`` (number of
            each event in the store, see `events`), ``position`` and ``single`` (place of each event of the store, and
            the place outside packed tracks; `NOWHERE` for none); ``name_events``, ``name_total``,
            ``name_first``, ``name_longest``; ``text``, ``text_bounds`` (UTF-8) and ``shade`` of the names.
    """

    tracks: list[Track]
    overlaps: int
    columns: Mapping[str, npt.NDArray[Any]]

    @classmethod
    def of(cls, saved: Saved) -> LaneSet:
        """Lanes whose columns were saved."""
        return cls(saved.tracks, saved.overlaps, saved.columns)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    @property
    def lanes(self) -> int:
        """How many there are."""
        return len(self.columns["lane_first"]) - 1

    @property
    def events(self) -> int:
        """Events of all lanes, those of packed streams twice."""
        return int(self.columns["lane_first"][-1])

    @property
    def names(self) -> int:
        """How many names there are."""
        return len(self.columns["shade"])

    @cached_property
    def texts(self) -> list[str]:
        """The names."""
        data = self.columns["text"].tobytes()
        bounds = self.columns["text_bounds"].tolist()
        return [data[begin:end].decode("utf-8", "replace") for begin, end in pairwise(bounds)]

    @cached_property
    def name_of(self) -> dict[str, int]:
        """Number of each name."""
        return {text: i for i, text in enumerate(self.texts)}

    @cached_property
    def track_of_lane(self) -> Ints:
        """Number of each lane's track among ``tracks``."""
        found = np.full(self.lanes, -1, np.int64)
        for number, track in enumerate(self.tracks):
            found[track.first_lane : track.first_lane + track.depths] = number
        return found

    def lanes_of_tracks(self, what: str, value: str) -> np.ndarray:
        """Of each lane, whether something about its track is so: one look at tracks of which there can be very many."""
        key = (what, value)
        if key not in self._of_tracks:
            self._of_tracks[key] = np.array([getattr(track, what) == value for track in self.tracks], np.bool_)[
                self.track_of_lane
            ]
        return self._of_tracks[key]

    @cached_property
    def _of_tracks(self) -> dict[tuple[str, str], np.ndarray]:
        return {}

    def lane_at(self, place: int) -> int:
        """The lane that a place among all events belongs to."""
        return int(np.searchsorted(self.columns["lane_first"], place, side="right")) - 1
