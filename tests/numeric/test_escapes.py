"""Escapes that JSON does not need are replaced before texts are compared."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.bytescan import PADDING, words_of
from stepscope.numeric.escapes import unescape


def unescaped(data: bytes) -> bytes:
    buf = np.frombuffer(data + bytes(PADDING), np.uint8).copy()
    stop = int(unescape(buf, words_of(buf), 0, len(data)))
    assert not buf[stop:].any()
    return buf[:stop].tobytes()


@pytest.mark.parametrize(
    ("escaped", "plain"),
    [
        (rb'"k\u0065rnel"', b'"kernel"'),
        (rb'"a\/b\u002fc"', b'"a/b/c"'),
        (rb'"\u00e9\u4F60\ud83d\ude00"', '"é你😀"'.encode()),
        (rb'"\u0022\u005c"', rb'"\"\\"'),
    ],
)
def test_an_escape_that_is_not_needed_becomes_the_character(escaped: bytes, plain: bytes) -> None:
    assert unescaped(escaped) == plain
    assert unescaped(b'{"x": ' + 100 * b" " + escaped + b"}") == b'{"x": ' + 100 * b" " + plain + b"}"


@pytest.mark.parametrize(
    "kept",
    [
        rb'"\\u0065"',
        rb'"\n\u000a\u007f"',
        rb'"\ud83d\ud83d\ude0"',
        rb'"\u00g0\u00:0\u00-1"',
        rb'"\u00',
        b'"\\',
        rb"\u0065",
    ],
)
def test_other_escapes_stay(kept: bytes) -> None:
    assert unescaped(kept) == kept


@given(st.text())
def test_the_text_stays_the_same(text: str) -> None:
    escaped = json.dumps(text).encode()
    assert json.loads(unescaped(escaped)) == text
    assert unescaped(unescaped(escaped)) == unescaped(escaped)
