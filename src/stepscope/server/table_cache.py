"""What is kept on disk beside a stored trace, so that a run opened again shows its tables at once.

One file for each table, and one for what the list of runs says, named by a hash of everything its content follows from:
the traces of all ranks, the table and its options. Another version of stepscope never shows rows of this one
(`store.result_cache`). A file is `MAGIC`, the length of its head (8 bytes, little endian), the head as JSON, and of a
table the frame as Parquet.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from stepscope.findings.verdict import Verdict, verdict_json, verdict_of_json
from stepscope.messages import Message
from stepscope.store.profile import Profile
from stepscope.store.result_cache import discard, kept_file, new_result

MAGIC = b"stepscope kept\n"
MAX_BYTES = 256 << 20
"""Larger frames are not kept: reading them back is hardly quicker than making them."""

_LENGTH = 8


def table_path(profile: Profile, table: str, by: str, source: bool) -> Path:
    """Where a table of a whole profile is kept."""
    ranks = [[rank.number, rank.origin, rank.trace.folder.name] for rank in profile.ranks]
    skipped = [[one.path, str(one.reason)] for one in profile.skipped]
    captures = [rank.trace.folder.name for rank in profile.captures.ranks] if profile.captures else []
    recordings = [[one.path, one.rank, one.used, str(one.note)] for one in profile.recordings]
    return _path(profile.ranks[0].trace.folder, table, [ranks, skipped, recordings, captures, by, source])


def verdicts_path(profile: Profile) -> Path:
    """Where the verdicts on all ranks are kept."""
    return _of_ranks(profile, "verdicts")


def sentences_path(profile: Profile) -> Path:
    """Where the sentences about the job are kept."""
    return _of_ranks(profile, "sentences about the job")


def _of_ranks(profile: Profile, what: str) -> Path:
    ranks = [[rank.number, rank.trace.folder.name] for rank in profile.ranks]
    return _path(profile.ranks[0].trace.folder, what, ranks)


def summary_path(folders: Sequence[Path]) -> Path:
    """Where the line of a run in the list is kept; the run is named by the folders of its stored traces."""
    return _path(folders[0], "summary of the run", [folder.name for folder in folders])


def _path(folder: Path, what: str, key: Any) -> Path:
    digest = hashlib.sha256(json.dumps([what, key]).encode()).hexdigest()
    return kept_file(folder, f"server-{digest[:32]}", "bin")


def load(path: Path) -> tuple[dict[str, Any], bytes] | None:
    """Head and body of a file as it was kept; None where there is none, or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(MAGIC) + _LENGTH
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    try:
        head = json.loads(data[start:end]) if data.startswith(MAGIC) else None
    except ValueError:
        head = None
    if not isinstance(head, dict):
        discard(path)
        return None
    return head, data[end:]


def keep(path: Path, head: dict[str, Any], body: bytes = b"") -> None:
    """Write a file through a temporary name; a cache that cannot be written is no error."""
    encoded = json.dumps(head).encode()
    with suppress(OSError), new_result(path) as temporary:
        temporary.write_bytes(MAGIC + len(encoded).to_bytes(_LENGTH, "little") + encoded + body)


def load_table(profile: Profile, table: str, by: str, source: bool) -> tuple[pl.DataFrame, list[Message]] | None:
    """A table and its notes as they were kept; None where they were not, or the file is damaged."""
    path = table_path(profile, table, by, source)
    kept = load(path)
    if kept is None:
        return None
    try:
        return pl.read_parquet(io.BytesIO(kept[1])), [Message.of_json(note) for note in kept[0]["notes"]]
    except (KeyError, TypeError, OSError, pl.exceptions.PolarsError):
        discard(path)
        return None


def kept_rows(profile: Profile, table: str) -> int | None:
    """Rows of a table that was kept; None where it was not."""
    start = len(MAGIC) + _LENGTH
    try:
        with table_path(profile, table, "", False).open("rb") as file:
            first = file.read(start)
            head = file.read(int.from_bytes(first[len(MAGIC) :], "little"))
        rows = json.loads(head)["rows"]
    except (OSError, ValueError, KeyError, TypeError, OverflowError, MemoryError):
        return None
    return rows if isinstance(rows, int) else None


def keep_table(profile: Profile, table: str, by: str, source: bool, frame: pl.DataFrame, notes: list[Message]) -> None:
    """Keep a table of a whole profile, unless it is very large."""
    if frame.estimated_size() > MAX_BYTES:
        return
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=1, statistics=False)
    keep(
        table_path(profile, table, by, source),
        {"notes": [note.json() for note in notes], "rows": len(frame)},
        buffer.getvalue(),
    )


def load_verdicts(profile: Profile) -> tuple[Verdict, ...] | None:
    """The verdicts on all ranks as they were kept; None where they were not, or the file is damaged."""
    path = verdicts_path(profile)
    kept = load(path)
    if kept is None:
        return None
    try:
        return tuple(verdict_of_json(one) for one in kept[0]["verdicts"])
    except (KeyError, TypeError):
        discard(path)
        return None


def keep_verdicts(profile: Profile, verdicts: Sequence[Verdict]) -> None:
    """Keep the verdicts on all ranks of a whole profile."""
    keep(verdicts_path(profile), {"verdicts": [verdict_json(one, Message.json) for one in verdicts]})


def load_sentences(profile: Profile) -> tuple[Message, ...] | None:
    """The sentences about the job as they were kept; None where they were not."""
    kept = load(sentences_path(profile))
    found = kept[0].get("sentences") if kept else None
    return tuple(map(Message.of_json, found)) if isinstance(found, list) else None


def keep_sentences(profile: Profile, sentences: Sequence[Message]) -> None:
    """Keep the sentences about the job of a whole profile."""
    keep(sentences_path(profile), {"sentences": [one.json() for one in sentences]})
