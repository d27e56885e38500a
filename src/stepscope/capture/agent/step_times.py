"""How long steps take while nothing is recorded, in ns: before a window and after it."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

KEPT = 20
"""So many steps are measured before a window, and as many after it."""
UNSETTLED = 3
"""The first steps of a process compile, choose algorithms and fill caches: they are not measured."""


class Mark:
    """A moment between two steps: on the clock of the host and, where the job uses CUDA, of its stream.

    A host that runs ahead of its GPU passes from step to step sooner than the GPU does. An event in the stream costs
    2 us and waits for nobody, and the time between two of them is the step's on either kind of job: the GPU of a
    host-bound job is idle and passes them as they come.
    """

    def __init__(self, cuda: Any) -> None:
        self.host_ns = time.perf_counter_ns()
        self.event: Any = None
        try:
            if cuda is not None and cuda.is_initialized() and not cuda.is_current_stream_capturing():
                self.event = cuda.Event(enable_timing=True)
                self.event.record()
        except Exception:  # noqa: BLE001 - the host's clock remains
            self.event = None

    def until(self, later: Mark) -> int | None:
        """Nanoseconds to a later mark; None where the GPU has not come that far, or failed."""
        if self.event is None or later.event is None:
            return later.host_ns - self.host_ns
        try:
            return round(self.event.elapsed_time(later.event) * 1e6) if later.event.query() else None
        except Exception:  # noqa: BLE001 - a job whose GPU failed ends for its own reason
            return None


class StepTimes:
    """Marks of steps that nothing disturbed, newest last.

    Args:
        cuda: ``torch.cuda``, None where there is none.
    """

    def __init__(self, cuda: Any) -> None:
        self._cuda = cuda
        self._before: deque[tuple[Mark, Mark]] = deque(maxlen=KEPT)
        self._after: list[tuple[Mark, Mark]] = []
        self._last: Mark | None = None
        self._is_after = False

    def passed(self, step: int, is_disturbed: bool) -> None:
        """A step begins, and with it the last one ends.

        Args:
            step: number of the one that begins.
            is_disturbed: the profiler or its export was at work in the last one, or will be in the next one.
        """
        if is_disturbed or step <= UNSETTLED - 1 or self.has_enough:
            self._last = None
            return
        now = Mark(self._cuda)
        if self._last is not None:
            (self._after if self._is_after else self._before).append((self._last, now))
        self._last = now

    def window_ended(self) -> None:
        """What follows comes after the window."""
        self._is_after, self._last = True, None

    def next_window(self) -> None:
        """What came after the last window comes before the next one."""
        self._before.extend(self._after)
        self._after, self._is_after, self._last = [], False, None

    @property
    def has_enough(self) -> bool:
        """Whether nothing more needs to be measured."""
        return self._is_after and len(self._after) >= KEPT

    def before_ns(self) -> list[int]:
        return _lengths(self._before)

    def after_ns(self) -> list[int]:
        return _lengths(self._after)


def _lengths(pairs: Any) -> list[int]:
    found = [first.until(second) for first, second in pairs]
    return [length for length in found if length is not None and length > 0]
