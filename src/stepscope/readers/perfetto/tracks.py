"""Whose a track is: its process and thread, as far up as its parents say, and its name."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stepscope.numeric import packet_state as st
from stepscope.numeric.packet_state import Ints

_DEEPEST = 32


@dataclass(frozen=True)
class Track:
    """A track, with what it has from its parents.

    Attributes:
        name: code of its own name, -1 for none.
        process, thread: numbers, -1 where none is said.
        process_name, thread_name: codes, -1 for none.
        unit: as CounterDescriptor numbers them.
        factor: what values of a counter are multiplied by.
        is_incremental: whether they are differences.
    """

    name: int = -1
    process: int = -1
    thread: int = -1
    process_name: int = -1
    thread_name: int = -1
    factor: int = 1
    is_incremental: bool = False


class Tracks:
    """All tracks of a trace, by their numbers.

    Args:
        rows: of `Packets.tracks`; of two with one number the later one adds what it says.
    """

    def __init__(self, rows: Ints) -> None:
        self._parents: dict[int, int] = {}
        self._own: dict[int, Track] = {}
        for row in rows.tolist():
            uuid = row[st.UUID]
            self._parents[uuid] = row[st.PARENT] or self._parents.get(uuid, 0)
            self._own[uuid] = _with(self._own.get(uuid, Track()), row)

    def all(self) -> dict[int, Track]:
        """Every track that is described."""
        return {uuid: self.of(uuid) for uuid in self._own}

    def of(self, uuid: int) -> Track:
        """A track with what its parents say; an empty one where nothing is said."""
        found = self._own.get(uuid, Track())
        for _ in range(_DEEPEST):
            uuid = self._parents.get(uuid, 0)
            above = self._own.get(uuid)
            if uuid == 0 or above is None:
                break
            found = replace(
                found,
                process=found.process if found.process >= 0 else above.process,
                thread=found.thread if found.thread >= 0 else above.thread,
                process_name=found.process_name if found.process_name >= 0 else above.process_name,
                thread_name=found.thread_name if found.thread_name >= 0 else above.thread_name,
                name=found.name if found.name >= 0 else above.name,
            )
        return found


def _with(known: Track, row: list[int]) -> Track:
    """A track with what one more description says of it."""

    def later(place: int, before: int) -> int:
        return row[place] if row[place] >= 0 else before

    return Track(
        name=later(st.TRACK_NAME, known.name),
        process=later(st.PROCESS, known.process),
        thread=later(st.THREAD, known.thread),
        process_name=later(st.PROCESS_NAME, known.process_name),
        thread_name=later(st.THREAD_NAME, known.thread_name),
        factor=row[st.FACTOR] or 1,
        is_incremental=row[st.IS_INCREMENTAL] != 0,
    )
