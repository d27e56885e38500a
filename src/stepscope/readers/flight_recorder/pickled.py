"""The plain values of a pickled dump; nothing is unpickled.

A dump is a ring of some thousand entries, so its values become Python objects, each container once: what a hostile
pickle holds many times is shared here as it is there.
"""

from __future__ import annotations

from typing import Any

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.numeric.pickle_machine import CONTAINERS, DICT, ITEMS, LIST, TUPLE
from stepscope.readers.flight_recorder.refusing import refusal
from stepscope.readers.formats import Input
from stepscope.readers.snapshot.decoding import Decoding
from stepscope.readers.snapshot.values import Values
from stepscope.readers.sources import Stream

_MOST_ITEMS = 10_000_000
_DEEPEST = 16
_SAID = {
    "reader-snapshot-instruction": "reader-flight-instruction",
    "reader-snapshot-cut": "reader-flight-cut",
    "reader-snapshot-memory": "reader-flight-large",
}
"""By why a pickle was not decoded: what is said of it."""


def pickled(given: Input, stream: Stream) -> Any:
    """The dump's value.

    Raises:
        UnreadableInput: it is no pickle of plain values, is cut off, or is larger than any dump.
    """
    path, decoding = given.source.path, Decoding(stream, given.progress)
    try:
        decoding.run()
    except UnreadableInput as error:
        found = error.found if isinstance(error.found, Message) else Message("reader-flight-other")
        said = _SAID.get(found.id, "reader-flight-other")
        raise refusal(path, _worded(said, found)) from error
    if max(decoding.machine.state[ITEMS], decoding.machine.state[CONTAINERS]) > _MOST_ITEMS:
        raise refusal(path, Message("reader-flight-large", most_bytes=None))
    try:
        return _Tree(Values(decoding)).value(*decoding.root, 0)
    except _TooDeepError as error:
        raise refusal(path, Message("reader-flight-other")) from error


def _worded(said: str, found: Message) -> Message:
    """A message with the parameters of another one, if it has those."""
    return Message(said, **(dict(found.params) if said != "reader-flight-other" else {}))


class _TooDeepError(Exception):
    """Containers lie in containers, deeper than in any dump, or in themselves."""


class _Tree:
    """Values as Python objects, containers once each."""

    def __init__(self, values: Values) -> None:
        machine = values.machine
        self._values = values
        self._first, self._following = machine.first, machine.following
        self._start, self._length, self._layout = machine.start, machine.length, machine.layout
        self._items, self._kinds = machine.items, machine.item_kind
        self._made: dict[int, Any] = {}
        self._keys: dict[int, list[str]] = {}
        self._plain: dict[tuple[int, int], Any] = {}

    def value(self, kind: int, number: int, depth: int) -> Any:
        if kind in (LIST, TUPLE, DICT):
            if depth > _DEEPEST:
                raise _TooDeepError
            if number not in self._made:
                made = self._dict(number, depth) if kind == DICT else self._list(number, depth)
                self._made[number] = made
            return self._made[number]
        if (kind, number) not in self._plain:
            self._plain[kind, number] = self._values.plain_value(kind, number)
        return self._plain[kind, number]

    def _list(self, number: int, depth: int) -> list[Any]:
        found: list[Any] = []
        for start, length, _ in self._chunks(number):
            pairs = zip(self._items[start : start + length], self._kinds[start : start + length], strict=True)
            found += [self.value(int(kind), int(item), depth + 1) for item, kind in pairs]
        return found

    def _dict(self, number: int, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for start, _, layout in self._chunks(number):
            for place, key in enumerate(self._keys_of(layout)):
                item, kind = int(self._items[start + place]), int(self._kinds[start + place])
                found[key] = self.value(kind, item, depth + 1)
        return found

    def _chunks(self, number: int) -> list[tuple[int, int, int]]:
        """Of each chunk of a container where its items begin, how many they are, and its layout."""
        found, chunk = [], int(self._first[number])
        while chunk >= 0:
            found.append((int(self._start[chunk]), int(self._length[chunk]), int(self._layout[chunk])))
            chunk = int(self._following[chunk])
        return found

    def _keys_of(self, layout: int) -> list[str]:
        if layout not in self._keys:
            self._keys[layout] = self._values.keys(layout)
        return self._keys[layout]
