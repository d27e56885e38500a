"""The files below a folder that may be recordings, found quickly and never outside of it."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field

from stepscope.capture.agent import live
from stepscope.capture.agent.side_file import FOLDER
from stepscope.messages import Message
from stepscope.readers import registry
from stepscope.readers.formats import Match
from stepscope.readers.sources import is_below

MAX_DEPTH = 12
MAX_FOLDERS = 5000
MAX_FILES = 20_000
MAX_LIVE = 10_000

_NAMED = 3
"""Files that a note names."""

_NO_FILES = Message("list-no-files")
_NEVER = {"node_modules", "__pycache__", "site-packages"}


@dataclass(frozen=True)
class File:
    """A file as it was when it was looked at; ``path`` is relative to the folder served, in POSIX form."""

    path: str
    size: int
    mtime_ns: int


@dataclass
class Tree:
    """What a folder holds.

    Attributes:
        files: candidates, sorted by path.
        folders: those that are one recording, with their newest change, and what each is.
        notes: what was not looked at, and why.
        live: files that running processes keep of themselves, by path. They come and go, and are no recordings.
    """

    files: list[File] = field(default_factory=list)
    folders: list[tuple[File, Match]] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    live: list[str] = field(default_factory=list, compare=False)


def walk(root: str) -> Tree:
    """Look through a folder and what is below it.

    Hidden folders are skipped, and so is every link that leads out of the folder.
    """
    return _Walk(os.path.realpath(root)).tree()


class _Walk:
    """One walk through a folder, its links followed."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._found = Tree()
        self._skipped: dict[Message, list[str]] = {}
        self._pending = [("", 0)]
        self._links: list[tuple[str, int]] = []
        self._seen: set[str] = set()

    def tree(self) -> Tree:
        found, folders = self._found, 0
        while self._pending or self._links:
            # Links last: what they lead to is rather called by its own name.
            relative, depth = self._pending.pop() if self._pending else self._links.pop(0)
            real = os.path.realpath(os.path.join(self._root, relative))
            if real in self._seen:
                continue
            self._seen.add(real)
            if folders >= MAX_FOLDERS or len(found.files) >= MAX_FILES:
                found.notes.append(Message("list-stopped", folders=folders, files=len(found.files)))
                break
            folders += 1
            self._look_into(relative, depth)
        found.files.sort(key=lambda file: file.path)
        found.folders.sort(key=lambda folder: folder[0].path)
        found.notes += [_skip_note(reason, names) for reason, names in self._skipped.items()]
        return found

    def _look_into(self, relative: str, depth: int) -> None:
        try:
            entries = list(os.scandir(os.path.join(self._root, relative)))
        except OSError:
            self._skip(Message("list-may-not-read"), relative or ".")
            return
        names = [entry.name for entry in entries]
        match = registry.recognised_folder(relative.rpartition("/")[2], names)
        if match is not None:
            self._found.folders.append((File(relative or ".", *_version(entries)), match))
            runs = registry.runs_among(match, names)
            entries = [entry for entry in entries if entry.name in runs]
        for entry in sorted(entries, key=lambda one: one.name):
            try:
                self._take(entry, f"{relative}/{entry.name}" if relative else entry.name, depth)
            except OSError as error:
                # Else it went while it was looked at.
                if error.errno == errno.ELOOP and registry.promises(entry.name):
                    self._skip(_NO_FILES, f"{relative}/{entry.name}" if relative else entry.name)

    def _take(self, entry: os.DirEntry[str], name: str, depth: int) -> None:
        is_folder = entry.is_dir()
        is_live = not is_folder and _is_live(name)
        wanted = entry.name not in _NEVER if is_folder else is_live or registry.promises(entry.name)
        if entry.name.startswith(".") or not wanted:
            return
        if not _is_text(entry.name):
            self._skip(Message("list-names-not-utf8"), ascii(entry.name))
        elif not is_folder and not entry.is_file():
            self._skip(_NO_FILES, name)
        elif entry.is_symlink() and not is_below(entry.path, self._root):
            self._skip(Message("list-lead-out"), name)
        elif is_live:
            if len(self._found.live) < MAX_LIVE:
                self._found.live.append(name)
        elif not is_folder:
            status = entry.stat()
            self._found.files.append(File(name, status.st_size, status.st_mtime_ns))
        elif depth >= MAX_DEPTH:
            self._skip(Message("list-too-deep", most=MAX_DEPTH), name)
        else:
            (self._links if entry.is_symlink() else self._pending).append((name, depth + 1))

    def _skip(self, reason: Message, name: str) -> None:
        self._skipped.setdefault(reason, []).append(name)


def is_side_file(path: str) -> bool:
    """Whether a file without a recording may be what stepscope wrote beside one."""
    return path.endswith(".json") and path.split("/")[-2:-1] == [FOLDER]


def _is_live(path: str) -> bool:
    return path.endswith(live.SUFFIX) and path.split("/")[-2:-1] == [FOLDER]


def _is_text(name: str) -> bool:
    """Whether a name can be sent: on some systems names are bytes of any kind."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def stamp_of(path: str) -> tuple[int, int]:
    """Size and last change (ns) of a file as it is now, or of a folder that is one recording; zeros of what is gone."""
    try:
        if os.path.isdir(path):
            return _version(list(os.scandir(path)))
        status = os.stat(path)
        return status.st_size, status.st_mtime_ns
    except OSError:
        return 0, 0


def _version(entries: list[os.DirEntry[str]]) -> tuple[int, int]:
    """Of a folder that is one recording: the size of the files in it and below, and the last change of any of them."""
    size, newest = 0, 0
    pending = [(entry, 1) for entry in entries]
    while pending:
        entry, depth = pending.pop()
        try:
            status = entry.stat()
            if depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False):
                pending += [(inside, depth + 1) for inside in os.scandir(entry.path)]
        except OSError:
            continue
        size += status.st_size if entry.is_file() else 0
        newest = max(newest, status.st_mtime_ns)
    return size, newest


def _skip_note(reason: Message, names: list[str]) -> Message:
    return Message("list-skipped", reason=reason, names=sorted(names)[:_NAMED], more=max(0, len(names) - _NAMED))
