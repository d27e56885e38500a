"""What every copy ends with: a new file, and how often names were hidden."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from stepscope.messages import Message
from stepscope.readers.redaction.hiding import Hiding

Write = Callable[[bytes], object]


@contextmanager
def written(target: Path) -> Iterator[Write]:
    """What writes to a new file, compressed where its name says so."""
    with ExitStack() as stack:
        file = stack.enter_context(target.open("wb"))
        if target.name.endswith(".gz"):
            # Without a name and a time inside, too.
            yield stack.enter_context(gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="")).write
        else:
            yield file.write


def counts(hiding: Hiding) -> list[Message]:
    """How many names were hidden."""
    return [Message("redact-names", homes=hiding.homes, words=hiding.words)]
