"""Damage files of Ascend's profilers at random and read their folder: a program, as of databases.

    python ascend_fuzzing.py SECONDS SEED

Exits with 1 and the seed of the round when a read crashes, when another pass gives something else, or when a table
about what was read cannot be made.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import ascend as ascend_building
from readers.fuzzing import mutated
from readers.mindspore_fuzzing import NUMBERS
from readers.rounds_of_fuzzing import make_tables, read_twice, run

TABLES = (
    *("npu_kernels", "npu_steps", "npu_collectives", "npu_links", "npu_pairs", "npu_memory", "npu_memory_peak"),
    *("sync", "launches", "idle", "communication", "step_trace", "operators", "kernels", "health", "findings"),
)


def damage(dice: random.Random, run: Path) -> None:
    """Change some of the files of a run: bytes, or whole numbers."""
    paths = sorted(path for path in run.rglob("*") if path.is_file())
    for path in dice.sample(paths, dice.choice((1, 1, 2, len(paths)))):
        data = path.read_bytes()
        for _ in range(dice.choice((1, 2, 8, 40))):
            digits = [at for at in range(len(data)) if data[at : at + 1].isdigit()]
            if digits and path.suffix != ".db" and dice.random() < 0.3:
                at = dice.choice(digits)
                data = data[:at] + dice.choice(NUMBERS) + data[at + 1 :]
            else:
                data = mutated(data, dice)
        path.write_bytes(data)


def main() -> int:
    with tempfile.TemporaryDirectory() as place:

        def one(dice: random.Random, number: int) -> None:
            folder = Path(place) / str(number)
            run_folder = dice.choice((ascend_building.write_run, ascend_building.write_database))(folder)
            damage(dice, run_folder)
            if read_twice(run_folder) and number % 5 == 0:
                make_tables(run_folder, TABLES)
            shutil.rmtree(folder)

        return run(one)


if __name__ == "__main__":
    sys.exit(main())
