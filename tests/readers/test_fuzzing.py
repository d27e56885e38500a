"""The fuzzing programs, a few seconds of each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.fixture
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Compiled code checks its bounds. It is kept between runs: compiling it so takes longer than the fuzzing."""
    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir("numba-boundscheck") if cache is not None else tmp_path
    source = str(HERE.parent.parent / "src")
    return os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": source}


def fuzzed(environment: dict[str, str], program: str, *given: Path | str) -> None:
    command = [sys.executable, HERE / program, "4", "1", *given]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_random_damage_neither_crashes_nor_reads_out_of_bounds_nor_costs_whole_events(
    examples: Path, environment: dict[str, str]
) -> None:
    fuzzed(environment, "fuzzing.py", examples / "ddp4_straggler" / "rank0.json.gz")


@pytest.mark.long
def test_random_damage_of_kernel_reports_neither_crashes_nor_reads_out_of_bounds(environment: dict[str, str]) -> None:
    fuzzed(environment, "ncu_fuzzing.py")


@pytest.mark.long
def test_random_damage_of_files_of_mindspore_is_said_or_costs_their_own_rows(environment: dict[str, str]) -> None:
    fuzzed(environment, "mindspore_fuzzing.py")


@pytest.mark.long
def test_random_damage_of_files_of_ascend_is_said_or_costs_their_own_rows(environment: dict[str, str]) -> None:
    fuzzed(environment, "ascend_fuzzing.py")


@pytest.mark.long
def test_random_damage_of_packets_neither_crashes_nor_reads_out_of_bounds(environment: dict[str, str]) -> None:
    fuzzed(environment, "perfetto_fuzzing.py")
