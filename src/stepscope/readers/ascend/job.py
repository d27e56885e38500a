"""What the folder of a run says of its job: the rank that it is, and how many there are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from stepscope.readers.ascend.names import DATABASE, INFO, METADATA, files_of

_MOST_BYTES = 16 << 20


def distributed(
    name: str, info: Mapping[str, Any], metadata: Mapping[str, Any], otherwise: int | None
) -> dict[str, Any]:
    """Rank and size of the job as ``distributedInfo`` has them; without what is not known.

    Args:
        name: of the file that holds ``info``, or "".
        info: what ``profiler_info_RANK.json`` holds.
        metadata: what ``profiler_metadata.json`` holds.
        otherwise: the rank that a database says, None where it says none.
    """
    by_name = INFO.fullmatch(name)
    rank = _whole(info.get("rank_id"))
    if rank is None and by_name and by_name[1]:
        rank = int(by_name[1])
    rank = otherwise if rank is None else rank
    job = metadata.get("distributed_args")
    size = _whole(job.get("world_size")) if isinstance(job, dict) else None
    found = {"rank": rank, "world_size": size or None}
    return {key: value for key, value in found.items() if value is not None}


def info_name(files: Mapping[str, str]) -> str:
    """Name of the file that says which rank a run is, or ""."""
    return next((name for name in sorted(files) if INFO.fullmatch(name)), "")


def said_of(folder: str) -> dict[str, Any]:
    """What a run says of its job, without a look into its database, whose name holds the rank as well."""
    files = files_of(folder)
    name = info_name(files)
    named = [int(found[1]) for one in sorted(files) if (found := DATABASE.fullmatch(one)) and found[1]]
    return distributed(name, _object(files.get(name)), _object(files.get(METADATA)), next(iter(named), None))


def _object(path: str | None) -> dict[str, Any]:
    """A file that holds one JSON object; empty if it is missing or cannot be read."""
    try:
        if path is None:
            return {}
        with open(path, "rb") as file:
            found = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _whole(value: object) -> int | None:
    """A rank, which is a number or its text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31 else None
