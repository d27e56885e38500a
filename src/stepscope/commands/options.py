"""Options that several commands take, and how their text is understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from stepscope.errors import BadRequest

if TYPE_CHECKING:
    from stepscope.store.profile import Profile

_Function = TypeVar("_Function", bound=Callable[..., Any])
_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_step(text: str | None) -> tuple[int, int] | None:
    """``3`` or ``3:5`` (both included) as first and last step.

    Raises:
        BadRequest: the text is neither.
    """
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)(?::(\d+))?", text.strip())
    if not match or (match.group(2) and int(match.group(2)) < int(match.group(1))):
        raise BadRequest(f"cannot read --step {text}", "it is neither a step nor FIRST:LAST", "For example: --step 3:5")
    first = int(match.group(1))
    return first, int(match.group(2) or first)


def parse_size(text: str | None) -> int | None:
    """``500MB``, ``20G`` or a number as bytes.

    Raises:
        BadRequest: the text is no size.
    """
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    if not match:
        raise BadRequest(f"cannot read --max-size {text}", "it is no size", "For example: --max-size 20GB")
    return int(float(match.group(1)) * _SIZES[match.group(2).upper()])


def selection_options(function: _Function) -> _Function:
    """Add PATH..., --rank, --step and --max-size to a command."""
    decorators = [
        click.argument("path", nargs=-1, required=True),
        click.option("--rank", "ranks", type=int, multiple=True, help="Only this rank; may be given several times."),
        click.option("--step", metavar="A[:B]", help="Only step A, or the steps A to B, both included."),
        click.option(
            "--max-size",
            metavar="SIZE",
            help="Most JSON that a gzip file may inflate to, as 20GB (default: 200 times the file, at least 1 GiB).",
        ),
    ]
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def open_selected(path: Sequence[str], ranks: Sequence[int], step: str | None, max_size: str | None) -> Profile:
    """Open what was named, with a progress bar, and limit it to what was selected."""
    from stepscope.reporters.progress import reading_progress
    from stepscope.store.ingest import ReadOptions
    from stepscope.store.profile import open_profile

    steps = parse_step(step)
    max_bytes = parse_size(max_size)
    with reading_progress() as progress:
        options = ReadOptions(max_bytes, progress.update if progress else None)
        profile = open_profile(list(path), options)
    return profile.select(list(ranks) or None, steps)
