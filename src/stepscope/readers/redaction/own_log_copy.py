"""The lines of a copy of what ``stepscope telemetry`` wrote: names of counters, moments and numbers.

Left out: the host, the process, names and numbers of boards, reasons, and counters named after programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from stepscope.readers.telemetry.own_lines import VERSION

_COUNTER = re.compile(r"[a-z][a-z0-9_]{0,40}(?:\.(?:process \d{1,10} )?[a-z0-9_]{1,80}){1,3}")
_GROUP = re.compile(r"[a-z_]{1,40}")
_PLAIN = (VERSION, "time_ns", "monotonic_ns", "hz", "cpus")


def own_log_lines(lines: list[str]) -> Iterator[tuple[str, int]]:
    """Each line that stays, and how many cells of it were emptied or left out.

    A counter with another name keeps its place, as ``column_0``, so that samples keep theirs.
    """
    groups: set[str] = set()
    for number, line in enumerate(lines):
        value = _parsed(line)
        if number == 0 and isinstance(value, dict) and isinstance(value.get("groups"), dict):
            named = {name: _names(names) for name, names in value["groups"].items() if _GROUP.fullmatch(name)}
            groups = set(named)
            yield _line({**{key: value[key] for key in _PLAIN if _is_number(value.get(key))}, "groups": named}), 0
        elif isinstance(value, list) and value and isinstance(value[0], str) and value[0] in groups:
            cells = [cell if cell is None or _is_number(cell) else None for cell in value[1:]]
            yield _line([value[0], *cells]), sum(a is not b for a, b in zip(cells, value[1:], strict=True))
        elif isinstance(value, dict) and isinstance(value.get("values"), dict):
            given = value["values"]
            kept = {name: one for name, one in given.items() if _COUNTER.fullmatch(name) and _is_number(one)}
            times = {key: value[key] for key in ("time_ns", "monotonic_ns") if _is_number(value.get(key))}
            yield _line({**times, "values": kept}), len(given) - len(kept)


def _names(names: Any) -> list[str]:
    known = [name if isinstance(name, str) else "" for name in names] if isinstance(names, list) else []
    return [name if _COUNTER.fullmatch(name) else f"column_{at}" for at, name in enumerate(known)]


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
