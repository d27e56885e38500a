"""Where one step ends and the next begins, told from what the program does.

The **anchor** is the first optimizer that steps. When it has stepped, a boundary is armed. If a batch was fetched from
a DataLoader since the last boundary, it fires when the next one is asked for: then a step is load, forward, backward,
optimizer and what the loop does behind it. Else it fires at once. It never fires inside backward or
``Optimizer.step``: starting, stopping or stepping a profiler there crashes or tears ranges apart.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

OPTIMIZER, DATA, MARK = "optimizer", "data", "mark"
_OTHER_STEPS = 20
"""So many steps of other optimizers without one of the anchor, and another one is the anchor."""
_ENOUGH_BACKWARDS = 5
_KEPT_COUNTS = 1000


class StepFinder:
    """Turns what the hooks see into boundaries.

    Attributes:
        mode: what ends steps: `OPTIMIZER`, `DATA` or `MARK`; "" while nothing is known.
        steps: boundaries so far, so the number of the running step.
        skips: steps that a GradScaler skipped.
        micro_batches: backward passes of each of the last steps.
        owner: the thread whose steps these are; None before there is any.
    """

    def __init__(self, step_on: str, fire: Callable[[], None], in_backward: Callable[[], bool]) -> None:
        kind, _, self._class = step_on.partition(":")
        self._asked = {"optimizer": OPTIMIZER, "data": DATA, "": ""}.get(kind, MARK)
        self._fire, self._in_backward = fire, in_backward
        self.mode = self._asked
        self.steps = self.skips = 0
        self.micro_batches: deque[int] = deque(maxlen=_KEPT_COUNTS)
        self.owner: int | None = None
        self.backward_depth = 0
        self._owner_is_sure = False
        self._is_armed = self._was_fetched = self._has_fetched = False
        self._has_optimizer = False
        self._waits_for_batch = True
        self._backwards = self._all_backwards = self._since_anchor = 0
        self._stepping = 0
        self._anchor: Any = None
        self._others = 0

    @property
    def was_active(self) -> bool:
        """Whether anything happened that could belong to a step."""
        return bool(self.steps or self._all_backwards or self._has_fetched or self._has_optimizer)

    @property
    def finished_steps(self) -> int:
        """Steps that are complete, the last one included if it only waits for the next batch."""
        return self.steps + self._is_armed

    def optimizer_made(self) -> None:
        self._has_optimizer = True

    def backward_begins(self) -> None:
        if not self._is_owner(True):
            return
        self.backward_depth += 1
        if self.backward_depth == 1:
            self._backwards += 1
            self._all_backwards += 1
            self._since_anchor += 1

    def backward_ends(self) -> None:
        if self._is_owner(True) and self.backward_depth:
            self.backward_depth -= 1
            self._settle()

    def step_begins(self) -> None:
        if self._is_owner(True):
            self._stepping += 1

    def step_ends(self, optimizer: Any) -> None:
        """An optimizer has stepped. Its hooks run on a thread of autograd where it steps inside backward."""
        is_owner = self._is_owner(True)
        if is_owner and self._stepping:
            self._stepping -= 1
        elif not is_owner and not self.backward_depth:
            return
        if self._asked in ("", OPTIMIZER) and self._is_anchor(optimizer):
            self._anchor_stepped()

    def scaler_updated(self) -> None:
        """A GradScaler was updated: backward without a step of the optimizer is a step that it skipped."""
        if self._is_owner(False) and self._asked in ("", OPTIMIZER) and self._since_anchor:
            self.skips += 1
            self._anchor_stepped()

    def fetch_begins(self) -> None:
        """A batch is asked for."""
        if not self._is_owner(False):
            return
        if self._steps_are_batches():
            self._begin_mode(DATA)
            self._is_armed = self._has_fetched
        if self._is_armed and self._is_idle():
            self._boundary()

    def fetched(self) -> None:
        if self._is_owner(False):
            self._was_fetched = self._has_fetched = True

    def marked(self) -> None:
        """What was asked for as the mark of steps has happened."""
        if self._asked == MARK and self._is_owner(True):
            self._is_armed = True
            self._settle()

    def _is_owner(self, is_sure: bool) -> bool:
        """Whether this is the thread that runs the steps; before that is known, the first that does anything is."""
        own = threading.get_ident()
        if self.owner is None or (is_sure and not self._owner_is_sure):
            self.owner, self._owner_is_sure = own, is_sure
        return own == self.owner

    def _is_anchor(self, optimizer: Any) -> bool:
        if self._class and type(optimizer).__name__ != self._class:
            return False
        anchor = self._anchor() if self._anchor is not None else None
        if anchor is optimizer:
            self._others = 0
            return True
        self._others += 1
        if anchor is not None and self._others <= _OTHER_STEPS:
            return False
        self._others = 0
        self._anchor = weakref.ref(optimizer)
        return True

    def _anchor_stepped(self) -> None:
        self._begin_mode(OPTIMIZER)
        if self._all_backwards and not self._since_anchor:
            return  # the same step: groups of parameters, sharded optimizers
        self._since_anchor = 0
        if self._is_armed:
            self._waits_for_batch = False  # several steps on one batch, each to be told from the next
        self._is_armed = True
        self._settle()

    def _steps_are_batches(self) -> bool:
        if self._asked:
            return self._asked == DATA
        if self.mode == OPTIMIZER:
            return False
        # One that was made and never seen to step may be compiled.
        return not self._has_optimizer or self._all_backwards >= _ENOUGH_BACKWARDS

    def _begin_mode(self, mode: str) -> None:
        if self.mode and self.mode != mode:
            self.steps = 0  # batches before training were no steps
            self.micro_batches.clear()
            self._is_armed = False
        self.mode = mode

    def _is_idle(self) -> bool:
        return not (self.backward_depth or self._stepping or self._in_backward())

    def _settle(self) -> None:
        waits = self._was_fetched and self._waits_for_batch and self.mode == OPTIMIZER
        if self._is_armed and not waits and self._is_idle():
            self._boundary()

    def _boundary(self) -> None:
        self._is_armed = self._was_fetched = False
        self.micro_batches.append(self._backwards)
        self._backwards = 0
        self.steps += 1
        self._fire()
