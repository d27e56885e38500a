"""The byte-level primitives against Python's own decimals, floats and JSON."""

from __future__ import annotations

import json
import math
from decimal import ROUND_HALF_EVEN, Context, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.bytescan import PADDING, container_end, is_well_formed, string_end, value_end, words_of
from stepscope.numeric.numbers import EXACT, INVALID, ROUNDED, parse_float, parse_int, parse_time, plain_int

MAX = 2**63 - 1
EXACTLY = Context(prec=3000, Emax=10**7, Emin=-(10**7))


def buffer(text: bytes, before: bytes = b"") -> np.ndarray:
    return np.frombuffer(before + text + bytes(PADDING), np.uint8).copy()


def time_of(text: str) -> tuple[int, int]:
    return parse_time(buffer(text.encode()), 0, len(text))


def expected_time(text: str) -> tuple[int, int]:
    exact = EXACTLY.multiply(Decimal(text), Decimal(1000))
    whole = int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN, context=EXACTLY))
    if abs(whole) > MAX:
        return 0, INVALID
    return whole, EXACT if exact == whole else ROUNDED


digits = st.text("0123456789", min_size=1, max_size=25)
signs = st.sampled_from(["", "-"])
exponents = st.one_of(
    st.just(""), st.builds("e{}".format, st.integers(-40, 40)), st.builds("E+{}".format, st.integers(0, 400))
)


@st.composite
def decimals(draw: st.DrawFn) -> str:
    fraction = draw(st.one_of(st.just(""), digits.map(".{}".format)))
    return draw(signs) + draw(digits) + fraction + draw(exponents)


@pytest.mark.long
@given(decimals())
def test_a_time_is_the_exact_decimal_rounded_half_to_even(text: str) -> None:
    assert time_of(text) == expected_time(text)


@given(st.integers(-(MAX // 1000) + 1, MAX // 1000 - 1), st.integers(0, 999))
def test_a_time_to_the_nanosecond_is_exact(whole: int, fraction: int) -> None:
    text = f"{whole}.{fraction:03}"
    sign = -1 if text.startswith("-") else 1
    assert time_of(text) == (whole * 1000 + sign * fraction, EXACT)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("0", (0, EXACT)),
        ("-0", (0, EXACT)),
        ("1752831234567890.123", (1752831234567890123, EXACT)),
        ("9007199254740993.001", (9007199254740993001, EXACT)),
        ("9223372036854775.807", (MAX, EXACT)),
        ("9223372036854775.8074", (MAX, ROUNDED)),
        ("9223372036854775.8075", (0, INVALID)),
        ("9223372036854775.808", (0, INVALID)),
        ("0.0005", (0, ROUNDED)),
        ("0.0015", (2, ROUNDED)),
        ("0.0025", (2, ROUNDED)),
        ("0.00250000000000000000000000001", (3, ROUNDED)),
        ("-0.0015", (-2, ROUNDED)),
        ("1e3", (1_000_000, EXACT)),
        ("1.5E-3", (2, ROUNDED)),
        ("1e-400", (0, ROUNDED)),
        ("0e999999999999999999", (0, EXACT)),
        ("1e999999999999999999", (0, INVALID)),
        ("1e-999999999999999999", (0, ROUNDED)),
        ("0" * 300 + "7", (7000, EXACT)),
        ("0." + "0" * 300 + "7e301", (7000, EXACT)),
        ("5.", (5000, EXACT)),
        (".5", (500, EXACT)),
    ],
)
def test_times_at_the_limits(text: str, time: tuple[int, int]) -> None:
    assert time_of(text) == time


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "+1",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "1-2",
        "NaN",
        "Infinity",
        "1 ",
        " 1",
        "0x10",
        "1e5.0",
        "--1",
    ],
)
def test_what_is_no_decimal_is_no_time_and_no_float(text: str) -> None:
    assert time_of(text) == (0, INVALID)
    assert parse_float(buffer(text.encode()), 0, len(text)) == (0.0, INVALID)


@pytest.mark.parametrize("zeros", ["", ".0", ".000"])
@given(st.integers(-(2**64), 2**64) | st.integers(-(10**6), 10**6))
def test_an_integer_is_read_if_int64_holds_it(zeros: str, value: int) -> None:
    text = f"{value}{zeros}"
    expected = (value, EXACT) if abs(value) <= MAX else (0, INVALID)
    assert parse_int(buffer(text.encode()), 0, len(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["", "-", "+1", "1.5", "1.", ".0", "-.0", "1.0.0", "1.00e1", "1e3", "007", "-01", "true", " 1", "1_000", "٣"],
)
def test_what_is_no_plain_integer_is_refused(text: str) -> None:
    raw = text.encode()
    assert parse_int(buffer(raw), 0, len(raw)) == (0, INVALID)


@given(st.integers(-(10**20), 10**20), st.sampled_from(["", ",", "}", " ", "\n", "]", ".5", "e3", '"']))
def test_the_short_way_to_an_integer_answers_only_when_it_is_sure(value: int, behind: str) -> None:
    text = f"{value}{behind}".encode()
    found, at = plain_int(buffer(text), 0, len(text))
    if behind in ("", "]", ".5", "e3", '"') or abs(value) >= 10**18:
        assert at == -1
    else:
        assert (found, at) == (value, len(str(value)))


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x == 0 or 1e-6 < abs(x) < 1e38))
def test_a_float_is_within_one_ulp(value: float) -> None:
    text = repr(value).encode()
    found, status = parse_float(buffer(text), 0, len(text))
    assert status == EXACT
    assert abs(found - value) <= math.ulp(value)


