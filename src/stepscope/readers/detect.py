"""Tell by content what a file is, and where the events of a trace begin."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stepscope.errors import UnreadableInput
from stepscope.readers.head import EVENTS_KEY, Head, padded, walk_members
from stepscope.readers.sources import Stream

_SNIFF = 1 << 16
_MAX_HEAD = 64 << 20
_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \r\n\t\0"
EVENTS_LIST = re.compile(rb'"traceEvents"[ \r\n\t]{0,64}:[ \r\n\t]{0,64}\[')
_LONGEST_MATCH = 256

_MAGIC = [
    (b"SQLite format 3", "an SQLite database", "Nsight Systems exports are not read by this version."),
    (b"\x80\x02", "a Python pickle", "If it is a memory snapshot: this version does not read them."),
    (b"\x80\x03", "a Python pickle", "If it is a memory snapshot: this version does not read them."),
    (b"\x80\x04", "a Python pickle", "If it is a memory snapshot: this version does not read them."),
    (b"\x80\x05", "a Python pickle", "If it is a memory snapshot: this version does not read them."),
    (b"PK\x03\x04", "a zip archive", "Unpack it and name the trace inside."),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data", "Unpack it first: zstd -d FILE"),
    (b"\xfd7zXZ", "xz-compressed data", "Unpack it first: xz -d FILE"),
    (b"BZh", "bzip2-compressed data", "Unpack it first: bunzip2 FILE"),
    (b"NVR\x00", "an Nsight Compute report", "This version does not read them."),
    (b"PAR1", "a Parquet file", "Name the trace it was made from."),
    (b"\x7fELF", "a program", "Name a trace file."),
    (b"\xff\xfe", "UTF-16 text", "Convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8 FILE"),
]

_OTHER_JSON = [
    (
        {"nodes", "schema"},
        "a PyTorch execution trace (ExecutionTraceObserver)",
        "Record with torch.profiler and export_chrome_trace.",
    ),
    ({"rocprofiler-sdk-tool"}, "a rocprofv3 result", "Record with torch.profiler and export_chrome_trace."),
    ({"cells", "nbformat"}, "a Jupyter notebook", "Name a trace file."),
]


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
            raise _unreadable(stream, stream.damage, "Copy or record it again.")
        raise _unreadable(stream, "the file is empty", "Was the profiler stopped, and the disk not full?")
    for magic, what, advice in _MAGIC:
        if data.startswith(magic):
            raise _unreadable(stream, f"it is {what}", advice)
    text = _without_blanks(stream, data.removeprefix(_BOM))
    if not text:
        raise _unreadable(stream, "it holds nothing but blanks", "Was the profiler stopped, and the disk not full?")
    if text[:1] == b"[":
        _check_first_event(stream, text[1:])
        return Beginning(text[1:], True)
    if text[:1] != b"{":
        kind = "text" if _looks_like_text(data) else "binary data of an unknown kind"
        raise _unreadable(stream, f"it is {kind}, not JSON", "Name a trace of torch.profiler (.json or .json.gz).")
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
    for wanted, what, advice in _OTHER_JSON:
        if wanted <= keys:
            return _unreadable(stream, f"it is {what}, not a trace", advice)
    if EVENTS_KEY in keys:
        return _unreadable(stream, f"its {EVENTS_KEY} is no list", "Record or copy it again.")
    names = ", ".join(_printable(key) for key in head.keys[:4])
    found = f"its keys are {names}" if names else "it has no readable keys"
    if outcome == "damaged":
        return _unreadable(stream, f"the JSON is damaged before any event ({found})", "Record or copy it again.")
    if outcome == "more":
        return _unreadable(stream, f"it ends before any event ({found})", "Record or copy it again.")
    return _unreadable(
        stream, f"it is JSON without traceEvents ({found})", "Name a trace of torch.profiler (export_chrome_trace)."
    )


def _check_first_event(stream: Stream, rest: bytes) -> None:
    if rest.lstrip(_BLANKS)[:1] == b"[":
        raise _unreadable(
            stream,
            "it is a JSON list of lists, not of events",
            "A torch memory timeline? Name a trace of torch.profiler.",
        )


def _read(stream: Stream, count: int) -> bytes:
    view = bytearray(count)
    return bytes(view[: stream.read_into(memoryview(view))])


def _looks_like_text(data: bytes) -> bool:
    sample = data[:1024]
    printable = sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in sample)
    return printable >= 0.9 * len(sample)


def _printable(key: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in key[:40])


def _unreadable(stream: Stream, found: str, advice: str) -> UnreadableInput:
    return UnreadableInput(f"cannot read {stream.source.path}", found, advice)
