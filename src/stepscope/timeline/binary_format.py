"""Binary answers: a JSON header, then columns of numbers, little endian, each starting at a multiple of 8 bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

MAGIC = 0x57505453
_TYPES = {"f64": "<f8", "f32": "<f4", "u32": "<u4", "u16": "<u2", "u8": "u1"}


def frame(header: Mapping[str, Any], types: Mapping[str, str], length: int) -> tuple[bytearray, dict[str, Any]]:
    """Room for an answer: its bytes, and its columns as arrays in them that are to be filled.

    Args:
        header: what stands in the header beside the columns.
        types: type of each column: f64, f32, u32, u16 or u8.
        length: numbers in each column.
    """
    columns = [{"name": name, "type": kind, "length": length} for name, kind in types.items()]
    text = json.dumps({**header, "columns": columns}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    sizes = [-(-length * np.dtype(_TYPES[kind]).itemsize // 8) * 8 for kind in types.values()]
    data = bytearray(8 + len(text) + sum(sizes))
    data[:4] = MAGIC.to_bytes(4, "little")
    data[4:8] = len(text).to_bytes(4, "little")
    data[8 : 8 + len(text)] = text
    at = 8 + len(text)
    views: dict[str, npt.NDArray[Any]] = {}
    for (name, kind), size in zip(types.items(), sizes, strict=True):
        views[name] = np.frombuffer(data, np.dtype(_TYPES[kind]), length, at)
        at += size
    return data, views


def unframe(data: bytes | bytearray) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and columns of an answer.

    Raises:
        ValueError: it is none.
    """
    if len(data) < 8 or int.from_bytes(data[:4], "little") != MAGIC:
        raise ValueError("no binary answer")
    at = 8 + int.from_bytes(data[4:8], "little")
    header: dict[str, Any] = json.loads(data[8:at])
    columns = {}
    for column in header["columns"]:
        dtype = np.dtype(_TYPES[column["type"]])
        columns[column["name"]] = np.frombuffer(data, dtype, column["length"], at)
        at += -(-column["length"] * dtype.itemsize // 8) * 8
    return header, columns
