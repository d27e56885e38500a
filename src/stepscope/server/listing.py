"""The list of runs: which files below the folder belong together, and what each says about itself."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from stepscope.answers.run_facts import recording_name
from stepscope.messages import Message
from stepscope.messages.language import ENGLISH
from stepscope.messages.rendering import render
from stepscope.readers.probe import MEMORY_SNAPSHOT, NCU, NSYS, OTHER, TRACE, Probe, probe
from stepscope.server.file_scan import File, Tree, walk
from stepscope.server.grouping import Member, grouped, pattern

MINDSPORE = "mindspore"
_NOT_READ = {
    MEMORY_SNAPSHOT: "Memory snapshots of torch.cuda.memory are not read yet.",
    NSYS: "Reports of Nsight Systems are not read yet.",
    NCU: "Reports of Nsight Compute are not read yet.",
    MINDSPORE: "Output folders of MindSpore's profiler are not read yet.",
}
_FRAMEWORKS = {MEMORY_SNAPSHOT: "PyTorch", MINDSPORE: "MindSpore"}
_NAMED = 5
"""Files without a recording that a note names."""

_BY_NAME = {".nsys-rep": NSYS, ".qdrep": NSYS, ".ncu-rep": NCU}


@dataclass(frozen=True)
class Run:
    """One entry of the list.

    Attributes:
        id: its path relative to the folder served; of several files that do not fill their folder, the first one's.
        name: what it is called on screen.
        path: where it is, relative to the folder served: its folder, its file, or what its files have in common.
        kind: a kind of `readers.probe`, or `MINDSPORE`.
        files: absolute paths of its files.
        stamps: size and time of the last change (ns) of each file.
        paths: what to name on the command line for it.
        facts: what its first file says about itself.
        reason: why it cannot be opened, or None.
    """

    id: str
    name: str
    path: str
    kind: str
    files: tuple[str, ...]
    stamps: tuple[tuple[int, int], ...]
    paths: tuple[str, ...]
    framework: str
    facts: dict[str, Any]
    reason: str | None = None

    @property
    def size(self) -> int:
        return sum(size for size, _ in self.stamps)

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
    """Every run below a folder, newest first, and what was not looked at."""

    runs: tuple[Run, ...]
    notes: tuple[str, ...]


class Lister:
    """Lists a folder again and again; a file that did not change is not read a second time.

    Args:
        root: the folder, its links followed.
        only: the one file that is listed of it, or None for all.
    """

    def __init__(self, root: str, only: str | None = None) -> None:
        self.root = root
        self.only = only
        self._probes: dict[File, Probe] = {}
        self._tree: Tree | None = None
        self._listing = Listing((), ())

    def listing(self) -> Listing:
        """The runs as they are on disk now; the same object while nothing changes."""
        tree = walk(self.root) if self.only is None else self._only_file(self.only)
        if tree != self._tree:
            self._tree, self._listing = tree, self._made(tree)
        return self._listing

    def _only_file(self, name: str) -> Tree:
        try:
            status = os.stat(os.path.join(self.root, name))
        except OSError:
            return Tree(notes=[f"{name} is gone."])
        return Tree([File(name, status.st_size, status.st_mtime_ns)])

    def _made(self, tree: Tree) -> Listing:
        probes = {file: self._probes.get(file) or self._probe(file) for file in tree.files}
        self._probes = probes
        if self.only is not None:
            probes = {file: _as_trace(found) for file, found in probes.items()}
        runs = [*self._traces(probes), *self._others(probes), *(self._single(one, MINDSPORE) for one in tree.mindspore)]
        runs = _told_apart(runs)
        other = [file.path for file, found in probes.items() if found.kind == OTHER]
        notes = (*tree.notes, *([_other_note(other)] if other else []))
        return Listing(tuple(sorted(runs, key=lambda run: (-run.updated_ns, run.id))), notes)

    def _probe(self, file: File) -> Probe:
        by_name = _BY_NAME.get(os.path.splitext(file.path)[1].lower())
        return Probe(by_name) if by_name else probe(os.path.join(self.root, file.path))

    def _traces(self, probes: dict[File, Probe]) -> list[Run]:
        traces = {file.path: file for file, found in probes.items() if found.kind == TRACE and found.reason is None}
        members = [_member(path, probes[file].facts) for path, file in traces.items()]
        in_folder: dict[str, int] = {}
        for path in traces:
            folder = path.rpartition("/")[0]
            in_folder[folder] = in_folder.get(folder, 0) + 1
        runs = []
        for group in grouped(members):
            files = [traces[member.path] for member in group]
            folder = files[0].path.rpartition("/")[0]
            fills = len(files) > 1 and in_folder[folder] == len(files)
            runs.append(self._run(files, probes[files[0]], (folder or ".") if fills else None))
        return runs

    def _run(self, files: Sequence[File], found: Probe, folder: str | None) -> Run:
        """Some files of one job; ``folder`` where they are all traces of it."""
        first = files[0].path
        name = pattern(first).rpartition("/")[2] if len(files) > 1 else first.rpartition("/")[2]
        whole = os.path.basename(self.root) if folder == "." else (folder or "").rpartition("/")[2]
        absolute = tuple(os.path.join(self.root, file.path) for file in files)
        return Run(
            id=folder or first,
            name=whole if folder else recording_name(name),
            path=folder or pattern(first) if len(files) > 1 else first,
            kind=TRACE,
            files=absolute,
            stamps=tuple((file.size, file.mtime_ns) for file in files),
            paths=(os.path.normpath(os.path.join(self.root, folder)),) if folder else absolute,
            framework=found.framework,
            facts=found.facts,
        )

    def _others(self, probes: dict[File, Probe]) -> list[Run]:
        """What is no trace that opens: other kinds, and traces that are broken."""
        return [
            self._single(file, found.kind, found.reason)
            for file, found in probes.items()
            if found.kind in _NOT_READ or (found.kind == TRACE and found.reason is not None)
        ]

    def _single(self, file: File, kind: str, reason: Message | str | None = None) -> Run:
        path = os.path.normpath(os.path.join(self.root, file.path))
        return Run(
            id=file.path,
            name="/".join(path.split(os.sep)[-2:]) if kind == MINDSPORE else recording_name(os.path.basename(path)),
            path=file.path,
            kind=kind,
            files=(path,),
            stamps=((file.size, file.mtime_ns),),
            paths=(path,),
            framework=_FRAMEWORKS.get(kind, ""),
            facts={},
            reason=_NOT_READ.get(kind) or _sentence(reason or "it cannot be read"),
        )


def _told_apart(runs: list[Run]) -> list[Run]:
    """The runs; those of one folder that would have one name keep their extension in it."""
    count: dict[tuple[str, str], int] = {}
    for run in runs:
        key = (run.id.rpartition("/")[0], run.name)
        count[key] = count.get(key, 0) + 1
    return [
        replace(run, name=run.path.rpartition("/")[2])
        if count[run.id.rpartition("/")[0], run.name] > 1 and run.path != "." and run.kind != MINDSPORE
        else run
        for run in runs
    ]


def _other_note(paths: list[str]) -> str:
    """One note for all of them: beside traces lie settings and results of other tools, and nothing is wrong with it."""
    which = "1 file holds" if len(paths) == 1 else f"{len(paths):,} files hold"
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{which} no recording: {', '.join(paths[:_NAMED])}{more}."


def _as_trace(found: Probe) -> Probe:
    """What somebody named on purpose is listed, if only with the reason why it does not open."""
    return Probe(TRACE, found.reason or "it is no recording") if found.kind == OTHER else found


def _sentence(reason: Message | str) -> str:
    reason = render(reason, ENGLISH)
    return f"{reason[:1].upper()}{reason[1:]}."


def _member(path: str, facts: dict[str, Any]) -> Member:
    told = facts.get("distributedInfo", {})
    return Member(path, _count(told.get("rank")), _count(told.get("world_size")))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def world_of(facts: dict[str, Any]) -> int | None:
    """Ranks in the whole job, as the trace says."""
    return _count(facts.get("distributedInfo", {}).get("world_size"))


def version_of(text: bytes) -> str:
    """A short text that changes with what is listed."""
    return hashlib.sha256(text).hexdigest()[:16]
