"""What is said of events, as columns of the store: annotations under the names that Kineto's arguments have."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric import packet_state as st
from stepscope.numeric.packet_state import Ints, looked_up
from stepscope.numeric.plan import FLOAT, INT, TEXT
from stepscope.numeric.pool import SharedPool
from stepscope.readers.kineto_plan import ARGUMENTS
from stepscope.readers.perfetto.nested import Named, rendered
from stepscope.readers.pooled_texts import codes_of

_OTHER_NAMES = {
    "device id": "device",
    "device_id": "device",
    "agent": "device",
    "context id": "context",
    "context_id": "context",
    "stream id": "stream",
    "stream_id": "stream",
    "queue": "stream",
    "corr_id": "correlation",
    "byte_cnt": "bytes",
    "copy_bytes": "bytes",
    "registers_per_thread": "registers",
    "cuda event": "wait_event",
}
"""Names under which PyTorch's, rocprofv3's and wprof's Perfetto traces say what has a column."""

_SLOTS = {slot.key: slot for slot in ARGUMENTS}
_KINDS = {slot.column: slot.kind for slot in ARGUMENTS}
_LEVEL = 1
_LOW = (1 << 31) - 1


class Notes(NamedTuple):
    """What is said of rows, one thing each.

    Attributes:
        row: what it is said of.
        key: code of its name, or one of `packet_state`'s keys.
        kind: of its value.
        value: see `packet_state`.
    """

    row: Ints
    key: Ints
    kind: Ints
    value: Ints

    def only(self, chosen: npt.NDArray[np.bool_]) -> Notes:
        """Some of them."""
        return self.at(np.flatnonzero(chosen))

    def at(self, rows: Ints) -> Notes:
        """Those of some places."""
        return Notes(*(array[rows] for array in self))


def _each_once(values: Ints, make: Callable[[pl.Series], pl.Series]) -> pl.Series:
    """What is made of each value, made once for those that are equal, of which few are distinct."""
    given = pl.Series("value", values, pl.Int64)
    distinct = given.unique(maintain_order=True)
    made = pl.DataFrame([distinct, make(distinct).alias("made")])
    return given.to_frame().join(made, "value", "left", maintain_order="left")["made"]


def text_of(texts: SharedPool, code: int) -> str:
    """A text of a trace: in its messages nothing is escaped."""
    return texts.texts(code, code + 1)[0].decode("utf-8", "replace")


def notes_of(notes: Ints, owner_row: Ints, owners: Ints, names: Ints, seed: np.uint64, texts: SharedPool) -> Notes:
    """What is said of rows; nested annotations as the text that they are in JSON.

    Args:
        notes: of `Packets`.
        owner_row: the row of each event, -1 for none.
        owners: of each event, who numbers its texts.
        names: the hash table of these numbers.
    """
    row = owner_row[notes[:, 0]] if len(notes) else np.empty(0, np.int64)
    found = Notes(row, *(notes[:, column].copy() for column in (1, 2, 3)))
    nested = np.flatnonzero(found.kind == st.NESTED)
    if len(nested):
        # Codes of texts and numbers of owners are below 2**31: one number for both is found faster than a pair.
        pairs = owners[notes[nested, 0]] << 31 | found.value[nested]
        named = cache(partial(_named, names, seed, texts))

        def written(distinct: pl.Series) -> pl.Series:
            split = ((pair & _LOW, pair >> 31) for pair in distinct)
            return pl.Series(texts.add([_json(code, texts, partial(named, owner)) for code, owner in split]))

        found.value[nested] = _each_once(pairs, written).to_numpy()
        found.kind[nested] = st.LITERAL
    return found.only(row >= 0)


def _json(code: int, texts: SharedPool, named: Named) -> bytes:
    return rendered(texts.texts(code, code + 1)[0], named).encode()


def _named(names: Ints, seed: np.uint64, texts: SharedPool, owner: int, kind: int, number: int) -> str:
    # Numbers are looked up as the compiled loops wrote them: with 64 bits and a sign.
    signed = number - (1 << 64) if number >= 1 << 63 else number
    found = int(looked_up(names, seed, owner, kind, signed))
    return text_of(texts, found) if found >= 0 else ""


