"""Perfetto traces made by hand, byte by byte, and as PyTorch writes the events of a trace in JSON."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
CATEGORIES, NAMES, KEYS, STAGES, VALUES, KERNELS, ARGUMENTS = 1, 2, 3, 24, 29, 1000, 1001
STAGE_OF = {"kernel": "Kernel", "gpu_memcpy": "Memcpy", "gpu_memset": "Memset", "gpu_user_annotation": "Annotation"}
DESCRIPTORS = 47


def varint(value: int) -> bytes:
    """A number; a negative one takes ten bytes."""
    value %= 1 << 64
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def message(*fields: tuple[int, Any]) -> bytes:
    """A message of fields: whole numbers, texts, bytes, floats."""
    out = b""
    for number, value in fields:
        if isinstance(value, str):
            value = value.encode()
        if isinstance(value, bytes):
            out += varint(number << 3 | 2) + varint(len(value)) + value
        elif isinstance(value, float):
            out += varint(number << 3 | 1) + struct.pack("<d", value)
        else:
            out += varint(number << 3) + varint(int(value))
    return out


def fixed(number: int, value: int) -> bytes:
    """A field of eight bytes."""
    return varint(number << 3 | 1) + struct.pack("<Q", value % (1 << 64))


def trace(*packets: bytes) -> bytes:
    """Packets as a trace."""
    return b"".join(message((1, packet)) for packet in packets)


def compressed(*packets: bytes) -> bytes:
    """A packet that holds others."""
    return message((50, zlib.compress(trace(*packets))))


def snapshot(clocks: Mapping[int, int], sequence: int = 1, running: Mapping[int, int] | None = None) -> bytes:
    """What several clocks said at once; ``running`` are those whose times are differences, with ns of their unit."""
    running = running or {}
    several = [
        (1, message((1, clock), (2, time), *([(3, 1), (4, running[clock])] if clock in running else [])))
        for clock, time in clocks.items()
    ]
    return message((6, message(*several)), (10, sequence))


def track(uuid: int, name: str = "", parent: int = 0, process: Any = None, thread: Any = None, **more: Any) -> bytes:
    """A track: ``process`` is (number, name), ``thread`` (process, number, name), ``counter`` a message."""
    fields: list[tuple[int, Any]] = [(1, uuid)]
    fields += [(5, parent)] if parent else []
    fields += [(2, name)] if name else []
    fields += [(3, message((1, process[0]), (6, process[1])))] if process else []
    fields += [(4, message((1, thread[0]), (2, thread[1]), (5, thread[2])))] if thread else []
    fields += [(8, more["counter"])] if "counter" in more else []
    return message((60, message(*fields)))


def event(
    kind: int, uuid: int, time: int, *fields: tuple[int, Any] | bytes, sequence: int = 1, flags: int = 2
) -> bytes:
    """An event of a track."""
    body = message((9, kind), (11, uuid))
    body += b"".join(one if isinstance(one, bytes) else message(one) for one in fields)
    return message((8, time), (11, body), (10, sequence), (13, flags))


def slices(name: str, uuid: int, time: int, duration: int, category: str = "", *fields: Any) -> list[bytes]:
    """A slice with its texts in full."""
    own = [(23, name), *([(22, category)] if category else []), *fields]
    return [event(BEGIN, uuid, time, *own, flags=0), event(END, uuid, time + duration, flags=0)]


def annotation(value: Any, name: tuple[int, Any] | None = None) -> bytes:
    """An annotation of any kind; its name is a number (field 1) or a text (field 10)."""
    own = [name] if name else []
    if isinstance(value, bool):
        return message(*own, (2, value))
    if isinstance(value, int):
        return message(*own, (4, value) if value < 1 << 63 else (3, value))
    if isinstance(value, float):
        return message(*own, (5, value))
    if isinstance(value, dict):
        return message(*own, *((11, annotation(one, (10, key))) for key, one in value.items()))
    if isinstance(value, (list, tuple)):
        return message(*own, *((12, annotation(one)) for one in value))
    return message(*own, (6, str(value)))


def annotated(**values: Any) -> list[tuple[int, Any]]:
    """Annotations of an event, names in full; underscores are as they are."""
    return [(4, annotation(value, (10, name))) for name, value in values.items()]


class Numbers:
    """Texts with numbers, as one packet of a sequence gives them."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], int] = {}
        self._next: dict[int, int] = {}
        self.others: list[bytes] = []

    def of(self, kind: int, text: str) -> int:
        """The number of a text."""
        if (kind, text) not in self._known:
            self._next[kind] = self._next.get(kind, 0) + 1
            self._known[kind, text] = self._next[kind]
        return self._known[kind, text]

    def packet(self, sequence: int = 1, flags: int = 1) -> bytes:
        """The packet with all of them, which clears what its sequence knew."""
        texts = [
            (kind, message((1, iid), (3 if kind == KERNELS else 2, text))) for (kind, text), iid in self._known.items()
        ]
        return message((12, message(*texts, *((DESCRIPTORS, one) for one in self.others))), (10, sequence), (13, flags))


