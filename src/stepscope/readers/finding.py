"""Which recordings a path names: itself, those of a folder, or the matches of a pattern."""

from __future__ import annotations

import glob
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers import registry, remote
from stepscope.readers.formats import OTHER
from stepscope.readers.remote import cannot_open, is_url
from stepscope.readers.sources import Source

_NAMED, _DEPTH = 3, 2
"""So many folders are named, so deep below the one that was asked for."""


def find_sources(path: str) -> list[Source]:
    """The recordings that a path names: itself, those of a folder, the matches of a glob; sorted by name.

    Files that belong together are one source. A folder may be a recording by itself. What is known and not read yet
    is among the recordings of a folder, so that it is named.

    Raises:
        UnreadableInput: nothing is there.
    """
    if is_url(path):
        found = remote.find(path, registry.promises)
        if found is None:
            return [Source(path)]
        if not found:
            raise _nothing_at(path, Message("reader-no-trace-there"), Message("reader-check-address"))
    elif os.path.isdir(path):
        if is_recording(path):
            return [Source(path), *map(Source, filter(is_recording, registry.runs_in(path)))]
        found = _of_folder(path)
        if not found:
            known = registry.recognised(Source(path)).reason
            raise _nothing_at(path, known or Message("reader-folder-without-trace"), _advice(path))
    elif not os.path.exists(path) and any(sign in path for sign in "*?["):
        found = [name for name in glob.glob(path, recursive=True) if os.path.isfile(name)]
        if not found:
            raise _nothing_at(path, Message("reader-pattern-matches-none"), Message("reader-check-pattern"))
    else:
        return [source_of(path)]
    return sorted(_together(found), key=lambda source: _natural(source.path))


def _nothing_at(path: str, found: Message | str, advice: Message) -> UnreadableInput:
    return UnreadableInput(Message("error-cannot-open", path=path), found, advice)


def _advice(folder: str) -> Message:
    """What to name instead of a folder without a trace: the folders below it that hold some."""
    below = itertools.islice(_folders_with_traces(folder), _NAMED + 1)
    names = [os.path.relpath(one, folder) for one in below]
    if not names:
        return Message("reader-name-trace-or-folder")
    more = len(names) > _NAMED
    return Message("reader-name-folder-below", folders=names[:_NAMED], more=more, folder=folder)


def _folders_with_traces(folder: str) -> Iterator[str]:
    """Folders below one, in order, down to `_DEPTH`. Those that are recordings belong to the one that they lie in."""
    for place, folders, names in os.walk(folder):
        depth = os.path.relpath(place, folder).count(os.sep)
        recordings = {one for one in folders if is_recording(os.path.join(place, one))}
        deeper = sorted(one for one in folders if not one.startswith(".") and one not in recordings)
        folders[:] = deeper if depth < _DEPTH else []
        if place != folder and (recordings or any(registry.is_claimed(name) for name in names)):
            yield place


def is_recording(folder: str) -> bool:
    """Whether a folder is one recording that a reader reads as a whole."""
    match = registry.recognised(Source(folder))
    return match.kind != OTHER and match.is_read


def source_of(path: str) -> Source:
    """A file with those that belong to it, or a folder that is one recording."""
    return _together([path])[0]


def _together(paths: Sequence[str]) -> list[Source]:
    """Sources of some files and folders: those that belong to another one are no source themselves."""
    companions = {path: _companions(path, paths) for path in paths}
    taken = {one for several in companions.values() for one in several}
    return [Source(path, companions[path]) for path in paths if path not in taken]


def _companions(path: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Files of the same folder that belong to a file. Traces are one file each: their folder is not looked through."""
    name = _name(path)
    if registry.is_whole(name):
        return ()
    folder = path[: len(path) - len(name)]
    if is_url(path):
        beside = [_name(one) for one in paths if one == folder + _name(one)]
    else:
        beside = (
            [entry.name for entry in Path(folder or ".").iterdir() if entry.is_file()] if Path(path).is_file() else []
        )
    return tuple(folder + other for other in registry.companions(name, sorted(beside)))


def _of_folder(folder: str) -> list[str]:
    """Files that may be recordings, and folders that are. What the last reader's names promise is not looked at."""
    try:
        entries = list(Path(folder).iterdir())
    except OSError as error:
        raise cannot_open(folder, error) from error
    return [str(entry) for entry in entries if _is_candidate(entry)]


def _is_candidate(entry: Path) -> bool:
    if entry.name.startswith("."):
        return registry.is_claimed(entry.name) and entry.is_file()
    if entry.is_dir():
        return registry.recognised(Source(str(entry))).kind != OTHER
    if not registry.promises(entry.name) or not entry.is_file():
        return False
    return registry.is_claimed(entry.name) or registry.recognised(Source(str(entry))).kind != OTHER


def _name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sort key that puts rank10 after rank9."""
    parts = re.split(r"([0-9]+)", name)
    return [(1, int(part), "") if part.isdigit() and part.isascii() else (0, 0, part) for part in parts]
