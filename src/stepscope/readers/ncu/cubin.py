"""Compiled code in a report: where its functions stand, their instructions, and the lines that they come from.

A file in the format ELF for NVIDIA's GPUs, each function in a section of its own.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass, field

from stepscope.readers.ncu.fields import MalformedReport
from stepscope.readers.ncu.line_table import Row, line_rows
from stepscope.readers.ncu.sass import WIDTH, mnemonic

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_TEXT = ".text."
_LINES = ".debug_line"
_GPU = 190
_DAMAGED = (struct.error, IndexError, OverflowError, UnicodeDecodeError, MalformedReport)
_NOTHING, _WITH_ADDENDS, _WITHOUT_ADDENDS = 8, 4, 9
"""Types of sections: those without bytes, and the two forms of relocations."""


@dataclass(frozen=True)
class Function:
    """A function.

    Attributes:
        code: its instructions.
        architecture: of the GPU that it was compiled for, 90 of an H100; 0 where the file does not say.
        rows: of its lines, by offset.
    """

    code: bytes
    architecture: int
    rows: list[Row] = field(default_factory=list)

    @property
    def instructions(self) -> int:
        """How many it has."""
        return len(self.code) // WIDTH

    def opcode(self, offset: int) -> str:
        """What an instruction does, "" where that is not known."""
        return mnemonic(self.code[offset : offset + WIDTH], self.architecture)

    def line(self, offset: int) -> tuple[str, int] | None:
        """The file and the line of an instruction."""
        at = bisect_right(self.rows, offset, key=lambda row: row[0]) - 1
        return self.rows[at][1:] if at >= 0 else None


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    data: bytes
    info: int


def functions(data: bytes) -> dict[str, Function]:
    """The functions of a file, by their mangled names; those of no such file, and of a damaged one, are none."""
    try:
        architecture, sections = _sections(data)
    except _DAMAGED:
        return {}
    rows = _rows(sections)
    return {
        one.name.removeprefix(_TEXT): Function(one.data, architecture, rows.get(at, []))
        for at, one in enumerate(sections)
        if one.name.startswith(_TEXT)
    }


def _sections(data: bytes) -> tuple[int, list[_Section]]:
    """The architecture and the sections.

    Raises:
        One of _DAMAGED: it is damaged.
    """
    magic, _, machine, _, _, _, start, flags, _, _, _, size, count, names_at = _HEADER.unpack_from(data)
    if magic[:4] != b"\x7fELF" or magic[4] != 2 or machine != _GPU or size != _SECTION.size:
        raise MalformedReport("it is no code of a GPU")
    heads = [_SECTION.unpack_from(data, start + at * size) for at in range(count)]
    names = data[heads[names_at][4] : heads[names_at][4] + heads[names_at][5]]
    found = []
    for head in heads:
        name = names[head[0] : names.index(b"\0", head[0])].decode() if b"\0" in names[head[0] :] else ""
        own = b"" if head[1] == _NOTHING else data[head[4] : head[4] + head[5]]
        found.append(_Section(name, head[1], own, head[7]))
    # Since version 8 of its form a file says the architecture in the second byte.
    return (flags >> 8 if magic[8] >= 8 else flags) & 0xFF, found


def _rows(sections: list[_Section]) -> dict[int, list[Row]]:
    """The rows of lines of each section; none where the table is missing or damaged."""
    at = next((at for at, one in enumerate(sections) if one.name == _LINES), None)
    symbols = next((one.data for one in sections if one.name == ".symtab"), b"")
    if at is None:
        return {}
    try:
        addresses = {
            place: address
            for one in sections
            if one.kind in (_WITH_ADDENDS, _WITHOUT_ADDENDS) and one.info == at
            for place, address in _relocated(one, symbols)
        }
        return line_rows(sections[at].data, addresses)
    except _DAMAGED:
        return {}


def _relocated(section: _Section, symbols: bytes) -> list[tuple[int, tuple[int, int]]]:
    """Of each relocation its place, and the section and the offset that it stands for."""
    width = _RELOCATION.size if section.kind == _WITH_ADDENDS else 16
    found = []
    for at in range(0, len(section.data) - width + 1, width):
        place, info = struct.unpack_from("<QQ", section.data, at)
        addend = struct.unpack_from("<q", section.data, at + 16)[0] if width > 16 else 0
        _, _, _, index, value, _ = _SYMBOL.unpack_from(symbols, (info >> 32) * _SYMBOL.size)
        found.append((place, (index, value + addend)))
    return found
