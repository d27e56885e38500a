"""The command that prints what a page shows: what one clicks, one can script."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from stepscope.answers.requests import Choice, TableRequest

_SHOWN_UNASKED = 40
"""Rows that `stepscope show` prints unless told otherwise."""


def show_command(paths: Sequence[str], request: TableRequest, total: int, more: Sequence[str] = ()) -> str:
    """The `stepscope show` with the rows of a request.

    Args:
        paths: what to name on the command line for the profile.
        total: rows it has in all.
        more: options that name other recordings, or a part of this one.
    """
    parts = ["stepscope", "show", request.table, *paths, *more, *_selection(request.choice)]
    if request.by:
        parts += ["--by", request.by]
    if request.source:
        parts += ["--source"]
    if request.name:
        parts += ["--name", request.name]
    if request.event is not None:
        parts += ["--event", str(request.event)]
    if request.where:
        parts += ["--where", request.where]
    if request.sort:
        parts += ["--sort", request.sort]
    if total > _SHOWN_UNASKED:
        parts += ["--limit", str(request.limit if request.limit < total else 0)]
    return shlex.join(parts)


def report_command(paths: Sequence[str], choice: Choice) -> str:
    """The `stepscope report` of a profile."""
    return shlex.join(["stepscope", "report", *paths, *_selection(choice)])


def what_if_command(paths: Sequence[str], choice: Choice, changes: Sequence[str] = ()) -> str:
    """The `stepscope what-if` of a profile; without changes its beginning, to which they are added."""
    named = [word for change in changes for word in ("--change", change)]
    return shlex.join(["stepscope", "what-if", *paths, *_selection(choice), *named])


def _selection(choice: Choice) -> list[str]:
    parts = []
    for rank in choice.ranks or ():
        parts += ["--rank", str(rank)]
    if choice.steps is not None:
        first, last = choice.steps
        parts += ["--step", str(first) if first == last else f"{first}:{last}"]
    return parts
