"""Reading an HTML report as its page does, and an app without contents to put reports into."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import numpy as np

from stepscope.answers.cell_encoding import PLANES

SHELL = (
    '<!doctype html>\n<html lang="en"><head>\n<meta charset="utf-8" />\n<title>stepscope</title>\n'
    '<script type="module" crossorigin>the("app")</script>\n</head><body>\n<div id="app"></div>\n'
    "<!--stepscope:data-->\n</body></html>\n"
)
"""An app of no use, of the same form as the built one."""

_PART = re.compile(r'<script type="application/octet-stream" id="stepscope-([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')


def parts(page: str) -> dict[str, bytes]:
    """Everything that a report holds, by name."""
    return {name: gzip.decompress(base64.b64decode(data)) for name, data in _PART.findall(page)}


def told(page: str, name: str = "run") -> Any:
    """A part that is JSON."""
    return json.loads(parts(page)[name])


def held_table(page: str, table: str, by: str = "", source: bool = False) -> Any:
    """A table of a report as `TableData`."""
    return told(page, told(page)["tables"][f"{table}|{by}|{int(source)}"]["part"])


def unplaned(data: bytes) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """Header and columns of cells as a report holds them, cell by cell, as the description of the form has it."""
    length = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + length])
    at, cells = 4 + length, header["cells"]
    raw: dict[str, list[int]] = {}
    for name, kind in PLANES.items():
        size = np.dtype(kind).itemsize
        signed = np.dtype(kind).kind == "i"
        planes = [data[at + i * cells : at + (i + 1) * cells] for i in range(size)]
        raw[name] = [int.from_bytes(bytes(p[i] for p in planes), "little", signed=signed) for i in range(cells)]
        at += size * cells
    assert at == len(data)
    columns: dict[str, list[int]] = {name: raw[name] for name in ("count", "name", "busy", "kind", "shade")}
    columns |= {"start": [], "end": [], "first": []}
    i = 0
    for _, count in header["lanes"]:
        moment, row = header["t0"], 0
        for _ in range(count):
            columns["start"].append(moment + raw["gap"][i])
            columns["end"].append(columns["start"][-1] + raw["length"][i])
            columns["first"].append(row + raw["skipped"][i])
            moment, row = columns["end"][-1], columns["first"][-1] + raw["count"][i]
            i += 1
    return header, columns
