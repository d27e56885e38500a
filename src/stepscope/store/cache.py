"""Where stores live: one folder per trace version, found again by path, size, version and schema."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stepscope.readers.sources import Fingerprint
from stepscope.schema import STORE_VERSION
from stepscope.store.checksums import checksum, has_checksum

DEFAULT_LIMIT_BYTES = 20 << 30
_IN_USE_SECONDS = 3600
_ABANDONED_SECONDS = 24 * 3600
_STALLED_SECONDS = 600
"""A half-written store that did not grow for so long is not being written any more."""

_LOOK_SECONDS, _SMALL_SHARE = 60, 1_000
"""A process looks through the cache once in so long, unless a store is larger than this part of the limit."""

_looked: dict[Path, float] = {}
"""When this process last looked through a cache."""

_META = "meta.json"
_USED = "used"
_ENTRY_NAME = re.compile(r"[0-9a-f]{32}")
_TEMPORARY_NAME = re.compile(r"[0-9a-f]+\.tmp-")


@dataclass(frozen=True)
class Entry:
    """One stored trace: its folder, the trace it was read from, bytes on disk and when it was last opened."""

    folder: Path
    source: str
    size_bytes: int
    used: float


def cache_root() -> Path:
    """Folder of all stores: ``$STEPSCOPE_CACHE``, else the user's cache folder; with ``~`` where there is no home."""
    given = os.environ.get("STEPSCOPE_CACHE")
    if given:
        return Path(os.path.expanduser(given))
    import platformdirs

    try:
        return Path(platformdirs.user_cache_dir("stepscope"))
    except RuntimeError:  # a user without an entry and without HOME
        return Path("~/.cache/stepscope")


def cache_limit() -> int:
    """Bytes that the cache may hold: ``$STEPSCOPE_CACHE_LIMIT`` (bytes), else 20 GiB."""
    given = os.environ.get("STEPSCOPE_CACHE_LIMIT", "")
    return int(given) if given.isdigit() else DEFAULT_LIMIT_BYTES


def usable_root() -> Path:
    """The cache folder, else one that goes with this process, because the former cannot be written."""
    return cache_root() if is_writable() else _private_root()


@lru_cache(maxsize=1)
def _private_root() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="stepscope-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def entry_folder(fingerprint: Fingerprint, root: Path | None = None) -> Path:
    """Folder that belongs to this version of this file, in the cache or another root."""
    text = json.dumps([fingerprint.path, fingerprint.size, fingerprint.stamp, STORE_VERSION])
    return (root or cache_root()) / hashlib.sha256(text.encode()).hexdigest()[:32]


def part_folder(folder: Path, part: int) -> Path:
    """The store of a process of a recording that holds several; that of the first, 0, is the recording's own."""
    return folder.parent / hashlib.sha256(f"{folder.name} {part}".encode()).hexdigest()[:32] if part else folder


def part_folders(folder: Path) -> list[Path]:
    """The stores of all processes of a recording, its own first.

    Raises:
        OSError, ValueError, KeyError, TypeError: it is no sound store.
    """
    meta = json.loads((folder / _META).read_text())
    return [part_folder(folder, part) for part in range(1 if meta.get("part") else int(meta["stored_parts"]))]


def stored_entry(fingerprint: Fingerprint) -> Path | None:
    """Where this version of this file is stored, ready to be opened; None where it has yet to be read."""
    folders = [entry_folder(fingerprint)]
    if not is_writable():
        folders.append(entry_folder(fingerprint, _private_root()))
    return next((folder for folder in folders if is_sound(folder)), None)


