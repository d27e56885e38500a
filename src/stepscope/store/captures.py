"""Recordings of the capture of CUDA graphs, which servers write into a folder beside their traces."""

from __future__ import annotations

import os
from collections.abc import Iterable

from stepscope.readers.remote import is_url
from stepscope.readers.sources import Source

FOLDER = "capture_traces"


def captures_beside(sources: Iterable[Source]) -> str | None:
    """The folder of captures beside some files; None where there is none, or files of several folders have several."""
    beside = {os.path.join(os.path.dirname(source.path), FOLDER) for source in sources if not is_url(source.path)}
    found = [folder for folder in beside if _is_own(folder)]
    return found[0] if len(found) == 1 else None


def _is_own(folder: str) -> bool:
    """Whether it is a folder without links: what is served lies in one folder, and nobody named this one."""
    try:
        with os.scandir(folder) as entries:
            return not os.path.islink(folder) and not any(entry.is_symlink() for entry in entries)
    except OSError:
        return False
