"""Read a source into the cache, once."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stepscope.readers.sources import Fingerprint, Source
from stepscope.schema import STORE_VERSION
from stepscope.store import cache
from stepscope.store.linking import links
from stepscope.store.nesting import host_nesting
from stepscope.store.parquet import StoreWriter
from stepscope.store.stepping import whole_span
from stepscope.store.trace import Trace

Progress = Callable[[str, int, int, int], None]
"""Called with the file's name, its bytes consumed and in all, and the events read."""


@dataclass(frozen=True)
class ReadOptions:
    """How to read.

    Attributes:
        max_bytes: most bytes of JSON after inflating; None for the default of `readers.sources`.
        progress: called while reading.
        workers: scan threads; None for one per core.
    """

    max_bytes: int | None = None
    progress: Progress | None = None
    workers: int | None = None


def open_trace(source: Source, options: ReadOptions | None = None) -> Trace:
    """The stored trace of a source, read now unless the cache holds this version of it.

    Raises:
        UnreadableInput: the source is missing, or holds no trace.
    """
    options = options or ReadOptions()
    fingerprint = source.fingerprint()
    folder = cache.entry_folder(fingerprint)
    if not cache.is_sound(folder):
        if not cache.is_writable():
            return _open_uncached(source, fingerprint, options)
        with cache.new_entry(fingerprint) as temporary:
            _read(source, fingerprint, temporary, options)
        cache.make_room(folder)
    cache.touch(folder)
    return Trace(folder)


def _open_uncached(source: Source, fingerprint: Fingerprint, options: ReadOptions) -> Trace:
    """Read into a folder that goes with the process, because the cache folder cannot be written."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="stepscope-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _read(source, fingerprint, folder, options)
    return Trace(folder)


def _read(source: Source, fingerprint: Fingerprint, folder: Path, options: ReadOptions) -> None:
    from stepscope.readers.kineto import KinetoReader

    writer = StoreWriter(folder)
    with source.open(options.max_bytes) as stream:
        report = None
        if options.progress is not None:
            progress = options.progress

            def report(consumed: int, events: int) -> None:
                progress(source.name, consumed, fingerprint.size, events)

        reader = KinetoReader(stream, report, options.workers)
        for table, frame in reader.tables():
            writer.add(table, frame)
    meta = {
        "store_version": STORE_VERSION,
        "source": source.path,
        "size_bytes": fingerprint.size,
        "rows": writer.rows,
        "parts": writer.parts,
        **asdict(reader.facts),
    }
    _write_meta(folder, meta)
    _understand(Trace(folder, keep_bytes=0))  # millions of rows: each is read once
    meta["file_bytes"] = {path.name: path.stat().st_size for path in folder.glob("*.parquet")}
    _write_meta(folder, meta)


def _write_meta(folder: Path, meta: dict[str, Any]) -> None:
    (folder / "meta.json").write_text(json.dumps(meta))


def _understand(trace: Trace) -> None:
    """Link launches, nest host events, find the span: now, while the trace is opened; every report needs them."""
    for table in ("operator", "runtime", "annotation", "python"):
        if trace.rows(table):
            host_nesting(trace, table)
    links(trace)
    whole_span(trace)
