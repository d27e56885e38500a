"""Line tables of compiled code: which line of which file each of its bytes comes from.

DWARF of versions 2 to 4 as ``nvcc -lineinfo`` writes it, one program for all functions: each sequence of rows begins
with an address that a relocation fills in. Source of the format: https://dwarfstd.org/doc/DWARF4.pdf, section 6.2.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from stepscope.readers.ncu.fields import MalformedReport

Row = tuple[int, str, int]
"""From which offset in its section on, the file and the line."""

_EXTENDED, _COPY, _ADVANCE_PC, _ADVANCE_LINE, _SET_FILE, _CONST_ADD_PC, _FIXED_ADVANCE_PC = 0, 1, 2, 3, 4, 8, 9
_END_SEQUENCE, _SET_ADDRESS = 1, 2
_KNOWN_VERSIONS = (2, 3, 4)
_LONGEST_NUMBER = 10
_MOST_LINE = 1 << 31
LARGEST = 16 << 20
"""Of longer tables nothing is read: their programs take too long."""


@dataclass
class _Reader:
    """Numbers and texts of a table, in order."""

    data: bytes
    at: int = 0

    def fixed(self, size: int) -> int:
        end = self.at + size
        if end > len(self.data):
            raise MalformedReport("a line table ends within a number")
        value = int.from_bytes(self.data[self.at : end], "little")
        self.at = end
        return value

    def unsigned(self) -> int:
        value = 0
        for place in range(_LONGEST_NUMBER):
            byte = self.fixed(1)
            value |= (byte & 127) << (7 * place)
            if byte < 128:
                return value
        raise MalformedReport("a number of a line table does not end")

    def signed(self) -> int:
        start = self.at
        value = self.unsigned()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def text(self) -> str:
        end = self.data.find(b"\0", self.at)
        if end < 0:
            raise MalformedReport("a text of a line table does not end")
        found = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return found


@dataclass
class _Header:
    """What a program is run with."""

    end: int
    shortest: int
    base: int
    width: int
    first_special: int
    arguments: list[int]
    files: list[str]


@dataclass
class _State:
    """Where a sequence stands; without a section its address is not known."""

    section: int | None = None
    offset: int = 0
    file: int = 1
    line: int = 1
    rows: list[Row] = field(default_factory=list)


def line_rows(data: bytes, addresses: Mapping[int, tuple[int, int]]) -> dict[int, list[Row]]:
    """The rows of each section, by offset.

    Args:
        data: of ``.debug_line``.
        addresses: what relocations fill in: by the place of an address in ``data`` a section and an offset in it.

    Raises:
        MalformedReport: it is no such table.
    """
    found: dict[int, list[Row]] = {}
    reader = _Reader(data if len(data) <= LARGEST else b"")
    while reader.at < len(reader.data):
        header = _header(reader)
        while reader.at < header.end:
            section, rows = _sequence(reader, header, addresses)
            if section is not None:
                found.setdefault(section, []).extend(rows)
    return {section: sorted(rows, key=lambda row: row[0]) for section, rows in found.items()}


def _header(reader: _Reader) -> _Header:
    end = reader.fixed(4) + reader.at
    version = reader.fixed(2)
    program = reader.fixed(4) + reader.at
    if version not in _KNOWN_VERSIONS or not reader.at < program <= end <= len(reader.data):
        raise MalformedReport("a line table of another version")
    shortest = reader.fixed(1)
    reader.at += version >= 4
    reader.at += 1
    base = reader.fixed(1)
    width, first_special = reader.fixed(1), reader.fixed(1)
    arguments = [0, *(reader.fixed(1) for _ in range(1, first_special))]
    files = _files(reader)
    reader.at = program
    return _Header(end, shortest, base - 256 * (base > 127), max(1, width), max(1, first_special), arguments, files)


def _files(reader: _Reader) -> list[str]:
    """The files of a table, whose numbers begin with 1."""
    folders = [""]
    while folder := reader.text():
        folders.append(folder)
    files = [""]
    while name := reader.text():
        number = reader.unsigned()
        reader.unsigned()
        reader.unsigned()
        inside = folders[number] if number < len(folders) else ""
        files.append(posixpath.normpath(posixpath.join(inside, name)))
    return files


def _sequence(
    reader: _Reader, header: _Header, addresses: Mapping[int, tuple[int, int]]
) -> tuple[int | None, list[Row]]:
    """The next sequence: its section and its rows."""
    state = _State()
    while reader.at < header.end:
        operation = reader.fixed(1)
        if operation >= header.first_special:
            step = operation - header.first_special
            state.offset += step // header.width * header.shortest
            state.line += header.base + step % header.width
            _append(state, header)
        elif operation == _EXTENDED:
            if _extended(reader, state, addresses):
                break
        else:
            _standard(operation, reader, state, header)
    return state.section, state.rows


def _extended(reader: _Reader, state: _State, addresses: Mapping[int, tuple[int, int]]) -> bool:
    """Run an extended operation; whether it ends the sequence. NVIDIA's own, which speak of inlining, are skipped."""
    size = reader.unsigned()
    end = reader.at + size
    operation = reader.fixed(1) if size else 0
    if operation == _SET_ADDRESS:
        state.section, state.offset = addresses.get(reader.at, (None, 0))
    if end > len(reader.data):
        raise MalformedReport("an operation of a line table is longer than the table")
    reader.at = end
    return operation == _END_SEQUENCE


def _standard(operation: int, reader: _Reader, state: _State, header: _Header) -> None:
    if operation == _COPY:
        _append(state, header)
    elif operation == _ADVANCE_PC:
        state.offset += reader.unsigned() * header.shortest
    elif operation == _ADVANCE_LINE:
        state.line += reader.signed()
    elif operation == _SET_FILE:
        state.file = reader.unsigned()
    elif operation == _CONST_ADD_PC:
        state.offset += (255 - header.first_special) // header.width * header.shortest
    elif operation == _FIXED_ADVANCE_PC:
        state.offset += reader.fixed(2)
    else:
        for _ in range(header.arguments[operation]):
            reader.unsigned()


def _append(state: _State, header: _Header) -> None:
    if 0 < state.file < len(header.files) and 0 < state.line < _MOST_LINE and 0 <= state.offset < _MOST_LINE:
        state.rows.append((state.offset, header.files[state.file], state.line))
