"""What the modules of all tools share: the command line, and a failure as an answer."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from yardstick.answers import Answer, Rows


def run(examine: Callable[[Path], Answer], compare: Callable[[Path, Path], Rows] | None = None) -> None:
    """Print what the tool says of the recordings on the command line. What it prints itself is swallowed."""
    one, *other = map(Path, sys.argv[1:])
    out = sys.stdout
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            said = compare(one, *other) if compare and other else examine(one)
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is its answer
            failed = f"{type(error).__name__}: {error}".strip(": ").splitlines()[0]
            said = Rows(failed=failed) if other else Answer(failed=failed)
    out.write(json.dumps(asdict(said)) + "\n")


@contextlib.contextmanager
def alone(recording: Path, name: str) -> Iterator[Path]:
    """A folder that holds nothing but the recording, under a name that the tool expects."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(recording, Path(folder) / name)
        yield Path(folder)
