"""Files and functions stay small; those that do not are listed here with a reason, and the lists may only shrink."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "stepscope"

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 40

LARGE_FILES: dict[str, str] = {}

LARGE_FUNCTIONS = {
    "numeric/scanner.py:scan": "the loop over objects, with all arrays of the plan and the output at hand",
    "numeric/objects.py:read_object": "the loop over members: every branch moves the same position and scratch",
}


def file_sizes() -> dict[str, int]:
    """Lines of every file by its path in the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    """Name and lines of each function below a node, from ``def`` to its last line, inner functions included."""
    for child in ast.iter_child_nodes(node):
        name = prefix
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{prefix}.{child.name}" if prefix else child.name
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield name, (child.end_lineno or child.lineno) - child.lineno + 1
        yield from functions(child, name)


def function_sizes() -> dict[str, int]:
    """Lines of every function by ``path:name``."""
    return {
        f"{file}:{name}": lines
        for file in file_sizes()
        for name, lines in functions(ast.parse((PACKAGE / file).read_text(encoding="utf-8")))
    }


def above(sizes: dict[str, int], limit: int) -> set[str]:
    return {name for name, lines in sizes.items() if lines > limit}


def test_no_file_is_too_long() -> None:
    found = above(file_sizes(), MAX_FILE_LINES)
    new, mended = sorted(found - LARGE_FILES.keys()), sorted(LARGE_FILES.keys() - found)
    assert not new, f"longer than {MAX_FILE_LINES} lines; which noun is missing? {new}"
    assert not mended, f"small now, take it off LARGE_FILES: {mended}"


def test_no_function_is_too_long() -> None:
    found = above(function_sizes(), MAX_FUNCTION_LINES)
    new, mended = sorted(found - LARGE_FUNCTIONS.keys()), sorted(LARGE_FUNCTIONS.keys() - found)
    assert not new, f"longer than {MAX_FUNCTION_LINES} lines, split it: {new}"
    assert not mended, f"small now, take it off LARGE_FUNCTIONS: {mended}"


def test_methods_and_inner_functions_are_measured() -> None:
    text = "class A:\n    def b(self):\n        def c():\n            return 1\n        return c\n"
    assert list(functions(ast.parse(text))) == [("A.b", 4), ("A.b.c", 2)]
