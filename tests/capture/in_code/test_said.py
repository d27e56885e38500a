"""What is said inside jobs is said in both languages."""

from __future__ import annotations

import re

import pytest

from stepscope.capture.in_code import said


def test_both_languages_say_the_same_with_the_same_figures() -> None:
    def figures(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    assert {key: figures(text) for key, text in said._ENGLISH.items()} == {
        key: figures(text) for key, text in said._CHINESE.items()
    }


@pytest.mark.parametrize(("locale", "begins"), [("zh_CN.UTF-8", "程序启动"), ("de_DE.UTF-8", "the program started")])
def test_the_locale_chooses_the_language(locale: str, begins: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert said.sentence("foreign").startswith(begins)


def test_a_closed_stderr_stops_nobody() -> None:
    def closed(_: str) -> None:
        raise ValueError("I/O operation on closed file")

    said.say("text", closed)
