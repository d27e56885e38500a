"""A module imports only from its own package and from layers before it, and each library has its place."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"

FACADE = "stepscope"
LAYERS = (
    {"capture"},
    {"messages"},
    {"schema", "errors"},
    {"numeric"},
    {"readers"},
    {"store"},
    {"analyses"},
    {"findings"},
    {"comparison"},
    {"checking", "proving"},
    {"timeline"},
    {"answers"},
    {"reporters"},
    {"server"},
    {"commands"},
    {"api"},
    {FACADE},
    {"__main__"},
)
"""From the ground up; ``capture`` runs inside jobs and knows nothing but the standard library and their torch. `FACADE`
is ``stepscope/__init__.py``. Packages of one layer do not know each other."""

WINGS = {"capture": {"answers", "server", "commands", FACADE}}
"""Layers that only some of those above may import."""

OF_THE_JOB = {"torch", "lightning", "pytorch_lightning", "transformers", "accelerate"}
"""What ``capture`` uses where the job has it, and never when it is imported."""

LIBRARIES = {
    "babel": {"messages"},
    "click": {"commands"},
    "distributed": {"store"},
    "fluent": {"messages"},
    "fsspec": {"readers"},
    "isal": {"readers", "server"},
    "numba": {"numeric"},
    "numpy": {
        "numeric",
        "readers",
        "store",
        "analyses",
        "findings",
        "comparison",
        "checking",
        "timeline",
        "answers",
        "server",
    },
    "orjson": {"answers", "server"},
    "platformdirs": {"store"},
    "polars": {
        *(
            "messages",
            "schema",
            "readers",
            "store",
            "analyses",
            "findings",
            "comparison",
            "checking",
            "proving",
            "timeline",
            "answers",
            "reporters",
            "server",
        ),
        *("commands", "api"),
        FACADE,
    },
    "rich": {"reporters", "commands"},
    "scipy": {"comparison", "checking"},
    "sqlglot": {"analyses"},
    "starlette": {"server"},
    "tomli": {"checking"},
    "uvicorn": {"server"},
}
"""The layers that may import each requirement."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    (
        "stepscope.errors",
        "stepscope.messages.rendering",
    ): "str of an error is a sentence",
}
"""(module, imported module) that break the rule, each with the reason. May only shrink."""


def modules() -> list[tuple[str, Path]]:
    """Name and file of every module below src/."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def layer_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else FACADE


def height(layer: str) -> int:
    return next((i for i, layers in enumerate(LAYERS) if layer in layers), -1)


def imports(module: str, is_package: bool, text: str) -> Iterator[str]:
    """Modules that a module imports, at its top or inside a function."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package)
            if origin != FACADE:
                yield origin
                continue
            for alias in node.names:
                yield f"{FACADE}.{alias.name}" if height(alias.name) >= 0 else FACADE


WORDS = ("stepscope.messages.rendering", "stepscope.messages.frames")
WORDLESS = {"schema", "errors", "numeric", "readers", "store", "analyses", "findings", "timeline"}
"""What these say is a message; only what prints, writes pages or answers requests makes words of it."""


def is_allowed(module: str, imported: str) -> bool:
    own = layer_of(module)
    top = imported.partition(".")[0]
    if imported.startswith(WORDS) and own in WORDLESS:
        return False
    if top == FACADE:
        other = layer_of(imported)
        if own not in WINGS.get(other, {own}) | {other}:
            return False
        return other == own or 0 <= height(other) < height(own)
    if own == "capture" and top in OF_THE_JOB:
        return True
    return top in sys.stdlib_module_names or own in LIBRARIES.get(top, ())


def wrong_imports(module: str, text: str, is_package: bool = False) -> set[tuple[str, str]]:
    return {(module, imported) for imported in imports(module, is_package, text) if not is_allowed(module, imported)}


def test_every_module_belongs_to_a_layer() -> None:
    homeless = [module for module, _ in modules() if height(layer_of(module)) < 0]
    assert not homeless, f"give the folder a place in LAYERS: {homeless}"


def test_imports_follow_the_layers() -> None:
    wrong = set()
    for module, path in modules():
        wrong |= wrong_imports(module, path.read_text(encoding="utf-8"), path.name == "__init__.py")
    new, mended = sorted(wrong - EXCEPTIONS.keys()), sorted(EXCEPTIONS.keys() - wrong)
    assert not new, f"not its own package, a layer before it or a library of its layer: {new}"
    assert not mended, f"does not happen any more, take it off EXCEPTIONS: {mended}"


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("stepscope.readers.kineto", "from stepscope.analyses.gpu.kernels import kernels"),
        ("stepscope.readers.kineto", "def read():\n    import stepscope.store.cache"),
        ("stepscope.readers.kineto", "from stepscope import store"),
        ("stepscope.readers.kineto", "from ..store import cache"),
        ("stepscope.schema", "from stepscope.errors import BadRequest"),
        ("stepscope.commands.show", "import stepscope"),
        ("stepscope.findings.verdict", "from stepscope.messages.rendering import say"),
        ("stepscope.commands.show", "from stepscope import open"),
        ("stepscope.numeric.nesting", "import polars as pl"),
        ("stepscope.analyses.gpu.kernels", "from rich.console import Console"),
        ("stepscope.store.trace", "import pandas"),
        ("stepscope.capture.launcher", "from stepscope.messages import Message"),
        ("stepscope.capture.launcher", "import numpy"),
        ("stepscope.store.trace", "from stepscope.capture.plan import Plan"),
    ],
)
def test_a_wrong_import_is_found(module: str, text: str) -> None:
    assert len(wrong_imports(module, text)) == 1


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("stepscope.readers.kineto", "from stepscope.readers.head import Head"),
        ("stepscope.readers.kineto", "from .head import Head"),
        ("stepscope.readers.kineto", "from stepscope import schema"),
        ("stepscope.analyses.gpu.kernels", "import numpy.typing as npt\nimport polars as pl\nimport json"),
        ("stepscope", "from stepscope.api import open"),
    ],
)
def test_a_right_import_is_not_reported(module: str, text: str) -> None:
    assert wrong_imports(module, text, is_package=module == FACADE) == set()
