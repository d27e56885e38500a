"""All packets of a trace, decoded piece by piece: compressed ones are inflated where they stand."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric import packet_state as st
from stepscope.numeric.bytescan import PADDING, words_of
from stepscope.numeric.packet_state import Ints, make_room, new_packets
from stepscope.numeric.packets import LONGEST_PACKET, read_packets
from stepscope.numeric.pool import SharedPool
from stepscope.readers.formats import Progress
from stepscope.readers.sources import Stream

_PIECE = 1 << 20
_HEADER = 16


class Decoder:
    """Reads a stream to its end.

    Args:
        stream: the trace, at its start.
        texts: takes the texts.

    Attributes:
        truncated: None, or why the end is missing or was not read.
        bad_archives: compressed packets that could not be inflated.
    """

    def __init__(self, stream: Stream, texts: SharedPool, progress: Progress | None = None) -> None:
        self.truncated: Message | None = None
        self.bad_archives = 0
        self._stream, self._texts, self._progress = stream, texts, progress
        self._packets = new_packets()

    @property
    def state(self) -> Ints:
        return self._packets.state

    @property
    def owners(self) -> tuple[Ints, npt.NDArray[np.uint64]]:
        """The numbers that sequences gave to texts, and the seed of their hashes (`packet_state.looked_up`)."""
        return self._packets.names, self._packets.seed

    def rows(self, name: str, used: int) -> Ints:
        """What is in use of an array of `Packets`."""
        found: Ints = getattr(self._packets, name)[: self.state[used]]
        return found

    def run(self) -> None:
        """Decode everything.

        Raises:
            UnreadableInput: the stream inflates beyond its limit.
        """
        buf = np.zeros(_PIECE + PADDING, np.uint8)
        held = 0
        while True:
            got = self._stream.read_into(buf.data[held : len(buf) - PADDING])
            held += got
            used = self._decode(buf, held, is_inner=False)
            if self.state[st.STATUS] == st.BROKEN:
                self.truncated = Message("reader-packets-broken", packets=int(self.state[st.PACKETS]))
                return
            if got == 0:
                break
            buf, held = _moved(buf, used, held, int(self.state[st.NEED]))
            if self._progress is not None:
                self._progress(self._stream.consumed, int(self.state[st.EVENTS]))
        if self._stream.damage is not None:
            self.truncated = self._stream.damage
        elif used < held:
            self.truncated = Message("reader-packets-cut")

    def _decode(self, buf: npt.NDArray[np.uint8], held: int, is_inner: bool) -> int:
        """Decode what lies whole in the first bytes of a buffer; returns how many that are."""
        at = 0
        while True:
            self._packets = make_room(self._packets, held - at)
            pool, arena = self._texts.room_for((held - at) // 2 + 1, held - at + PADDING)
            at = int(read_packets(self._packets, pool, arena, words_of(arena), buf, words_of(buf), at, held, is_inner))
            self._texts.filled(int(self.state[st.TEXT_BYTES]))
            start, stop = int(self.state[st.SPAN_START]), int(self.state[st.SPAN_STOP])
            if self.state[st.STATUS] != st.COMPRESSED:
                return at
            self._inflate(buf[start:stop].tobytes())

    def _inflate(self, data: bytes) -> None:
        """Decode the packets in a compressed one: as many bytes as any other packet may have."""
        inflating = zlib.decompressobj()
        try:
            plain = inflating.decompress(data, LONGEST_PACKET)
        except zlib.error:
            self.bad_archives += 1
            return
        if inflating.unconsumed_tail or not inflating.eof:
            self.bad_archives += 1
        buf = np.zeros(len(plain) + PADDING, np.uint8)
        buf[: len(plain)] = np.frombuffer(plain, np.uint8)
        if self._decode(buf, len(plain), is_inner=True) < len(plain):
            self.bad_archives += 1


def _moved(buf: npt.NDArray[np.uint8], used: int, held: int, need: int) -> tuple[npt.NDArray[np.uint8], int]:
    """The buffer with what is left of it in front, and how much that is; longer where one packet needs that."""
    wanted = max(need + _HEADER, _PIECE) + PADDING
    larger = buf if len(buf) == wanted else np.zeros(wanted, np.uint8)
    larger[: held - used] = buf[used:held].copy()
    return larger, held - used


def refusal(stream: Stream, found: Message, advice: Message) -> UnreadableInput:
    """Why a file is no trace that can be read."""
    return UnreadableInput(Message("error-cannot-read", path=stream.source.path), found, advice)
