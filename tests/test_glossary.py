"""The glossary: one source, in the documents and in the web app, the same words in every language."""

from __future__ import annotations

import pytest

from glossary_pages import ROOT, documents, glossary
from stepscope.schema import TABLES


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_follows_from_the_catalogues_is_current(path) -> None:  # type: ignore[no-untyped-def]
    assert path.read_text(encoding="utf-8") == documents()[path], "run scripts/update_glossary"


def test_both_languages_explain_the_same_words_in_the_same_order() -> None:
    english, chinese = glossary("en"), glossary("zh")
    assert [word.id for word in english] == [word.id for word in chinese]
    assert len({word.subject for word in english}) == len({word.subject for word in chinese})


def test_each_word_is_explained_once_and_briefly() -> None:
    words = glossary("en")
    assert len({word.word for word in words}) == len(words)
    assert [word.id for word in words if word.means.count(". ") > 2 or not word.means.endswith(".")] == []


def test_a_word_is_measured_by_tables_that_exist() -> None:
    named = {name for word in glossary("en") for name in word.tables}
    assert named <= set(TABLES), "name tables of the schema; a table of a later version comes with its entry"
