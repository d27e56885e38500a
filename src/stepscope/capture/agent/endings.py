"""How processes end, and what must be saved before: normally, by ``os._exit``, by a signal; and what a fork leaves out.

Signals are taken only where nobody else does, and SIGTERM and SIGHUP only while something would be lost: Python runs
handlers between two instructions, so that a process which hangs in a library would not end by them.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

_SAVED_BEFORE = ("SIGTERM", "SIGHUP")
REQUEST = "SIGUSR2"


class Endings:
    """Calls back when the process ends.

    Args:
        finish: called with the reason, on the thread that ends the process, never in a forked child; returns False
            where a signal has to wait.
        forked: called in a forked child.
    """

    def __init__(self, finish: Callable[[str], bool], forked: Callable[[], None]) -> None:
        self._finish, self._forked = finish, forked
        self._pid = os.getpid()
        self._taken: dict[int, Any] = {}
        self._leave = os._exit
        self._is_kept = True
        self._pending: int | None = None

    def install(self) -> None:
        atexit.register(self._at_exit)
        os._exit = self._exit  # type: ignore[assignment]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after_fork)

    def save_before_signals(self) -> None:
        """From now on something would be lost."""
        if threading.current_thread() is not threading.main_thread():
            return
        for name in _SAVED_BEFORE:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                self._taken[number] = signal.signal(number, self._signalled)

    def leave_signals(self) -> None:
        """Nothing would be lost any more."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number, before in list(self._taken.items()):
            # A bound method is made anew by every look at it.
            if getattr(signal.getsignal(number), "__func__", None) is Endings._signalled:
                signal.signal(number, before)
            del self._taken[number]

    def on_request(self, requested: Callable[[], None]) -> bool:
        """Have SIGUSR2 call back; returns whether nobody else has taken it."""
        number = getattr(signal, REQUEST, None)
        if number is None or threading.current_thread() is not threading.main_thread():
            return False
        if signal.getsignal(number) is not signal.SIG_DFL:
            return False
        signal.signal(number, lambda *_: requested())
        return True

    def _at_exit(self) -> None:
        if os.getpid() == self._pid:
            self._finish("exit")

    def _exit(self, status: int) -> None:
        if os.getpid() == self._pid and self._is_kept:
            self._finish("os._exit")
        self._leave(status)

    def _signalled(self, number: int, _: Any) -> None:
        if os.getpid() == self._pid and not self._finish(signal.Signals(number).name):
            self._pending = number
            return
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def deliver(self) -> None:
        """A signal that had to wait has its effect now."""
        if self._pending is not None:
            number, self._pending = self._pending, None
            self._signalled(number, None)

    def _after_fork(self) -> None:
        """A child neither saves nor takes signals for its parent."""
        if not self._is_kept:
            return
        self._is_kept = False
        atexit.unregister(self._at_exit)
        os._exit = self._leave
        for number, before in self._taken.items():
            if getattr(signal.getsignal(number), "__func__", None) is Endings._signalled:
                signal.signal(number, before)
        self._taken = {}
        self._forked()