@given(decimals())
def test_a_decimal_is_a_float_within_one_ulp_or_refused(text: str) -> None:
    found, status = parse_float(buffer(text.encode()), 0, len(text))
    if status == EXACT:
        assert abs(found - float(text)) <= math.ulp(float(text))


@given(st.integers(-(10**15), 10**15), st.integers(0, 6))
def test_a_decimal_of_few_digits_is_the_nearest_float(value: int, places: int) -> None:
    text = str(Decimal(value).scaleb(-places))
    if "E" not in text:
        assert parse_float(buffer(text.encode()), 0, len(text)) == (float(text), EXACT)


@pytest.mark.parametrize("text", ["1e309", "1e-400", "12345678901234567e30", "1e-45"])
def test_a_float_that_simple_means_cannot_reach_is_refused(text: str) -> None:
    assert parse_float(buffer(text.encode()), 0, len(text)) == (0.0, INVALID)


def test_minus_zero_is_zero_because_its_bits_mean_no_value() -> None:
    found, status = parse_float(buffer(b"-0.0"), 0, 4)
    assert (found, math.copysign(1, found), status) == (0.0, 1.0, EXACT)


@given(st.text(), st.booleans(), st.binary(max_size=9), st.binary(max_size=20))
def test_a_string_ends_at_its_quote(value: str, ascii_only: bool, before: bytes, behind: bytes) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    buf = buffer(text + behind, before)
    end = len(before) + len(text)
    assert string_end(buf, words_of(buf), len(before) + 1, end + len(behind)) == end - 1


@given(st.text('a\\"}{', max_size=40), st.binary(max_size=9))
def test_a_string_that_is_cut_has_no_end(value: str, before: bytes) -> None:
    text = json.dumps(value).encode()[:-1]
    buf = buffer(text, before)
    assert string_end(buf, words_of(buf), len(before) + 1, len(before) + len(text)) == -1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text('a[]{}\\",: \u00e9'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('k]}"', max_size=3), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.long
@given(
    json_values.filter(lambda value: isinstance(value, (list, dict))),
    st.binary(max_size=9),
    st.none() | st.integers(0, 4),
)
def test_a_container_ends_at_its_own_bracket(value: object, before: bytes, indent: int | None) -> None:
    text = json.dumps(value, indent=indent).encode()
    buf = buffer(text + b"]}", before)
    words, start, end = words_of(buf), len(before), len(before) + len(text)
    assert container_end(buf, words, start, end + 2) == end
    assert container_end(buf, words, start, end - 1) == -1


@pytest.mark.long
@given(json_values, st.sampled_from([b",", b"}", b"]", b" ", b"\n", b"\0"]))
def test_a_value_ends_where_json_says(value: object, behind: bytes) -> None:
    text = json.dumps(value).encode()
    buf = buffer(text + behind)
    assert value_end(buf, words_of(buf), 0, len(text) + 1) == len(text)


def test_a_hundred_thousand_brackets_are_no_recursion() -> None:
    text = b"[" * 100_000 + b"]" * 100_000
    buf = buffer(text)
    assert container_end(buf, words_of(buf), 0, len(text)) == 200_000


def well_formed(text: str) -> bool:
    buf = buffer(text.encode())
    return bool(is_well_formed(buf, words_of(buf), 0, len(text.encode())))


@given(json_values.filter(lambda value: isinstance(value, (list, dict))), st.none() | st.integers(0, 4))
def test_what_json_writes_is_well_formed(value: object, indent: int | None) -> None:
    assert well_formed(json.dumps(value, indent=indent))


@pytest.mark.parametrize("text", ["[]", "{}", "[1,]", '{"a": 1,}', "[True, nan, .5]", '{"a": [{}, []]}', '["\\"]"]'])
def test_forgiven_forms_are_well_formed(text: str) -> None:
    assert well_formed(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a"}',
        '{"a":}',
        '{"a" 1}',
        '{"a": 1 2}',
        '{"a": 1 "b": 2}',
        "{1: 2}",
        "[,]",
        "[1,,2]",
        '["a": 1]',
        '["a" "b"]',
        "[1}",
        '{"a": 1]',
        "[[1}]",
        '{"a", "b"}',
        '{""a": 1}',
    ],
)
def test_damaged_containers_are_not_well_formed(text: str) -> None:
    assert not well_formed(text)
