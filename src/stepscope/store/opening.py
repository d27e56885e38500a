"""Opening what was named: a trace, a folder of ranks, a glob, a URL, or several of these."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from stepscope.errors import UnreadableInput
from stepscope.readers.remote import is_url
from stepscope.readers.sources import Source, find_sources
from stepscope.store.ingest import open_trace
from stepscope.store.options import ReadOptions
from stepscope.store.profile import Profile, Skipped
from stepscope.store.rank_assignment import numbered
from stepscope.store.reading import read_all
from stepscope.store.task_queue import Failed

_Named = TypeVar("_Named")


def open_profile(path: str | Sequence[str], options: ReadOptions | None = None) -> Profile:
    """Open a trace, a folder of ranks, a glob, a URL, or several of these.

    Of several files each is read in a process of its own where that is quicker, see `store.reading`.

    Raises:
        UnreadableInput: nothing that was named can be read. Of several files, those that cannot be read, and
            those of a rank that another file is taken for, are left out and listed in `Profile.skipped`.
    """
    options = options or ReadOptions()
    paths = _once([path] if isinstance(path, str) else path, str)
    if not paths:
        raise UnreadableInput("cannot open nothing", "no path was given", "Name a trace file or a folder of traces.")
    sources = _once((source for one in paths for source in find_sources(one)), lambda source: source.path)
    if len(sources) == 1 and not _is_collection(paths, sources):
        trace = open_trace(sources[0], options)
        return Profile(tuple(paths), numbered([(sources[0], trace)])[0])
    read = list(zip(sources, read_all(sources, options), strict=True))
    skipped = [Skipped(source.path, found.reason) for source, found in read if isinstance(found, Failed)]
    opened = [(source, found) for source, found in read if not isinstance(found, Failed)]
    if not opened:
        first = skipped[0]
        raise UnreadableInput(
            f"cannot open {' '.join(paths)}",
            f"none of {len(skipped)} files is a trace ({Source(first.path).name}: {first.reason})",
            "Name a trace file or the folder that torch.profiler wrote to.",
        )
    ranks, again = numbered(opened)
    return Profile(tuple(paths), ranks, (*skipped, *again), scheduler=options.scheduler)


def _once(named: Iterable[_Named], path: Callable[[_Named], str]) -> list[_Named]:
    """What was named, each file once, under the first of its names."""
    found: dict[str, _Named] = {}
    for one in named:
        where = path(one)
        found.setdefault(where if is_url(where) or not where else os.path.abspath(where), one)
    return list(found.values())


def _is_collection(paths: list[str], sources: list[Source]) -> bool:
    return [source.path for source in sources] != paths
