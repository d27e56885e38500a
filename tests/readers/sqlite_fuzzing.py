"""Damage databases at random and read them: a program, because compiled code checks its bounds only when told at start.

    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=... python sqlite_fuzzing.py SECONDS SEED

Exits with 1 and the seed of the round when a read crashes, or when another pass gives something else.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from readers.nsys_building import PROCESS, Export, everything_beside, thread, training
from readers.rounds_of_fuzzing import read_twice, run
from stepscope.readers.nsys.format import NsightSystems

_OF_ONE_EXPORT = 50
"""Rounds that damage one export: making one takes longer than reading it."""


def made(dice: random.Random, path: Path) -> bytes:
    """A good export with some of everything."""
    export: Export = training(dice.choice((1, 5, 60)))
    for number in range(dice.choice((0, 3, 400))):
        at = 100 * number
        export.range(dice.choice(("a", "b, seq = 3, op_id = 4", "é" * dice.randrange(900))), at, at + 50)
        export.add("GPU_METRICS", 0, at, 1 << 48, 0, dice.randrange(-5, 1 << dice.choice((3, 40, 62))))
        export.add("OSRT_API", at, at + 9, 27, thread(), export.text("poll"), 0)
    if dice.random() < 0.5:
        everything_beside(export, PROCESS)
    if dice.random() < 0.3:
        export.kernel("of another", 5, 9, 1, pid=77)
    return export.write(path).read_bytes()


def damaged(dice: random.Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(dice.choice((1, 2, 8, 60))):
        at = dice.choice((dice.randrange(len(data)), dice.randrange(min(4096, len(data)))))
        data[at : at + 1] = bytes([dice.choice((0, 5, 13, 0x80, 0xFF, dice.randrange(256)))])
    if dice.random() < 0.1:
        at = dice.randrange(len(data))
        data[at : at + dice.randrange(600)] = dice.randbytes(dice.randrange(600))
    return bytes(data[: dice.randrange(len(data))] if dice.random() < 0.05 else data)


def main() -> int:
    good = b""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.sqlite"

        def one(dice: random.Random, number: int) -> None:
            nonlocal good
            if number % _OF_ONE_EXPORT == 0:
                good = made(dice, Path(folder) / "good.sqlite")
            path.write_bytes(damaged(dice, good))
            read_twice(path, NsightSystems())

        return run(one, _OF_ONE_EXPORT)


if __name__ == "__main__":
    sys.exit(main())
