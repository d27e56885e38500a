"""Programs that record themselves, with the torch of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from recorded_jobs import FAKE, SOURCE, environment, read_trace, steps_of

PREAMBLE = """
    import os, sys
    import stepscope
    assert "torch" not in sys.modules
    import torch

    def work():
        torch.autograd.backward()
        torch.optim.SGD().step()
"""


@dataclass(frozen=True)
class Program:
    """One that was run.

    Attributes:
        folder: where it ran.
    """

    code: int
    out: str
    err: str
    folder: Path

    def files(self, name: str = "runs") -> list[Path]:
        return sorted((self.folder / name).glob("*.pt.trace.json.gz"))

    def trace(self, name: str = "runs") -> dict[str, Any]:
        (file,) = self.files(name)
        return read_trace(file)

    def steps(self, name: str = "runs") -> list[int]:
        return steps_of(self.trace(name))

    def said(self) -> list[str]:
        """Lines of stderr without the folder, which is another one each time."""
        return self.err.replace(str(self.folder), "").splitlines()


def run(folder: Path, program: str, **variables: str) -> Program:
    script = folder / "program.py"
    script.write_text(dedent(PREAMBLE) + dedent(program), encoding="utf-8")
    path = os.pathsep.join((str(SOURCE), str(FAKE)))
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env=environment(PYTHONPATH=path, LC_ALL="C.UTF-8", **variables),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return Program(done.returncode, done.stdout, done.stderr, folder)
