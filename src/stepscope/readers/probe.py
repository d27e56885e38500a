"""What a file is, told by its first bytes: enough to list it among other runs, without opening it.

At most `LIMIT` bytes (inflated) are looked at. Nothing is ever unpickled or executed: pickles and databases are known
by the words that stand at their beginning.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.detect import EVENTS_LIST, locate_events
from stepscope.readers.head import EVENTS_KEY, Head
from stepscope.readers.sources import Source, Stream

TRACE, MEMORY_SNAPSHOT, NSYS, NCU, OTHER = "trace", "memory_snapshot", "nsys", "ncu", "other"

LIMIT = 4 << 20
_FIRST = 1 << 16
_BLANKS = b"\xef\xbb\xbf \r\n\t\0"
_PICKLES = tuple(bytes([0x80, protocol]) for protocol in (2, 3, 4, 5))
_SNAPSHOT_WORDS = (b"segments", b"device_traces", b"allocator_settings")
_NSYS_WORDS = (b"CUPTI_ACTIVITY", b"TARGET_INFO_", b"NVTX_EVENTS", b"ENUM_NSYS", b"ANALYSIS_DETAILS")
_PYTORCH_KEYS = {"schemaVersion", "deviceProperties", "distributedInfo", "record_shapes", "traceName"}
_PYTORCH_WORDS = re.compile(rb'aten::|ProfilerStep|"cat": ?"(?:cpu_op|Operator|cuda_runtime|kernel|Kernel)"')
_SEEMS_TRACE = re.compile(r"trace\.json(\.gz)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Probe:
    """What a file seems to be.

    Attributes:
        kind: `TRACE`, `MEMORY_SNAPSHOT`, `NSYS`, `NCU`, or `OTHER` for what is no recording.
        reason: None, or why a trace cannot be read.
        framework: what wrote it, or "".
        facts: what a trace says about itself before its first event, see `readers.head`.
    """

    kind: str
    reason: Message | str | None = None
    framework: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


class _Beginning(Stream):
    """The first `LIMIT` bytes of a source; `first` may be looked at before they are read."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, source.fingerprint().size, None)
        self.cut = False
        buffer = bytearray(_FIRST)
        self.first = bytes(buffer[: super().read_into(memoryview(buffer))])
        self._given = 0

    def read_into(self, view: memoryview) -> int:
        known = self.first[self._given : self._given + len(view)]
        view[: len(known)] = known
        self._given += len(known)
        room = max(0, LIMIT - self.delivered)
        self.cut = self.cut or (room == 0 and len(known) < len(view))
        return len(known) + super().read_into(view[len(known) :][:room])

    def more(self) -> bytes:
        """The bytes that follow; none behind the limit."""
        buffer = bytearray(_FIRST)
        return bytes(buffer[: self.read_into(memoryview(buffer))])


def probe(path: str) -> Probe:
    """What the file at a path seems to be. A file that may not be read is an unreadable trace if its name says so."""
    source = Source(path)
    try:
        stream = _Beginning(source)
        with stream:
            return _of_stream(source, stream)
    except UnreadableInput as error:
        return _unreadable(source, error)


def check_trace(path: str) -> None:
    """Read the beginning of a file that somebody named on purpose.

    Raises:
        UnreadableInput: it is no trace; says what the reader says of it.
    """
    found = probe(path)
    if found.kind == TRACE and found.reason is None:
        return
    source = Source(path)
    with source.open() as stream:
        locate_events(stream, Head())
    what = found.reason or "its beginning holds no event of a trace"
    raise UnreadableInput(f"cannot read {path}", what, "Name a trace of torch.profiler (.json or .json.gz).")


def _of_stream(source: Source, stream: _Beginning) -> Probe:
    data = stream.first
    if data.startswith(_PICKLES):
        return Probe(MEMORY_SNAPSHOT if any(word in data for word in _SNAPSHOT_WORDS) else OTHER, framework="PyTorch")
    if data.startswith(b"SQLite format 3"):
        return Probe(NSYS if any(word in data for word in _NSYS_WORDS) else OTHER)
    if data.startswith(b"NVR\0"):
        return Probe(NCU)
    text = data.lstrip(_BLANKS)
    if text[:1] == b"[":
        is_trace = b'"ph"' in text and text[1:].lstrip(_BLANKS)[:1] == b"{"
        return Probe(TRACE, framework=_framework([], data)) if is_trace else Probe(OTHER)
    if text and text[:1] != b"{":
        return Probe(OTHER)
    return _plain_head(source, stream) or _walked_head(source)


def _plain_head(source: Source, stream: _Beginning) -> Probe | None:
    """An object, read as Python reads JSON; None where that fails.

    The reader's own walk is compiled, which takes seconds on the first run: too long for a list.
    """
    data = b""
    while piece := stream.more():
        data += piece
        found = EVENTS_LIST.search(data)
        if found is not None:
            return _of_head(data, data[: found.start()].lstrip(_BLANKS) + b'"traceEvents": []}')
    if not data.strip(_BLANKS) or stream.damage or b'"traceEvents"' in data or _SEEMS_TRACE.search(source.name):
        return None
    return Probe(OTHER)


def _of_head(data: bytes, text: bytes) -> Probe | None:
    try:
        members = json.loads(text.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    head = Head()
    for key, value in members.items():
        head.add(key, json.dumps(value).encode())
    return Probe(TRACE, framework=_framework(head.keys, data), facts=head.facts)


def _walked_head(source: Source) -> Probe:
    """What the reader says of an object that is damaged or no trace."""
    stream = _Beginning(source)
    with stream:
        head = Head()
        try:
            locate_events(stream, head)
        except UnreadableInput as error:
            if stream.cut and EVENTS_KEY not in head.keys and _PYTORCH_KEYS & set(head.keys):
                return Probe(TRACE, framework="PyTorch", facts=head.facts)  # a head longer than what is looked at
            if EVENTS_KEY in head.keys or stream.damage or not stream.first.strip(_BLANKS):
                return Probe(TRACE, error.found)
            return _unreadable(source, error)
    return Probe(TRACE, framework=_framework(head.keys, stream.first), facts=head.facts)


def _framework(keys: list[str], data: bytes) -> str:
    return "PyTorch" if _PYTORCH_KEYS & set(keys) or _PYTORCH_WORDS.search(data) else ""


def _unreadable(source: Source, error: UnreadableInput) -> Probe:
    """A file that is no trace: worth a word where its name promises one."""
    return Probe(TRACE, error.found) if _SEEMS_TRACE.search(source.name) else Probe(OTHER, error.found)
