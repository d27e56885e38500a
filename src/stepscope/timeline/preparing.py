"""How far a timeline has come that is being made: many millions of events take seconds."""

from __future__ import annotations

import threading


class Preparation:
    """Counts the steps of making a timeline; may be asked by several threads.

    Attributes:
        total: steps there are.
        done: steps that are over.
        over: set once the timeline can be asked, or could not be made.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self.over = threading.Event()
        self._lock = threading.Lock()
        self._claimed = False

    def claim(self) -> bool:
        """Whether nobody else has undertaken to have the timeline made; true once."""
        with self._lock:
            free, self._claimed = not self._claimed, True
        return free

    def step(self, steps: int = 1) -> None:
        """Some more steps are over."""
        with self._lock:
            self.done = min(self.done + steps, self.total)  # what failed is made once more
