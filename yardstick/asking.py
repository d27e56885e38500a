"""Run a tool on a recording: in an environment of its own, in a process of its own, once."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from yardstick.answers import Answer, Rows, answer
from yardstick.tools import TOOLS

ROOT = Path(__file__).resolve().parent.parent

MOST_SECONDS = 600
"""A tool that takes longer has failed."""


@dataclass(frozen=True)
class Asked:
    """Where a tool is installed, and where what it said is kept.

    Attributes:
        name: of `yardstick.tools.TOOLS`.
        python: that has the tool.
        kept: folder of what was said before.
    """

    name: str
    python: Path
    kept: Path

    def of(self, recording: Path) -> Answer:
        """What it says of a recording."""
        text = self._said(recording)
        return answer(text) if text else Answer(failed="no answer")

    def about(self, base: Path, new: Path) -> Rows:
        """What it says of two recordings."""
        text = self._said(base, new)
        return Rows(**json.loads(text)) if text else Rows(failed="no answer")

    def _said(self, *recordings: Path) -> str:
        """Kept by recording as it is now, whatever the version of the tool."""
        read = "\n".join(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in recordings)
        kept = self.kept / self.name / f"{hashlib.sha256(read.encode()).hexdigest()[:16]}.json"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(self._asked(recordings), encoding="utf-8")
        return kept.read_text(encoding="utf-8")

    @property
    def _source(self) -> tuple[str, ...]:
        """stepscope itself is scored as it lies here."""
        return (str(ROOT / "src"),) if self.name == "stepscope" else ()

    def _asked(self, recordings: tuple[Path, ...]) -> str:
        """Its last line; "" where the process did not end well or in time."""
        paths = [str(path.resolve()) for path in recordings]
        command = [str(self.python), "-m", f"yardstick.tools.{self.name}", *paths]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *self._source))}
        print(f"{self.name}: {' '.join(path.name for path in recordings)}", file=sys.stderr)
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=MOST_SECONDS
            )
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip().splitlines()[-1] if done.returncode == 0 and done.stdout.strip() else ""


def installed(name: str, folder: Path) -> Path:
    """The Python that has a tool: this one for stepscope, else one of an environment that is made in the folder."""
    requirements = TOOLS[name].requirements
    if not requirements:
        return Path(sys.executable)
    python = folder / name / "bin" / "python"
    complete = folder / name / "complete"
    if not complete.exists():
        print(f"installing {TOOLS[name].title}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder / name)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *requirements], check=True)
        complete.touch()
    return python
