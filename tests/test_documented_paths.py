"""Files and folders of the repository that documents name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from test_words import ROOT, documents

NAMED = re.compile(r"`([A-Za-z_][\w.-]*(?:/[\w.*-]+)*/?)`")
LINKED = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")
ROOTS = ("", "src", "src/stepscope", "web", "web/src")
FOLDERS = ("src", "tests", "docs", "scripts", "web", "examples", "benchmarks")
ENDINGS = (".py", ".ts", ".svelte", ".md", ".ftl", ".toml")

NOT_OURS = ("NAME", "SUBJECT")
"""Placeholders in capitals."""

ELSEWHERE = {"multiprocessing/connection.py", "meta.json", "docs.rs"}
"""Files of other programs, and files that are written, not kept. May only shrink."""


def packages() -> set[str]:
    """Names of the folders that a path of the sources begins with."""
    found = {path.name for root in ROOTS[2:] for path in (ROOT / root).iterdir() if path.is_dir()}
    return (found | set(FOLDERS)) - {"public", "node_modules", "__pycache__"}


def looks_like_a_path(name: str) -> bool:
    first = name.split("/")[0]
    if any(part in name for part in NOT_OURS) or name in ELSEWHERE:
        return False
    return ("/" in name and first in packages()) or ("/" not in name and name.endswith(ENDINGS))


def exists(name: str, document: Path) -> bool:
    """Whether a path is there, from one of the roots; a bare file may lie in any folder of the sources."""
    pattern = name.rstrip("/")
    if any(list((ROOT / root).glob(pattern)) for root in ROOTS) or (document.parent / pattern).exists():
        return True
    roots = ("src", "tests", "web/src")
    return any(
        path.as_posix().endswith(f"/{pattern}")
        for root in roots
        for path in (ROOT / root).rglob(Path(pattern).name)
        if "node_modules" not in path.parts
    )


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_named_paths_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    missing = {name for name in NAMED.findall(text) if looks_like_a_path(name) and not exists(name, document)}
    assert missing == set(), "name what is there"


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", document.read_text(encoding="utf-8"))
    assert {link for link in LINKED.findall(text) if not (document.parent / link).exists()} == set()


def test_a_path_that_is_gone_is_noticed() -> None:
    document = ROOT / "README.md"
    assert looks_like_a_path("analyses/idle.py")
    assert not exists("analyses/idle.py", document)
    assert all(exists(name, document) for name in ("analyses/registry.py", "registry.py"))
