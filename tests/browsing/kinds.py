"""A recording of each kind, each in a folder of its own, so that none is joined with another."""

from __future__ import annotations

import shutil
from pathlib import Path

from browsing.pages import FOUR_RANKS, WITH_STACKS
from building.hangs import one_left
from building.inspector import over_time
from readers.mindspore_files import DATA, GPU
from readers.nsys_building import training

TRACE = f"trace/{WITH_STACKS}"
JOB = FOUR_RANKS
LEAK = "leak/memory_leak.pickle.gz"
FULL = "full/out_of_memory.pickle.gz"
TELEMETRY = "telemetry/nvml.csv"
NSYS = "nsys/train.sqlite"
INPUT = "data"
MINDSPORE = "mindspore/profiler"
DUMPS = "dumps"
INSPECTOR = "inspector"

_RECORDINGS = Path(__file__).parent.parent / "recordings"


def write_kinds(folder: Path, examples: Path) -> Path:
    """Write them into a folder, under the names above."""
    shutil.copytree(examples / JOB, folder / JOB)
    for run in (TRACE, LEAK, FULL, TELEMETRY, NSYS):
        (folder / run).parent.mkdir()
    shutil.copy(examples / WITH_STACKS, folder / TRACE)
    for run in (LEAK, FULL, TELEMETRY):
        shutil.copy(_RECORDINGS / Path(run).name, folder / run)
    training().write(folder / NSYS)
    one_left().write(folder / DUMPS)
    over_time().write(folder / INSPECTOR)
    for run, files in ((INPUT, DATA), (MINDSPORE, GPU)):
        (folder / run).mkdir(parents=True)
        for name, text in files.items():
            (folder / run / name).write_text(text)
    return folder
