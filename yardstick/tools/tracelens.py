"""TraceLens: its GPU timeline says where the time goes; causes and savings take its agent and a language model."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from yardstick.answers import Answer, largest
from yardstick.bound import COPIES, GPU, HOST
from yardstick.tools.running import run

COMMAND = "TraceLens_generate_perf_report_pytorch"


def examine(recording: Path) -> Answer:
    """Where most of the GPU's time goes."""
    with tempfile.TemporaryDirectory() as folder:
        command = Path(sys.executable).with_name(COMMAND)
        arguments = ["--profile_json_path", recording, "--output_csvs_dir", folder]
        done = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        with (Path(folder) / "gpu_timeline.csv").open(newline="") as file:
            shares = {row["type"]: float(row["percent"]) for row in csv.DictReader(file)}
    parts = {HOST: shares["idle_time"], GPU: shares["computation_time"], COPIES: shares["exposed_memcpy_time"]}
    return Answer(version("TraceLens"), None, largest(parts))


if __name__ == "__main__":
    run(examine)
