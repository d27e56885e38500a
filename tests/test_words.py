"""Everything that a user reads is in the field's words: no dialect, and one Chinese word for a step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from stepscope.commands import cli
from stepscope.schema import TABLES

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "src" / "stepscope" / "messages"
APP = ROOT / "web" / "src" / "i18n"

BANNED = {
    r"mend(s|ed|ing)?": "fix, recommendation",
    r"told": "shown, determined, recognised",
    r"whoever|whatever|somebody|nobody": "say who or what, or leave it out",
    r"(?<!there )(is|are) none": "is not a ..., there is no ...",
    r"hold(s|ing)? (it |them |the \w+ )?back|held (it |them |the \w+ )?back": "bottleneck, delays, limits",
    r"fills(?! in\b)": "memsets",
    r"stretch(es|ed)?": "interval, time range",
    r"(?<!in a )moments?": "point in time, timestamp",
    r"timed again|retimed|retiming": "simulated",
    r"written out attention|attention (is )?written out": "unfused attention",
    r"limit not clear": "bottleneck unclear",
    r"the GPU works": "GPU busy",
    r"slowdown": "profiler overhead",
    r"called so": "no matches",
    r"in all(?=[,.;:)]|$)": "total",
}
"""Words that the field does not use, and what it says instead."""

QUOTED = re.compile(r"```.*?```|``.*?``|`[^`\n]*`|\]\([^)]*\)|https?://\S+|\$\{[^}]*\}", re.DOTALL)
"""Code and addresses: names of a program, such as `torch.fill_`, are its own."""

ALLOWED = {"torch.fill_", "aten::fill_"}
"""Texts with a banned word that stand for something else. May only shrink."""

TEXTS = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`""")

STEP_IN_CHINESE = re.compile(r"[^\n]*(?<![同逐进初一这第异散地])步(?![骤调行进])[^\n]*")


def wrong(text: str) -> list[str]:
    """Banned words of a text with what stands around them and what to say."""
    plain = QUOTED.sub(" ", text)
    for allowed in ALLOWED:
        plain = plain.replace(allowed, " ")
    return [
        f"{' '.join(plain[max(0, found.start() - 30) : found.end() + 30].split())!r}: say {better}"
        for pattern, better in BANNED.items()
        for found in re.finditer(rf"\b({pattern})\b" if not pattern.endswith("$)") else rf"\b{pattern}", plain, re.I)
    ]


def documents() -> list[Path]:
    top = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, ROOT / "web" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def texts_of_the_app() -> Iterator[tuple[str, str]]:
    """Name and text of each file of the app with English texts, without names of members and what is imported."""
    for path in sorted(APP.glob("*.en.ts")):
        text = path.read_text(encoding="utf-8")
        yield path.name, "\n".join(TEXTS.findall(text)).replace("`", "")


def helps() -> Iterator[tuple[str, str]]:
    """The help of every command with those of its options."""
    group = click.Context(cli)
    for name in cli.list_commands(group):
        command = cli.get_command(group, name)
        assert command is not None, name
        yield name, command.get_help(click.Context(command, info_name=name))


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_documents(path: Path) -> None:
    assert wrong(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sorted((CATALOGUES / "en").glob("*.ftl")), ids=lambda path: path.name)
def test_english_catalogues(path: Path) -> None:
    text = re.sub(r"^[a-z][\w-]* =|^\s+\.\w+ =|\$\w+|\[\w+\]", " ", path.read_text(encoding="utf-8"), flags=re.M)
    assert wrong(text) == []


@pytest.mark.parametrize(("name", "text"), list(texts_of_the_app()), ids=lambda one: one if len(one) < 40 else "")
def test_english_texts_of_the_app(name: str, text: str) -> None:
    assert wrong(text) == [], name


def test_descriptions_of_tables_and_columns() -> None:
    found = {
        f"{table.name}.{column.name}": wrong(f"{column.title}. {column.description}.")
        for table in TABLES.values()
        for column in table.columns
    } | {name: wrong(table.description) for name, table in TABLES.items()}
    assert {name: words for name, words in found.items() if words} == {}


def test_helps_of_the_commands() -> None:
    found = {name: wrong(text) for name, text in helps()}
    assert {name: words for name, words in found.items() if words} == {}


def test_names_of_examples() -> None:
    names = [path.name for path in (ROOT / "examples").rglob("*")]
    assert [name for name in names if re.search(r"mended|copies_fills|retimed", name)] == []


CHINESE = [*sorted((CATALOGUES / "zh").glob("*.ftl")), *sorted(APP.glob("*.zh.ts"))]


@pytest.mark.parametrize(
    "path",
    [*CHINESE, ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").rglob("*.zh-CN.md"))],
    ids=lambda path: path.name,
)
def test_a_step_is_called_by_one_word_in_chinese(path: Path) -> None:
    assert STEP_IN_CHINESE.findall(path.read_text(encoding="utf-8")) == [], "a step is 迭代"


def test_what_the_rules_catch_and_what_they_leave() -> None:
    assert len(wrong("What to mend: kernels, copies and fills; nobody is told.")) == 4
    assert wrong("Use `torch.fill_` here; it recommends, and fills in the rest.") == []
    assert STEP_IN_CHINESE.findall("每步一次")
    assert not STEP_IN_CHINESE.findall("同步、异步、进一步")
