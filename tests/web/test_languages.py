"""English and Chinese have the same texts, with the same gaps to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from stepscope.schema import TABLES

_FLATTEN = """
import { en } from './src/i18n/en.ts'
import { zh } from './src/i18n/zh.ts'
const flat = (value, path = '') => {
  if (typeof value === 'function') return [[path, { kind: 'function', gaps: value.length }]]
  if (typeof value === 'string') return [[path, { kind: 'text', text: value }]]
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, inner]) => flat(inner, path ? `${path}.${name}` : name))
  return [[path, { kind: String(value) }]]
}
console.log(JSON.stringify({ en: Object.fromEntries(flat(en)), zh: Object.fromEntries(flat(zh)) }))
"""

FROM_SERVER = ("timeline.titles.", "table.values.")
"""Texts that the server sends in English, by which their translations are found."""

Texts = dict[str, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def texts(evaluated: Callable[[str], Any]) -> Texts:
    found: Texts = evaluated(_FLATTEN)
    assert len(found["en"]) > 50
    return found


def test_both_languages_have_the_same_keys(texts: Texts) -> None:
    only_en, only_zh = texts["en"].keys() - texts["zh"].keys(), texts["zh"].keys() - texts["en"].keys()
    assert not only_en, "missing in zh.ts"
    assert not {key for key in only_zh if not key.startswith(FROM_SERVER)}, "missing in en.ts"


def test_texts_are_of_the_same_kind_and_take_as_much(texts: Texts) -> None:
    wrong = [
        key
        for key, english in texts["en"].items()
        if (english["kind"], english.get("gaps")) != (texts["zh"][key]["kind"], texts["zh"][key].get("gaps"))
    ]
    assert not wrong


def test_no_text_is_empty(texts: Texts) -> None:
    empty = [(language, key) for language, of in texts.items() for key, one in of.items() if one.get("text") == ""]
    assert not empty


def test_no_sentence_was_left_in_english(texts: Texts) -> None:
    left = [
        key
        for key, one in texts["zh"].items()
        if one["kind"] == "text" and len(re.findall(r"[a-z]{3,}", one["text"])) >= 3
        if one["text"] == texts["en"][key].get("text")
    ]
    assert not left


def test_english_texts_hold_no_exclamation_marks(texts: Texts) -> None:
    assert not [key for key, one in texts["en"].items() if "!" in one.get("text", "")]
    assert not [key for key, one in texts["zh"].items() if "！" in one.get("text", "")]


def test_a_rank_has_one_name_in_chinese(texts: Texts, columns: dict[str, Any]) -> None:
    # Pages said 卡, 卡号 and rank of the same thing.
    assert not [key for key, one in texts["zh"].items() if "卡" in one.get("text", "")]
    assert "卡" not in json.dumps([columns["common"], columns["tables"], columns["means"]], ensure_ascii=False)


@pytest.fixture(scope="module")
def columns(evaluated: Callable[[str], Any]) -> dict[str, Any]:
    """Words of columns: common ones, those of tables, and those that only groupings have."""
    found: dict[str, Any] = evaluated(
        "import { COLUMNS_ZH, MEANS_ZH, TABLES_ZH } from './src/i18n/columns.zh.ts'\n"
        "import { MEANINGS_EN, TITLES_EN } from './src/i18n/columns.en.ts'\n"
        "const [common, means, tables] = [COLUMNS_ZH, MEANS_ZH, TABLES_ZH]\n"
        "console.log(JSON.stringify({ common, means, tables, english: TITLES_EN, grouped: MEANINGS_EN }))"
    )
    return found


def test_names_of_columns_are_of_columns_that_exist(columns: dict[str, Any]) -> None:
    known = {column.name for table in TABLES.values() for column in table.columns} | columns["grouped"].keys()
    assert not columns["common"].keys() - known
    assert not columns["english"].keys() - known
    for name, words in columns["tables"].items():
        own = {column.name for column in TABLES[name].columns} | columns["grouped"].keys()
        assert not words.keys() - own, name


def test_all_columns_of_all_tables_have_chinese_words(columns: dict[str, Any]) -> None:
    assert columns["means"].keys() == TABLES.keys()
    missing = [
        f"{table.name}.{column.name}"
        for table in TABLES.values()
        for column in table.columns
        if column.name not in columns["common"] and column.name not in columns["tables"].get(table.name, {})
    ]
    assert not missing
    assert not columns["grouped"].keys() - columns["common"].keys() - set().union(*columns["tables"].values())
