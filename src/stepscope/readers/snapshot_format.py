"""Recognise memory snapshots of PyTorch; `readers.snapshot` reads them.

Format: a pickle (protocol 2 to 5) of ``torch.cuda.memory._snapshot()``, plain or gzip, by Python or by C++; see
``torch/cuda/memory.py``. Seen: torch 2.0 to 2.13; before 2.0 with a ``history`` of each block.
Read: all entries of all devices, segments, blocks, stacks, annotations, settings of the allocator.
Ignored: unknown keys, which are counted. Nothing is unpickled: a decoder of our own knows the instructions that build
plain values and refuses every other one (`numeric.pickle_ops`).
"""

from __future__ import annotations

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.formats import MEMORY_SNAPSHOT, Input, Match, Reader, Reading

_PICKLES = tuple(bytes([0x80, protocol]) for protocol in (2, 3, 4, 5))
_WORDS = (b"segments", b"device_traces", b"allocator_settings", b"segment_type")


class MemorySnapshots(Reader):
    """Known by the words at its beginning."""

    name = "memory_snapshot"
    recorder = "torch.cuda.memory"
    kind = MEMORY_SNAPSHOT
    suffixes = (".pickle", ".pkl", ".pickle.gz", ".pkl.gz")

    def recognise(self, beginning: Beginning) -> Match | None:
        words = any(word in beginning.first for word in _WORDS)
        if not beginning.first.startswith(_PICKLES) or not words:
            return None
        return Match(self.kind, self.recorder, self.name, framework="PyTorch")

    def read(self, given: Input) -> Reading:
        from stepscope.readers.snapshot.reading import SnapshotReading

        if given.stream is None:
            raise UnreadableInput(
                Message("error-cannot-read", path=given.source.path),
                Message("reader-folder"),
                Message("reader-name-file-in-it"),
            )
        return SnapshotReading(given, given.stream)
