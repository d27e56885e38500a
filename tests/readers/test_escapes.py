"""A text is the same text however JSON writes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from readers.reading import read, trace

EVENTS: list[dict[str, Any]] = [
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 2, "args": {"correlation": 3}},
    {"ph": "X", "cat": "cpu_op", "name": "aten::größe/😀", "pid": 1, "tid": 1, "ts": 1, "dur": 9},
    {"ph": "X", "cat": "cpu_op", "name": "aten::größe/😀", "pid": 1, "tid": 1, "ts": 2, "dur": 3},
]


def escaped(text: str) -> str:
    """JSON text of a text with every character as an escape."""
    units = text.encode("utf-16-be")
    return '"' + "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2)) + '"'


@pytest.mark.parametrize("block_bytes", [40, 1 << 21])
def test_escaped_keys_categories_phases_and_names_are_read_as_the_plain_ones(block_bytes: int) -> None:
    """They were compared as raw bytes: kernels with an escaped category were in no table, and of a name written in two
    ways the nested operator was counted twice."""
    plain = [json.dumps(event, ensure_ascii=False) for event in EVENTS]
    strange = list(plain)
    for text in ["ph", "X", "cat", "kernel", "correlation", "args"]:
        strange[0] = strange[0].replace(f'"{text}"', escaped(text))
    strange[1] = strange[1].replace('"aten::größe/😀"', escaped("aten::größe/😀"))
    strange[2] = strange[2].replace("/", "\\/")
    assert strange[0].count("\\u") > 20
    expected, _ = read(trace(*plain))
    found, _ = read(trace(*strange), block_bytes=block_bytes)
    assert found.texts == expected.texts
    assert {name: frame.rows() for name, frame in found.frames.items()} == {
        name: frame.rows() for name, frame in expected.frames.items()
    }