class Arguments:
    """Columns of some rows, by need.

    Args:
        notes: of the rows.
        rows: how many there are.
        texts: of the trace.
    """

    def __init__(self, notes: Notes, rows: int, texts: SharedPool) -> None:
        self._notes, self._rows, self._texts = notes, rows, texts
        self._slots = self._columns_of_keys()
        # Of so few bits, sorting takes one pass for each eight.
        self._order = np.argsort(self._slots.astype(np.int16), kind="stable")
        self._firsts = np.searchsorted(self._slots[self._order], np.arange(len(ARGUMENTS) + 1))
        self._columns: dict[str, pl.Series] = {}

    def column(self, name: str) -> pl.Series:
        """A column of the store, null where nothing is said that it can hold."""
        if name not in self._columns:
            place = _PLACES[name]
            own = self._order[self._firsts[place] : self._firsts[place + 1]]
            chosen = self._notes.at(own)
            values, sound = self._values(chosen, _KINDS[name])
            self._columns[name] = self._spread(name, chosen.row[sound], values[sound], _KINDS[name])
        return self._columns[name]

    def number(self, key: int | str) -> pl.Series:
        """What is said under one of `packet_state`'s keys, or under a name that has no column, where it is a number."""
        chosen = self._under(key, st.WHOLE)
        return self._spread(str(key), chosen.row, chosen.value, INT)

    def code(self, key: int | str) -> pl.Series:
        """The same where it is a text, as its code."""
        chosen = self._under(key, st.TEXT)
        return self._spread(str(key), chosen.row, chosen.value, TEXT)

    def _under(self, key: int | str, kind: int) -> Notes:
        """What is said under a key or a name, where it is of a kind."""
        codes = [key] if isinstance(key, int) else self._codes_of(key)
        own = np.flatnonzero(self._notes.key == codes[0]) if codes else np.empty(0, np.int64)
        return self._notes.at(own[self._notes.kind[own] == kind])

    def sizes(self, base: int, names: tuple[str, str, str]) -> pl.Series:
        """Three sizes as a text in brackets, as Kineto writes a grid; null where there are none."""
        found = [self.number(base - place).fill_null(self.number(name)) for place, name in enumerate(names)]
        frame = pl.DataFrame([one.alias(str(place)) for place, one in enumerate(found)])
        known = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
        text = frame.select(
            pl.concat_str(
                pl.lit("["), pl.concat_str(pl.all().fill_null(1).cast(pl.String), separator=", "), pl.lit("]")
            )
        ).to_series()
        return self.codes(text.set(~known, None))

    def codes(self, texts: pl.Series) -> pl.Series:
        """Codes of texts of which few are distinct."""
        return codes_of(texts, self._texts)

    def pairs(self, key: int) -> tuple[Ints, Ints]:
        """Rows and numbers under one of `packet_state`'s keys, of which a row may have several."""
        chosen = self._notes.only(self._notes.key == key)
        return chosen.row, chosen.value

    def others(self, group: Ints, kept: npt.NDArray[np.bool_], used: tuple[str, ...]) -> pl.DataFrame:
        """What has no column: columns row, level, key, value, these as JSON.

        Args:
            group: of each row.
            kept: for each group and each column of `ARGUMENTS`, whether it has that.
            used: names that became something else.
        """
        notes, slots = self._notes, self._slots
        became = [code for name in used for code in self._codes_of(name)]
        chosen = (notes.key >= 0) & ~np.isin(notes.key, became) if became else notes.key >= 0
        chosen &= (slots < 0) | ~kept[group[notes.row], np.maximum(slots, 0)] | ~self._fits(notes, slots)
        found = notes.only(chosen)
        return pl.DataFrame(
            [
                pl.Series("row", found.row),
                pl.repeat(_LEVEL, len(found.row), dtype=pl.UInt8, eager=True).alias("level"),
                pl.Series("key", found.key).cast(pl.UInt32),
                pl.Series("value", self._json_codes(found)).cast(pl.UInt32),
            ]
        )

    def _as_json(self, kind: int, value: int) -> bytes:
        if kind in (st.TEXT, st.LITERAL):
            text = self._texts.texts(value, value + 1)[0]
            return (
                text if kind == st.LITERAL else json.dumps(text.decode("utf-8", "replace"), ensure_ascii=False).encode()
            )
        if kind == st.REAL:
            return repr(float(np.array(value, np.int64).view(np.float64))).encode()
        if kind == st.TRUTH:
            return b"true" if value else b"false"
        return str(value % (1 << 64) if kind == st.UNSIGNED else value).encode()

    def _columns_of_keys(self) -> Ints:
        """Of each note the place of its column in `ARGUMENTS`, -1 for none."""
        keys = pl.Series(self._notes.key, dtype=pl.Int64).unique().sort().to_numpy()
        names = [text_of(self._texts, key) if key >= 0 else "" for key in keys.tolist()]
        self._named_so = {name: key for name, key in zip(names, keys.tolist(), strict=True) if key >= 0}
        columns = [_SLOTS[name].column if name in _SLOTS else _OTHER_NAMES.get(name, "") for name in names]
        # Keys are codes of texts, and a few numbers below them: a table of all is short.
        least = int(keys[0]) if len(keys) else 0
        table = np.full(int(keys[-1]) - least + 1 if len(keys) else 0, -1, np.int64)
        table[keys - least] = [_PLACES.get(column, -1) for column in columns]
        found: Ints = table[self._notes.key - least]
        # rocprofv3 numbers the kinds of its records under the name that others give the direction of a copy.
        found[(found == _PLACES["direction"]) & (self._notes.kind != st.TEXT)] = -1
        return found

    def _codes_of(self, name: str) -> list[int]:
        return [self._named_so[name]] if name in self._named_so else []

    def _fits(self, notes: Notes, slots: Ints) -> npt.NDArray[np.bool_]:
        fits = np.ones(len(slots), np.bool_)
        for kind in (INT, FLOAT, TEXT):
            of_kind = np.flatnonzero(_SLOT_KINDS[slots] == kind)
            fits[of_kind] = self._values(notes.at(of_kind), kind)[1]
        return fits

    def _values(self, notes: Notes, kind: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Values as a kind of column has them, and which of them it can hold."""
        value = notes.value.copy()
        is_text = (notes.kind == st.TEXT) | (notes.kind == st.LITERAL)
        is_whole = (notes.kind == st.WHOLE) | (notes.kind == st.TRUTH)
        if kind == TEXT:
            value[~is_text] = self._json_codes(notes.only(~is_text))
            return value, np.ones(len(value), np.bool_)
        sound = is_whole | (notes.kind == st.REAL) if kind == FLOAT else is_whole.copy()
        value[is_text], sound[is_text] = self._parsed(notes.value[is_text], kind)
        if kind == FLOAT:
            value[is_whole] = notes.value[is_whole].astype(np.float64).view(np.int64)
        return value, sound

    def _json_codes(self, notes: Notes) -> Ints:
        """Codes of values as JSON, of which few are distinct."""
        found = np.empty(len(notes.value), np.int64)
        for kind in np.flatnonzero(np.bincount(notes.kind)).tolist():
            own = np.flatnonzero(notes.kind == kind)

            def written(distinct: pl.Series, kind: int = kind) -> pl.Series:
                return pl.Series(self._texts.add([self._as_json(kind, value) for value in distinct]))

            found[own] = _each_once(notes.value[own], written).to_numpy()
        return found

    def _parsed(self, codes: Ints, kind: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Numbers that texts are."""

        def parsed(distinct: pl.Series) -> pl.Series:
            texts = [text.decode("utf-8", "replace") for text in self._texts.texts_of(distinct.to_numpy())]
            return pl.Series(texts, dtype=pl.String).cast(pl.Int64 if kind == INT else pl.Float64, strict=False)

        numbers = _each_once(codes, parsed)
        return numbers.fill_null(0).to_numpy().copy().view(np.int64), numbers.is_not_null().to_numpy()

    def _spread(self, name: str, row: Ints, values: Ints, kind: int) -> pl.Series:
        """A column with values in some rows; of two in one row the last counts."""
        filled = np.zeros(self._rows, np.bool_)
        cells = np.zeros(self._rows, np.int64)
        filled[row], cells[row] = True, values
        made = pl.Series(name, cells.view(np.float64) if kind == FLOAT else cells)
        made = made.cast(pl.UInt32, strict=False) if kind == TEXT else made
        return made.set(pl.Series(~filled), None)


_PLACES = {slot.column: place for place, slot in enumerate(ARGUMENTS)}
_SLOT_KINDS = np.array([*(slot.kind for slot in ARGUMENTS), -1], np.int64)
"""Kinds of the columns; the last one stands for "no column"."""
