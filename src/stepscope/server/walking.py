"""The files below a folder that may be recordings, found quickly and never outside of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_DEPTH = 12
MAX_FOLDERS = 5000
MAX_FILES = 20_000

_CANDIDATE = re.compile(r"\.(json|gz|pickle|pkl|sqlite|nsys-rep|qdrep|ncu-rep)$", re.IGNORECASE)
_NEVER = {"node_modules", "__pycache__", "site-packages"}
_MINDSPORE_FOLDER = re.compile(r"_ascend_ms$")
_MINDSPORE_FILE = re.compile(
    r"^(pipeline_profiling|minddata_cpu_utilization|minddata_pipeline|dataset_iterator_profiling|step_trace_raw"
    r"|profiler_info|ascend_timeline_display|gpu_timeline_display|cpu_timeline_display)_\d+\.(json|txt|csv)$"
)


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
        mindspore: folders that MindSpore's profiler wrote, with their newest change.
        notes: what was not looked at, and why.
    """

    files: list[File] = field(default_factory=list)
    mindspore: list[File] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def walk(root: str) -> Tree:
    """Look through a folder and what is below it.

    Hidden folders are skipped, and so is every link that leads out of the folder.
    """
    tree = Tree()
    inside = os.path.realpath(root)
    pending = [("", 0)]
    seen = {inside}
    skipped: dict[str, list[str]] = {}
    folders = 0
    while pending:
        relative, depth = pending.pop()
        folders += 1
        if folders > MAX_FOLDERS or len(tree.files) > MAX_FILES:
            tree.notes.append(
                f"Stopped after {folders - 1:,} folders and {len(tree.files):,} files: serve a folder below."
            )
            break
        try:
            entries = list(os.scandir(os.path.join(inside, relative)))
        except OSError:
            skipped.setdefault("may not be read", []).append(relative or ".")
            continue
        if _is_mindspore(relative, entries):
            tree.mindspore.append(_newest(relative, entries))
            continue
        for name, child in _children(entries, relative, inside, seen, skipped):
            if child is not None:
                tree.files.append(child)
            elif depth < MAX_DEPTH:
                pending.append((name, depth + 1))
            else:
                skipped.setdefault(f"lie deeper than {MAX_DEPTH} folders", []).append(name)
    tree.files.sort(key=lambda file: file.path)
    tree.mindspore.sort(key=lambda file: file.path)
    tree.notes += [_skip_note(reason, names) for reason, names in skipped.items()]
    return tree


def _children(
    entries: list[os.DirEntry[str]], relative: str, inside: str, seen: set[str], skipped: dict[str, list[str]]
) -> Iterator[tuple[str, File | None]]:
    """Folders (None) and candidate files of a folder."""
    for entry in entries:
        name = f"{relative}/{entry.name}" if relative else entry.name
        if entry.name.startswith("."):
            continue
        try:
            if entry.is_dir():
                if entry.name in _NEVER:
                    continue
                if entry.is_symlink() and not is_below(entry.path, inside):
                    skipped.setdefault("lead out of the folder", []).append(name)
                    continue
                real = os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(inside, name)
                if real not in seen:
                    seen.add(real)
                    yield name, None
            elif _CANDIDATE.search(entry.name) and entry.is_file():
                if entry.is_symlink() and not is_below(entry.path, inside):
                    skipped.setdefault("lead out of the folder", []).append(name)
                    continue
                status = entry.stat()
                yield name, File(name, status.st_size, status.st_mtime_ns)
        except OSError:
            continue  # it went while it was looked at


def is_below(path: str, folder: str) -> bool:
    """Whether a path, links followed, lies in a folder whose own links were followed."""
    real = os.path.realpath(path)
    return real == folder or real.startswith(folder.rstrip(os.sep) + os.sep)


def _is_mindspore(relative: str, entries: list[os.DirEntry[str]]) -> bool:
    return bool(_MINDSPORE_FOLDER.search(relative)) or any(_MINDSPORE_FILE.match(entry.name) for entry in entries)


def _newest(relative: str, entries: list[os.DirEntry[str]]) -> File:
    size, newest = 0, 0
    for entry in entries:
        try:
            status = entry.stat()
        except OSError:
            continue
        size += status.st_size if entry.is_file() else 0
        newest = max(newest, status.st_mtime_ns)
    return File(relative or ".", size, newest)


def _skip_note(reason: str, names: list[str]) -> str:
    shown = ", ".join(sorted(names)[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return (
        f"Not looked at, they {reason}: {shown}{more}."
        if len(names) > 1
        else f"Not looked at, it {_single(reason)}: {shown}."
    )


def _single(reason: str) -> str:
    return reason.replace("lie ", "lies ").replace("lead ", "leads ")
