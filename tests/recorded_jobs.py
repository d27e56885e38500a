"""Programs run under ``stepscope.capture``, and what came of it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
FAKE = HERE / "capture" / "fake"

PREAMBLE = """
    import os, signal, sys, threading, time
    import torch
    from torch.utils.data.dataloader import _BaseDataLoaderIter as Loader

    def train(steps=40, at=lambda step: None, optimizer=None):
        optimizer = optimizer or torch.optim.SGD()
        for step in Loader(range(steps)):
            torch.autograd.backward()
            at(step)
            optimizer.step()
"""
"""What most programs begin with."""

_RECORD = """
import json, os, signal, sys
# Ignored where the tests run in the background of a shell or below nohup, and then by all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from stepscope.capture.launcher import record
from stepscope.capture.plan import OnDemand, Plan, Seconds, Steps
given = json.loads(sys.argv[1])
when = given.pop("when", None)
if when:
    given["when"] = {"steps": Steps, "seconds": Seconds, "demand": OnDemand}[when[0]](*when[1:])
done = record(Plan(**given), sys.argv[2:], "1.2.3")
os.makedirs(given["out"], exist_ok=True)
with open(given["out"] + "/done.json", "w") as file:
    json.dump([done.pythons, done.too_old, done.errors, list(done.outcome.salvaged)], file)
sys.exit(done.code)
"""
"""The launcher in a process of its own, as it is used: with signals of its own."""


@dataclass(frozen=True)
class Job:
    """A program that was run.

    Attributes:
        code: exit code of the launcher.
        out, err: what was printed.
        folder: of the recording.
    """

    code: int
    out: str
    err: str
    folder: Path

    @property
    def done(self) -> tuple[int, int, list[str], list[str]]:
        """Python processes, those too old, errors, salvaged files."""
        return tuple(json.loads((self.folder / "done.json").read_text()))

    @property
    def processes(self) -> list[dict[str, Any]]:
        """What each process noted, by rank."""
        found = [json.loads(file.read_text()) for file in (self.folder / "processes").glob("*.json")]
        return sorted(found, key=lambda one: (one["rank"] is None, one["rank"]))

    @property
    def process(self) -> dict[str, Any]:
        (one,) = self.processes
        return one

    @property
    def window(self) -> dict[str, Any]:
        (one,) = self.process["windows"]
        return one

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.pt.trace.json.gz"))

    @property
    def trace(self) -> dict[str, Any]:
        (file,) = self.files
        return read_trace(file)

    @property
    def leftovers(self) -> list[str]:
        """Files that are neither recordings nor notes."""
        known = {*self.files, self.folder / "done.json", self.folder / "processes"}
        return [path.name for path in self.folder.iterdir() if path not in known]


def read_trace(file: Path) -> dict[str, Any]:
    with gzip.open(file) as text:
        return json.load(text)


def steps_of(trace: dict[str, Any]) -> list[int]:
    """Numbers of the steps in a trace."""
    names = [event.get("name", "") for event in trace["traceEvents"]]
    return sorted(int(name.partition("#")[2]) for name in names if name.startswith("ProfilerStep#"))


def environment(**changed: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SLURM", "RANK"))}
    return {**kept, "PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1", **changed}


def run_job(folder: Path, command: Sequence[str], environ: dict[str, str] | None = None, **plan: Any) -> Job:
    """Run a command as ``stepscope record`` does."""
    out = folder / "out"
    given = json.dumps({"out": str(out), **plan})
    launcher = [sys.executable, "-c", _RECORD, given, *command]
    done = subprocess.run(launcher, capture_output=True, text=True, env=environ or environment(), timeout=120)
    return Job(done.returncode, done.stdout, done.stderr, out)


def run_fake(folder: Path, program: str, variables: dict[str, str] | None = None, **plan: Any) -> Job:
    """Run a program with the torch of the tests."""
    script = folder / "job.py"
    script.write_text(dedent(PREAMBLE) + dedent(program), encoding="utf-8")
    path = os.pathsep.join((str(SOURCE), str(FAKE)))
    return run_job(folder, [sys.executable, str(script)], environment(PYTHONPATH=path, **(variables or {})), **plan)
