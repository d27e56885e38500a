"""Damage MindSpore's files at random and read their folder: a program, as of databases.

    python mindspore_fuzzing.py SECONDS SEED

Exits with 1 and the seed of the round when a read crashes, when another pass gives something else, or when a table
about what was read cannot be made.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from readers.fuzzing import mutated
from readers.mindspore_files import BY_STEP, DATA, GPU, timeline
from readers.rounds_of_fuzzing import make_tables, read_twice, run

TABLES = (
    *("input_pipeline", "input_batches", "cpu_utilization", "operator_totals", "activity_totals"),
    *("step_trace", "operators", "kernels", "health", "findings"),
)
NUMBERS = [b"-1", b"1e999", b"NaN", b"99999999999999999999", b"true", b"null", b"[]", b"{}", b'""', b"0.5", b"9" * 5000]


def made(dice: random.Random) -> dict[str, bytes]:
    """Good files of a run, or of some of it."""
    files = dict(dice.choice((GPU, DATA, GPU | DATA)))
    if dice.random() < 0.3:
        files["step_trace_profiling_0.txt"] = BY_STEP
    if dice.random() < 0.3:
        files |= {name.replace("_0.", "_1."): text for name, text in files.items()}
    found = {name: text.encode() for name, text in files.items()}
    if dice.random() < 0.3:
        found["trace_view.json"] = json.dumps(timeline()).encode()
    return found


def damaged(dice: random.Random, files: dict[str, bytes]) -> dict[str, bytes]:
    """Some of the files changed: bytes, or whole numbers."""
    found = dict(files)
    for name in dice.sample(sorted(found), dice.choice((1, 1, 2, len(found)))):
        data = found[name]
        for _ in range(dice.choice((1, 2, 8, 40))):
            digits = [at for at in range(len(data)) if data[at : at + 1].isdigit()]
            if digits and dice.random() < 0.3:
                at = dice.choice(digits)
                data = data[:at] + dice.choice(NUMBERS) + data[at + 1 :]
            else:
                data = mutated(data, dice)
        found[name] = data
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as place:

        def one(dice: random.Random, number: int) -> None:
            folder = Path(place) / str(number) / "profiler"
            folder.mkdir(parents=True)
            for name, data in damaged(dice, made(dice)).items():
                (folder / name).write_bytes(data)
            if read_twice(folder) and number % 5 == 0:
                make_tables(folder, TABLES)

        return run(one)


if __name__ == "__main__":
    sys.exit(main())
