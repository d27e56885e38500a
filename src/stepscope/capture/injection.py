"""The folder that brings the agent into every Python process of a job, and nothing else into any."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGE = "stepscope_agent"
_AGENT = Path(__file__).resolve().parent / "agent"
_STARTUP = "startup.py"
SEEN = "seen"
_PREFIX = ".stepscope-"
HELLO, OLD = "python", "old"


class Injection:
    """Made for one run and removed after it.

    Args:
        out: folder of the recording. The agent lies below it, where other machines of the job may see it too.
        config: for the agent.
    """

    def __init__(self, out: str, config: Mapping[str, Any]) -> None:
        # A path with a colon cannot be on PYTHONPATH.
        below = out if os.pathsep not in out else None
        self.folder = tempfile.mkdtemp(prefix=_PREFIX, dir=below)
        package = Path(self.folder, PACKAGE)
        package.mkdir()
        for file in _AGENT.glob("*.py"):
            place = Path(self.folder, "sitecustomize.py") if file.name == _STARTUP else package / file.name
            shutil.copyfile(file, place)
        Path(self.folder, "config.json").write_text(json.dumps(config), encoding="utf-8")

    def environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """The environment of the command: the folder is the first on ``PYTHONPATH``."""
        before = given.get("PYTHONPATH", "")
        return {**given, "PYTHONPATH": self.folder + (os.pathsep + before if before else "")}

    def seen(self) -> list[tuple[int, str]]:
        """Processes that ran the agent, and what each said: `HELLO`, `OLD`, or an error."""
        try:
            text = Path(self.folder, SEEN).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        found = [line.partition(" ") for line in text.splitlines()]
        return [(int(pid), said) for pid, _, said in found if pid.isdigit()]

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
