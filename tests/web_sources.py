"""The sources of the web app as texts, and what they import."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"

_IMPORT = re.compile(
    r"""(?:^|\n)\s*(?:import|export)\s+(?P<type>type\s+)?(?:[^'";]*?\sfrom\s*)?'(?P<name>[^']+)'"""
    r"""|\bimport\(\s*'(?P<lazy>[^']+)'"""
)
_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<![:'\"`])//[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Import:
    """What a file imports: a path below ``src`` or the name of a library."""

    name: str
    is_local: bool
    is_type: bool


def files() -> Iterator[tuple[str, str]]:
    """Path below ``src`` and text of every source."""
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in (".ts", ".svelte", ".css"):
            yield path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")


def without_comments(text: str) -> str:
    return _COMMENT.sub("", text)


def imports(path: str, text: str) -> Iterator[Import]:
    """Imports of a file, lazy ones too."""
    for found in _IMPORT.finditer(text):
        name = found["name"] or found["lazy"]
        if name.startswith("."):
            local = os.path.normpath(os.path.join(os.path.dirname(path), name)).replace(os.sep, "/")
            yield Import(local, True, bool(found["type"]))
        else:
            library = "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
            yield Import(library, False, bool(found["type"]))
