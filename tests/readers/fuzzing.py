"""Damage traces at random and read them: a program, because compiled code checks its bounds only when told at start.

    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=... python fuzzing.py SECONDS SEED [TRACE...]

Exits with 1 and the seed of the round when a read crashes, takes too long, does not add up, or loses a whole event.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from readers.reading import read
from readers.reproduction import Tables, rebuilt
from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import KinetoFacts

NASTY = [
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\0",
    b"\n",
    b'{"',
    b'"}',
    b'}, {"ph"',
    b'{"ph": "X"',
    b"]}",
    b'\\"',
    b"null",
    b"\xff",
    b"1e9",
    b"-",
]
SIZES = [16, 40, 200, 1000, 5000, 1 << 16, 1 << 21]
PATIENCE_S = 20.0
SAID = {
    # A list that lost its end is closed by the end of all events, and holds those between: that cannot be told.
    "reader-list-not-closed",
    # The damage looks like the end of the trace and the beginning of another document.
    "reader-something-follows",
}
"""Ids of messages that allow whole events to be missing, because they say so."""

MADE_UP = [
    {
        "ph": "X",
        "cat": "kernel",
        "name": 'k}, {"ph"',
        "pid": 0,
        "tid": 7,
        "args": {"grid": [1, 2, 3], "stream": 7, "x": [{"a": 1}, {"b": []}]},
    },
    {
        "ph": "X",
        "cat": "cpu_op",
        "name": "aten::add\n\\",
        "pid": 1,
        "tid": 1,
        "args": {"Input Dims": [[1, 2], []], "Ev Idx": 5, "y": {"z": {}}},
    },
    {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "s": "t", "args": {"Bytes": -5}},
    {"ph": "s", "id": 5, "cat": "ac2g", "name": "ac2g", "pid": 0, "tid": "stream 7", "bp": "e"},
    {"ph": "C", "name": "Power (W)", "pid": "GPU 0 Counters", "args": {"": 312.5, "Bytes": "nan"}},
    {"name": "no order", "ph": "X", "cat": "odd", "pid": "Spans", "tid": 2},
]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Some bytes with one random change."""
    if not data:
        return dice.choice(NASTY)
    at = dice.randrange(len(data))
    stop = min(len(data), at + dice.choice([1, 1, 1, 2, 5, 20, 100]))
    change: Callable[[], bytes] = dice.choice(
        [
            lambda: data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :],
            lambda: data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :],
            lambda: data[:at] + dice.choice(NASTY) + data[at + 1 :],
            lambda: data[:at] + dice.choice(NASTY) + data[at:],
            lambda: data[:at] + data[stop:],
            lambda: data[:at] + data[at:stop] + data[at:],
            lambda: data[:at],
        ]
    )
    return change()


def numbered(texts: list[bytes]) -> list[bytes]:
    """The events with a start that tells them apart."""
    return [text[:-1] + b', "ts": %d, "dur": 1}' % (10**12 + number) for number, text in enumerate(texts)]


def check(data: bytes, dice: random.Random) -> tuple[Tables, KinetoFacts] | None:
    """Read; None if it is refused. The numbers must add up."""
    started = time.perf_counter()
    options = {
        "block_bytes": dice.choice(SIZES),
        "workers": dice.choice([1, 1, 3]),
        "max_event_bytes": dice.choice([20_000, 1 << 26]),
    }
    try:
        tables, facts = read(data, **options)
    except UnreadableInput as error:
        assert "\n" not in str(error), str(error)
        return None
    finally:
        assert time.perf_counter() - started < PATIENCE_S, "too slow"
    # Of a counter event each value is a row.
    rows = sum(frame["event"].n_unique() for name, frame in tables.frames.items() if name != "extras")
    assert rows + facts.damaged + facts.not_objects == facts.events, facts
    rebuilt(tables)
    return tables, facts


def starts(tables: Tables) -> set[int]:
    return {
        start
        for frame in tables.frames.values()
        if "start_ns" in frame.columns
        for start in frame["start_ns"].to_list()
    }


def damage_some_events(texts: list[bytes], dice: random.Random) -> None:
    """All events that were left alone must be found."""
    count = dice.randrange(3, 40)
    events = numbered([dice.choice(texts) for _ in range(count)])
    changed = set(dice.sample(range(count), dice.randrange(1, 4)))
    for number in changed:
        for _ in range(dice.choice([1, 1, 3])):
            events[number] = mutated(events[number], dice)
    data = b'{"schemaVersion": 1, "traceEvents": [' + dice.choice([b", ", b",\n  ", b","]).join(events)
    data += dice.choice([b"]}", b'], "deviceProperties": [{"id": 0}, {"id": 1}], "displayTimeUnit": "ms"}', b"]\n}\n"])
    result = check(data, dice)
    intact = {(10**12 + number) * 1000 for number in range(count) if number not in changed}
    truncated = result[1].truncated if result else None
    if isinstance(truncated, Message) and truncated.id in SAID:
        return
    missing = intact - starts(result[0]) if result else intact
    assert not missing, f"{len(missing)} whole events are missing from {data!r}"


def damage_anything(whole: bytes, dice: random.Random) -> None:
    """Nothing may crash."""
    data = whole
    for _ in range(dice.choice([1, 2, 5, 30])):
        data = mutated(data, dice)
    if dice.random() < 0.3:
        data = gzip.compress(data, 1)
        if dice.random() < 0.7:
            data = mutated(data, dice)
    check(data, dice)


def random_bytes(dice: random.Random) -> None:
    alphabet = dice.choice([bytes(range(256)), b'{}[]",:\\ 1a', b'{"ph":X,}[] ', b"[{]}"])
    body = bytes(dice.choices(alphabet, k=dice.randrange(2000)))
    check(dice.choice([b"", b"[", b'{"traceEvents":[', b'{"traceEvents":[{"ph":"i"},']) + body, dice)


def events_of(path: str) -> list[bytes]:
    """Some events of a real trace as text, without their times."""
    with (gzip.open if path.endswith(".gz") else open)(path) as file:
        document = json.loads(file.read())
    found = [
        {k: v for k, v in event.items() if k not in ("ts", "dur")}
        for event in document["traceEvents"]
        if event["ph"] in "Xi"
    ]
    return [json.dumps(event).encode() for event in found[:: max(1, len(found) // 500)]]


def main() -> int:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    texts = [json.dumps(event).encode() for event in MADE_UP]
    for path in sys.argv[3:]:
        texts += events_of(path)
    read(b'[{"ph": "i"}, {"ph": "C", "args": {"": 1}}]')  # compiles everything, which takes its time
    rounds = 0
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        dice = random.Random(seed)
        try:
            damage_some_events(texts, dice)
            damage_anything(
                b'{"traceEvents": [' + b",".join(numbered(dice.choices(texts, k=8))) + b'], "trace_id": "1"}', dice
            )
            random_bytes(dice)
        except Exception as error:
            print(f"seed {seed}: {type(error).__name__}: {error}")
            return 1
        seed += 1
        rounds += 1
    print(f"{rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
