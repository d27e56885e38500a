"""Results that are kept on disk beside a stored trace, so that a run opened again shows them at once.

Each is a file named by a hash of everything that its content follows from: the traces of all ranks, what it is and its
options. Another version of stepscope never shows what this one made (`store.result_cache`). A file is `MAGIC`, the
length of its head (8 bytes, little endian), the head as JSON, and a body, as of a table the frame as Parquet; a
checksum stands behind all of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from stepscope.store.checksums import unsealed, write_sealed
from stepscope.store.profile import Profile
from stepscope.store.result_cache import discard, kept_file, new_result

MAGIC = b"stepscope kept\n"
_LENGTH = 8


def is_kept(profile: Profile) -> bool:
    """Whether results follow from the files alone: of whole ranks, with nothing else that the user named."""
    plain = not profile.peaks and profile.eager is None and profile.base is None and not profile.named
    return plain and len(profile.ranks) > 0 and not any(rank.is_limited for rank in profile.ranks)


def result_path(profile: Profile, what: str, *options: object) -> Path:
    """Where a result of a profile is kept; its options are JSON values."""
    skipped = [[one.path, str(one.reason)] for one in profile.skipped]
    captures = [rank.trace.folder.name for rank in profile.captures.ranks] if profile.captures else []
    recordings = [
        [one.path, one.rank, one.used, str(one.note), one.stored.folder.name if one.stored else None]
        for one in profile.recordings
    ]
    tested = [[name, one.factor, one.count] for name, one in sorted(profile.tested.items())]
    key = [_ranks(profile), _ranks(profile.everyone), skipped, recordings, captures, tested, options]
    return _path(profile.ranks[0].trace.folder, what, key)


def run_path(folders: Sequence[Path], what: str) -> Path:
    """Where a result of a run that is not opened is kept; the run is named by the folders of its stored traces."""
    return _path(folders[0], what, [folder.name for folder in folders])


def load(path: Path) -> tuple[dict[str, Any], bytes] | None:
    """Head and body of a file as it was kept; None where there is none, or it is damaged."""
    data = unsealed(path)
    if data is None:
        discard(path)
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
        write_sealed(temporary, MAGIC + len(encoded).to_bytes(_LENGTH, "little") + encoded + body)


def load_head(path: Path) -> dict[str, Any] | None:
    """The head of a file; None where there is none, or it is damaged."""
    known = load(path)
    return known[0] if known else None


def _ranks(profile: Profile) -> list[list[object]]:
    return [[rank.number, rank.origin, rank.trace.folder.name] for rank in profile.ranks]


def _path(folder: Path, what: str, key: Any) -> Path:
    digest = hashlib.sha256(json.dumps([what, key]).encode()).hexdigest()
    return kept_file(folder, f"result-{digest[:32]}", "bin")
