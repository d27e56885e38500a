"""Which lines of the program a generated kernel comes from.

Inductor says so itself with ``INDUCTOR_PROVENANCE=1``: the stacks of each kernel. Without it, the generated code names
the nodes of the graph that a kernel was made of, and the graph has a comment with the line above its nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from stepscope.readers.coded_texts import Texts
from stepscope.readers.compile_log.stacks import frames_of, own_frame
from stepscope.readers.compile_log.values import compile_id

RECORDED, BY_GRAPH = "provenance", "graph"

_MADE = re.compile(r"^(\w+) = async_compile\.\w+\(", re.MULTILINE)
_NODES = re.compile(r"^# Topologically Sorted Source Nodes: \[([^\]\n]*)\](?:, Original ATen: \[([^\]\n]*)\])?")
_COMMENT = re.compile(r"^\s*# File: (.+):(\d{1,9}) in (.+?)(?:, code: .*)?$")
_NODE = re.compile(r"^\s*(\w+)(?::.*?)? = ")
_MOST_LINES = 50
_MOST_GRAPHS = 64
"""Graphs whose lines are kept until their kernels are made."""


class Kernels:
    """Rows of the table ``compiled_kernel``."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        self._lines: dict[str, dict[str, str]] = {}

    def stacks(self, said: dict[str, Any], value: Any) -> None:
        """Take ``inductor_provenance_tracking_kernel_stack_traces``: texts of stacks by kernel."""
        for key, stacks in value.items() if isinstance(value, dict) else ():
            texts = [one for one in stacks if isinstance(one, str)] if isinstance(stacks, list) else []
            row = self._row(said, key)
            _add(row["lines"], filter(None, map(_line, texts)))

    def nodes(self, said: dict[str, Any], value: Any) -> None:
        """Take ``inductor_provenance_tracking_node_mappings``, or its part as it was called before."""
        value = value if isinstance(value, dict) else {}
        kernels = value.get("cppCodeToPost", {} if "postToPre" in value else value)
        before = value.get("postToPre")
        before = before if isinstance(before, dict) else {}
        for key, nodes in kernels.items() if isinstance(kernels, dict) else ():
            row = self._row(said, key)
            own = _texts(nodes)
            _add(row["nodes"], own)
            _add(row["before"], [name for node in own for name in _texts(before.get(node))])
            self._derive(row)

    def graph(self, said: dict[str, Any], payload: str) -> None:
        """Take a graph as text: the line of each of its nodes."""
        while len(self._lines) >= _MOST_GRAPHS:
            del self._lines[next(iter(self._lines))]
        lines = self._lines[compile_id(said) or ""] = {}
        line = ""
        for written in payload.split("\n"):
            comment, node = _COMMENT.match(written), _NODE.match(written)
            if comment is not None:
                line = f"{comment[1]}:{comment[2]}"
            elif node is not None and line:
                lines[node[1]] = line

    def code(self, said: dict[str, Any], payload: str) -> None:
        """Take generated code: the nodes that are named above each kernel."""
        nodes: re.Match[str] | None = None
        for written in payload.split("\n"):
            made = _MADE.match(written)
            if made is not None:
                row = self._row(said, made[1])
                if nodes is not None:
                    _add(row["before"], _names(nodes[1]))
                    _add(row["operators"], _names(nodes[2] or ""))
                self._derive(row)
                nodes = None
            elif written.startswith("# Topologically"):
                nodes = _NODES.match(written)

    def rows(self) -> list[dict[str, Any]]:
        """All rows; lines that were not recorded are those of the nodes."""
        return [self._coded(row) for row in self._found.values()]

    def _coded(self, row: dict[str, Any]) -> dict[str, Any]:
        code, lines = self._texts.code, row["lines"] or row["derived"]
        origin = RECORDED if row["lines"] else BY_GRAPH
        return {
            "compile_id": code(row["compile_id"]),
            "name": code(row["name"]),
            "origin": code(origin if lines else None),
            "lines": code("\n".join(lines[:_MOST_LINES]) or None),
            "nodes": code(", ".join(row["nodes"] or row["operators"]) or None),
            "before": code(", ".join(row["before"]) or None),
        }

    def _derive(self, row: dict[str, Any]) -> None:
        """The lines of the nodes of a kernel, by the last graph of its compilation."""
        known = self._lines.get(row["compile_id"], {})
        _add(row["derived"], [known[name] for name in row["before"] if name in known])

    def _row(self, said: dict[str, Any], key: Any) -> dict[str, Any]:
        """The row of a kernel, whose number in its graph may follow its name."""
        named, name = compile_id(said) or "", str(key).partition(":")[0]
        blank = {"compile_id": named, "name": name}
        return self._found.setdefault(
            (named, name), blank | {"lines": [], "derived": [], "nodes": [], "operators": [], "before": []}
        )


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _add(names: list[str], more: Iterable[str]) -> None:
    """Add those that are not there."""
    names += [name for name in dict.fromkeys(more) if name not in names]


def _line(stack: str) -> str | None:
    """The innermost line of a stack that is not one of a library, else the innermost one."""
    found = own_frame(frames_of(stack))
    return f"{found[0]}:{found[1]}" if found else None
