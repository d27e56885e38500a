"""Where a function could not be compiled as one graph."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from stepscope.readers.coded_texts import Texts
from stepscope.readers.compile_log.stacks import Frame, frames_of, own_frame
from stepscope.readers.compile_log.values import compile_id

_AT = re.compile(r"^Graph break in user code at (.+):(\d{1,9})$", re.MULTILINE)
_REASON = re.compile(r"^(?:Graph Break )?Reason: ?(.*)$", re.MULTILINE)
_SAID = {what: re.compile(rf"^\s*{what}: ?(.*)$", re.MULTILINE) for what in ("Explanation", "Hint")}
_TRYING = "Encountered graph break"
_STACK = "User code traceback:\n"


@dataclass(frozen=True)
class Break:
    """What the text of a graph break says.

    Attributes:
        reason: in one line, "" where it says none.
        explanation, hint: what is said of it, and the first thing that is advised; None where nothing is.
        at: file, line and function of the break; None where it does not say.
        stack: where it was called, outermost first.
    """

    reason: str
    explanation: str | None
    hint: str | None
    at: Frame | None
    stack: list[Frame]

    @property
    def own(self) -> Frame | None:
        """The innermost line of the program that is not one of a library."""
        return own_frame(self.stack) or self.at


def graph_break(said: str) -> Break:
    """Read a text ``dynamo_graph_break_reason``.

    What Dynamo was doing when it met the break stands first since torch 2.8, and the reason in the paragraph behind.
    Behind the stack of the program there may be Dynamo's own.
    """
    head, _, behind = said.partition(_STACK)
    stack = frames_of(behind.split("\n\n", 1)[0])
    found = _AT.search(head)
    place = (found[1], int(found[2])) if found else None
    at = next((frame for frame in reversed(stack) if frame[:2] == place), None)
    if at is None and place is not None:
        at = (*place, "")
    about = {what: pattern.search(head) for what, pattern in _SAID.items()}
    explanation, hint = (one[1].strip() if one else None for one in about.values())
    return Break(_reason(head), explanation, hint, at or (stack[-1] if stack else None), stack)


def _reason(head: str) -> str:
    found = _REASON.search(head)
    if found is None:
        return head.strip().split("\n", 1)[0]
    own = found[1].strip()
    lines = [line.strip() for line in head[found.end() :].split("\n")]
    behind = next((line for line in lines if line), "")
    return behind if own.startswith(_TRYING) and behind else own or behind


class GraphBreaks:
    """Rows of the table ``graph_break``."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.rows: list[dict[str, Any]] = []

    def add(self, said: dict[str, Any], payload: str, ns: int | None) -> None:
        """Take an artifact ``dynamo_graph_break_reason``."""
        found = graph_break(payload)
        code, at, own = self._texts.code, found.at or (None, None, None), found.own or (None, None, None)
        self.rows.append(
            {
                "compile_id": code(compile_id(said) or ""),
                "start_ns": ns,
                "file": code(at[0]),
                "line": at[1],
                "function": code(at[2]),
                "own_file": code(own[0]),
                "own_line": own[1],
                "reason": code(found.reason),
                "explanation": code(found.explanation),
                "hint": code(found.hint),
                "stack": code("\n".join(f"{file}:{line} {function}" for file, line, function in found.stack) or None),
            }
        )
