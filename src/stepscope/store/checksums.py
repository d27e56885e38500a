"""Checksums of stored files: what a disk or a power loss made of them must not become figures."""

from __future__ import annotations

import struct
from pathlib import Path

from stepscope.readers.inflating import fast_zlib

_CHUNK = 1 << 20
_SEAL, _SEALED = struct.Struct("<4sI"), b"sum\0"
_MEMBER = ', "checksum": '


class DamagedFile(Exception):
    """A stored file does not hold what was written to it."""


def checksum(path: Path) -> int:
    """CRC-32 of a file: it finds every flipped bit, at gigabytes a second.

    Raises:
        OSError: it cannot be read.
    """
    found = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found = fast_zlib.crc32(chunk, found)
    return found


def with_checksum(text: str) -> str:
    """A JSON object with the checksum of its text as its last member."""
    return f"{text[:-1]}{_MEMBER}{fast_zlib.crc32(text.encode())}}}"


def has_checksum(text: str) -> bool:
    """Whether a JSON object is as `with_checksum` made it."""
    rest, _, known = text.rpartition(_MEMBER)
    return known == f"{fast_zlib.crc32(f'{rest}}}'.encode())}}}"


def seal(path: Path) -> None:
    """Append to a file what `unsealed` looks for.

    Raises:
        OSError: there is no room.
    """
    trailer = _SEAL.pack(_SEALED, checksum(path))
    with path.open("ab") as file:
        file.write(trailer)


def write_sealed(path: Path, body: bytes) -> None:
    """Write a file that `unsealed` reads.

    Raises:
        OSError: there is no room.
    """
    path.write_bytes(body + _SEAL.pack(_SEALED, fast_zlib.crc32(body)))


def unsealed(path: Path) -> bytes | None:
    """What a file held when it was sealed; None where there is no such file, or it holds something else."""
    try:
        with path.open("rb") as file:
            body = file.read(max(0, path.stat().st_size - _SEAL.size))
            trailer = file.read(_SEAL.size)
    except OSError:
        return None
    return body if trailer == _SEAL.pack(_SEALED, fast_zlib.crc32(body)) else None