def is_sound(folder: Path) -> bool:
    """Whether a store was written to its end and all its files still have the size they had then.

    Of a recording of several processes, the stores of the others, too.
    """
    try:
        text = (folder / _META).read_text()
        sizes = json.loads(text)["file_bytes"]
        whole = has_checksum(text) and all((folder / name).stat().st_size == size for name, size in sizes.items())
        return whole and all(map(is_sound, part_folders(folder)[1:]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def is_intact(folder: Path) -> bool:
    """Whether a store is sound and all its files hold what was written."""
    try:
        sums = json.loads((folder / _META).read_text())["file_sums"]
        return is_sound(folder) and all(checksum(folder / name) == known for name, known in sums.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def is_writable() -> bool:
    """Whether new stores can be kept; makes the cache folder where it is missing."""
    root = cache_root()
    if root.parts[:1] == ("~",):  # nobody wants a folder of that name wherever they stand
        return False
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(root, os.W_OK | os.X_OK)


def touch(folder: Path) -> None:
    """Note that a store is in use now; a read-only cache is no error."""
    try:
        (folder / _USED).touch()
    except OSError:
        return


@contextmanager
def new_entry(target: Path) -> Iterator[Path]:
    """A temporary folder that becomes the entry when the block ends well.

    Two processes may write the same entry; the first rename wins and the other's work is dropped.

    Args:
        target: as of `entry_folder`.
    """
    temporary = target.parent / f"{target.name}.tmp-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    temporary.mkdir(parents=True)
    try:
        yield temporary
        touch(temporary)
        try:
            temporary.rename(target)
        except OSError:
            if not is_sound(target):
                shutil.rmtree(target, ignore_errors=True)
                temporary.rename(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def drop_unfinished(root: Path, process: int) -> None:
    """Delete what a process of this machine that is no more had begun to write below a root."""
    for folder in root.glob(f"*.tmp-{process}-*"):
        if _TEMPORARY_NAME.match(folder.name):
            shutil.rmtree(folder, ignore_errors=True)


def entries() -> list[Entry]:
    """All stores, damaged ones too, most recently used first."""
    root = cache_root()
    if not root.is_dir():
        return []
    found = []
    for folder in root.iterdir():
        if not _ENTRY_NAME.fullmatch(folder.name):
            continue
        try:
            size = _size(folder)
            used = folder / _USED
            stamp = (used if used.exists() else folder).stat().st_mtime
        except OSError:
            continue
        found.append(Entry(folder, _source_of(folder), size, stamp))
    return sorted(found, key=lambda entry: -entry.used)


def _source_of(folder: Path) -> str:
    try:
        return str(json.loads((folder / _META).read_text())["source"])
    except (OSError, ValueError, KeyError, TypeError):
        return "(damaged)"


def clear() -> tuple[int, int]:
    """Delete every store; returns how many and their bytes."""
    all_entries = entries()
    for entry in all_entries:
        shutil.rmtree(entry.folder, ignore_errors=True)
    _delete_abandoned(_STALLED_SECONDS)
    return len(all_entries), sum(entry.size_bytes for entry in all_entries)


def make_room(added: Path) -> None:
    """Prune after a store was added.

    Looking through thousands of stores takes longer than reading a small trace: a store that is a small share of the
    limit does not make it happen more often than once a minute.
    """
    now = time.monotonic()
    looked = _looked.get(cache_root())
    small = _size(added) * _SMALL_SHARE < cache_limit()
    if small and looked is not None and now - looked < _LOOK_SECONDS:
        return
    _looked[cache_root()] = now
    prune()


def _size(folder: Path) -> int:
    """Bytes of a store."""
    return sum(file.stat().st_size for file in folder.iterdir())


def prune(limit: int | None = None) -> list[Entry]:
    """Delete the least recently used stores until ``limit`` bytes hold the rest; spares those in use.

    Returns:
        The deleted entries.
    """
    limit = cache_limit() if limit is None else limit
    _delete_abandoned(_ABANDONED_SECONDS)
    kept = entries()
    total = sum(entry.size_bytes for entry in kept)
    deleted = []
    now = time.time()
    while total > limit and kept and now - kept[-1].used > _IN_USE_SECONDS:
        entry = kept.pop()
        shutil.rmtree(entry.folder, ignore_errors=True)
        total -= entry.size_bytes
        deleted.append(entry)
    return deleted


def _delete_abandoned(age_seconds: float) -> None:
    root = cache_root()
    if not root.is_dir():
        return
    for folder in root.glob("*.tmp-*"):
        if not _TEMPORARY_NAME.match(folder.name):
            continue
        try:
            if time.time() - folder.stat().st_mtime >= age_seconds:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
