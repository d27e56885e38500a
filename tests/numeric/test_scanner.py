"""Where the scanner believes that objects begin and that the array ends."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.boundaries import array_end, closes_array, last_boundary, next_candidate
from stepscope.numeric.bytescan import PADDING

nasty = st.text('}{],["\\: phx\n', max_size=12)
values = st.recursive(
    nasty | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(nasty | st.just("ph"), inner, max_size=3),
    max_leaves=12,
)


def buffer(text: str) -> tuple[np.ndarray, int]:
    data = text.encode()
    return np.frombuffer(data + bytes(PADDING), np.uint8).copy(), len(data)


def object_starts(text: str) -> set[int]:
    """Indexes of the braces that open an object, outside of strings."""
    found, quoted, at = set(), False, 0
    while at < len(text):
        if quoted and text[at] == "\\":
            at += 1
        elif text[at] == '"':
            quoted = not quoted
        elif text[at] == "{" and not quoted:
            found.add(at)
        at += 1
    return found


@pytest.mark.long
@given(st.lists(values, max_size=8), st.none() | st.integers(0, 3))
def test_a_cut_is_never_inside_a_string(value: list[Any], indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    buf, end = buffer(text)
    starts = object_starts(text)
    while end > 0:
        end = int(last_boundary(buf, 0, end))
        assert end == -1 or end in starts


@pytest.mark.long
@given(st.lists(values, max_size=8), st.none() | st.integers(0, 3))
def test_a_candidate_is_never_inside_a_string_and_never_the_value_of_a_key(
    value: list[Any], indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    buf, end = buffer(text)
    starts = object_starts(text)
    at = int(next_candidate(buf, 0, 0, end))
    while at >= 0:
        assert at in starts
        assert not text[:at].rstrip().endswith(":")
        at = int(next_candidate(buf, at + 1, 0, end))


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ('{"a": 1}, {"b": 2}', 10),
        ('{"a": 1} \n,\r\n\t{ \n"b": 2}', 14),
        ('{"a": 1}, {"b": 2}, {"', 10),
        ('{"a": 1}, {1: 2}', -1),
        ('{"a": {"b": 1}}', -1),
        ('[1, {"b": 1}]', -1),
        ("", -1),
    ],
)
def test_the_last_boundary(text: str, index: int) -> None:
    buf, end = buffer(text)
    assert last_boundary(buf, 0, end) == index


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("]}", -1),
        ("]} \n x", 1),
        ("] , \n }  ", -1),
        ('], "key"', 1),
        ('] "key"', 1),
        (']}, {"ph"', 0),
        ('], {"ph"', 0),
        ('] {"ph"', 0),
        ("], 5", 0),
        ("]]", 0),
        ("]", -1),
        ("] , ", -1),
    ],
)
def test_what_follows_a_bracket_tells_whether_it_ends_the_array(text: str, answer: int) -> None:
    buf, end = buffer(text)
    assert closes_array(buf, 0, end) == answer


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ('{"a": [1], "b" 2}], "key": 1}', 17),
        ('{"a": [{}, 5], "b" 2} ]}', 22),
        ('{"a": [1], "b" 2', -1),
        ("", -1),
    ],
)
def test_the_arrays_end_behind_a_damaged_object(text: str, index: int) -> None:
    buf, end = buffer(text)
    assert array_end(buf, 0, end) == index
