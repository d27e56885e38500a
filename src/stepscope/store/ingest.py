"""Read a source into the cache, once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import Facts
from stepscope.readers.formats import Input
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Fingerprint, Source
from stepscope.schema import PART, STORE_TABLES, STORE_VERSION
from stepscope.store import cache
from stepscope.store.checksums import checksum, with_checksum
from stepscope.store.freed_memory import give_back
from stepscope.store.held_columns import HeldColumns
from stepscope.store.linking import links
from stepscope.store.nesting import nested_rows
from stepscope.store.options import ReadOptions
from stepscope.store.parquet import StoreWriter
from stepscope.store.step_detection import whole_span
from stepscope.store.trace import FEW_ROWS, KEEP_BYTES, Trace

_EVENTS = [table for table, columns in STORE_TABLES.items() if "event" in columns and table != "extras"]


def open_traces(source: Source, options: ReadOptions | None = None) -> list[Trace]:
    """The stored trace of each process of a source, read now unless the cache holds this version of it.

    Where the cache cannot be written, it is read into a folder that goes with the process.

    Raises:
        UnreadableInput: the source is missing, or holds no trace.
    """
    options = options or ReadOptions()
    fingerprint = source.fingerprint()
    folder = cache.stored_entry(fingerprint)
    held = None
    if folder is None:
        held = None if options.derives else HeldColumns(KEEP_BYTES // 2)
        folder = read_trace(source, fingerprint, cache.usable_root(), options, held)
    traces = stored_traces(folder, source, options.max_bytes)
    if held is not None:
        traces[0].hold(held.take())
    return traces


def stored_traces(folder: Path, source: Source, max_bytes: int | None, keep_bytes: int = KEEP_BYTES) -> list[Trace]:
    """The trace of each process of a source that is stored, in use from now on."""
    found = []
    for part, one in enumerate(cache.part_folders(folder)):
        cache.touch(one)
        found.append(Trace(one, keep_bytes, renewal(source, max_bytes, part)))
    return found


def read_trace(
    source: Source, fingerprint: Fingerprint, root: Path, options: ReadOptions, held: HeldColumns | None = None
) -> Path:
    """Read a source into a folder of stores; returns the folder of its own, of several processes that of the first.

    Args:
        fingerprint: what the source was when it was looked up.
        root: the cache folder, or what takes its place.
        held: holds columns of the first process.

    Raises:
        UnreadableInput: the source is missing, or holds no trace.
    """
    folder = cache.entry_folder(fingerprint, root)
    if not cache.is_sound(folder):
        with ExitStack() as stack:
            _read(source, fingerprint, _Entries(folder, stack, held), options)
        if root == cache.cache_root():
            cache.make_room(folder)
    return folder


def renewal(source: Source, max_bytes: int | None, part: int = 0) -> Callable[[Path], None]:
    """What reads a source anew into the folder of its store, because a file there is missing or damaged.

    Args:
        part: which of its processes that is of.

    It raises `UnreadableInput` where the source is no longer what was stored.
    """

    def renew(folder: Path) -> None:
        if cache.is_intact(folder):
            return  # another one was quicker
        fingerprint = source.fingerprint()
        if cache.part_folder(cache.entry_folder(fingerprint, folder.parent), part) != folder:
            tried = Message("error-cannot-read", path=source.path)
            raise UnreadableInput(tried, Message("reader-store-lost"), Message("reader-open-again"))
        shutil.rmtree(folder, ignore_errors=True)
        read_trace(source, fingerprint, folder.parent, ReadOptions(max_bytes))

    return renew


class _Entries:
    """New stores of a source: of each process one, begun when its first rows come.

    Args:
        folder: of the first one.
        stack: what ends well makes entries of the temporary folders: that of the first last, since it tells of all.
        held: holds columns of the first one.
    """

    def __init__(self, folder: Path, stack: ExitStack, held: HeldColumns | None) -> None:
        self._folder = folder
        self._stack = stack
        self._held = held
        self.writers: dict[int, StoreWriter] = {}
        self.writer(0)

    def writer(self, part: int) -> StoreWriter:
        if part not in self.writers:
            temporary = self._stack.enter_context(cache.new_entry(cache.part_folder(self._folder, part)))
            self.writers[part] = StoreWriter(temporary, None if part else self._held)
        return self.writers[part]

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Rows of the processes that they say; texts, which come last, are of all."""
        if table == "texts":
            for writer in self.writers.values():
                writer.add(table, frame)
        elif PART not in frame.columns:
            self.writer(0).add(table, frame)
        else:
            for (part,), rows in frame.partition_by(PART, as_dict=True, include_key=False).items():
                self.writer(int(part)).add(table, rows)


