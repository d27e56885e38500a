"""One pass over a snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from stepscope.messages import Message
from stepscope.numeric.pickle_machine import DICT, LIST
from stepscope.readers.facts import EPOCH, OWN, Facts
from stepscope.readers.formats import Input
from stepscope.readers.pooled_texts import stored_texts
from stepscope.readers.snapshot.annotations import Annotations
from stepscope.readers.snapshot.decoding import Decoding, refusal
from stepscope.readers.snapshot.entries import Entries
from stepscope.readers.snapshot.segments import Segments
from stepscope.readers.snapshot.stacks import Stacks
from stepscope.readers.snapshot.values import Values
from stepscope.readers.sources import Stream

RECORDER = "torch.cuda.memory"

_KEYS = ("segments", "device_traces", "allocator_settings", "external_annotations")
_NAMED = 20


@dataclass
class SnapshotFacts(Facts):
    """Facts of a memory snapshot.

    Attributes:
        recorded_history: whether it holds what the allocator did, not only what it had in the end.
        pickle_bytes: length of the pickle, inflated.
        odd_values: values that are not of the kind that their key says, by key; they are taken as missing.
        unknown_keys: keys that are not read, by where they stand, and how often.
        stray: whether anything follows the pickle.
        part_ns: of a history that was read in part: time of its first entry, from and to; empty for all of it.
        left_out: entries that were left out because of that.
    """

    recorder: str = RECORDER
    recorded_history: bool = False
    pickle_bytes: int = 0
    odd_values: dict[str, int] = field(default_factory=dict)
    unknown_keys: dict[str, int] = field(default_factory=dict)
    stray: bool = False
    part_ns: list[int] = field(default_factory=list)
    left_out: int = 0


class SnapshotReading:
    """Iterate `tables` to the end, then look at `facts`."""

    def __init__(self, given: Input, stream: Stream) -> None:
        self.facts = SnapshotFacts()
        self._path, self._between = given.source.path, given.source.between
        self._stream = stream
        self._progress = given.progress

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it is no snapshot, or one of nothing.
        """
        decoding = Decoding(self._stream, self._progress)
        decoding.run()
        values = Values(decoding)
        parts = self._parts(values)
        segments = Segments(values, parts.get("segments"))
        entries = Entries(values, parts.get("device_traces"), self._between)
        if self._between is not None and entries.part is None:
            raise refusal(self._path, Message("reader-snapshot-no-times"))
        annotations = Annotations(values, parts.get("external_annotations"))
        if segments.repeated or entries.repeated:
            raise refusal(self._path, Message("reader-snapshot-repeated"))
        stacks = Stacks(values)
        yield from entries.tables(stacks)
        if segments.count == 0 and entries.count == entries.damaged:
            raise refusal(self._path, Message("reader-snapshot-empty"))
        yield from segments.tables(stacks)
        yield from annotations.tables(entries.count)
        yield from stacks.tables()
        self._finish(values, entries, annotations.count, segments.damaged + annotations.damaged)
        self.facts.stray = decoding.stray
        yield from stored_texts(values.texts)

    def _parts(self, values: Values) -> dict[str, int]:
        """Numbers of the lists of a snapshot, by their keys. ``memory_snapshot()`` gives the segments alone."""
        kind, number = values.root
        if kind == LIST:
            return {"segments": number}
        found = {key: values.under(number, key) for key in _KEYS} if kind == DICT else {}
        lists = {key: number for key, (kind, number) in found.items() if kind == LIST}
        if not {"segments", "device_traces"} & lists.keys():
            raise refusal(self._path, Message("reader-snapshot-other"))
        settings, settings_number = found["allocator_settings"]
        if settings == DICT:
            self.facts.head = {"allocator_settings": values.plain(settings_number)}
        return lists

    def _finish(self, values: Values, entries: Entries, annotations: int, damaged: int) -> None:
        facts = self.facts
        facts.damaged = entries.damaged + damaged
        facts.events = entries.count - entries.left_out + annotations + damaged
        facts.part_ns, facts.left_out = list(entries.part or ()), entries.left_out
        facts.recorded_history = entries.count > entries.damaged
        facts.clock = EPOCH if entries.timed or annotations else OWN
        facts.pickle_bytes = self._stream.delivered
        facts.odd_values = dict(values.odd.most_common(_NAMED))
        facts.unknown_keys = dict(values.unknown.most_common(_NAMED))
        facts.truncated = self._stream.damage
