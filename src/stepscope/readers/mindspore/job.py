"""What the folder of a run says of its job: the rank that it is, and how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stepscope.readers.mindspore.names import INFO, files_of
from stepscope.readers.mindspore.pipeline import loaded, whole

_MOST_BYTES = 16 << 20


def devices_of(folder: str) -> tuple[dict[int, dict[str, str]], dict[int, int]]:
    """Of each device of a folder its files, by what they hold, and its rank.

    That is its number, or where the folder is one device's, what the run's own file is named.
    """
    found = files_of(folder)
    held = {device: files for device, files in found.items() if set(files) != {INFO}} or found
    named = [number for number, files in found.items() if INFO in files]
    return held, {device: named[0] if len(held) == len(named) == 1 else device for device in held}


def distributed(rank: int, info: Mapping[str, Any]) -> dict[str, Any]:
    """Rank and size of the job as ``distributedInfo`` has them.

    Args:
        info: what ``profiler_info_RANK.json`` holds.
    """
    size = whole(info.get("rank_size"))
    return {"rank": rank} | ({"world_size": size} if size is not None and size > 0 else {})


def said_of(folder: str) -> dict[str, Any]:
    """What a run of one device says of its job; nothing of several devices."""
    files, ranks = devices_of(folder)
    if len(files) != 1:
        return {}
    ((device, own),) = files.items()
    try:
        with open(own[INFO], encoding="utf-8") as file:
            info = loaded(file.read(_MOST_BYTES))
    except (KeyError, OSError, ValueError):
        info = {}
    return distributed(ranks[device], info)
