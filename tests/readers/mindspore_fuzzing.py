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
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from readers.contract import check_sound, read
from readers.fuzzing import mutated
from readers.mindspore_files import BY_STEP, DATA, GPU, timeline
from stepscope.analyses import make_table
from stepscope.errors import UnreadableInput
from stepscope.readers.registry import reader_of
from stepscope.readers.sources import Source
from stepscope.store.opening import open_profile

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


def attempt(folder: Path) -> str:
    """What came of it, as far as it has to be the same each time."""
    source = Source(str(folder))
    try:
        found = read(reader_of(source, None), source)
    except UnreadableInput as refused:
        assert "\n" not in str(refused)
        return str(refused)
    check_sound(found)
    return f"{ {name: len(frame) for name, frame in found.frames.items()} } {found.facts.damaged}"


def main() -> int:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    end, rounds = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as place:
        while time.monotonic() < end:
            dice = random.Random(seed + rounds)
            folder = Path(place) / str(rounds) / "profiler"
            folder.mkdir(parents=True)
            for name, data in damaged(dice, made(dice)).items():
                (folder / name).write_bytes(data)
            try:
                outcome = attempt(folder)
                assert attempt(folder) == outcome
                if outcome.startswith("{") and rounds % 5 == 0:
                    profile = open_profile(str(folder))
                    for table in TABLES:
                        make_table(profile, table)
            except BaseException:
                print(f"seed {seed + rounds}", file=sys.stderr)
                raise
            rounds += 1
    print(f"{rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
