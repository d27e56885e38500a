"""Tell by content what a file is, and where the events of a trace begin."""

from __future__ import annotations

from dataclasses import dataclass

from stepscope.errors import UnreadableInput
from stepscope.readers.head import Head, padded, walk_members
from stepscope.readers.sources import Stream

_SNIFF = 1 << 16
_MAX_HEAD = 64 << 20
_BOM = b"\xef\xbb\xbf"

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
]

_OTHER_JSON = [
    ({"nodes", "schema"}, "a PyTorch execution trace (ExecutionTraceObserver)", "Record with torch.profiler and export_chrome_trace."),
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
    text = data.removeprefix(_BOM)
    begin = len(text) - len(text.lstrip(b" \r\n\t\0"))
    if text[begin : begin + 1] == b"[":
        rest = text[begin + 1 :]
        _check_first_event(stream, rest)
        return Beginning(rest, True)
    if text[begin : begin + 1] != b"{":
        kind = "text" if _looks_like_text(text) else "binary data of an unknown kind"
        raise _unreadable(stream, f"it is {kind}, not JSON", "Name a trace of torch.profiler (.json or .json.gz).")
    return _walk_head(stream, head, text, begin + 1)


def _walk_head(stream: Stream, head: Head, data: bytes, at: int) -> Beginning:
    while True:
        buf = padded(data)
        walk = walk_members(head, buf, at, len(data))
        if walk.outcome == "events":
            return Beginning(data[walk.stop :], False)
        more = _read(stream, max(_SNIFF, len(data))) if walk.outcome == "more" and len(data) < _MAX_HEAD else b""
        if not more:
            raise _no_events(stream, head, walk.outcome)
        data = data[walk.stop :] + more
        at = 0


def _no_events(stream: Stream, head: Head, outcome: str) -> UnreadableInput:
    keys = set(head.keys)
    for wanted, what, advice in _OTHER_JSON:
        if wanted <= keys:
            return _unreadable(stream, f"it is {what}, not a trace", advice)
    names = ", ".join(_printable(key) for key in head.keys[:4])
    found = f"its keys are {names}" if names else "it has no readable keys"
    if outcome == "damaged":
        return _unreadable(stream, f"the JSON is damaged before any event ({found})", "Record or copy it again.")
    if outcome == "more":
        return _unreadable(stream, f"it ends before any event ({found})", "Record or copy it again.")
    return _unreadable(
        stream, f"JSON without traceEvents ({found})", "Name a trace of torch.profiler (export_chrome_trace)."
    )


def _check_first_event(stream: Stream, rest: bytes) -> None:
    first = rest.lstrip(b" \r\n\t\0,")[:1]
    if first in (b"{", b"]", b""):
        return
    raise _unreadable(
        stream,
        "a JSON list, but not of events",
        "A torch memory timeline or another export? Name a trace of torch.profiler.",
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
