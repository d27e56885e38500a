"""Baselines that were kept: recordings under a name, one set of them for each setup.

The recordings themselves are kept, not what was computed of them: another version of stepscope compares them by its own
definitions. A baseline of a name is a folder per setup (device, driver, versions, options of the profiler) with
``baseline.json`` and the recordings.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stepscope.comparison.setups import setup
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.profile import Profile

FOLDER = os.path.join(".stepscope", "baselines")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_KEY = re.compile(r"[0-9a-f]{12}")
_FILE, _RECORDINGS = "baseline.json", "recordings"
_LARGEST_FILE = 1 << 20


@dataclass(frozen=True)
class Baseline:
    """Kept recordings of one setup.

    Attributes:
        folder: where they are.
        paths: one of each recording, as the command takes them.
        setup: see `comparison.setups.setup`.
        saved: when, in seconds of the epoch.
    """

    name: str
    folder: Path
    paths: tuple[str, ...]
    setup: Mapping[str, str]
    saved: float

    @property
    def size_bytes(self) -> int:
        """Of its files on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def check_name(name: str) -> None:
    """Refuse what cannot name a folder.

    Raises:
        BadRequest: it has other characters than letters, digits, ``.``, ``_`` and ``-``.
    """
    if not _NAME.fullmatch(name):
        raise BadRequest(Message("gate-cannot-name", name=name), Message("gate-bad-name"), Message("gate-good-name"))


def baselines(root: str, name: str | None = None) -> list[Baseline]:
    """All baselines of a folder, or those of a name, by name and setup; what is damaged is left out."""
    found = []
    for path in sorted(Path(root).glob(f"*/*/{_FILE}")):
        folder = path.parent
        of = folder.parent.name
        if _NAME.fullmatch(of) and _KEY.fullmatch(folder.name) and name in (None, of):
            known = _read(of, folder)
            found += [known] if known else []
    return found


def _read(name: str, folder: Path) -> Baseline | None:
    """A baseline, whose file may hold anything: recordings are only looked for below its own folder."""
    try:
        file = folder / _FILE
        value = json.loads(file.read_text("utf-8") if file.stat().st_size <= _LARGEST_FILE else "{}")
        facts = {str(key): str(one) for key, one in value["setup"].items()}
        paths = [folder / _RECORDINGS / str(number) for number in range(int(value["recordings"]))]
        known = tuple(str(path) for path in paths if path.is_dir() and not path.is_symlink())
        return Baseline(name, folder, known, facts, float(value["saved_s"])) if known else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def save(root: str, name: str, profiles: Sequence[Profile]) -> tuple[Baseline, bool]:
    """Keep recordings of one setup as a baseline; what was kept under this name and setup before is replaced.

    Returns:
        The baseline, and whether it replaced one.

    Raises:
        BadRequest: the name cannot be one, the recordings are of several setups or not on this machine.
        OSError: there is no room.
    """
    check_name(name)
    setups = [setup(profile.ranks[0]) for profile in profiles]
    tried = Message("gate-cannot-save", name=name)
    if any(one != setups[0] for one in setups):
        raise BadRequest(tried, Message("gate-several-setups"), Message("gate-one-setup"))
    folder = Path(root) / name / _key(setups[0])
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = folder.with_name(f"{folder.name}.tmp-{uuid.uuid4().hex[:8]}")
    try:
        for number, profile in enumerate(profiles):
            _copy(tried, profile, temporary / _RECORDINGS / str(number))
        value: dict[str, Any] = {"setup": setups[0], "saved_s": time.time(), "recordings": len(profiles)}
        (temporary / _FILE).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
        replaced = folder.exists()
        shutil.rmtree(folder, ignore_errors=True)
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return baselines_at(name, folder), replaced


def baselines_at(name: str, folder: Path) -> Baseline:
    """The baseline of a folder that was just written."""
    known = _read(name, folder)
    assert known is not None
    return known


def _key(facts: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]


def _copy(tried: Message, profile: Profile, into: Path) -> None:
    """The files that a profile was read from: not what lies beside them."""
    files = sorted({one.path for rank in profile.ranks for one in rank.recordings})
    missing = [path for path in files if not os.path.isfile(path)]
    if missing:
        raise BadRequest(tried, Message("gate-not-local", path=missing[0]), Message("gate-copy-first"))
    common = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in files])
    for path in files:
        target = into / os.path.relpath(os.path.abspath(path), common)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def remove(root: str, name: str) -> int:
    """Delete all baselines of a name; returns how many there were."""
    check_name(name)
    found = baselines(root, name)
    for one in found:
        shutil.rmtree(one.folder)
    folder = Path(root) / name
    if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
        folder.rmdir()
    return len(found)
