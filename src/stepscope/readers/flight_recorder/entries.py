"""Entries of a dump as rows of the table ``collective_record``, with what is odd in them counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_MOST_INT = 1 << 62
_LONGEST_TEXT, _LONGEST_LINE = 1 << 12, 500
_MOST_FRAMES, _MOST_SHAPES = 100, 100
_MS = 1_000_000


class Rows:
    """The rows of a dump.

    Attributes:
        rows: one of each good entry; texts as codes.
        damaged: entries that are none.
        texts: every text, by its code.
        text_bytes: length of all of them: a list that a pickle holds many times may stand for much.
    """

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.damaged = 0
        self.texts: dict[str, int] = {}
        self.text_bytes = 0
        self._lists: dict[tuple[int, str], int | None] = {}

    def code(self, text: str | None) -> int | None:
        """Code of a text; None of none."""
        if text is None:
            return None
        if text not in self.texts:
            self.texts[text] = len(self.texts)
            self.text_bytes += len(text)
        return self.texts[text]

    def add(self, event: int, entry: Any) -> None:
        """Add an entry, or count it as damaged: one without the name of what it is, or without a group."""
        name = text(entry.get("profiling_name")) if isinstance(entry, dict) else None
        group = group_of(entry) if isinstance(entry, dict) else None
        if name is None or group is None:
            self.damaged += 1
            return
        self.rows.append(
            {
                "event": event,
                "name": self.code(name),
                "group": self.code(group[0]),
                "group_description": self.code(group[1]),
                "group_id": whole(entry.get("pg_id")),
                **self._numbers(entry),
                "state": self.code(text(entry.get("state"))),
                **{f"{side}_{what}": self._sizes(entry, side, what) for side in SIDES for what in ("sizes", "dtypes")},
                "thread": self.code(text(entry.get("thread_name"))),
                "stack": self._stack(entry.get("frames")),
            }
        )

    def _numbers(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        duration = entry.get("duration_ms")
        timed = isinstance(duration, (int, float)) and not isinstance(duration, bool) and 0 <= duration < 1e12
        timeout = whole(entry.get("timeout_ms"))
        # Before version 2.2 there was one counter for both.
        sequence = whole(entry.get("collective_seq_id", entry.get("seq_id")))
        return {
            "record": whole(entry.get("record_id", entry.get("id"))),
            "sequence": sequence,
            "p2p_sequence": whole(entry.get("p2p_seq_id", entry.get("seq_id"))),
            "op": whole(entry.get("op_id")),
            "p2p": entry.get("is_p2p") is True,
            "retired": entry.get("retired") if isinstance(entry.get("retired"), bool) else None,
            "created_ns": moment(entry.get("time_created_ns")),
            "started_seen_ns": moment(entry.get("time_discovered_started_ns")),
            "completed_seen_ns": moment(entry.get("time_discovered_completed_ns")),
            "duration_ns": round(duration * _MS) if timed and duration is not None else None,
            "timeout_ns": timeout * _MS if timeout is not None and 0 <= timeout < 1 << 40 else None,
        }

    def _sizes(self, entry: Mapping[str, Any], side: str, what: str) -> int | None:
        """Shapes or types of the tensors of a side, as a text."""
        value = entry.get(f"{SIDES[side]}_{what}")
        return self._once(value, what, _types if what == "dtypes" else _shapes)

    def _stack(self, frames: Any) -> int | None:
        """A line for each frame, innermost first; None where stacks were not recorded."""
        return self._once(frames, "frames", _lines)

    def _once(self, value: Any, what: str, said: Callable[[list[Any]], str]) -> int | None:
        """Code of what a list says, found once for each list, however often a dump refers to it."""
        if not isinstance(value, list):
            return None
        if (id(value), what) not in self._lists:
            self._lists[id(value), what] = (
                self.code(said(value) or None) if what == "frames" else self.code(said(value))
            )
        return self._lists[id(value), what]


def _types(value: list[Any]) -> str:
    return ", ".join(text(one) or "?" for one in value[:_MOST_SHAPES])[:_LONGEST_TEXT]


def _shapes(value: list[Any]) -> str:
    """Shapes as ``[[4, 2], [3]]``."""
    shapes = [[whole(size) for size in one[:_MOST_SHAPES]] for one in value[:_MOST_SHAPES] if isinstance(one, list)]
    return json.dumps(shapes)[:_LONGEST_TEXT]


def _lines(frames: list[Any]) -> str:
    lines = [_line(frame)[:_LONGEST_LINE] for frame in frames[:_MOST_FRAMES] if isinstance(frame, dict)]
    return "\n".join([*lines, *(["..."] if len(frames) > _MOST_FRAMES else [])])


SIDES = {"in": "input", "out": "output"}


def _line(frame: Mapping[str, Any]) -> str:
    """A frame as torch.profiler names it, ``file.py(12): function``."""
    file, function = text(frame.get("filename")) or "?", text(frame.get("name")) or "?"
    return " ".join(f"{file}({whole(frame.get('line')) or 0}): {function}".split())


def group_of(entry: Mapping[str, Any]) -> tuple[str, str] | None:
    """Name and description of an entry's group."""
    said = entry.get("process_group")
    if isinstance(said, list) and said and all(isinstance(one, str) for one in said):
        return said[0][:_LONGEST_TEXT], said[1][:_LONGEST_TEXT] if len(said) > 1 else ""
    number = whole(entry.get("pg_id"))
    return None if number is None else (f"{number}", "")


def whole(value: Any) -> int | None:
    """A whole number, perhaps as a text, as JSON has those of groups."""
    if isinstance(value, str) and value.removeprefix("-").isdecimal() and len(value) < 19:
        value = int(value)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and -_MOST_INT < value < _MOST_INT else None


def moment(value: Any) -> int | None:
    """A time in ns since 1970; None where there is none, which JSON has as 0."""
    found = whole(value)
    return found if found is not None and found > 0 else None


def text(value: Any) -> str | None:
    return value[:_LONGEST_TEXT].encode("utf-8", "replace").decode() if isinstance(value, str) else None


def members(said: Any) -> list[int] | None:
    """Ranks of a group, which may be a list or a text like ``[0, 1]``; None where it does not say."""
    if isinstance(said, str):
        parts: Sequence[Any] = [part.strip() for part in said[:_LONGEST_TEXT].strip("[] ").split(",")]
    else:
        parts = said if isinstance(said, list) else []
    numbers = [whole(part) for part in parts]
    found = sorted({number for number in numbers if number is not None and number >= 0})
    return found or None
