"""In which line a function calls another, read from the program's own source where it lies in the current folder.

A recording names the line where a function begins, or, of functions that ran already when it began, a line that says
nothing of later. The source says more, if it is still the same: the function begins where the recording says, and
calls the other one in one line only. Nothing outside the current folder is read.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

_FRAME = re.compile(r"^(.+\.py)\((\d+)\): (\S+)$")
_BUILT_IN = re.compile(r"^<built-in (?:function|method) (\w+)")
_MODULE = "<module>"
_MOST_BYTES = 1 << 20


def calling_line(caller: str, ran_before: bool, callee: str) -> str | None:
    """Where one Python frame calls another: "train.py:8", or None where the source does not tell.

    Args:
        caller, callee: names of the frames, such as ``train.py(3): train`` and ``<built-in function sleep>``.
        ran_before: the caller was running when the recording began: its line is any of it.
    """
    place, called = _FRAME.match(caller), _called(callee)
    if place is None or called is None:
        return None
    path, line, function = place.group(1), int(place.group(2)), place.group(3)
    tree = _tree(path)
    bodies = [] if tree is None else [one for one in ast.walk(tree) if _is(one, function, line, ran_before)]
    lines = {number for one in bodies for number in _calls(one, called)}
    return f"{path}:{lines.pop()}" if len(lines) == 1 and len(bodies) == 1 else None


def _called(frame: str) -> str | None:
    """The name by which a frame's function is called."""
    place, built_in = _FRAME.match(frame), _BUILT_IN.match(frame)
    return place.group(3) if place else built_in.group(1) if built_in else None


@lru_cache(maxsize=64)
def _tree(path: str) -> ast.Module | None:
    folder = Path.cwd().resolve()
    try:
        file = (folder / path).resolve()
        if not file.is_relative_to(folder) or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        return ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _is(node: ast.AST, function: str, line: int, ran_before: bool) -> bool:
    """Whether a node of the source is the function of a frame."""
    if isinstance(node, ast.Module):
        return function == _MODULE
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name != function:
        return False
    begins = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return begins <= line <= (node.end_lineno or begins) if ran_before else line in (begins, node.lineno)


def _calls(body: ast.AST, called: str) -> list[int]:
    """Lines in which a function calls another by name, functions inside it left out."""
    found = []
    waiting = list(ast.iter_child_nodes(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Call) and _name(node.func) == called:
            found.append(node.lineno)
        waiting.extend(ast.iter_child_nodes(node))
    return found


def _name(called: ast.expr) -> str | None:
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else None
