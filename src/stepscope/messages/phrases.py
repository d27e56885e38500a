"""Words that are looked up rather than said: headings of columns and tables, with what they mean as attributes.

English headings and meanings stand in `stepscope.schema`; a catalogue of another language has them under the ids
``column-TABLE-NAME``, else ``column-NAME``, and ``table-NAME``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fluent.syntax import FluentParser, ast


@dataclass(frozen=True)
class Phrase:
    """A text without parameters, and what belongs to it by name."""

    text: str
    attributes: Mapping[str, str]


@cache
def phrases(subject: str, language: str) -> Mapping[str, Phrase]:
    """The messages of one catalogue file that take no parameters, by id; none where there is no such file."""
    file = files("stepscope.messages") / language / f"{subject}.ftl"
    if not file.is_file():
        return {}
    entries = FluentParser().parse(file.read_text(encoding="utf-8")).body
    messages = [entry for entry in entries if isinstance(entry, ast.Message) and entry.value]
    return {
        message.id.name: Phrase(_text(message.value), {one.id.name: _text(one.value) for one in message.attributes})
        for message in messages
    }


def column_phrase(table: str, column: str, language: str) -> Phrase | None:
    """The words of a column of a table; None where the language has none."""
    known = phrases("column", language)
    return known.get(f"column-{table}-{column}") or known.get(f"column-{column}")


def table_phrase(table: str, language: str) -> Phrase | None:
    """The words of a table; None where the language has none."""
    return phrases("table", language).get(f"table-{table}")


def _text(pattern: ast.Pattern | None) -> str:
    return "".join(part.value for part in pattern.elements if isinstance(part, ast.TextElement)) if pattern else ""
