"""English and Chinese have the same texts, with the same gaps to fill in."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stepscope
from stepscope.analyses.memory.memory_alive import SMALLER
from stepscope.analyses.memory.memory_peak import BEFORE, UNEXPLAINED
from stepscope.readers.nsys.sampling import UNRESOLVED
from stepscope.schema.columns import UNATTRIBUTED

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


def test_a_rank_has_one_name_in_chinese(texts: Texts) -> None:
    # Pages said 卡, 卡号 and rank of the same thing; only a straggler is 慢 rank, as everywhere in the field.
    assert not [key for key, one in texts["zh"].items() if "卡" in one.get("text", "").replace("慢 rank", "")]


@pytest.mark.parametrize(
    "wrong",
    [
        "录制",
        "张量核心",
        "内存置值",
        "规约",
        "点击",
        "延迟受限",
        "每迭代|个迭代(?!时间)",
        "(?<!性能)分析器",
        "[\u4e00-\u9fff] ?kernels?$",
        r"[\u4e00-\u9fff] ?\([A-Z]+\)",
        "。 ",
        "[\u4e00-\u9fff][:;,](?![\u4e00-\u9fff])",
    ],
)
def test_one_thing_has_one_word_in_chinese(texts: Texts, wrong: str) -> None:
    """Compare had kernels, Record 张量核心, a strip 内存拷贝 for memsets, and 采集 was 录制 on other pages."""
    assert not [key for key, one in texts["zh"].items() if re.search(wrong, one.get("text", ""))]
    messages = (Path(stepscope.__file__).parent / "messages" / "zh").glob("*.ftl")
    assert not [path.name for path in messages if re.search(f"(?m) = .*(?:{wrong})", path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("name", [UNATTRIBUTED, UNRESOLVED, BEFORE, UNEXPLAINED, SMALLER])
def test_what_stands_for_a_name_is_chinese(name: str) -> None:
    """The Chinese table of what is alive at a moment had rows "(smaller ones)"."""
    words = Path(__file__).parents[2] / "web" / "src" / "i18n" / "values.zh.ts"
    assert f"  '{name}': '（" in words.read_text(encoding="utf-8")


def test_every_kind_of_finding_has_a_name(texts: Texts) -> None:
    """The ledger holds ids of findings; their titles need figures of a recording."""
    messages = (Path(stepscope.__file__).parent / "messages" / "en" / "finding.ftl").read_text(encoding="utf-8")
    kinds = set(re.findall(r"^finding-([a-z-]+?)-title\b", messages, re.MULTILINE))
    of = "findingNames."
    assert {key.removeprefix(of) for key in texts["en"] if key.startswith(of)} == kinds
