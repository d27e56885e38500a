"""The values of a pickle from a stream, as far as memory allows."""

from __future__ import annotations

import os

import numpy as np

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric import pickle_machine
from stepscope.numeric.bytescan import PADDING, words_of
from stepscope.numeric.pickle_decoding import decode
from stepscope.numeric.pickle_machine import (
    MORE,
    REFUSED,
    Machine,
    forget_scratch,
    held_bytes,
    make_room,
    new_machine,
)
from stepscope.numeric.pool import SharedPool
from stepscope.readers.formats import Progress
from stepscope.readers.sources import Stream

PIECE = 1 << 20
LONGEST_TEXT = 64 << 20
_MOST_CONTAINERS = (1 << 31) - (LONGEST_TEXT << 1)
_MEMORY_SHARE = 0.7


class Decoding:
    """One pass over a stream.

    Attributes:
        machine: the decoded values.
        texts: every text of them, by code.
        root: kind and number of the outermost value.
        stray: whether anything follows the pickle.
    """

    def __init__(self, stream: Stream, progress: Progress | None = None) -> None:
        self.machine: Machine = new_machine()
        self.texts = SharedPool()
        self.root = (pickle_machine.EMPTY, 0)
        self.stray = False
        self._stream = stream
        self._progress = progress
        self._most = int(_MEMORY_SHARE * available_bytes())

    def run(self) -> None:
        """Decode everything.

        Raises:
            UnreadableInput: it is no pickle of plain values, its end is missing, or it takes too much memory.
        """
        buf = np.zeros(PIECE + PADDING, np.uint8)
        held = 0
        while True:
            got = self._stream.read_into(buf.data[held : len(buf) - PADDING])
            if got == 0:
                raise self._refused(Message("reader-snapshot-cut", reason=self._stream.damage))
            held += got
            used = self._decode(buf, held)
            state = self.machine.state
            if state[pickle_machine.STATUS] == pickle_machine.STOPPED:
                self.root = int(self.machine.stack_kind[0]), int(self.machine.stack[0])
                self.machine = forget_scratch(self.machine)
                self.stray = used < held or bool(self._stream.peek(1)) or self._stream.stray_bytes > 0
                return
            if state[pickle_machine.STATUS] != MORE:
                raise self._refused(_reason(int(state[pickle_machine.STATUS]), int(state[pickle_machine.OP])))
            held -= used
            buf = self._with_room(buf, used, held, int(state[pickle_machine.NEED]))
            if self._progress is not None:
                self._progress(self._stream.consumed, int(state[pickle_machine.CONTAINERS]))

    def _decode(self, buf: np.ndarray, held: int) -> int:
        make_room(self.machine, held + 1)
        if held_bytes(self.machine) > self._most:
            raise self._refused(Message("reader-snapshot-memory", most_bytes=self._most))
        if self.machine.state[pickle_machine.ITEMS] > _MOST_CONTAINERS:
            raise self._refused(Message("reader-snapshot-memory", most_bytes=self._most))
        pool, arena = self.texts.room_for(held // 2 + 1, held + PADDING)
        used = int(decode(self.machine, pool, arena, words_of(arena), buf, words_of(buf), 0, held))
        self.texts.filled(int(self.machine.state[pickle_machine.TEXT_BYTES]))
        return used

    def _with_room(self, buf: np.ndarray, used: int, held: int, need: int) -> np.ndarray:
        """The buffer with what is left of it in front, longer where one text needs that."""
        if need > LONGEST_TEXT:
            raise self._refused(Message("reader-snapshot-malformed"))
        larger = buf if need <= len(buf) - PADDING else np.zeros(need + PADDING, np.uint8)
        larger[:held] = buf[used : used + held].copy()
        return larger

    def _refused(self, found: Message) -> UnreadableInput:
        return refusal(self._stream.source.path, found)


def _reason(status: int, op: int) -> Message:
    """Why decoding ended at an instruction."""
    if status == REFUSED:
        return Message("reader-snapshot-instruction", instruction=f"0x{op:02x}")
    return Message("reader-snapshot-malformed")


def refusal(path: str, found: Message) -> UnreadableInput:
    """Why a file is no memory snapshot that can be read."""
    return UnreadableInput(Message("error-cannot-read", path=path), found, Message("reader-snapshot-advice"))


def available_bytes() -> int:
    """Memory that may be taken without another program losing its own; a guess where the system does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            found = [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    except (OSError, ValueError):
        found = []
    if found:
        return found[0]
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):
        return 4 << 30
