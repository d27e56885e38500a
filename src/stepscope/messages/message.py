"""A sentence before it has words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

Param: TypeAlias = Union[int, float, bool, str, "Message", Sequence[Union["Message", str]], Sequence[int], None]
"""Raw values: a name that ends in ``_ns``, ``_bytes`` or ``_pct`` says the unit. A message inside a message is a clause
of it, and a sequence is listed as the language lists things."""


@dataclass(frozen=True, init=False)
class Message:
    """An id of the catalogues and the values that its sentence holds.

    >>> Message("step-time", step_ns=92_900_000, steps=3).json()
    {'id': 'step-time', 'params': {'step_ns': 92900000, 'steps': 3}}

    Attributes:
        id: names the sentence in every language; what comes before the first ``-`` is the catalogue's file.
        params: name and value of each parameter.
    """

    id: str
    params: tuple[tuple[str, Param], ...]

    def __init__(self, id: str, /, **params: Param) -> None:  # noqa: A002 - the word of the catalogues
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "params", tuple((name, _frozen(value)) for name, value in params.items()))

    def __getitem__(self, name: str) -> Param:
        """The value of a parameter.

        Raises:
            KeyError: it has none of that name.
        """
        return dict(self.params)[name]

    def json(self) -> dict[str, Any]:
        """The message as JSON values."""
        return {"id": self.id, "params": {name: _plain(value) for name, value in self.params}}

    def encoded(self) -> str:
        """The message as a text, as columns of messages hold it."""
        return json.dumps(self.json(), ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    def of_json(value: Mapping[str, Any]) -> Message:
        """A message from what `json` gave."""
        return Message(value["id"], **{name: _of_plain(one) for name, one in value["params"].items()})

    @staticmethod
    def decoded(text: str) -> Message:
        """A message from what `encoded` gave.

        >>> Message.decoded(Message("a-b", of=[Message("a-c", n=1)]).encoded())
        Message(id='a-b', params=(('of', (Message(id='a-c', params=(('n', 1),)),)),))
        """
        return Message.of_json(json.loads(text))


def _frozen(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    return tuple(map(_frozen, value)) if isinstance(value, Sequence) else value


def readable(text: str) -> str:
    r"""The text as UTF-8 can hold it: a ``?`` in place of each byte of a file's name that is no UTF-8.

    For a path this is a glob that finds the file.

    >>> readable("na\udcffme.json")
    'na?me.json'
    """
    return text.encode("utf-8", "replace").decode()


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.json()
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _of_plain(value: Any) -> Any:
    if isinstance(value, dict):
        return Message.of_json(value)
    return [_of_plain(one) for one in value] if isinstance(value, list) else value
