"""Tell by content what a file is, and where the events of a trace begin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.head import EVENTS_KEY, Head, padded, walk_members
from stepscope.readers.sources import Stream

_SNIFF = 1 << 16
_MAX_HEAD = 64 << 20
_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \r\n\t\0"
EVENTS_LIST = re.compile(rb'"traceEvents"[ \r\n\t]{0,64}:[ \r\n\t]{0,64}\[')
_LONGEST_MATCH = 256

_PLANES = (b"/host:", b"/device:", b"Task Environment")
_NAMED_WITHIN = 1 << 12

_MAGIC = [
    (b"SQLite format 3", "sqlite"),
    (b"\x80\x02", "pickle"),
    (b"\x80\x03", "pickle"),
    (b"\x80\x04", "pickle"),
    (b"\x80\x05", "pickle"),
    (b"PK\x03\x04", "zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ", "xz"),
    (b"BZh", "bzip2"),
    (b"PAR1", "parquet"),
    (b"\x7fELF", "program"),
    (b"\xff\xfe", "utf16"),
]
"""How other files begin; messages ``reader-is-NAME`` and ``reader-advice-NAME`` say what they are and what to do."""

_END_OF_PICKLE = b"."

_OTHER_JSON = [
    ({"nodes", "schema"}, "execution-trace"),
    ({"rocprofiler-sdk-tool"}, "rocprof"),
    ({"cells", "nbformat"}, "notebook"),
]
"""Keys of JSON of other kinds, and its name in the messages."""


@dataclass
class Beginning:
    """Where events begin: the bytes from the first one on that were already read."""

    rest: bytes
    bare_array: bool


def locate_events(stream: Stream, head: Head) -> Beginning:
    """Read up to the first event; top-level members before it go into ``head``.

    Raises:
        UnreadableInput: the stream holds no trace; says what it holds instead.
    """
    data = _read(stream, _SNIFF)
    if not data:
        if stream.damage:
            raise _unreadable(stream, stream.damage, "reader-copy-again")
        raise _unreadable(stream, Message("reader-empty"), "reader-was-it-stopped")
    for magic, what in _MAGIC:
        if data.startswith(magic):
            if what == "pickle" and len(data) < _SNIFF and not data.endswith(_END_OF_PICKLE):
                raise _unreadable(stream, Message("reader-is-pickle-cut"), "reader-copy-again")
            raise _unreadable(stream, Message(f"reader-is-{what}"), f"reader-advice-{what}")
    text = _without_blanks(stream, data.removeprefix(_BOM))
    if not text:
        raise _unreadable(stream, Message("reader-blank"), "reader-was-it-stopped")
    if text[:1] == b"[":
        _check_first_event(stream, text[1:])
        return Beginning(text[1:], True)
    if text[:1] != b"{":
        binary = "reader-is-xplane" if _looks_like_xplane(data) else "reader-is-binary"
        found = "reader-is-text" if _looks_like_text(data) else binary
        raise _unreadable(stream, Message(found), "reader-name-trace")
    return _walk_head(stream, head, text, 1)


def _without_blanks(stream: Stream, data: bytes) -> bytes:
    """The bytes from the first that is not blank on."""
    text = data.lstrip(_BLANKS)
    while not text and data:
        data = _read(stream, _SNIFF)
        text = data.lstrip(_BLANKS)
    return text


def _walk_head(stream: Stream, head: Head, data: bytes, at: int) -> Beginning:
    while True:
        walk = walk_members(head, padded(data), at, len(data))
        if walk.outcome == "events":
            return Beginning(data[walk.stop :], False)
        more = _read(stream, max(_SNIFF, len(data))) if walk.outcome == "more" and len(data) < _MAX_HEAD else b""
        data = data[walk.stop :] + more
        if not more:
            if walk.outcome != "end":
                head.damaged = True
                rest = _search_events(stream, data)
                if rest is not None:
                    return Beginning(rest, False)
            raise _no_events(stream, head, walk.outcome)
        at = 0


def _search_events(stream: Stream, data: bytes) -> bytes | None:
    """Find the list of events behind damage; returns the bytes from its first event on."""
    while data:
        found = EVENTS_LIST.search(data)
        if found:
            return data[found.end() :]
        more = _read(stream, _MAX_HEAD >> 4)
        data = data[-_LONGEST_MATCH:] + more if more else b""
    return None


def _no_events(stream: Stream, head: Head, outcome: str) -> UnreadableInput:
    keys = set(head.keys)
    for wanted, what in _OTHER_JSON:
        if wanted <= keys:
            return _unreadable(stream, Message(f"reader-is-{what}"), f"reader-advice-{what}")
    if EVENTS_KEY in keys:
        return _unreadable(stream, Message("reader-events-no-list"), "reader-record-again")
    names = [_printable(key) for key in head.keys[:4]]
    keys_found = Message("reader-keys", names=names) if names else Message("reader-no-keys")
    if outcome == "damaged":
        return _unreadable(stream, Message("reader-head-damaged", keys=keys_found), "reader-record-again")
    if outcome == "more":
        return _unreadable(stream, Message("reader-head-cut-off", keys=keys_found), "reader-record-again")
    return _unreadable(stream, Message("reader-other-json", keys=keys_found), "reader-name-exported-trace")


def _check_first_event(stream: Stream, rest: bytes) -> None:
    if rest.lstrip(_BLANKS)[:1] == b"[":
        raise _unreadable(stream, Message("reader-list-of-lists"), "reader-is-it-memory-timeline")


def _read(stream: Stream, count: int) -> bytes:
    view = bytearray(count)
    return bytes(view[: stream.read_into(memoryview(view))])


def _looks_like_xplane(data: bytes) -> bool:
    """Whether it begins as the profiles of JAX and TensorFlow do: with a plane, which has a name early on."""
    return data[:1] == b"\n" and any(name in data[:_NAMED_WITHIN] for name in _PLANES)


def _looks_like_text(data: bytes) -> bool:
    sample = data[:1024]
    printable = sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in sample)
    return printable >= 0.9 * len(sample)


def _printable(key: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in key[:40])


def _unreadable(stream: Stream, found: Message, advice: str) -> UnreadableInput:
    """The error with its advice, the id of a message."""
    return UnreadableInput(Message("error-cannot-read", path=stream.source.path), found, Message(advice))
