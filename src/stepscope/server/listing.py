"""The list of runs: which files below the folder belong together, and what each says about itself."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from stepscope.answers.run_facts import recording_name
from stepscope.messages import Message
from stepscope.readers.formats import MEMORY_SNAPSHOT, OTHER, TRACE, Match
from stepscope.readers.probe import probe
from stepscope.readers.registry import companions, with_job_facts
from stepscope.server.file_scan import File, Tree, is_side_file, walk
from stepscope.server.grouping import Group, grouped
from stepscope.server.member import Member, pattern
from stepscope.server.run_folders import shared_name

_NAMED = 5
"""Files without a recording that a note names."""


@dataclass(frozen=True)
class Run:
    """One entry of the list.

    Attributes:
        id: its path relative to the folder served; of several files that do not fill their folder, the first one's.
        name: what it is called on screen.
        path: where it is, relative to the folder served: its folder, its file, or what its files have in common.
        kind: kind of its recordings; of a format that is not read yet, the format's name.
        recorder: what wrote its first file.
        files: absolute paths of its files.
        stamps: size and time of the last change (ns) of each file.
        paths: what to name on the command line for it.
        facts: what its first file says about itself.
        ranks: files that are ranks; the others are recordings beside these.
        holds_several: whether a file may hold several ranks, which only reading it tells.
        snapshot: whether a memory snapshot is among its files.
        span: which of how many recordings of the same processes it is, or None where it is the only one.
        reason: why it cannot be opened, or None.
    """

    id: str
    name: str
    path: str
    kind: str
    recorder: str
    files: tuple[str, ...]
    stamps: tuple[tuple[int, int], ...]
    paths: tuple[str, ...]
    framework: str
    facts: dict[str, Any]
    ranks: int = 1
    holds_several: bool = False
    snapshot: bool = False
    span: tuple[int, int] | None = None
    reason: Message | str | None = None

    @property
    def size(self) -> int:
        """Of its files; one that lies in a folder among these is counted with that."""
        known = set(self.files)
        stamps = zip(self.files, self.stamps, strict=True)
        return sum(size for path, (size, _) in stamps if os.path.dirname(path) not in known)

    @property
    def created_ns(self) -> int:
        return min(moment for _, moment in self.stamps)

    @property
    def updated_ns(self) -> int:
        return max(moment for _, moment in self.stamps)

    @property
    def opens(self) -> bool:
        return self.reason is None


@dataclass(frozen=True)
class Listing:
    """What is below a folder.

    Attributes:
        runs: every run, newest first.
        notes: what was not looked at.
        other: names of files that hold no recording.
        beside: what stands beside the ranks of a run, each as a run of its own, which no list names.
    """

    runs: tuple[Run, ...]
    notes: tuple[Message, ...]
    other: frozenset[str] = frozenset()
    beside: tuple[Run, ...] = ()


class Lister:
    """Lists a folder again and again; a file that did not change is not read a second time.

    Args:
        root: the folder, its links followed.
        only: the one file that is listed of it, or None for all.

    Attributes:
        live: files of running processes, as they were when it was listed last.
    """

    def __init__(self, root: str, only: str | None = None) -> None:
        self.root = root
        self.only = only
        self._probes: dict[File, Match] = {}
        self._folders: dict[File, Match] = {}
        self._tree: Tree | None = None
        self.live: tuple[str, ...] = ()
        self._listing = Listing((), ())

    def listing(self) -> Listing:
        """The runs as they are on disk now; the same object while nothing changes."""
        tree = walk(self.root) if self.only is None else self._only_file(self.only)
        self.live = tuple(sorted(tree.live))
        if tree != self._tree:
            self._tree, self._listing = tree, self._made(tree)
        return self._listing

    def _only_file(self, name: str) -> Tree:
        try:
            status = os.stat(os.path.join(self.root, name))
        except OSError:
            return Tree(notes=[Message("list-gone", name=name)])
        return Tree([File(name, status.st_size, status.st_mtime_ns)])

    def _made(self, tree: Tree) -> Listing:
        files = _without_companions(tree.files)
        probes = {file: self._probes.get(file) or probe(os.path.join(self.root, file.path)) for file in files}
        self._probes = probes
        self._folders = {file: self._folders.get(file) or self._said(file, found) for file, found in tree.folders}
        if self.only is not None:
            probes = {file: _as_trace(found) for file, found in probes.items()}
        probes = probes | self._folders
        opened, beside = self._opened(probes)
        runs = _told_apart([*opened, *self._others(probes)])
        other = [file.path for file, found in probes.items() if found.kind == OTHER]
        strange = [path for path in other if not is_side_file(path)]
        notes = (*tree.notes, *([_other_note(strange)] if strange else []))
        return Listing(tuple(sorted(runs, key=lambda run: (-run.updated_ns, run.id))), notes, frozenset(other), beside)

    def _said(self, folder: File, found: Match) -> Match:
        """What a folder is, with what it says of its job."""
        return with_job_facts(found, os.path.join(self.root, folder.path)) if _opens(found) else found

    def _opened(self, probes: dict[File, Match]) -> tuple[list[Run], tuple[Run, ...]]:
        """Recordings that can be opened, those of one job together; and alone what stands beside the ranks of one."""
        files = {file.path: file for file, found in probes.items() if _opens(found)}
        in_folder: dict[str, int] = {}
        for path in files:
            folder = path.rpartition("/")[0]
            in_folder[folder] = in_folder.get(folder, 0) + (path != ".")
        members = [_member(path, probes[file], file in self._folders) for path, file in files.items()]
        groups = grouped(members)
        beside = [member for group in groups for member in group.beside]
        ranks = [member for group in groups for member in group.ranks if member.is_run and len(group.ranks) > 1]
        alone = tuple(self._single(files[one.path], probes[files[one.path]]) for one in (*beside, *ranks))
        return [self._run(group, files, probes, in_folder) for group in groups], alone

    def _run(self, group: Group, files: dict[str, File], probes: dict[File, Match], in_folder: dict[str, int]) -> Run:
        """Some files of one job; it is called like its folder where they are all recordings of that."""
        chosen = [files[member.path] for member in (*group.ranks, *group.beside)]
        first, found = chosen[0].path, probes[chosen[0]]
        folder = first.rpartition("/")[0] or "."
        inside = sum(file.path != folder for file in chosen)
        fills = len(chosen) > 1 and in_folder[first.rpartition("/")[0]] == inside
        several = len(group.ranks) > 1
        shared = _shared(group) if several else first
        absolute = tuple(os.path.normpath(os.path.join(self.root, file.path)) for file in chosen)
        return Run(
            id=folder if fills else first,
            name=self._name(group, folder, fills),
            path=folder if fills else shared,
            kind=found.kind,
            recorder=found.recorder,
            files=absolute,
            stamps=tuple((file.size, file.mtime_ns) for file in chosen),
            paths=(os.path.normpath(os.path.join(self.root, folder)),) if fills else absolute,
            framework=found.framework,
            facts=found.facts,
            ranks=sum(probes[files[member.path]].ranks or 1 for member in group.ranks),
            holds_several=any(probes[files[member.path]].ranks is None for member in group.ranks),
            snapshot=any(probes[file].kind == MEMORY_SNAPSHOT for file in chosen),
            span=group.span,
        )

    def _name(self, group: Group, folder: str, fills: bool) -> str:
        first, folders = group.ranks[0].path, {file.path for file in self._folders}
        whole = os.path.basename(self.root if folder == "." else folder)
        if group.span is not None:
            worker = whole if len(group.ranks) > 1 else group.worker
            return f"{worker}, span {group.span[0]} of {group.span[1]}"
        if fills:
            return whole
        shared = _shared(group) if len(group.ranks) > 1 else first
        return self._name_of_folder(shared) if first in folders else recording_name(shared.rpartition("/")[2])

    def _name_of_folder(self, path: str) -> str:
        """A folder that is one recording, with the folder that it lies in."""
        return recording_name("/".join(os.path.normpath(os.path.join(self.root, path)).split(os.sep)[-2:]))

    def _others(self, probes: dict[File, Match]) -> list[Run]:
        """What does not open: formats that are not read yet, and recordings that are broken."""
        return [
            self._single(file, found) for file, found in probes.items() if found.kind != OTHER and not _opens(found)
        ]

    def _single(self, file: File, found: Match) -> Run:
        """A file or folder as a run of its own."""
        is_folder = file in self._folders
        path = os.path.normpath(os.path.join(self.root, file.path))
        reason = None if _opens(found) else found.reason or Message("reader-cannot")
        return Run(
            id=file.path,
            name=self._name_of_folder(file.path) if is_folder else recording_name(file.path.rpartition("/")[2]),
            path=file.path,
            kind=found.kind if found.is_read else found.format,
            recorder=found.recorder,
            files=(path,),
            stamps=((file.size, file.mtime_ns),),
            paths=(path,),
            framework=found.framework if reason is None or not found.is_read else "",
            facts=found.facts if reason is None else {},
            holds_several=found.ranks is None,
            reason=reason,
        )


def _without_companions(files: list[File]) -> list[File]:
    """Files that are no part of the recording in another one, as the pages of a report are: they open with that."""
    names: dict[str, list[str]] = defaultdict(list)
    for file in files:
        folder, _, name = file.path.rpartition("/")
        names[folder].append(name)
    taken = {(folder, one) for folder, beside in names.items() for name in beside for one in companions(name, beside)}
    return [file for file in files if (file.path.rpartition("/")[0], file.path.rpartition("/")[2]) not in taken]


def _told_apart(runs: list[Run]) -> list[Run]:
    """The runs; those of one folder that would have one name keep their extension in it."""
    count: dict[tuple[str, str], int] = {}
    for run in runs:
        key = (run.id.rpartition("/")[0], run.name)
        count[key] = count.get(key, 0) + 1
    return [
        replace(run, name=run.path.rpartition("/")[2])
        if count[run.id.rpartition("/")[0], run.name] > 1 and run.path != "." and not os.path.isdir(run.files[0])
        else run
        for run in runs
    ]


def _other_note(paths: list[str]) -> Message:
    """One note for all of them: beside traces lie settings and results of other tools, and nothing is wrong with it."""
    return Message("list-no-recording", files=len(paths), names=paths[:_NAMED], more=max(0, len(paths) - _NAMED))


def _opens(found: Match) -> bool:
    return found.kind != OTHER and found.is_read and found.reason is None


def _as_trace(found: Match) -> Match:
    """What was named on purpose is listed, if only with the reason why it does not open."""
    return Match(TRACE, reason=found.reason or Message("reader-no-recording")) if found.kind == OTHER else found


def _member(path: str, found: Match, is_folder: bool) -> Member:
    said = found.facts.get("distributedInfo", {})
    is_run = is_folder and found.kind == TRACE
    return Member(path, _count(said.get("rank")), _count(said.get("world_size")), found.recorder, is_run)


def _shared(group: Group) -> str:
    """What the paths of several ranks have in common."""
    paths = [member.path for member in group.ranks]
    return shared_name(paths) if group.ranks[0].is_run else pattern(paths[0])


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def world_of(facts: dict[str, Any]) -> int | None:
    """Ranks in the whole job, as the trace says."""
    return _count(facts.get("distributedInfo", {}).get("world_size"))


def version_of(text: bytes) -> str:
    """A short text that changes with what is listed."""
    return hashlib.sha256(text).hexdigest()[:16]
