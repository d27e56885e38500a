"""The language that is spoken: one for a command, or for a part of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

LANGUAGES: Final = ("en", "zh")
ENGLISH, CHINESE = LANGUAGES

_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """The language that is spoken where none is named."""
    return _current.get()


def speak(chosen: str) -> None:
    """From here on everything is said in this language of `LANGUAGES`."""
    _current.set(chosen)


@contextmanager
def speaking(chosen: str) -> Iterator[None]:
    """Everything inside is said in this language of `LANGUAGES`."""
    token = _current.set(chosen)
    try:
        yield
    finally:
        _current.reset(token)


def language_of_locale() -> str:
    """The language that the environment asks for: English unless it is Chinese."""
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return CHINESE if locale.lower().startswith("zh") else ENGLISH
