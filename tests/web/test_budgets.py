"""How much a browser has to load before it shows anything, and how large a report is before its data."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from stepscope.reporters.html.shell import page_with, read_shell
from stepscope.server.web import FOLDER

FIRST_LOAD = 400 * 1024
"""Most bytes, packed, of the page with everything it loads at once."""

EMPTY_REPORT = 1_200_000


@pytest.fixture(scope="module")
def app() -> Path:
    if not (FOLDER / "index.html").is_file():
        pytest.skip("the web app is not built; make web builds it")
    return FOLDER


def first_load(app: Path) -> set[Path]:
    """The page, its scripts and styles, and what those import before they run."""
    todo = [app / "index.html"]
    seen: set[Path] = set()
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            names = re.findall(r'(?:src|href)="\./([^"]+)"', text)
            todo += [app / name for name in names]
        elif path.suffix == ".js":
            # Static imports of a bundle: `import{a}from"./b.js"` and `import"./b.js"`, not `import("./b.js")`.
            todo += [path.parent / name for name in re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', text)]
    return seen


def packed(paths: set[Path]) -> int:
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in paths)


def test_what_the_app_loads_first_is_small(app: Path) -> None:
    loaded = first_load(app)
    assert {path.suffix for path in loaded} >= {".html", ".js", ".css"}
    assert packed(loaded) <= FIRST_LOAD


def test_charts_are_loaded_when_they_are_first_needed(app: Path) -> None:
    with_charts = {path for path in (app / "assets").glob("*.js") if b"ECharts" in path.read_bytes()}
    assert with_charts, "what tells ECharts apart changed"
    assert not with_charts & first_load(app)


def test_an_empty_report_is_small(app: Path) -> None:
    assert len(page_with(read_shell(app / "report.html"), []).encode()) <= EMPTY_REPORT


def test_a_report_is_one_file_that_asks_for_nothing(app: Path) -> None:
    text = (app / "report.html").read_text(encoding="utf-8")
    assert not re.findall(r"<(?:script|img|iframe|source|audio|video)[^>]*\ssrc=", text[:2000] + text[-2000:])
    assert not re.findall(r'<link[^>]*href="(?!data:)', text[:2000] + text[-2000:])
    assert "@import" not in text
    assert "sourceMappingURL" not in text


def test_the_app_goes_with_the_licenses_of_its_libraries(app: Path) -> None:
    text = (app / "licenses.txt").read_text(encoding="utf-8")
    for library in ("svelte", "echarts", "zrender", "@leeoniya/ufuzzy"):
        assert re.search(rf"^{library} \d+\.\d+", text, re.MULTILINE), library
    assert "Apache License" in text
    assert text.count("Permission is hereby granted") >= 3


def test_the_built_app_names_no_host_to_load_from(app: Path) -> None:
    """Libraries name addresses in messages; none of them may be a place to load something from."""
    texts = [
        path.read_text(encoding="utf-8") for path in sorted(app.rglob("*")) if path.suffix in (".js", ".html", ".css")
    ]
    loading = re.compile(r"""(?:fetch|import|importScripts|src=|href=|url)\s*\(?\s*["'`]?(?:https?:)?//[a-z]""")
    assert not [found.group() for text in texts for found in loading.finditer(text)]
