"""Files that are there as a whole or not at all, whoever else writes or reads them meanwhile."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write to; what is there when the block ends well takes the place of ``path``, else it is deleted.

    Each caller gets a name of its own: threads of one process may write one file at the same time.

    Raises:
        OSError: the folder cannot be written, or there is no room.
    """
    temporary = path.with_name(f"{path.name[:48]}.tmp-{os.getpid()}-{uuid.uuid4().hex[:8]}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