def _read(source: Source, fingerprint: Fingerprint, entries: _Entries, options: ReadOptions) -> None:
    with nullcontext() if source.is_folder else source.open(options.max_bytes) as stream:
        reader = reader_of(source, stream)
        progress = _progress_of(source, fingerprint, options)
        reading = reader.read(Input(source, stream, options.max_bytes, progress, options.workers))
        if options.began is not None:
            options.began()  # not before what reads is imported: two threads that import wait for each other
        for table, frame in reading.tables():
            entries.add(table, frame)
    # The first part ends last in `entries`, and numbers without rows between others are stores without rows.
    for part in range(max(entries.writers) + 1):
        entries.writer(part)
    told = {"source": source.path, "size_bytes": fingerprint.size, "format": reader.name, "kind": reader.kind}
    for part, writer in entries.writers.items():
        meta = told | _meta(writer, reading.facts, part, len(entries.writers))
        (writer.folder / "meta.json").write_text(with_checksum(json.dumps(meta)))
        if options.derives and _has_many(writer):
            _understand(Trace(writer.folder, keep_bytes=0))  # millions of rows: each is read once


def _meta(writer: StoreWriter, facts: Facts, part: int, parts: int) -> dict[str, Any]:
    """What a store says of itself: of one of several processes, with the facts that are its own."""
    process = next((one for one in facts.processes if one.part == part), None)
    own = process.head if process is not None else {}
    events = facts.events if parts == 1 else sum(writer.rows.get(table, 0) for table in _EVENTS)
    files = list(writer.folder.glob("*.parquet"))
    return {
        "store_version": STORE_VERSION,
        "part": part,
        "stored_parts": parts,
        "rows": writer.rows,
        "parts": writer.parts,
        "file_bytes": {path.name: path.stat().st_size for path in files},
        "file_sums": {path.name: checksum(path) for path in files},
        **asdict(replace(facts, head=facts.head | own, events=events)),
        "truncated": _as_json(facts.truncated),
    } | ({"kind": process.kind} if process is not None and process.kind else {})


def _as_json(reason: Message | str | None) -> dict[str, Any] | None:
    """A reason of a reader, which may have no words but its own."""
    if isinstance(reason, str):
        reason = Message("text-plain", text=reason)
    return reason.json() if reason is not None else None


def _progress_of(source: Source, fingerprint: Fingerprint, options: ReadOptions) -> Callable[[int, int], None] | None:
    progress = options.progress
    if progress is None:
        return None
    return lambda consumed, events: progress(source.name, consumed, fingerprint.size, events)


def _has_many(writer: StoreWriter) -> bool:
    """Whether a store has so many rows that what is derived from them is worth reading back."""
    return max(writer.rows.values(), default=0) > FEW_ROWS


def _understand(trace: Trace) -> None:
    """Link launches, nest host events, find the span: now, while a large trace is opened; every report needs them."""
    for table in ("operator", "runtime", "annotation", "python"):
        if trace.rows(table):
            give_back()  # what reading and the table before have freed
            nested_rows(trace, table)
    give_back()
    links(trace)
    give_back()
    whole_span(trace)
