"""Random events, written in several layouts and read at any block size, come back whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readers.reading import read
from readers.reproduction import Tables, differences, parse, rebuilt
from stepscope.readers.kineto_plan import SLOTS

BLOCK_BYTES = [16, 37, 100, 333, 1000, 1 << 20]

NASTY_TEXTS = [
    '}, {"ph": "X"}',
    '}, {"ph"',
    "},\n  {",
    '"',
    '\\"',
    "\\",
    "\\\\",
    "]}",
    "], ",
    "[1, 2]",
    "[1,",
    "{",
    "null",
    "NaN",
    "12",
    "1.5",
    "\x00\x1f\n",
    "naïve ☃ 🙂",
    "\u2028",
    "x" * 700,
    ": {",
]

texts = st.sampled_from(NASTY_TEXTS) | st.text(max_size=12)
numbers = (
    st.integers(-(10**6), 10**6)
    | st.integers(-(2**65), 2**65)
    | st.floats(width=64)
    | st.integers(0, 10**16).map(lambda value: value / 1000)
)
scalars = st.none() | st.booleans() | numbers | texts | numbers.map(str)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(texts | st.sampled_from(["ph", "ts", "a"]), inner, max_size=3)
    ),
    max_leaves=8,
)
phases = st.sampled_from(["X", "X", "X", "i", "M", "s", "t", "f", "C", "b", "", "XX"]) | values
categories = st.sampled_from(
    ["kernel", "cpu_op", "cuda_runtime", "python_function", "cpu_instant_event", "ac2g", "odd"]
)
members = {
    0: st.dictionaries(
        st.sampled_from([slot.key for slot in SLOTS if slot.level == 0 and slot.key != "args"]) | texts,
        values,
        max_size=4,
    ),
    1: st.dictionaries(st.sampled_from([slot.key for slot in SLOTS if slot.level == 1]) | texts, values, max_size=6),
}


@st.composite
def events(draw: st.DrawFn) -> dict[str, Any]:
    """An event, Kineto-like at first sight, with anything in any place."""
    event: dict[str, Any] = {"ph": draw(phases)}
    if draw(st.booleans()):
        event |= {"cat": draw(categories), "name": draw(texts), "pid": 0, "tid": draw(st.sampled_from([1, "stream 7"]))}
        event |= {"ts": draw(st.integers(0, 2**53)), "dur": draw(st.floats(0, 1e6))}
    event |= draw(members[0])
    event.pop("args", None)
    arguments = draw(members[1] | values)
    if arguments != {}:
        event["args"] = arguments
    return event


lists_of_events = st.lists(events() | st.sampled_from([5, "text", None, [], [1]]), max_size=6)


def kineto(document: dict[str, Any]) -> str:
    """The layout of libkineto: members of an event in a few lines, arguments in more."""
    texts = []
    for event in document["traceEvents"]:
        if not isinstance(event, dict):
            texts.append(f"  {json.dumps(event)}")
            continue
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in event.items() if key != "args"]
        if isinstance(event.get("args"), dict):
            inner = ",\n      ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in event["args"].items())
            lines.append(f'"args": {{\n      {inner}\n    }}')
        elif "args" in event:
            lines.append(f'"args": {json.dumps(event["args"])}')
        texts.append("  {\n    " + ", ".join(lines) + "\n  }")
    return (
        '{\n  "schemaVersion": 1,\n  "traceEvents": [\n' + ",\n".join(texts) + '\n  ],\n  "displayTimeUnit": "ms"\n}\n'
    )


LAYOUTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "kineto": kineto,
    "compact": lambda document: json.dumps(document, separators=(",", ":")),
    "one line": lambda document: json.dumps(document, ensure_ascii=False),
    "indent 2": lambda document: json.dumps(document, indent=2, ensure_ascii=False),
    "indent 4, CRLF": lambda document: json.dumps(document, indent=4).replace("\n", "\r\n"),
    "bare array": lambda document: json.dumps(document["traceEvents"]),
    "keys behind": lambda document: json.dumps({"traceEvents": document["traceEvents"], **document}),
}

FIRST = {"ph": "X", "cat": "cpu_op", "name": "first", "pid": 1, "tid": 1, "ts": 0.001, "dur": 1}


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=60)
@given(
    found=lists_of_events,
    sizes=st.lists(st.sampled_from(BLOCK_BYTES), min_size=2, max_size=2),
    workers=st.integers(1, 3),
)
def test_what_is_written_is_read_in_blocks_of_any_size(
    layout: str, found: list[Any], sizes: list[int], workers: int
) -> None:
    text = LAYOUTS[layout](
        {"schemaVersion": 1, "deviceProperties": [{"id": 0}, {"id": 1}], "traceEvents": [FIRST, *found]}
    )
    parsed = parse(text)
    wanted = parsed if isinstance(parsed, list) else parsed["traceEvents"]
    outcomes = []
    for block_bytes in sizes:
        tables, facts = read(text.encode(), workers=workers, block_bytes=block_bytes)
        assert list(differences(wanted, tables)) == []
        assert (facts.events, facts.damaged, facts.truncated, facts.lost_bytes) == (len(wanted), 0, None, 0)
        assert facts.not_objects == sum(not isinstance(event, dict) for event in wanted)
        outcomes.append((facts, comparable(tables)))
    assert outcomes[0] == outcomes[1]


def comparable(tables: Tables) -> object:
    """The tables in a form in which equal content is equal; text codes depend on the order of blocks."""
    return sorted((number, sorted(places.items())) for number, places in rebuilt(tables).items())


def test_nested_objects_longer_than_many_blocks_are_repaired() -> None:
    nested = [{"a": number, "list": [{"b": 1}, {"c": "}, {"}]} for number in range(200)]
    found = [FIRST, {"ph": "X", "name": "long", "ts": 1, "dur": 2, "args": {"nested": nested}}, FIRST]
    text = json.dumps({"traceEvents": found})
    for block_bytes in BLOCK_BYTES:
        tables, facts = read(text.encode(), block_bytes=block_bytes)
        assert list(differences(parse(text)["traceEvents"], tables)) == []
        assert (facts.events, facts.damaged) == (3, 0)


@pytest.mark.long
def test_a_block_denser_than_any_trace_gets_more_room() -> None:
    found = [FIRST] + [{"a": number % 7, "b": {}, "ph": "i"} for number in range(30_000)]
    text = json.dumps({"traceEvents": found}, separators=(",", ":"))
    tables, facts = read(text.encode(), block_bytes=1 << 19)
    assert list(differences(parse(text)["traceEvents"], tables)) == []
    assert facts.events == 30_001


@pytest.mark.long
def test_many_distinct_texts_in_one_block_get_more_room() -> None:
    found = [FIRST] + [{"ph": "i", "name": str(number), "x": number, f"k{number}": "t"} for number in range(30_000)]
    text = json.dumps({"traceEvents": found})
    tables, facts = read(text.encode(), block_bytes=1 << 20)
    assert list(differences(parse(text)["traceEvents"], tables)) == []
    assert facts.events == 30_001


def test_the_check_itself_notices_a_wrong_cell_a_missing_row_and_a_lost_extra() -> None:
    found = [FIRST, {"ph": "X", "name": "second", "ts": 1, "dur": 2, "args": {"odd": 1}}]
    text = json.dumps({"traceEvents": found})
    tables, _ = read(text.encode())
    wanted = parse(text)["traceEvents"]
    assert list(differences(wanted, tables)) == []
    operator = tables.frames["operator"]
    later = tables.frames | {"operator": operator.with_columns(pl.col("start_ns") + 1)}
    assert len(list(differences(wanted, Tables(later, tables.texts)))) == 1
    fewer = {name: frame for name, frame in tables.frames.items() if name != "operator"}
    assert list(differences(wanted, Tables(fewer, tables.texts))) == ["event 0 is missing"]
    poorer = {name: frame for name, frame in tables.frames.items() if name != "extras"}
    assert list(differences(wanted, Tables(poorer, tables.texts))) == ["event 1: keys {(1, 'odd')}"]
