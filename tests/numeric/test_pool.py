"""Interning against a dict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric.bytescan import PADDING, words_of
from stepscope.numeric.pool import SEED, Pool, SharedPool, _intern_one, new_pool

texts = st.lists(
    st.binary(max_size=30) | st.sampled_from([b"", b"a", b"a\0", b"a\0\0", b"12345678", b"123456789"]), max_size=60
)


def filled(found: list[bytes], capacity: int) -> tuple[Pool, np.ndarray, list[int]]:
    """A pool of some texts, their buffer, and the code of each; -1 where the pool was full."""
    pool = new_pool(capacity)
    buf = np.frombuffer(b"".join(found) + bytes(PADDING), np.uint8).copy()
    codes, at = [], 0
    for text in found:
        codes.append(int(_intern_one(*pool, words_of(buf), at, at + len(text), SEED)))
        at += len(text)
    return pool, buf, codes


def numbered(found: list[bytes]) -> dict[bytes, int]:
    """Code of each distinct text in order of first appearance."""
    return {text: code for code, text in enumerate(dict.fromkeys(found))}


@given(texts)
def test_equal_texts_get_one_code_in_order_of_appearance(found: list[bytes]) -> None:
    _, _, codes = filled(found, 64)
    expected = numbered(found)
    assert codes == [expected[text] for text in found]


@given(texts, st.integers(1, 8))
def test_a_full_pool_says_so_and_still_knows_what_it_holds(found: list[bytes], capacity: int) -> None:
    _, _, codes = filled(found, capacity)
    expected = numbered(found)
    assert codes == [expected[text] if expected[text] < capacity else -1 for text in found]


@pytest.mark.long
@given(st.lists(texts, max_size=6))
def test_the_shared_pool_numbers_the_texts_of_all_blocks(blocks: list[list[bytes]]) -> None:
    shared = SharedPool()
    for found in blocks:
        pool, buf, codes = filled(found, 64)
        expected = numbered([text for block in blocks[: blocks.index(found) + 1] for text in block])
        mapped = shared.absorb(pool, buf)
        assert [int(mapped[code]) for code in codes] == [expected[text] for text in found]
    everything = list(dict.fromkeys(text for block in blocks for text in block))
    assert shared.texts(0, len(shared)) == everything


@pytest.mark.long
def test_the_shared_pool_grows_with_many_and_with_long_texts() -> None:
    shared = SharedPool()
    many = [str(number).encode() for number in range(100_000)]
    assert shared.add(many).tolist() == list(range(100_000))
    assert shared.add([b"x" * 5_000_000, b"77", b""]).tolist() == [100_000, 77, 100_001]
    assert shared.texts(99_999, 100_002) == [b"99999", b"x" * 5_000_000, b""]
    assert shared.texts(0, 3) == [b"0", b"1", b"2"]


def test_adding_nothing_is_fine() -> None:
    assert SharedPool().add([]).tolist() == []
