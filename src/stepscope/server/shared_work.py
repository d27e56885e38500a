"""Work that several requests may want at once: done once, kept while there is room, dropped when nobody waits."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from stepscope.server.table_threads import Workers

_Result = TypeVar("_Result")

KEEP_BYTES = 512 << 20
"""Most memory for results."""

_OVERHEAD_BYTES = 4096
"""What a result takes beside itself, so that even empty ones do not add up without end."""


@dataclass
class _Piece:
    """A piece of work: its result, how large that is, and how many wait for it."""

    future: Future[Any]
    size: Callable[[Any], int | float]
    waiting: int = 0

    @cached_property
    def held(self) -> int:
        """Bytes of the result; to be asked once the work is done."""
        return _OVERHEAD_BYTES + (0 if _failed(self.future) else int(self.size(self.future.result())))


class Waiting(Generic[_Result]):
    """A place in the queue of those who wait for a piece of work; has to be left."""

    def __init__(self, future: Future[_Result], leave: Callable[[], None]) -> None:
        self.future = future
        self.leave = leave


class SharedWork:
    """Does pieces of work by key.

    Args:
        workers: the threads that work.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._pieces: OrderedDict[Hashable, _Piece] = OrderedDict()

    def ask(
        self, key: Hashable, make: Callable[[], _Result], size: Callable[[_Result], int | float] = lambda _: 0
    ) -> Waiting[_Result]:
        """Wait for a piece of work: the one under way or done, else a new one.

        Args:
            size: bytes that the result holds.
        """

        with self._lock:
            known = self._pieces.get(key)
            if known is None or _failed(known.future):
                piece = _Piece(self._workers.submit(make), size)
                self._pieces[key] = piece
            else:
                piece = known
            piece.waiting += 1
            self._pieces.move_to_end(key)
            self._forget_oldest()
        return Waiting(piece.future, lambda: self._leave(key, piece))

    def done(self, key: Hashable) -> Any:
        """A result, if that work is done; else None. Asking does not count as using it."""
        with self._lock:
            piece = self._pieces.get(key)
        return piece.future.result() if piece and piece.future.done() and not _failed(piece.future) else None

    def _leave(self, key: Hashable, piece: _Piece) -> None:
        with self._lock:
            piece.waiting -= 1
            # Work under way cannot be stopped, and is worth keeping; what waits for its turn is not begun.
            if piece.waiting == 0 and piece.future.cancel() and self._pieces.get(key) is piece:
                del self._pieces[key]

    def _forget_oldest(self) -> None:
        done = [(key, piece.held) for key, piece in self._pieces.items() if piece.future.done()]
        held = sum(size for _, size in done)
        for key, size in done[:-1]:
            if held <= KEEP_BYTES:
                return
            del self._pieces[key]
            held -= size


def _failed(future: Future[Any]) -> bool:
    return future.done() and (future.cancelled() or future.exception() is not None)
