"""Options that several commands take, and how their text is understood."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.selection import checked_part, chosen_steps

if TYPE_CHECKING:
    from stepscope.store.profile import Profile

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PEAKS_EXAMPLE = Message("error-write-example", example='{"bf16": 989e12, "memory": 3.35e12}')
_STDIN = "/dev/stdin"
_NS = {"": 10**9, "s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}
_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_step(text: str | None, option: str = "--step") -> tuple[int, int] | None:
    """``3`` or ``3:5`` (both included) as first and last step.

    Raises:
        BadRequest: the text is neither.
    """
    try:
        return chosen_steps(text)
    except BadRequest as error:
        tried = Message("error-cannot-read-option", option=option, text=text)
        advice = Message("error-option-example", option=option, example="3:5")
        backwards = re.fullmatch(r"\s*\d+:\d+\s*", text or "")
        found = Message("open-steps-backwards" if backwards else "error-not-a-step")
        raise BadRequest(tried, found, advice) from error


def parse_size(text: str | None, option: str = "--max-size") -> int | None:
    """``500MB``, ``20G`` or a number as bytes.

    Raises:
        BadRequest: the text is no size.
    """
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    if not match:
        tried = Message("error-cannot-read-option", option=option, text=text)
        raise BadRequest(
            tried, Message("error-not-a-size"), Message("error-option-example", option=option, example="20GB")
        )
    return int(float(match.group(1)) * _SIZES[match.group(2).upper()])


def parse_part(text: str | None) -> tuple[int | None, int | None] | None:
    """``1.5s:2s``, ``800ms:`` or ``:2`` (seconds) as from and to in ns.

    Raises:
        BadRequest: the text is no range of time.
    """
    if text is None:
        return None
    tried = Message("error-cannot-read-option", option="--between", text=text)
    example = Message("error-option-example", option="--between", example="1.5s:2s")
    begin, colon, end = text.partition(":")
    matches = [re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*(s|ms|us|ns|)\s*", part) for part in (begin, end)]
    open_ends = [not part.strip() for part in (begin, end)]
    if not colon or all(open_ends) or not all(map(any, zip(matches, open_ends, strict=True))):
        raise BadRequest(tried, Message("error-not-a-part"), example)
    times = [int(Decimal(match[1]) * _NS[match[2]]) if match else None for match in matches]
    try:
        return checked_part(times)
    except BadRequest as error:
        raise BadRequest(tried, error.found, example) from error


@dataclass(frozen=True)
class Selection:
    """What a command is asked about, as it was written.

    Attributes:
        path: files, folders, patterns or addresses.
        ranks: only these; all where there are none.
        step: one step or FIRST:LAST.
        span: see `ReadOptions`.
        max_size: see `ReadOptions.max_bytes`.
        between: the part of a snapshot's history to read, or of a trace's time to show, as FROM:TO.
    """

    path: Sequence[str]
    ranks: Sequence[int] = ()
    step: str | None = None
    span: int | None = None
    max_size: str | None = None
    between: str | None = None


def selection_options(function: _Function) -> _Function:
    """Add PATH... and what is chosen of it (--rank, --step, ...) to a command, which is given them as ``selected``."""

    @wraps(function)
    def command(
        *args: Any,
        path: Sequence[str],
        ranks: Sequence[int],
        step: str | None,
        span: int | None,
        max_size: str | None,
        between: str | None,
        **given: Any,
    ) -> Any:
        return function(*args, selected=Selection(_from_pipe(path), ranks, step, span, max_size, between), **given)

    decorators = [
        click.argument("path", nargs=-1, required=True, type=click.Path()),
        click.option("--rank", "ranks", type=int, multiple=True, help="Only this rank; may be given several times."),
        click.option("--step", metavar="A[:B]", help="Only step A, or the steps A to B, both included."),
        *_reading_options(),
    ]
    decorated: Any = command
    for decorator in reversed(decorators):
        decorated = decorator(decorated)
    return cast(_Function, decorated)


def _reading_options() -> list[Callable[[_Function], _Function]]:
    """What of a recording is read."""
    return [
        click.option(
            "--span",
            type=click.IntRange(min=1),
            metavar="N",
            help="Of several recordings of one process the Nth in order of time (default: the last).",
        ),
        click.option(
            "--max-size",
            metavar="SIZE",
            help="Most JSON that a gzip file may inflate to, as 20GB (default: 200 times the file, at least 1 GiB).",
        ),
        click.option(
            "--between",
            metavar="FROM:TO",
            help="Only this part, as 1.5s:2s or 800ms:; of the history of a memory snapshot, or of the time of a trace "
            "(flame_graph, instances, durations).",
        ),
    ]


def _from_pipe(paths: Sequence[str]) -> Sequence[str]:
    """The paths with what ``-`` stands for.

    Raises:
        BadRequest: nothing is sent to the command.
    """
    if "-" not in paths:
        return paths
    if sys.stdin is None or sys.stdin.isatty() or not os.path.exists(_STDIN):
        tried = Message("error-cannot-open", path="-")
        raise BadRequest(tried, Message("error-nothing-in-pipe"), Message("error-pipe-example"))
    return [_STDIN if path == "-" else path for path in paths]


def cluster_options(function: _Function) -> _Function:
    """Add --scheduler and --dask to a command, which is given what they ask for as ``cluster``."""

    @wraps(function)
    def command(*args: Any, scheduler: str | None, dask: str | None, **given: Any) -> Any:
        return function(*args, cluster=chosen_cluster(scheduler, dask), **given)

    decorators = [
        click.option("--scheduler", metavar="ADDRESS", help="Have a Dask cluster read the ranks, as tcp://host:8786."),
        click.option("--dask", type=click.Choice(["local"]), help="The same with a cluster on this machine."),
    ]
    decorated: Any = command
    for decorator in reversed(decorators):
        decorated = decorator(decorated)
    return cast(_Function, decorated)


def chosen_cluster(scheduler: str | None, dask: str | None) -> str:
    """What --scheduler and --dask ask for, as of `ReadOptions.scheduler`."""
    if scheduler is not None and dask is not None:
        raise click.UsageError("--scheduler and --dask exclude each other: one cluster reads the ranks")
    return scheduler or dask or ""


@dataclass(frozen=True)
class Others:
    """Other recordings that a profile is shown with, as they were written; None for none.

    Attributes:
        eager, base: see `Profile`.
    """

    eager: str | None = None
    base: str | None = None

    def beside(self, profile: Profile, max_size: str | None) -> Profile:
        """The profile with those that were named, opened."""
        eager, base = (
            None if path is None else open_selected(Selection([path], max_size=max_size))
            for path in (self.eager, self.base)
        )
        return replace(profile, eager=eager, base=base)


def other_options(function: _Function) -> _Function:
    """Add --eager and --base to a command, which is given them as ``others``."""

    @wraps(function)
    def command(*args: Any, eager: str | None, base: str | None, **given: Any) -> Any:
        return function(*args, others=Others(eager, base), **given)

    decorators = [
        click.option(
            "--eager",
            metavar="PATH",
            help="The same work recorded without CUDA graphs: tells the operators of what graphs replay (kernels, "
            "operators).",
        ),
        click.option("--base", metavar="PATH", help="The recording before a change, to compare with (memory_diff)."),
    ]
    decorated: Any = command
    for decorator in reversed(decorators):
        decorated = decorator(decorated)
    return cast(_Function, decorated)


def peak_options(function: _Function) -> _Function:
    """Add --peak and --peaks to a command."""
    decorators = [
        click.option(
            "--peak",
            "peak",
            metavar="NAME=VALUE",
            multiple=True,
            help="What the device can do at most, as bf16=989e12 (FLOP/s), memory=3.35e12 (bytes/s); repeatable.",
        ),
        click.option("--peaks", "peaks_file", metavar="FILE", help="The same as a JSON object in a file."),
    ]
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def read_peaks(peak: Sequence[str], peaks_file: str | None) -> dict[str, float]:
    """Figures of --peaks and --peak; the latter replace the former.

    Raises:
        BadRequest: the file is no JSON object, or a figure is none.
    """
    if not peak and peaks_file is None:
        return {}
    from stepscope.analyses.roofline.peaks import checked_peaks

    single: dict[str, Any] = {}
    for text in peak:
        name, _, value = text.partition("=")
        try:
            single[name.strip()] = float(value)
        except ValueError as error:
            tried = Message("error-cannot-read-option", option="--peak", text=text)
            raise BadRequest(tried, Message("error-not-a-pair"), Message("error-peak-example")) from error
    given = _read_object(peaks_file) if peaks_file is not None else {}
    return {**checked_peaks(given), **checked_peaks(single)}


def _read_object(path: str) -> dict[str, Any]:
    import json

    tried = Message("error-cannot-read-option", option="--peaks", text=path)
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or Message("error-not-json")
        raise BadRequest(tried, reason, _PEAKS_EXAMPLE) from error
    if not isinstance(value, dict):
        raise BadRequest(tried, Message("error-not-json-object"), _PEAKS_EXAMPLE)
    return value


def open_selected(
    selected: Selection,
    tables: Iterable[str] = (),
    scheduler: str = "",
    began: Callable[[], None] | None = None,
    derives: bool = True,
) -> Profile:
    """Open what was named, with a progress bar, and limit it to what was selected.

    Args:
        tables: those that will be asked for; what they need of a rank is prepared while it is read.
        scheduler, began, derives: see `ReadOptions`.
    """
    from stepscope.analyses.npu.devices import runs_on_npus
    from stepscope.analyses.per_rank import preparation
    from stepscope.messages.device_words import speak_of_npus
    from stepscope.proving.experience import with_experience
    from stepscope.reporters.progress import reading_progress
    from stepscope.store.opening import open_profile
    from stepscope.store.options import ReadOptions

    steps = parse_step(selected.step)
    max_bytes = parse_size(selected.max_size)
    with reading_progress() as progress:
        after = preparation(tables, steps is not None)
        options = ReadOptions(
            max_bytes,
            progress.update if progress else None,
            ranks=progress.ranks if progress else None,
            began=began,
            derives=derives,
            after=after,
            scheduler=scheduler,
            span=selected.span,
            between=parse_part(selected.between),
        )
        profile = with_experience(open_profile(list(selected.path), options))
    speak_of_npus(runs_on_npus(profile))
    click.get_current_context().call_on_close(lambda: speak_of_npus(False))
    return profile.select(list(selected.ranks) or None, steps)