class AsPyTorch:
    """The events of a trace in JSON as PyTorch writes them as packets (``export_chrome_trace("x.pftrace")``).

    Slices of the host come as all beginnings and then all ends, work of the GPU as render stages with texts beside.
    """

    def __init__(self, events: Iterable[Mapping[str, Any]], base_ns: int = 1_790_856_000_000_000_000) -> None:
        self._numbers, self._base = Numbers(), base_ns
        self._tracks: dict[tuple[str, str], int] = {}
        self._descriptions: list[bytes] = []
        self._packets: list[bytes] = []
        self._events = list(events)
        self._stages: dict[int, list[int]] = {}

    def bytes(self) -> bytes:
        """The trace."""
        timed = [one for one in self._events if one.get("ph") == "X"]
        on_gpu = [one for one in timed if one.get("cat") in STAGE_OF]
        host = [one for one in timed if one.get("cat") not in STAGE_OF]
        for number, one in enumerate(on_gpu):
            self._stages.setdefault(one.get("args", {}).get("correlation", 0), []).append(number + 1)
        beginnings = [self._begin(one) for one in host]
        ends = [event(END, self._track(one), self._time(one["ts"] + one.get("dur", 0)), flags=0) for one in host]
        stages = [self._stage(number + 1, one) for number, one in enumerate(on_gpu)]
        counters = [self._counter(one) for one in self._events if one.get("ph") == "C"]
        clock = snapshot({6: self._base, 1: self._base})
        return trace(clock, *self._descriptions, self._numbers.packet(), *beginnings, *ends, *stages, *counters)

    def _time(self, us: float) -> int:
        return self._base + round(us * 1000)

    def _track(self, one: Mapping[str, Any]) -> int:
        process, thread = str(one["pid"]), str(one["tid"])
        if (process, thread) not in self._tracks:
            parent = self._tracks.get((process, ""))
            number = int(process) if process.isdigit() else len(self._tracks) + 1
            if parent is None:
                parent = self._tracks[process, ""] = len(self._tracks) + 1
                self._descriptions.append(track(parent, process=(number, "python")))
            uuid = self._tracks[process, thread] = len(self._tracks) + 1
            tid = int(thread) if thread.isdigit() else uuid
            self._descriptions.append(track(uuid, parent=parent, thread=(number, tid, f"thread {thread}")))
        return self._tracks[process, thread]

    def _begin(self, one: Mapping[str, Any]) -> bytes:
        numbers, arguments = self._numbers, one.get("args", {})
        fields: list[Any] = [(10, numbers.of(NAMES, one["name"]))]
        fields += [(3, numbers.of(CATEGORIES, one["cat"]))] if "cat" in one else []
        for key, value in arguments.items():
            fields.append((4, annotation("null" if value is None else value, (1, numbers.of(KEYS, key)))))
        launched = self._stages.get(arguments.get("correlation", 0), [])
        if one.get("cat") in ("cuda_runtime", "cuda_driver") and launched:
            fields.append((3000, message(*((1, number) for number in launched))))
        return event(BEGIN, self._track(one), self._time(one["ts"]), *fields)

    def _stage(self, number: int, one: Mapping[str, Any]) -> bytes:
        numbers, arguments = self._numbers, dict(one.get("args", {}))
        sizes = [(place, arguments.pop(key)) for place, key in ((1, "grid"), (2, "block")) if key in arguments]
        stage = numbers.of(STAGES, STAGE_OF[one["cat"]])
        fields: list[tuple[int, Any]] = [(1, number), (2, round(one.get("dur", 0) * 1000)), (14, stage)]
        fields += [(11, arguments.get("device", 0)), (20, numbers.of(NAMES, one["name"]))]
        fields.append((13, numbers.of(STAGES, f"stream {arguments.get('stream')}")))
        if one["cat"] == "kernel":
            fields.append((19, numbers.of(KERNELS, one["name"])))
        names = {"device": "device id", "stream": "stream id", "context": "context id"}
        if "registers per thread" in arguments:
            text = numbers.of(ARGUMENTS, "registers_per_thread")
            sizes.append((3, message((1, text), (4, arguments.pop("registers per thread")))))
        for key, value in arguments.items():
            fields.append((6, message((1, names.get(key, key)), (2, str(value)))))
        if sizes:
            fields.append((21, message(*((place, _size(value)) for place, value in sizes))))
        return message((8, self._time(one["ts"])), (13, 2), (10, 1), (53, message(*fields)))

    def _counter(self, one: Mapping[str, Any]) -> bytes:
        """A sample of a counter of a GPU: each counter has a descriptor of its own here."""
        gpu = int(str(one["pid"]).split()[1])
        iid = len(self._numbers.others) + 1
        described = message((1, message((1, 7), (2, one["name"]))))
        self._numbers.others.append(message((1, iid), (2, described), (3, gpu)))
        ((_, value),) = one["args"].items()
        sample = message((1, 7), (3, float(value)))
        return message((8, self._time(one["ts"])), (13, 2), (10, 1), (52, message((4, iid), (2, sample))))


def _size(value: Any) -> bytes:
    return value if isinstance(value, bytes) else message(*((place, part) for place, part in enumerate(value, 1)))


def packets_of(data: bytes) -> Sequence[tuple[int, int]]:
    """Where each packet of a trace starts and ends."""
    found, at = [], 0
    while at < len(data):
        begin, at = at, at + 1
        size = shift = 0
        while True:
            byte = data[at]
            size |= (byte & 127) << shift
            shift, at = shift + 7, at + 1
            if byte < 128:
                break
        at += size
        found.append((begin, at))
    return found
