"""Read a source into the cache, once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import Input
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Fingerprint, Source
from stepscope.schema import STORE_VERSION
from stepscope.store import cache
from stepscope.store.checksums import checksum, with_checksum
from stepscope.store.freed_memory import give_back
from stepscope.store.linking import links
from stepscope.store.nesting import nested_rows
from stepscope.store.options import ReadOptions
from stepscope.store.parquet import StoreWriter
from stepscope.store.step_detection import whole_span
from stepscope.store.trace import Trace


def open_trace(source: Source, options: ReadOptions | None = None) -> Trace:
    """The stored trace of a source, read now unless the cache holds this version of it.

    Where the cache cannot be written, it is read into a folder that goes with the process.

    Raises:
        UnreadableInput: the source is missing, or holds no trace.
    """
    fingerprint = source.fingerprint()
    folder = cache.stored_entry(fingerprint)
    if folder is None:
        if options is not None and options.began is not None:
            options.began()
        folder = read_trace(source, fingerprint, cache.usable_root(), options or ReadOptions())
    cache.touch(folder)
    return Trace(folder, renew=renewal(source, options.max_bytes if options is not None else None))


def read_trace(source: Source, fingerprint: Fingerprint, root: Path, options: ReadOptions) -> Path:
    """Read a source into a folder of stores; returns the folder of its own.

    Args:
        fingerprint: what the source was when it was looked up.
        root: the cache folder, or what takes its place.

    Raises:
        UnreadableInput: the source is missing, or holds no trace.
    """
    folder = cache.entry_folder(fingerprint, root)
    if not cache.is_sound(folder):
        with cache.new_entry(folder) as temporary:
            _read(source, fingerprint, temporary, options)
        if root == cache.cache_root():
            cache.make_room(folder)
    return folder


def renewal(source: Source, max_bytes: int | None) -> Callable[[Path], None]:
    """What reads a source anew into the folder of its store, because a file there is missing or damaged.

    It raises `UnreadableInput` where the source is no longer what was stored.
    """

    def renew(folder: Path) -> None:
        if cache.is_intact(folder):
            return  # another one was quicker
        fingerprint = source.fingerprint()
        if cache.entry_folder(fingerprint, folder.parent) != folder:
            tried = Message("error-cannot-read", path=source.path)
            raise UnreadableInput(tried, Message("reader-store-lost"), Message("reader-open-again"))
        shutil.rmtree(folder, ignore_errors=True)
        read_trace(source, fingerprint, folder.parent, ReadOptions(max_bytes))

    return renew


def _read(source: Source, fingerprint: Fingerprint, folder: Path, options: ReadOptions) -> None:
    writer = StoreWriter(folder)
    with nullcontext() if source.is_folder else source.open(options.max_bytes) as stream:
        reader = reader_of(source, stream)
        progress = _progress_of(source, fingerprint, options)
        reading = reader.read(Input(source, stream, options.max_bytes, progress, options.workers))
        for table, frame in reading.tables():
            writer.add(table, frame)
    meta = {
        "store_version": STORE_VERSION,
        "source": source.path,
        "size_bytes": fingerprint.size,
        "format": reader.name,
        "kind": reader.kind,
        "rows": writer.rows,
        "parts": writer.parts,
        "file_bytes": {path.name: path.stat().st_size for path in folder.glob("*.parquet")},
        "file_sums": {path.name: checksum(path) for path in folder.glob("*.parquet")},
        **asdict(reading.facts),
        "truncated": _as_json(reading.facts.truncated),
    }
    (folder / "meta.json").write_text(with_checksum(json.dumps(meta)))
    _understand(Trace(folder, keep_bytes=0))  # millions of rows: each is read once


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


def _understand(trace: Trace) -> None:
    """Link launches, nest host events, find the span: now, while the trace is opened; every report needs them."""
    for table in ("operator", "runtime", "annotation", "python"):
        if trace.rows(table):
            give_back()  # what reading and the table before have freed
            nested_rows(trace, table)
    give_back()
    links(trace)
    give_back()
    whole_span(trace)
