"""What must not stand in the app's sources: untyped values, text as HTML, addresses; and how large they may be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import web_sources
from stepscope.schema import TABLES
from web_facts import FILES

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40

LARGE_FILES = {
    "i18n/table_words.en.ts": "generated, titles only",
    "i18n/table_words.zh.ts": "generated, words only",
    "model/table_facts.ts": "generated, a few lines a table",
}
"""Files with the reason. May only shrink."""

LARGE_FUNCTIONS: dict[str, str] = {
    "canvas/keys.ts:keys": "a handler for each key, all of the same stage",
    "canvas/pointer.ts:pointers": "handlers of one gesture, which share where it began",
    "state/palette.svelte.ts:commandChoices": "a list of commands, one after the other",
    "state/runs.svelte.ts:watchRuns": "functions that share one timer",
}
"""``path:name`` with the reason. May only shrink."""

FORBIDDEN = {
    r"@ts-(ignore|nocheck|expect-error)": "a check that is turned off",
    r"\{@html": "text of a trace would become HTML",
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)\b": "text of a trace would become HTML",
    r"\bdocument\.write": "text of a trace would become HTML",
    r"\beval\s*\(|\bnew\s+Function\s*\(": "text would become a program",
    r"\bjavascript:": "text would become a program",
}

ADDRESSES = {
    "http://www.w3.org/": "names of XML, never asked for",
}
"""Beginnings of the only addresses with a host that may stand in sources."""

FETCHING = {"api/server.ts"}
"""The only files that ask anything over the network."""


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_nothing_forbidden_stands_in_the_sources(pattern: str) -> None:
    found = [
        f"{path}: {line.strip()[:100]}"
        for path, text in web_sources.files()
        if not path.endswith(".css")
        for line in text.splitlines()
        if re.search(pattern, line) and not re.match(r"\s*(\*|//|/\*)", line)
    ]
    assert not found, FORBIDDEN[pattern]


@pytest.mark.long
def test_every_value_has_a_type(checked: dict[str, Any]) -> None:
    assert not checked["untyped"], "the type `any` checks nothing"


def test_no_address_of_another_host_stands_in_the_sources() -> None:
    found = [
        (path, address)
        for path, text in web_sources.files()
        for address in re.findall(r"(?:https?:|wss?:)?//[a-z0-9][a-z0-9.-]*\.[a-z]{2,}[^\s'\"`)]*", text)
        if "." in address.split("//")[1].split("/")[0]
        and not any(address.startswith(known) for known in ADDRESSES)
        and address.startswith(("http", "ws"))
    ]
    assert not found


def test_only_the_server_half_of_the_api_asks_over_the_network() -> None:
    asking = {
        path
        for path, text in web_sources.files()
        if re.search(
            r"(?<![#.\w])fetch\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts",
            web_sources.without_comments(text),
        )
    }
    assert asking <= FETCHING


def test_styles_load_nothing() -> None:
    found = [
        (path, match)
        for path, text in web_sources.files()
        for match in re.findall(r"@import[^;]*;|url\([^)]*\)", text)
        if not match.startswith(("url(#", "url('#", 'url("#', "url(data:"))
    ]
    assert not found


def test_no_file_is_too_long() -> None:
    long = {path for path, text in web_sources.files() if len(text.splitlines()) > MAX_FILE_LINES}
    assert not long - LARGE_FILES.keys(), "which noun is missing?"
    assert not LARGE_FILES.keys() - long, "no longer too long: take it off the list"


@pytest.fixture(scope="module")
def checked(node: Callable[..., str], modules: Path) -> dict[str, Any]:
    """What `functions.mjs` finds with the parser of TypeScript."""
    found: dict[str, Any] = json.loads(node("--no-warnings", str(Path(__file__).parent / "functions.mjs")))
    assert len(found["functions"]) > 100
    return found


def test_no_function_is_too_long(checked: dict[str, Any]) -> None:
    long = {name: lines for name, lines in checked["functions"].items() if lines > MAX_FUNCTION_LINES}
    assert not long.keys() - LARGE_FUNCTIONS.keys(), "split it"
    assert not LARGE_FUNCTIONS.keys() - long.keys(), "no longer too long: take it off the list"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_the_app_knows_of_tables_is_what_the_schema_says(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == FILES[path](), "run scripts/update_web_types"


def test_tables_and_groupings_that_the_app_asks_for_exist() -> None:
    wrong = []
    for path, text in web_sources.files():
        if path.endswith(".test.ts") or path.startswith(("i18n", "api")):
            continue
        for table, by in re.findall(r"""\btable(?:: |=)['"](\w+)['"](?:,?\s*by(?:: |=)['"](\w+)['"])?""", text):
            if table not in TABLES or (by and by not in TABLES[table].by):
                wrong.append((path, table, by))
    assert not wrong


@pytest.mark.long
def test_the_tests_in_typescript_pass(node: Callable[..., str], modules: Path) -> None:
    node("--no-warnings", "--test", "src/**/*.test.ts")
