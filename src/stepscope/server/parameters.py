"""What a request asks for: its parameters, checked."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qsl

from stepscope.answers.requests import MAX_ROWS, Choice, TableRequest
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.selection import chosen_ranks, chosen_steps

MAX_QUERY_BYTES = 16 << 10
_MAX_TEXT = 4000
_MAX_PARAMETERS = 30
_MAX_CONDITION = 1000
_MOST_EVENT = 1 << 53
REPEATED = ("change", "first", "more_base", "more")
"""Parameters that may be given several times."""


class Parameters:
    """The parameters of a query string; each may be given once, but for `REPEATED`.

    Raises:
        BadRequest: there are too many, or one is given twice.
    """

    def __init__(self, query: bytes) -> None:
        try:
            pairs = parse_qsl(
                query.decode("ascii"), keep_blank_values=True, max_num_fields=_MAX_PARAMETERS, errors="strict"
            )
        except (ValueError, UnicodeDecodeError) as error:
            found, advice = Message("error-parameters-encoding"), Message("error-see-docs")
            raise BadRequest(Message("error-cannot-read-address"), found, advice) from error
        self._repeated = [pair for pair in pairs if pair[0] in REPEATED]
        pairs = [pair for pair in pairs if pair[0] not in REPEATED]
        self._values = dict(pairs)
        if len(self._values) < len(pairs):
            raise BadRequest(
                Message("error-cannot-read-address"), Message("error-parameter-twice"), Message("error-give-once")
            )

    def text(self, name: str, default: str | None = "") -> str:
        """A text without NUL, of at most 4,000 characters.

        Args:
            default: what stands for a missing one; None where it has to be given.

        Raises:
            BadRequest: it is missing, too long or holds a NUL.
        """
        value = self._values.get(name)
        if value is None or (value == "" and default is None):
            if default is None:
                raise _missing(name)
            return default
        return _checked(name, value)

    def texts(self, name: str, needed: bool = False) -> tuple[str, ...]:
        """The texts of one of `REPEATED`, in their order.

        Raises:
            BadRequest: one is no text that `text` would take, or one is needed and there is none.
        """
        found = tuple(_checked(name, value) for one, value in self._repeated if one == name)
        if needed and not found:
            raise _missing(name)
        return found

    def number(self, name: str, default: int | None, least: int, most: int) -> int:
        """A whole number between two others.

        Raises:
            BadRequest: it is none, or missing where ``default`` is None.
        """
        text = self.text(name, None if default is None else str(default))
        number = int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None
        if number is None or not least <= number <= most:
            found = Message("error-parameter-number", name=name, least=least, most=most)
            raise BadRequest(
                Message("error-cannot-answer"), found, Message("error-parameter-example", name=name, example=str(least))
            )
        return number

    def flag(self, name: str) -> bool:
        """``1`` or ``0``; false where it is missing.

        Raises:
            BadRequest: it is neither.
        """
        text = self.text(name, "0")
        if text not in ("0", "1"):
            found, advice = (
                Message("error-parameter-flag", name=name),
                Message("error-parameter-example", name=name, example="1"),
            )
            raise BadRequest(Message("error-cannot-answer"), found, advice)
        return text == "1"

    def choice(self) -> Choice:
        """``rank=0,2`` and ``step=3:5``.

        Raises:
            BadRequest: a rank or step is no number.
        """
        rank, step = self.text("rank"), self.text("step")
        ranks = chosen_ranks(rank.split(",")) if rank else None
        return Choice(tuple(sorted(set(ranks))) if ranks is not None else None, chosen_steps(step or None))

    def table_request(self) -> TableRequest:
        """Everything that `/api/table` takes.

        Raises:
            BadRequest: something of it is of the wrong kind.
        """
        return TableRequest(
            table=self.text("table", None),
            by=self.text("by"),
            source=self.flag("source"),
            choice=replace(self.choice(), moments=self._part()),
            where=self._condition(),
            sort=self.text("sort"),
            limit=self.number("limit", MAX_ROWS, 0, MAX_ROWS),
            base=self.text("base"),
            name=self.text("name"),
            event=self.number("event", 0, 0, _MOST_EVENT) if self.text("event") else None,
        )

    def _part(self) -> tuple[int, int] | None:
        """``between=FROM:TO``, offsets in ns.

        Raises:
            BadRequest: these are not two whole numbers, or the second is the smaller one.
        """
        text = self.text("between")
        if not text:
            return None
        found = re.fullmatch(r"(-?[0-9]{1,18}):(-?[0-9]{1,18})", text)
        begin, end = map(int, found.groups()) if found else (1, 0)
        if begin > end:
            example = Message("error-parameter-example", name="between", example="0:5000000")
            raise BadRequest(Message("error-cannot-answer"), Message("error-parameter-part", name="between"), example)
        return begin, end

    def _condition(self) -> str:
        """``where``: a link to a page can hold one. `analyses.conditions` decides what it may do.

        Raises:
            BadRequest: it is too long.
        """
        where = self.text("where")
        if len(where) > _MAX_CONDITION:
            found = Message("error-condition-long", most=_MAX_CONDITION)
            raise BadRequest(Message("error-cannot-answer"), found, Message("error-use-show"))
        return where


def _missing(name: str) -> BadRequest:
    found, advice = Message("error-parameter-missing", name=name), Message("error-add-parameter", name=name)
    return BadRequest(Message("error-cannot-answer"), found, advice)


def _checked(name: str, value: str) -> str:
    if "\0" in value:
        raise BadRequest(
            Message("error-cannot-answer"), Message("error-parameter-nul", name=name), Message("error-leave-out")
        )
    if len(value) > _MAX_TEXT:
        found = Message("error-parameter-long", name=name, most=_MAX_TEXT)
        raise BadRequest(Message("error-cannot-answer"), found, Message("error-shorten"))
    return value
