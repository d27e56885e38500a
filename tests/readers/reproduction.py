"""Turns the tables of a read back into events, and compares them with what Python's own JSON reader finds."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any, NamedTuple

import polars as pl

from stepscope.numeric.plan import FLOAT, INT, TIME
from stepscope.readers.kineto_plan import SLOTS

Place = tuple[int, str]
"""Where a value stands in an event: 0 for the event itself or 1 for its args, and the key."""

PHASES = {
    "activity": "X",
    "operator": "X",
    "annotation": "X",
    "runtime": "X",
    "python": "X",
    "sync": "X",
    "memory": "i",
    "label": "M",
    "counter": "C",
}
RAW = -1
"""The kind of a value in ``extras``: JSON text."""

_EXACT = Context(prec=100_000, Emax=10**9, Emin=-(10**9))
_SLOTS = {slot.column: (slot.kind, (slot.level, slot.key)) for slot in SLOTS}


class Stored(NamedTuple):
    """One value as the tables hold it."""

    kind: int
    value: Any


class Constant(NamedTuple):
    """NaN or an infinity, by name."""

    name: str


class Tables(NamedTuple):
    """All parts of a read, put together."""

    frames: dict[str, pl.DataFrame]
    texts: list[str]


def gather(parts: Iterable[tuple[str, pl.DataFrame]]) -> Tables:
    """Put the parts of a read together."""
    pieces: dict[str, list[pl.DataFrame]] = {}
    for name, frame in parts:
        pieces.setdefault(name, []).append(frame)
    frames = {name: pl.concat(found, how="diagonal") for name, found in pieces.items()}
    texts = frames.pop("texts")["text"].to_list()
    return Tables(frames, texts)


def rebuilt(tables: Tables) -> dict[int, dict[Place, Stored]]:
    """Every stored event by its number: its values by place."""
    events: dict[int, dict[Place, Stored]] = {}
    for name, found in tables.frames.items():
        if name == "extras":
            continue
        frame = found.drop("key", "value").unique(maintain_order=True) if name == "counter" else found
        numbers = frame["event"].to_list()
        for number in numbers:
            assert number not in events, f"event {number} is stored twice"
            events[number] = {(0, "ph"): Stored(_SLOTS["phase"][0], PHASES[name])} if name in PHASES else {}
        for column in set(frame.columns) - {"event", "broken", "activity"}:
            kind, place = _SLOTS[column]
            is_text = frame.schema[column] == pl.UInt32
            for number, value in zip(numbers, frame[column].to_list(), strict=True):
                if value is not None:
                    events[number][place] = Stored(kind, tables.texts[value] if is_text else value)
    if "counter" in tables.frames:
        for number, key, value in tables.frames["counter"].select("event", "key", "value").iter_rows():
            if value is not None:
                events[number][1, tables.texts[key]] = Stored(FLOAT, value)
    if "extras" in tables.frames:
        for number, level, key, value in tables.frames["extras"].iter_rows():
            events[number][level, tables.texts[key]] = Stored(RAW, tables.texts[value])
    return events


def flat(event: dict[str, Any]) -> dict[Place, Any]:
    """A parsed event's values by place; args without members count as no args."""
    places: dict[Place, Any] = {(0, key): value for key, value in event.items() if key != "args"}
    arguments = event.get("args", {})
    if isinstance(arguments, dict):
        return places | {(1, key): value for key, value in arguments.items()}
    return places | {(0, "args"): arguments}


def parse(text: str | bytes) -> Any:
    """JSON with exact decimals; NaN and the infinities become a `Constant`, which equals itself."""
    return json.loads(text, parse_float=Decimal, parse_constant=Constant, strict=False)


def nanoseconds(text: Any) -> int:
    """Microseconds to whole nanoseconds, half to even."""
    exact = _EXACT.multiply(Decimal(text), Decimal(1000))
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN, context=_EXACT))


def differences(events: list[Any], tables: Tables) -> Iterator[str]:
    """What the tables lack, have too much, or hold otherwise than the parsed events."""
    stored = rebuilt(tables)
    for number, event in enumerate(events):
        if not isinstance(event, dict):
            if number in stored:
                yield f"event {number} is stored but is no object"
            continue
        if number not in stored:
            yield f"event {number} is missing"
            continue
        wanted, found = flat(event), stored.pop(number)
        if wanted.keys() != found.keys():
            yield f"event {number}: keys {wanted.keys() ^ found.keys()}"
        for place in wanted.keys() & found.keys():
            if not _is_same(found[place], wanted[place]):
                yield f"event {number} {place}: stored {found[place]}, in the file {wanted[place]!r}"
    for number in stored:
        if number >= len(events):
            yield f"event {number} is stored but not in the file"


def _is_same(stored: Stored, value: Any) -> bool:
    if stored.kind == RAW:
        return bool(parse(stored.value) == value)
    if stored.kind == TIME:
        return bool(stored.value == nanoseconds(value))
    if stored.kind == INT:
        return int(value) == stored.value
    if stored.kind == FLOAT:
        return abs(stored.value - float(value)) <= math.ulp(float(value))
    if isinstance(value, str):
        return bool(stored.value == value)
    return bool(parse(stored.value) == value)
