"""How much of the ranks of a job stays in memory: what was computed last, and no more than fits."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from threading import Lock
from typing import Protocol

HELD_EVENTS, HELD_RANKS = 2_000_000, 8
"""Ranks hold what was read and computed of so many events in all (a report comes to half a kilobyte for each), or of
so many ranks where theirs are more."""


class Holder(Protocol):
    """A rank: it can be asked to let go what it can read or compute again."""

    @property
    def weight(self) -> int:
        """Events that it holds something of."""

    def forget(self) -> None:
        """Let go of it."""


class Holding:
    """The ranks that were opened together. The one that was not used for longest forgets first.

    Args:
        events: that may be held something of.
        ranks: that are left alone, however many events they have.
    """

    def __init__(self, events: int = HELD_EVENTS, ranks: int = HELD_RANKS) -> None:
        self._events = events
        self._ranks = ranks
        self._lock = Lock()
        self._held: OrderedDict[int, weakref.ref[Holder]] = OrderedDict()

    def use(self, holder: Holder) -> None:
        """Say that a rank is about to hold something. Safe in any thread."""
        with self._lock:
            known = self._held.pop(id(holder), None)
            self._held[id(holder)] = weakref.ref(holder)
            if known is not None and known() is holder:
                return
            forgotten = self._too_many()
        for one in forgotten:
            one.forget()

    def _too_many(self) -> list[Holder]:
        alive = [(key, found) for key, reference in self._held.items() if (found := reference()) is not None]
        self._held = OrderedDict((key, weakref.ref(found)) for key, found in alive)
        events = sum(found.weight for _, found in alive)
        forgotten = []
        while len(alive) > self._ranks and events > self._events:
            key, oldest = alive.pop(0)
            events -= oldest.weight
            del self._held[key]
            forgotten.append(oldest)
        return forgotten
