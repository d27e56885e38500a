"""What a compilation was doing when, from pairs of events that begin and end a phase."""

from __future__ import annotations

from typing import Any

from stepscope.readers.coded_texts import Texts, text
from stepscope.readers.compile_log.values import us_to_ns

CATEGORY = "compile"
PHASE = ("category", "name", "process", "thread", "start_ns", "duration_ns")
_DEEPEST = 1000


class Phases:
    """Rows of the table ``annotation``: a range for each phase that ended."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.rows: list[tuple[int | None, ...]] = []
        self._open: dict[tuple[int, str], list[tuple[str, int, str]]] = {}

    def add(self, process: int, said: Any) -> int | None:
        """Take the payload of a ``chromium_event``; returns its time in us, None where it says none."""
        if not isinstance(said, dict):
            return None
        name, ns, phase = text(said.get("name")), us_to_ns(said.get("ts")), said.get("ph")
        if name is None or ns is None:
            return None
        thread = str(said.get("tid"))[:40]
        stack = self._open.setdefault((process, thread), [])
        if phase == "B" and len(stack) < _DEEPEST:
            arguments = said.get("args")
            named = text(arguments.get("compile_id")) if isinstance(arguments, dict) else None
            named = "" if named == "None" else named  # torch 2.6 of phases without one
            stack.append((name, ns, named or ""))
        elif phase == "E":
            self._end((process, thread), stack, name, ns)
        return ns // 1000

    def _end(self, of: tuple[int, str], stack: list[tuple[str, int, str]], name: str, ns: int) -> None:
        if all(name != begun for begun, _, _ in stack):
            return
        while True:
            begun, start, named = stack.pop()
            if begun == name:
                break
        title = f"{name} {named}" if named and not stack else name
        code = self._texts.code
        length = max(0, ns - start)
        self.rows.append((code(CATEGORY), code(title), code(str(of[0])), code(of[1]), start, length))
