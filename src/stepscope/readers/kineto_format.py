"""Recognise PyTorch traces (Kineto, Chrome trace JSON); `readers.kineto` reads them."""

from __future__ import annotations

import json
import re

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.beginning import LIMIT, Beginning
from stepscope.readers.detect import EVENTS_LIST, locate_events
from stepscope.readers.formats import OTHER, TRACE, Input, Match, Reader, Reading
from stepscope.readers.head import EVENTS_KEY, Head
from stepscope.readers.sources import Source, Stream

_BLANKS = b"\xef\xbb\xbf \r\n\t\0"
_PYTORCH_KEYS = {"schemaVersion", "deviceProperties", "distributedInfo", "record_shapes", "traceName"}
_PYTORCH_WORDS = re.compile(rb'aten::|ProfilerStep|"cat": ?"(?:cpu_op|Operator|cuda_runtime|kernel|Kernel)"')
_SEEMS_TRACE = re.compile(r"trace\.json(\.gz)?$", re.IGNORECASE)


class Kineto(Reader):
    """Chrome trace JSON, plain or gzip. It also says of everything that no other format claims what it is instead."""

    name = "kineto"
    recorder = "Kineto"
    kind = TRACE
    suffixes = (".json", ".gz")

    def recognise(self, beginning: Beginning) -> Match | None:
        """A trace, perhaps with the reason why it cannot be read; None where nothing promises one."""
        text = beginning.first.lstrip(_BLANKS)
        if text[:1] == b"[":
            is_trace = b'"ph"' in text and text[1:].lstrip(_BLANKS)[:1] == b"{"
            return _trace([], beginning.first) if is_trace else None
        if text and text[:1] != b"{":
            return None
        found = _plain_head(beginning) or _walked_head(beginning)
        return None if found.kind == OTHER else found

    def read(self, given: Input) -> Reading:
        from stepscope.readers.kineto import KinetoReader

        if given.stream is None:
            raise UnreadableInput(
                Message("error-cannot-read", path=given.source.path),
                Message("reader-folder"),
                Message("reader-name-file-in-it"),
            )
        return KinetoReader(given.stream, given.progress, given.workers)


def promised_trace(source: Source, reason: Message | str) -> Match | None:
    """What is to be said of a file that cannot be read: worth a word where its name promises a trace."""
    return _broken(reason) if _SEEMS_TRACE.search(source.name) else None


def _broken(reason: Message | str) -> Match:
    return Match(TRACE, Kineto.recorder, Kineto.name, reason)


def _trace(keys: list[str], data: bytes, head: Head | None = None) -> Match:
    framework = "PyTorch" if _PYTORCH_KEYS & set(keys) or _PYTORCH_WORDS.search(data) else ""
    facts = head.facts if head else {}
    return Match(TRACE, Kineto.recorder, Kineto.name, framework=framework, facts=facts)


def _plain_head(beginning: Beginning) -> Match | None:
    """An object, read as Python reads JSON; None where that fails.

    The reader's own walk is compiled, which takes seconds on the first run: too long for a list.
    """
    data = b""
    for piece in beginning.pieces():
        data += piece
        found = EVENTS_LIST.search(data)
        if found is not None:
            return _of_head(data, data[: found.start()].lstrip(_BLANKS) + b'"traceEvents": []}')
    hopeless = not data.strip(_BLANKS) or beginning.damage or b'"traceEvents"' in data
    return None if hopeless or _SEEMS_TRACE.search(beginning.source.name) else Match(OTHER)


def _of_head(data: bytes, text: bytes) -> Match | None:
    try:
        members = json.loads(text.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    head = Head()
    for key, value in members.items():
        head.add(key, json.dumps(value).encode())
    return _trace(head.keys, data, head)


class _Limited(Stream):
    """The first `LIMIT` bytes of a source.

    Attributes:
        cut: more were asked for.
    """

    def __init__(self, source: Source) -> None:
        self.cut = False
        super().__init__(source, source.fingerprint().size, None)

    def read_into(self, view: memoryview) -> int:
        room = max(0, LIMIT - self.delivered)
        self.cut = self.cut or (room == 0 and len(view) > 0)
        return super().read_into(view[:room])


def _walked_head(beginning: Beginning) -> Match:
    """What the reader says of an object that is damaged or no trace."""
    first, source = beginning.first, beginning.source
    stream = _Limited(source)
    with stream:
        head = Head()
        try:
            locate_events(stream, head)
        except UnreadableInput as error:
            if stream.cut and EVENTS_KEY not in head.keys and _PYTORCH_KEYS & set(head.keys):
                return Match(TRACE, Kineto.recorder, Kineto.name, framework="PyTorch", facts=head.facts)  # a long head
            if EVENTS_KEY in head.keys or stream.damage or not first.strip(_BLANKS):
                return _broken(error.found)
            return promised_trace(source, error.found) or Match(OTHER)
    return _trace(head.keys, first, head)
