"""Entries of a dump as rows of the table ``collective_record``, with what is odd in them counted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_MOST_INT = 1 << 62
_LONGEST_TEXT = 1 << 16
_MOST_FRAMES = 200
_MS = 1_000_000


class Rows:
    """The rows of a dump.

    Attributes:
        rows: one of each good entry; texts as codes.
        damaged: entries that are none.
        texts: every text, by its code.
    """

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.damaged = 0
        self.texts: dict[str, int] = {}
        self._stacks: dict[int, int | None] = {}

    def code(self, text: str | None) -> int | None:
        """Code of a text; None of none."""
        return None if text is None else self.texts.setdefault(text, len(self.texts))

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
        if not isinstance(value, list):
            return None
        said = ", ".join(str(one) for one in value) if what == "dtypes" else json.dumps(value[:_MOST_FRAMES])
        return self.code(said[:_LONGEST_TEXT])

    def _stack(self, frames: Any) -> int | None:
        """A line for each frame, innermost first; None where stacks were not recorded."""
        if not isinstance(frames, list):
            return None
        if id(frames) not in self._stacks:
            lines = [_line(frame) for frame in frames[:_MOST_FRAMES] if isinstance(frame, dict)]
            lines += ["..."] if len(frames) > _MOST_FRAMES else []
            self._stacks[id(frames)] = self.code("\n".join(lines)) if lines else None
        return self._stacks[id(frames)]


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
