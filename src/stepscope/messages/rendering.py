"""Messages as words of a language, from Fluent catalogues.

A catalogue formats raw values by functions: ``TIME($step_ns)``, ``BYTES($peak_bytes)``, ``PCT($saving_pct)`` (whole
per cents; ``digits: 1`` for the precise form, ``digits: 2`` for one that tells 99.97 % from 100 %), ``MS($start_ns)``
for a moment in milliseconds, ``LABEL($rank)`` for a number that is a name, ``FIXED($factor, digits: 1)`` and
``RATE($memory_rate, unit: "B/s")`` in tera units. ``RANGE(TIME($low_ns), TIME($high_ns))`` is a range by its ends as
they are printed, once where both are printed alike. Whole numbers alone get their thousands separated and choose
plurals. Booleans are the texts ``yes`` and ``no``, what is missing is ``none``. Lists are joined as the language does
it, clauses are rendered first, and texts of a trace cannot steer a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from stepscope.messages.device_words import are_npus, in_device_words
from stepscope.messages.language import CHINESE, ENGLISH, LANGUAGES, language
from stepscope.messages.message import Message, Param
from stepscope.messages.quantities import (
    bytes_text,
    clock_text,
    exact_percent_text,
    long_time_text,
    one_line,
    percent_text,
    whole_percent_text,
)

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

_LONGEST = 2_000

_ENTRY = re.compile(r"^(?=[A-Za-z][\w-]* *=)", re.MULTILINE)
"""Where a message begins; what belongs to it is indented."""


def render(message: Message | str, into: str | None = None) -> str:
    """A message in words; a text is its own words in every language.

    Args:
        into: one of `LANGUAGES`; None for the one that is spoken.
    """
    return message if isinstance(message, str) else _rendered(message, into or language(), are_npus())


def say(id: str, /, **params: Param) -> str:  # noqa: A002 - as of `Message`
    """The words of a message that is made here, as headings and labels are."""
    return render(Message(id, **params))


def prepare() -> None:
    """Load what the first message needs, for who has time for it before there is anything to say."""
    _bundle(language(), are_npus())


def rendered_json(message: Message | str) -> dict[str, Any]:
    """A message as JSON: id, parameters, and its text in the language that is spoken."""
    return {**_json(message), "text": render(message)}


def in_every_language(message: Message | str) -> dict[str, Any]:
    """A message as the web app takes it: id, parameters, and its text by language."""
    return {**_json(message), "text": {one: render(message, one) for one in LANGUAGES}}


def _json(message: Message | str) -> dict[str, Any]:
    return Message("text-plain", text=message).json() if isinstance(message, str) else message.json()


def ids(of_language: str) -> set[str]:
    """Every message of a language's catalogues."""
    folder = files("stepscope.messages") / of_language
    subjects = [entry.name.removesuffix(".ftl") for entry in folder.iterdir() if entry.name.endswith(".ftl")]
    named = {name for subject in subjects for name in _entries(subject, of_language)}
    return {name for name in named if _pattern(name, of_language, False) is not None}


@lru_cache(maxsize=4096)
def _rendered(message: Message, into: str, npus: bool) -> str:
    found = _pattern(message.id, into, npus)
    if found is None:
        if into != ENGLISH:
            return _rendered(message, ENGLISH, npus)
        # Better an unfriendly sentence than none: tests keep the catalogues complete.
        return f"{message.id} ({', '.join(f'{name}: {value}' for name, value in message.params)})"
    values = {name: _spoken(value, into, npus) for name, value in message.params}
    bundle, pattern = found
    text, _ = bundle.format_pattern(pattern, values)
    return str(text)


def _spoken(value: Any, into: str, npus: bool) -> Any:
    """A parameter as the catalogue takes it."""
    if isinstance(value, Message):
        return _bounded(_rendered(value, into, npus))
    if isinstance(value, tuple):
        parts = [str(_spoken(one, into, npus)) for one in value]
        if into == CHINESE:
            # Items that hold commas are separated by semicolons.
            return _bounded(("；" if any("，" in part for part in parts) else "、").join(parts))
        # Names and numbers are listed plainly, clauses as a sentence lists them.
        clauses = any(isinstance(one, Message) for one in value)
        if not clauses:
            return _bounded(", ".join(parts))
        from babel.lists import format_list

        return _bounded(format_list(parts, locale=into))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return _bounded(one_line(value)) if isinstance(value, str) else value


def _bounded(text: str) -> str:
    """A text that Fluent takes: of a longer one it would leave nothing."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _number(value: Any) -> float:
    return float(getattr(value, "value", value))


def _pct(value: Any, digits: Any = 0) -> str:
    share, places = _number(value), _number(digits)
    return (exact_percent_text(share) if places > 1 else percent_text(share)) if places else whole_percent_text(share)


def _fixed(value: Any, digits: Any = 1) -> str:
    return f"{_number(value):,.{int(_number(digits))}f}"


def _range(to: str, low: str, high: str) -> str:
    return low if low == high else f"{low} {to} {high}"


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "TIME": lambda value: long_time_text(_number(value)),
    "MS": lambda value: f"{_number(value) / 1e6:,.3f} ms",
    "BYTES": lambda value: bytes_text(_number(value)),
    "PCT": _pct,
    "FIXED": _fixed,
    "RATE": lambda value, unit="": f"{_number(value) / 1e12:,.4g} T{getattr(unit, 'value', unit)}",
    "CLOCK": lambda value: clock_text(_number(value)),
    "LABEL": lambda value: f"{int(_number(value))}",
}


@cache
def _entries(subject: str, of_language: str) -> dict[str, str]:
    """The source of each message of one catalogue file, by id."""
    file = files("stepscope.messages") / of_language / f"{subject}.ftl"
    if not subject.isidentifier() or not file.is_file():
        return {}
    entries = _ENTRY.split(file.read_text(encoding="utf-8"))[1:]
    return {entry.partition("=")[0].strip(): entry for entry in entries}


@cache
def _pattern(message_id: str, of_language: str, npus: bool) -> tuple[FluentBundle, Any] | None:
    """A message's bundle and pattern, or None: parsed when first needed, as all of them together take half a second."""
    source = _entries(message_id.partition("-")[0], of_language).get(message_id)
    if source is None:
        return None
    # Loading Fluent takes a tenth of a second, and many commands say nothing that needs it.
    from fluent.runtime import FluentResource

    bundle = _bundle(of_language, npus)
    bundle.add_resource(FluentResource(in_device_words(source, npus)))
    pattern = bundle.get_message(message_id).value if bundle.has_message(message_id) else None
    return (bundle, pattern) if pattern is not None else None


@cache
def _bundle(of_language: str, npus: bool) -> FluentBundle:
    from fluent.runtime import FluentBundle

    to = "至" if of_language == CHINESE else "to"
    functions: dict[str, Callable[..., Any]] = {**_FUNCTIONS, "RANGE": partial(_range, to)}
    return FluentBundle([of_language], use_isolating=False, functions=functions)
