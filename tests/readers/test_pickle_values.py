"""Decoded pickles hold what `pickle` reads, and lists that are alike are held once."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.numeric import pickle_machine
from stepscope.numeric.pickle_machine import BOOL, DICT, EMPTY, INT, LIST, TEXT, TUPLE
from stepscope.readers.snapshot.decoding import Decoding
from stepscope.readers.sources import Source

PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-(1 << 62), 1 << 62), st.text(max_size=4))
FEW = st.one_of(st.lists(st.integers(0, 1), max_size=3), st.just([]), st.dictionaries(st.sampled_from("ab"), PLAIN))
DOCUMENTS = st.recursive(
    st.one_of(PLAIN, FEW),
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.tuples(inner, inner),
        st.dictionaries(st.text(max_size=3), inner, max_size=4),
    ),
    max_leaves=40,
)


def decoded(content: bytes) -> Decoding:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.pickle"
        path.write_bytes(content)
        with Source(str(path)).open() as stream:
            found = Decoding(stream)
            found.run()
    return found


def plain(found: Decoding, kind: int, value: int) -> Any:
    """What was decoded as Python's own values."""
    machine = found.machine
    if kind in (LIST, TUPLE, DICT):
        values: list[Any] = []
        entries: dict[str, Any] = {}
        chunk = int(machine.first[value])
        while chunk >= 0:
            start, layout = int(machine.start[chunk]), int(machine.layout[chunk])
            for at in range(int(machine.length[chunk])):
                one = plain(found, int(machine.item_kind[start + at]), int(machine.items[start + at]))
                values.append(one)
                if kind == DICT:
                    key = int(machine.layout_keys[int(machine.layout_start[layout]) + at])
                    entries[found.texts.texts(key, key + 1)[0].decode()] = one
            chunk = int(machine.following[chunk])
        return entries if kind == DICT else tuple(values) if kind == TUPLE else values
    if kind == TEXT:
        return found.texts.texts(value, value + 1)[0].decode()
    return {EMPTY: None, BOOL: bool(value), INT: value}[kind]


@pytest.mark.long
@given(DOCUMENTS, st.integers(2, 5))
def test_any_document_is_what_pickle_reads(document: Any, protocol: int) -> None:
    found = decoded(pickle.dumps(document, protocol))
    assert plain(found, *found.root) == document


def test_lists_that_begin_alike_keep_their_own_ends() -> None:
    """A list of more than a thousand items is filled by several instructions."""
    begin = list(range(1000))
    document = [[*begin, 1], [*begin, 2], begin, [*begin, *begin], [True, 1], [1, 1], [1, True]]
    found = decoded(pickle.dumps(document))
    assert plain(found, *found.root) == document


def test_stacks_that_are_alike_are_held_once() -> None:
    """Each entry of a history has a list of its own for its stack: a file of 505 MB took 1.5 GB, 1.1 GB of it so."""
    frames = [{"line": number} for number in range(25)]
    held = decoded(pickle.dumps([list(frames) for _ in range(200)]))
    assert int(held.machine.state[pickle_machine.ITEMS]) == 25 + 25 + 200
