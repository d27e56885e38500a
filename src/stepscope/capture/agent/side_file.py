"""One JSON file for each process that took steps: what it ran, what was recorded of it and what was not, and why."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from .identity import arguments, host_name, process_name, rank_of, world_size

FOLDER = "processes"
SCHEMA = 1
_SHORT = 64


def facts_of_process(config: dict[str, Any], versions: dict[str, str]) -> dict[str, Any]:
    """What does not change while it runs."""
    return {
        "schema": SCHEMA,
        "host": host_name(),
        "pid": os.getpid(),
        "argv": arguments(),
        "executable": sys.executable,
        "rank": rank_of(),
        "local_rank": os.environ.get("LOCAL_RANK"),
        "world_size": world_size(),
        "versions": versions,
        "options": {name: config.get(name) for name in ("plan", "with", "step_on", "two_pass", "budget", "ranks")},
    }


def program() -> str:
    """The program's name: all of its command line that a trace, which people pass on, is told."""
    names = arguments()
    first = os.path.basename(names[0]) if names else ""
    return (first or "python")[:_SHORT]


def write(out: str, facts: dict[str, Any]) -> None:
    """Write it beside and rename it, so that nobody reads half of it."""
    folder = os.path.join(out, FOLDER)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{process_name()}.json")
    with open(f"{path}.tmp", "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=1)
    os.replace(f"{path}.tmp", path)
