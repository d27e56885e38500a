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
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ascend_building
from readers.fuzzing import mutated
from readers.mindspore_fuzzing import NUMBERS, attempt
from stepscope.analyses import make_table
from stepscope.store.opening import open_profile

TABLES = (
    *("npu_kernels", "npu_steps", "npu_collectives", "npu_links", "sync", "launches", "idle", "communication"),
    *("step_trace", "operators", "kernels", "health", "findings"),
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
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    end, rounds = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as place:
        while time.monotonic() < end:
            dice = random.Random(seed + rounds)
            folder = Path(place) / str(rounds)
            write = dice.choice((ascend_building.write_run, ascend_building.write_database))
            run = write(folder)
            damage(dice, run)
            try:
                outcome = attempt(run)
                assert attempt(run) == outcome
                if outcome.startswith("{") and rounds % 5 == 0:
                    profile = open_profile(str(run))
                    for table in TABLES:
                        make_table(profile, table)
            except BaseException:
                print(f"seed {seed + rounds}", file=sys.stderr)
                raise
            shutil.rmtree(folder)
            rounds += 1
    print(f"{rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
