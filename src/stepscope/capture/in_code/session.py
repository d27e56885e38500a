"""A recorder whose steps the program itself tells. Windows, files and step times are those of the agent."""

from __future__ import annotations

import atexit
import os
import threading
from typing import Any

from stepscope.capture.agent.hooks import Hooks
from stepscope.capture.agent.recorder import Recorder

_MARKED = "call:"
"""Steps are what the program marks."""


class Session(Recorder):
    """One recording of a part of the program.

    Args:
        torch: the module.
        config: as `Plan.config` makes it.

    Attributes:
        is_active: it is the one of this process that records.
    """

    def __init__(self, torch: Any, config: dict[str, Any]) -> None:
        super().__init__(torch, {**config, "step_on": _MARKED})
        self._pid = os.getpid()
        self.is_active = False

    def install(self) -> Session:
        """Begin, unless another one is at work or this rank is left out."""
        if _Current.session is not None or self._is_left_out():
            return self
        _Current.set(self, self._torch)
        self.is_active = True
        os.makedirs(self._config["out"], exist_ok=True)
        if self._next is not None and self._next.first == 0:
            window, self._next = self._next, next(self._plan, None)
            self._open(window, 0)
        return self

    def step(self) -> None:
        """A step has ended. Does nothing in a forked child, or on another thread than the first that calls it."""
        if self.is_active and os.getpid() == self._pid:
            self._finder.marked()

    def end(self, reason: str) -> None:
        """Nothing more is recorded, and what was is written."""
        if self.is_active and os.getpid() == self._pid:
            self._finish(reason)
        self.leave()

    def leave(self) -> None:
        """Give way to others, as in a forked child."""
        self.is_active = False
        self._is_over = True
        if _Current.session is self:
            _Current.session = None

    def forget_in_child(self) -> None:
        """In a forked child: neither a profiler of the parent nor its handlers of signals are here."""
        self._endings.leave_signals()
        self._run = None
        self.leave()

    @property
    def steps(self) -> int:
        return self._finder.finished_steps

    @property
    def is_recording(self) -> bool:
        """Whether what happens now is in a recording."""
        return self._run is not None and self._run.is_open

    @property
    def windows(self) -> list[dict[str, Any]]:
        """What was recorded, see `Run.facts`."""
        return self._runs

    @property
    def closed(self) -> str:
        """Why it ended before its time, "" where it did not."""
        return self._closed

    @property
    def problems(self) -> list[str]:
        return self._problems

    def _micro_batches(self) -> int | None:
        """Unknown: nothing of the program but its steps is seen."""
        return None

    def foreign(self) -> None:
        """The program starts a profiler of its own."""
        self._foreign_profiler()


class _Current:
    """The session of this process, and what has to be watched once for all of them."""

    session: Session | None = None
    _lock = threading.Lock()
    _is_watched = False

    @classmethod
    def set(cls, session: Session, torch: Any) -> None:
        with cls._lock:
            cls.session = session
            if cls._is_watched:
                return
            cls._is_watched = True
        Hooks(torch, session.hooks.finder, cls._foreign, lambda _: None).watch_profilers()
        atexit.register(cls._at_exit)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=cls._after_fork)

    @classmethod
    def _foreign(cls) -> None:
        if cls.session is not None:
            cls.session.foreign()

    @classmethod
    def _at_exit(cls) -> None:
        if cls.session is not None:
            cls.session.end("exit")

    @classmethod
    def _after_fork(cls) -> None:
        if cls.session is not None:
            cls.session.forget_in_child()


def current() -> Session | None:
    """The session that records in this process."""
    return _Current.session
