"""Every column and table has Chinese words, and no words are of columns that are gone."""

from __future__ import annotations

import re

from stepscope.messages.phrases import column_phrase, phrases, table_phrase
from stepscope.schema import TABLES

COLUMNS = [(table, column) for table in TABLES.values() for column in table.described().values()]


def test_every_column_has_a_chinese_title_and_description() -> None:
    found = {(table.name, column.name): column_phrase(table.name, column.name, "zh") for table, column in COLUMNS}
    assert [key for key, phrase in found.items() if phrase is None or not phrase.text] == []
    assert [key for key, phrase in found.items() if phrase and not phrase.attributes.get("description")] == []


def test_every_table_has_a_chinese_title_and_rows() -> None:
    for name, table in TABLES.items():
        phrase = table_phrase(name, "zh")
        assert phrase is not None, name
        assert phrase.text
        assert phrase.attributes.keys() == {"description", "rows", *(f"rows-by-{by}" for by in table.by)}, name


def test_headings_differ_within_a_table() -> None:
    for table in TABLES.values():
        for by in ("", *table.by):
            phrases_of = [column_phrase(table.name, name, "zh") for name in table.described(by)]
            titles = [phrase.text for phrase in phrases_of if phrase]
            assert {title for title in titles if titles.count(title) > 1} == set(), f"{table.name} by {by}"


def test_no_words_are_of_columns_that_are_gone() -> None:
    used = {f"column-{table.name}-{column.name}" for table, column in COLUMNS}
    used |= {f"column-{column.name}" for _, column in COLUMNS}
    assert phrases("column", "zh").keys() - used == set()
    assert phrases("table", "zh").keys() == {f"table-{name}" for name in TABLES}


def test_words_that_are_used_of_one_thing_only() -> None:
    texts = [
        text
        for subject in ("column", "table")
        for one in phrases(subject, "zh").values()
        for text in (one.text, *one.attributes.values())
    ]
    assert [text for text in texts if "卡" in text] == [], "a rank is called rank"
    assert [text for text in texts if re.search(r"(?<!同)步(?!骤)", text)] == [], "a step is 迭代"
