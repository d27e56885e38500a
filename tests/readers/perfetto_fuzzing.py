"""Damage Perfetto traces and read them: a program, because compiled code checks its bounds only when told.

    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=... python perfetto_fuzzing.py SECONDS SEED

Exits with 1 and the seed of the round when a read crashes, or when another pass gives something else.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from readers import perfetto_building as made
from readers.rounds_of_fuzzing import read_twice, run
from stepscope.readers.perfetto.format import Perfetto

DESCRIPTOR = made.message((1, 1), (2, made.message((1, made.message((1, 1), (2, "power"), (7, 29))))), (3, 1))


def good(dice: random.Random) -> bytes:
    """A trace with packets of every kind."""
    numbers = made.Numbers()
    names = [numbers.of(kind, f"text {dice.randrange(9)}") for kind in (1, 2, 3, 24, 29, 1000, 1001) for _ in range(3)]
    packets = [
        made.track(1, process=(7, "p")),
        made.track(2, parent=1, thread=(7, 8, "t")),
        made.track(3, "counter", counter=made.message((4, 3), (5, 1))),
        numbers.packet(),
        made.message((12, made.message((47, DESCRIPTOR))), (10, 1), (13, 2)),
        made.snapshot({6: 5000, 64: 3, 1: 1 << 60}, running={64: 10}),
    ]
    values = [1, -1, 1 << 63, 0.5, True, "text", [1, [2], {}], {"a": {"b": [0.1, "x"]}}]
    for time_ns in range(dice.randrange(1, 40)):
        said = made.annotated(**{f"key{at}": dice.choice(values) for at in range(dice.randrange(5))})
        more = [*said, (10, dice.choice(names)), made.fixed(47, dice.randrange(4)), (3, dice.choice(names))]
        carried = [(31, 3), (12, dice.randrange(99))] if dice.random() < 0.2 else []
        packets.append(made.event(dice.choice((1, 1, 2, 2, 3)), 2, time_ns * 10, *more, *carried))
        packets.append(made.event(4, 3, time_ns * 10, dice.choice([(30, 5), (44, 0.5)])))
        stage = [(1, time_ns), (2, 5), (14, dice.choice(names)), (19, dice.choice(names)), (18, dice.randrange(9))]
        stage += [(6, made.message((1, "stream id"), (2, str(time_ns)))), (21, made.message((1, made.message((1, 4)))))]
        packets.append(made.message((8, time_ns), (53, made.message(*stage)), (10, 1), (13, 2)))
        packets.append(made.message((8, time_ns), (52, made.message(*counted(dice))), (10, 1), (13, 2)))
    if dice.random() < 0.5:
        packets.append(made.compressed(*packets[-3:]))
    return made.trace(*packets)


def counted(dice: random.Random) -> list[tuple[int, Any]]:
    """Samples of a GPU's counters, with a descriptor of their own or one that has a number."""
    value = (2, dice.randrange(99)) if dice.random() < 0.5 else (3, dice.random())
    fields: list[tuple[int, Any]] = [(2, made.message((1, dice.randrange(3)), value))]
    spec = made.message(
        (1, dice.randrange(3)), (2, f"counter {dice.randrange(3)}"), (7, dice.randrange(50)), (8, b"\7\x16")
    )
    fields += [(1, made.message((1, spec)))] if dice.random() < 0.3 else []
    return fields + ([(4, 1)] if dice.random() < 0.5 else [(3, dice.randrange(2))])


def damaged(dice: random.Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(dice.choice((0, 1, 2, 8, 60))):
        at = dice.choice((dice.randrange(len(data)), dice.randrange(min(400, len(data)))))
        data[at : at + 1] = bytes([dice.choice((0, 8, 0x0A, 0x7F, 0x80, 0xFF, dice.randrange(256)))])
    if dice.random() < 0.1:
        at = dice.randrange(len(data))
        data[at : at + dice.randrange(99)] = dice.randbytes(dice.randrange(99))
    return bytes(data[: dice.randrange(len(data))] if dice.random() < 0.1 else data)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pftrace"

        def one(dice: random.Random, _: int) -> None:
            path.write_bytes(damaged(dice, good(dice)))
            read_twice(path, Perfetto())

        return run(one)


if __name__ == "__main__":
    sys.exit(main())
