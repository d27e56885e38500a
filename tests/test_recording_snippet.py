"""The lines for recording that README and docs show: one cycle, a file for each rank, the same in every place."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "README.zh-CN.md", "docs/recording.md", "docs/recording.zh-CN.md"]


def snippet(page: str) -> ast.Module:
    """The first indented block that imports the profiler, without its comments: those are in the page's language."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    shown = next(block for block in blocks if "from torch.profiler import" in block)
    return ast.parse("\n".join(line[4:] for line in shown.splitlines()))


def keywords(tree: ast.Module, function: str) -> dict[str, str]:
    """What the only call of a function is given, by name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == function]
    (call,) = calls
    return {str(word.arg): ast.unparse(word.value) for word in call.keywords}


def test_it_ends_after_one_cycle_and_keeps_ranks_apart() -> None:
    """Seen without ``repeat=1``: cycle after cycle overwrote the file, and a cut one was left."""
    tree = snippet("README.md")
    assert keywords(tree, "schedule")["repeat"] == "1"
    assert "{rank}" in keywords(tree, "profile")["on_trace_ready"]


@pytest.mark.parametrize("page", PAGES[1:])
def test_every_page_shows_the_same(page: str) -> None:
    assert ast.dump(snippet(page)) == ast.dump(snippet(PAGES[0]))
