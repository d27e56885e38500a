"""The glossary of the catalogues as documents and as the web app's text; ``scripts/update_glossary`` writes them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from fluent.syntax import FluentParser, ast

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "src" / "stepscope" / "messages"

_TITLES = {
    "en": "# Glossary\n\nThe words that stepscope uses, and the tables that measure them. [中文](glossary.zh-CN.md)\n",
    "zh": "# 术语表\n\nstepscope 所用的术语，以及衡量它们的表。[English](glossary.md)\n",
}
_MEASURED = {"en": " Table{plural}: {tables}.", "zh": "表：{tables}。"}
_BETWEEN = {"en": ", ", "zh": "、"}
_MEMBERS = "  subject: string\n  id: string\n  word: string\n  means: string\n  tables: string[]\n"


@dataclass(frozen=True)
class Word:
    """A word of the field.

    Attributes:
        subject: heading under which it stands.
        id: names the word in every language.
        tables: those that measure it.
    """

    subject: str
    id: str
    word: str
    means: str
    tables: tuple[str, ...]


def glossary(language: str) -> list[Word]:
    """The words of a language in the order of its catalogue."""
    found, subject = [], ""
    tables = {} if language == "en" else {word.id: word.tables for word in glossary("en")}
    text = (CATALOGUES / language / "glossary.ftl").read_text(encoding="utf-8")
    for entry in FluentParser().parse(text).body:
        if isinstance(entry, ast.GroupComment):
            subject = entry.content or ""
        elif isinstance(entry, ast.Message):
            values = {one.id.name: _text(one.value) for one in entry.attributes}
            named = tuple(values["tables"].split(", ")) if "tables" in values else tables.get(entry.id.name, ())
            assert entry.value is not None, entry.id.name
            found.append(Word(subject, entry.id.name, _text(entry.value), values["means"], named))
    return found


def documents() -> dict[Path, str]:
    """Each file that follows from the catalogues, with its text."""
    return {
        ROOT / "docs" / "glossary.md": _document("en"),
        ROOT / "docs" / "glossary.zh-CN.md": _document("zh"),
        ROOT / "web" / "src" / "i18n" / "glossary.en.ts": _script("en"),
        ROOT / "web" / "src" / "i18n" / "glossary.zh.ts": _script("zh"),
    }


def _text(pattern: ast.Pattern) -> str:
    (element,) = pattern.elements
    assert isinstance(element, ast.TextElement), "words and meanings have no parameters"
    return element.value


def _document(language: str) -> str:
    lines, subject = [_TITLES[language]], ""
    for word in glossary(language):
        if word.subject != subject:
            subject = word.subject
            lines += [f"## {subject}\n"]
        links = _BETWEEN[language].join(f"[{name}](tables/{name}.md)" for name in word.tables)
        measured = _MEASURED[language].format(plural="s"[: len(word.tables) - 1], tables=links) if links else ""
        lines.append(f"**{word.word}**{'：' if language == 'zh' else ': '}{word.means}{measured}\n")
    return "\n".join(lines)


def _script(language: str) -> str:
    """The glossary as the app takes it, a word a line."""
    if language == "en":
        head = f"export interface GlossaryWord {{\n{_MEMBERS}}}\n\nexport const glossaryEn: GlossaryWord[] = [\n"
    else:
        head = "import type { GlossaryWord } from './glossary.en.ts'\n\nexport const glossaryZh: GlossaryWord[] = [\n"
    comment = f"/** The glossary. Written by scripts/update_glossary from messages/{language}/glossary.ftl. */\n\n"
    words = "".join(f"  {json.dumps(asdict(word), ensure_ascii=False)},\n" for word in glossary(language))
    return f"{comment}{head}{words}]\n"
