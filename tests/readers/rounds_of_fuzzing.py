"""What the programs that damage files share: a file is read twice, and rounds follow until the time is over."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from readers.contract import check_sound, read
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.readers.formats import Reader
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Source
from stepscope.store.opening import open_profile


def read_twice(path: Path, reader: Reader | None = None) -> bool:
    """Whether a file or folder is read; what came of it is the same each time.

    Args:
        reader: None for the one that knows the folder.
    """
    first = _attempt(path, reader)
    assert _attempt(path, reader) == first
    return first.startswith("{")


def make_tables(path: Path, tables: Sequence[str]) -> None:
    """Make some tables about what was read."""
    profile = open_profile(str(path))
    for table in tables:
        make_table(profile, table)


def run(one: Callable[[random.Random, int], None], together: int = 1) -> int:
    """Rounds as ``SECONDS SEED`` of the command line say; where one fails, its seed is said.

    Args:
        one: a round, with its number from 0.
        together: how many rounds follow from the first of them.
    """
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    end, number = time.monotonic() + seconds, 0
    while number == 0 or time.monotonic() < end:
        try:
            one(random.Random(seed + number), number)
        except BaseException:
            print(f"seed {seed + number // together * together}, round {number % together}", file=sys.stderr)
            raise
        number += 1
    print(f"{number} rounds")
    return 0


def _attempt(path: Path, reader: Reader | None) -> str:
    """What came of it, as far as it has to be the same each time."""
    source = Source(str(path))
    try:
        found = read(reader or reader_of(source, None), source)
    except UnreadableInput as refused:
        assert "\n" not in str(refused)
        return str(refused)
    check_sound(found)
    return f"{ {name: len(frame) for name, frame in found.frames.items()} } {found.facts.damaged}"
