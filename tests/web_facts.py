"""What the app knows of tables and columns; ``scripts/update_web_types`` writes the files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from stepscope.messages.phrases import column_phrase, table_phrase
from stepscope.schema import MOMENTS, TABLES, Column, Table, Unit
from stepscope.schema.columns import Grouping

SOURCES = Path(__file__).resolve().parent.parent / "web" / "src"

_WRITTEN = "Written by scripts/update_web_types from `stepscope.schema`"

_SHAPES = """\
/** How the rows of a table are told apart when it is grouped in another way. */
export interface GroupingFacts {
  key: readonly string[]
  /** Columns shown first; without it those of the table. */
  first?: readonly string[]
  /** Its rows share events, so that nothing may be added up. */
  overlaps?: true
}

export interface TableFacts {
  /** Columns that together name a row. */
  key: readonly string[]
  /** Page where its rows stand as a table. */
  page: string
  /** What the timeline looks its rows up as, by their name. */
  place?: string
  /** Columns shown first; all without it. */
  first?: readonly string[]
  /** Columns that may be added up: each event counts in one row only. */
  adds?: readonly string[]
  /** Columns of names out of the recording, which may be folded. */
  names?: readonly string[]
  /** Columns of texts that say little when they are cut short. */
  wide?: readonly string[]
  /** What source lines add to the key. */
  source?: readonly string[]
  by?: Readonly<Record<string, GroupingFacts>>
}
"""


def facts_text() -> str:
    """``model/table_facts.ts``: units, keys, pages, and what is shown first."""
    units = " | ".join(f"'{unit}'" for unit in get_args(Unit))
    by_unit = {name: column.unit for name, column in _numbers().items() if column.unit not in ("none", "count")}
    numbered = [name for name, column in _numbers().items() if column.role == "id"]
    mixed = [name for name, column in _numbers().items() if column.mixed]
    tables = {table.name: _facts(table) for table in TABLES.values()}
    return "\n".join(
        [
            f"/** What is known of tables and columns. {_WRITTEN}. */",
            "",
            f"export type Unit = {units}",
            "",
            _SHAPES,
            "/** Units of columns of numbers, the same in every table; others are counts or have none. */",
            _constant("UNITS", "Readonly<Record<string, Unit>>", by_unit),
            "/** Columns of whole numbers that name something and are not amounts. */",
            f"// prettier-ignore\nexport const IDS: ReadonlySet<string> = new Set({_json(numbered)})\n",
            "/** Columns of figures of different kinds, counts among them, which are shown without decimals. */",
            f"// prettier-ignore\nexport const MIXED: ReadonlySet<string> = new Set({_json(mixed)})\n",
            "/** Columns of times on the profile's clock; every other time is a length. */",
            f"// prettier-ignore\nexport const MOMENTS: ReadonlySet<string> = new Set({_json(MOMENTS)})\n",
            _constant("TABLE_FACTS", "Readonly<Record<string, TableFacts>>", tables),
        ]
    )


def words_text(language: str) -> str:
    """``i18n/table_words.LANGUAGE.ts``: titles of columns and tables, what their rows are, in Chinese also meanings.

    Meanings in English come with the tables themselves.
    """
    chinese = language == "zh"
    shared, own = _shared({(t.name, c.name): _column(t, c, chinese) for t, c in _columns()})
    shape = "readonly [title: string, meaning: string]" if chinese else "string"
    parts = [
        f"/** {'各表各列的中文名称。' if chinese else ''}Words for tables and columns. {_WRITTEN}. */",
        "",
        "/** Columns of several tables. */",
        _constant("COLUMNS", f"Readonly<Record<string, {shape}>>", shared),
        "/** Columns of one table, before those of several. */",
        _constant("TABLE_COLUMNS", f"Readonly<Record<string, Readonly<Record<string, {shape}>>>>", own),
        _constant("TABLE_TITLES", "Readonly<Record<string, string>>", _of_tables(chinese)),
        "/** What a row is, by table and `table/grouping`. */",
        _constant("TABLE_ROWS", "Readonly<Record<string, string>>", _rows(chinese)),
    ]
    if chinese:
        meanings = {table: _phrase(table, "description") for table in TABLES}
        parts.append(_constant("TABLE_MEANINGS", "Readonly<Record<string, string>>", meanings))
    return "\n".join(parts)


FILES = {
    SOURCES / "model" / "table_facts.ts": facts_text,
    SOURCES / "i18n" / "table_words.en.ts": lambda: words_text("en"),
    SOURCES / "i18n" / "table_words.zh.ts": lambda: words_text("zh"),
}
"""What writes each file."""


def _columns() -> Iterable[tuple[Table, Column]]:
    """Every column of every table in any grouping."""
    return ((table, column) for table in TABLES.values() for column in table.described().values())


def _numbers() -> dict[str, Column]:
    """Columns of whole and other numbers, one of each name."""
    return {column.name: column for _, column in _columns() if column.dtype.is_numeric()}


def _facts(table: Table) -> dict[str, Any]:
    columns = table.described().values()
    facts: dict[str, Any] = {
        "key": table.key,
        "page": table.page,
        "place": table.place,
        "first": table.first,
        "adds": [column.name for column in columns if column.adds],
        "names": [column.name for column in columns if column.textual and column.role in ("name", "kernel")],
        "wide": [column.name for column in columns if column.wide],
        "source": table.source_key if table.source else (),
        "by": {grouping.name: _grouping(table, grouping) for grouping in table.groupings},
    }
    return {name: value for name, value in facts.items() if value}


def _grouping(table: Table, grouping: Grouping) -> dict[str, Any]:
    first = table.shown_first(grouping.name)
    facts = {"key": grouping.key, "first": first if first != table.first else (), "overlaps": grouping.overlaps}
    return {name: value for name, value in facts.items() if value}


def _column(table: Table, column: Column, chinese: bool) -> Any:
    if not chinese:
        return column.title
    phrase = column_phrase(table.name, column.name, "zh")
    assert phrase is not None, f"column-{table.name}-{column.name} is missing in messages/zh/column.ftl"
    return [phrase.text, phrase.attributes["description"]]


def _of_tables(chinese: bool) -> dict[str, str]:
    return {name: _phrase(name) if chinese else table.title for name, table in TABLES.items()}


def _rows(chinese: bool) -> dict[str, str]:
    found = {}
    for name, table in TABLES.items():
        found[name] = _phrase(name, "rows") if chinese else table.rows
        for one in table.groupings:
            found[f"{name}/{one.name}"] = _phrase(name, f"rows-by-{one.name}") if chinese else one.rows or table.rows
    return found


def _phrase(table: str, attribute: str = "") -> str:
    phrase = table_phrase(table, "zh")
    assert phrase is not None, f"table-{table} is missing in messages/zh/table.ftl"
    return phrase.attributes[attribute] if attribute else phrase.text


def _shared(words: Mapping[tuple[str, str], Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The words that most tables have for a column, and by table those that differ."""
    counts: dict[str, Counter[str]] = {}
    for (_, column), value in words.items():
        counts.setdefault(column, Counter())[_json(value)] += 1
    most = {column: json.loads(count.most_common(1)[0][0]) for column, count in sorted(counts.items())}
    own: dict[str, dict[str, Any]] = {}
    for (table, column), value in words.items():
        if value != most[column]:
            own.setdefault(table, {})[column] = value
    return most, own


def _constant(name: str, kind: str, values: Mapping[str, Any]) -> str:
    lines = "".join(f"  {_key(key)}: {_json(value)},\n" for key, value in values.items())
    return f"// prettier-ignore\nexport const {name}: {kind} = {{\n{lines}}}\n"


def _key(name: str) -> str:
    return name if name.isidentifier() else f"'{name}'"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
