"""Damage reports of Nsight Compute and read them: a program, because compiled code checks its bounds only when told.

    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=... python ncu_fuzzing.py SECONDS SEED

Exits with 1 and the seed of the round when a read crashes, or when another pass gives something else.
"""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from readers.ncu_building import MadeKernel, MadeRule, details_page, made_range, raw_page, report
from readers.ncu_files import LABELS, TWO, UNITS
from readers.rounds_of_fuzzing import read_twice, run
from stepscope.readers.ncu.format import NsightComputePage, NsightComputeReport

WITH_CODE = Path(__file__).resolve().parent.parent / "recordings" / "ncu_source.ncu-rep.gz"


def made(dice: random.Random) -> bytes:
    """A good report of some kernels with values of every kind, rules and instances."""
    kernels = [*TWO]
    for number in range(dice.randrange(4)):
        metrics = {f"m{dice.randrange(9)}.sum": dice.choice((1, 0.5, -1.0, "text", None, 1 << 40)) for _ in range(9)}
        metrics["launch__occupancy_per_block_size"] = 64
        rules = [MadeRule("S", "R", dice.randrange(6), "x" * dice.randrange(300), dice.randrange(3), dice.random())]
        instances = {name: tuple(range(dice.randrange(50))) for name in metrics}
        kernels.append(
            MadeKernel("k" * dice.randrange(1, 200) + str(number), metrics, rules=rules, instances=instances)
        )
    ranges = [made_range(one, [dice.choice("abc")] * dice.randrange(9)) for one in kernels[: dice.randrange(3)]]
    return report(kernels, graphs=dice.choice((0, 2)), ranges=ranges)


def damaged(dice: random.Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(dice.choice((1, 2, 8, 60))):
        at = dice.choice((dice.randrange(len(data)), dice.randrange(min(200, len(data)))))
        data[at : at + 1] = bytes([dice.choice((0, 8, 0x7F, 0x80, 0xFF, dice.randrange(256)))])
    if dice.random() < 0.1:
        at = dice.randrange(len(data))
        data[at : at + dice.randrange(99)] = dice.randbytes(dice.randrange(99))
    return bytes(data[: dice.randrange(len(data))] if dice.random() < 0.1 else data)


def main() -> int:
    pages = [raw_page(TWO, UNITS).encode(), details_page(TWO, LABELS).encode()]
    with_code = gzip.decompress(WITH_CODE.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.ncu-rep"

        def one(dice: random.Random, _: int) -> None:
            is_page = dice.random() < 0.2
            good = dice.choice(pages) if is_page else with_code if dice.random() < 0.3 else made(dice)
            path.write_bytes(damaged(dice, good))
            read_twice(path, NsightComputePage() if is_page else NsightComputeReport())

        return run(one)


if __name__ == "__main__":
    sys.exit(main())
