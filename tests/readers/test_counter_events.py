"""Counter events: every value exactly, whatever order they have and whatever they hold, and nothing without a word."""

from __future__ import annotations

import json
import math
import random
import re
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readers.reading import read, trace
from readers.reproduction import Tables

NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def counter(name: Any = "Power (W)", ts: Any = 1.0, process: Any = "GPU 0 Counters", **args: Any) -> dict[str, Any]:
    """A counter event as torch's CUPTI monitor writes it: neither category nor thread."""
    return {"ph": "C", "name": name, "pid": process, "ts": ts, "args": args}


def stored(tables: Tables) -> list[tuple[Any, ...]]:
    """Process, name, series, start in ns and value of each row, in the order of the file."""
    frame = tables.frames["counter"]
    columns = ["process", "name", "key", "start_ns", "value"]
    absent = [pl.lit(None).alias(name) for name in columns if name not in frame.columns]
    found = []
    for process, name, key, start, value in frame.with_columns(absent).select(columns).iter_rows():
        texts = (None if code is None else tables.texts[code] for code in (process, name, key))
        found.append((*texts, start, value))
    return found


def expected(document: bytes) -> list[tuple[Any, ...]]:
    """The same by Python's own JSON reader."""
    found: list[tuple[Any, ...]] = []
    for event in json.loads(document)["traceEvents"]:
        if event["ph"] != "C":
            continue
        place = (str(event["pid"]), event["name"])
        at = round(event["ts"] * 1000)
        args = event["args"] if isinstance(event.get("args"), dict) else {}
        found += [(*place, key, at, number(value)) for key, value in args.items()] or [(*place, None, at, None)]
    return found


def number(value: Any) -> float | None:
    """A number, also one in quotes; None for all else, and for what is not finite."""
    if isinstance(value, str) and NUMBER.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def test_values_are_read_to_the_last_bit() -> None:
    document = trace(
        counter(ts=110.0, **{"": 312.5}),
        counter("SM Active (%)", ts=110.25, **{"": 63.127384619234876}),
        counter("Cycles (Current Kernel)", ts=111, **{"": 9007199254740993}),
        counter("allocated", ts=112, process=0, small=1e-300, large=1.7976931348623157e308, both=0.1),
    )
    tables, _ = read(document)
    assert stored(tables) == [
        ("GPU 0 Counters", "Power (W)", "", 110_000, 312.5),
        ("GPU 0 Counters", "SM Active (%)", "", 110_250, 63.127384619234876),
        ("GPU 0 Counters", "Cycles (Current Kernel)", "", 111_000, 9007199254740992.0),
        ("0", "allocated", "small", 112_000, 1e-300),
        ("0", "allocated", "large", 112_000, 1.7976931348623157e308),
        ("0", "allocated", "both", 112_000, 0.1),
    ]


@pytest.mark.parametrize("value", [None, "", "n/a", "inf", "nan", [1], {"value": 1}, True, math.nan, -math.inf])
def test_what_is_no_finite_number_is_missing_and_its_text_is_kept(value: Any) -> None:
    tables, facts = read(trace(counter(**{"": value}), counter(**{"": 1})))
    assert [row[-1] for row in stored(tables)] == [None, 1.0]
    assert facts.damaged == 0
    [(key, text)] = tables.frames["extras"].select("key", "value").iter_rows()
    kept = json.loads(tables.texts[text])
    assert tables.texts[key] == ""
    assert kept == value or kept != kept


def test_a_counter_without_values_is_a_row_without_any() -> None:
    without = {"ph": "C", "name": "a", "pid": 1, "ts": 5}
    tables, _ = read(trace(without, without | {"args": {}}, without | {"args": 3}, counter("b", x=1)))
    empty = ("1", "a", None, 5000, None)
    assert stored(tables) == [empty, empty, empty, ("GPU 0 Counters", "b", "x", 1000, 1.0)]


def test_numbers_of_counters_are_not_kept_as_texts() -> None:
    """A recording has as many of them as samples; each would be a text of its own."""
    events = [counter(ts=i, **{"": i + 0.125}) for i in range(50)]
    tables, _ = read(trace(*events, {"ph": "C", "name": "7.125", "pid": "8.125", "ts": 1, "args": {"": 1}}))
    assert [text for text in tables.texts if text.endswith(".125")] == ["7.125", "8.125"]
    assert "extras" not in tables.frames


def test_a_key_of_other_events_may_name_a_series() -> None:
    args = {"Bytes": 5, "name": 6.5, "stream": 7, "device": "8", "label": [9]}
    tables, _ = read(trace(counter("memory") | {"args": args}))
    assert sorted((row[2], row[4]) for row in stored(tables)) == [
        ("Bytes", 5.0),
        ("device", 8.0),
        ("label", None),
        ("name", 6.5),
        ("stream", 7.0),
    ]


values = (
    st.floats()
    | st.integers(-(2**70), 2**70)
    | st.integers(10**300, 10**310)
    | st.none()
    | st.booleans()
    | st.floats().map(str)
    | st.text("0123456789.eE+-naif", max_size=8)
    | st.lists(st.integers(0, 3), max_size=2)
    | st.dictionaries(st.text(max_size=2), st.floats(), max_size=2)
)
counters = st.builds(
    lambda name, at, process, args: {"ph": "C", "name": name, "pid": process, "ts": at, "args": args},
    st.sampled_from(["Power (W)", "a", "12.5"]) | st.text(max_size=4),
    st.integers(0, 10**9).map(lambda ns: ns / 1000),
    st.sampled_from(["GPU 0 Counters", "1.5"]) | st.integers(0, 3),
    st.dictionaries(st.sampled_from(["", "Bytes", "name", "1.5"]) | st.text(max_size=3), values, max_size=4)
    | st.integers(0, 3),
)
others = st.just({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"x": 1.5}})


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.lists(counters | others, min_size=1, max_size=12), st.sampled_from([40, 300, 1 << 20]), st.integers())
def test_any_counter_in_any_order_and_in_blocks_of_any_size(events: list[Any], block: int, seed: int) -> None:
    if not any(event["ph"] == "C" for event in events):
        return
    document = trace(*events)
    tables, facts = read(document, block_bytes=block)
    assert facts.damaged == 0
    found = stored(tables)
    assert sorted(found, key=repr) == sorted(expected(document), key=repr)
    random.Random(seed).shuffle(events)
    again, _ = read(trace(*events), block_bytes=block)
    assert sorted(stored(again), key=repr) == sorted(found, key=repr)
