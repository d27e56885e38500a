"""The fuzzing program, a few seconds of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.long
def test_random_damage_neither_crashes_nor_reads_out_of_bounds_nor_costs_whole_events(
    examples: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    # Kept between runs: compiling with bounds checks takes longer than the fuzzing.
    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir("numba-boundscheck") if cache is not None else tmp_path
    environment = os.environ | {
        "NUMBA_BOUNDSCHECK": "1",
        "NUMBA_CACHE_DIR": str(folder),
        "PYTHONPATH": str(HERE.parent.parent / "src"),
    }
    command = [sys.executable, HERE / "fuzzing.py", "4", "1", examples / "ddp4_straggler" / "rank0.json.gz"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_random_damage_of_files_of_mindspore_is_said_or_costs_their_own_rows() -> None:
    environment = os.environ | {"PYTHONPATH": str(HERE.parent.parent / "src")}
    command = [sys.executable, HERE / "mindspore_fuzzing.py", "4", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
