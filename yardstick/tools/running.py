"""What the modules of all tools share: the command line, and a failure as an answer."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from yardstick.answers import Answer

Said = TypeVar("Said")


@dataclass(frozen=True)
class Rows:
    """What a tool says of two recordings.

    Attributes:
        rows: that are compared.
        changed: of these, those that it calls changed, or that the usual rule does where it calls none so.
        step: "changed", "same", "unknown"; "" where the tool says nothing of the step.
        failed: why there is no answer.
    """

    rows: int = 0
    changed: int = 0
    step: str = ""
    failed: str = ""


def run(examine: Callable[[Path], Answer], compare: Callable[[Path, Path], Rows] | None = None) -> None:
    """Print what the tool says of the recordings on the command line. What it prints itself is swallowed."""
    one, *other = map(Path, sys.argv[1:])
    out = sys.stdout
    with contextlib.redirect_stdout(io.StringIO()):
        said = _rows(compare, one, *other) if compare and other else _said(partial(examine, one), Answer)
    out.write(json.dumps(asdict(said)) + "\n")


def _rows(compare: Callable[[Path, Path], Rows], base: Path, new: Path) -> Rows:
    return _said(partial(compare, base, new), Rows)


def _said(ask: Callable[[], Said], kind: Callable[..., Said]) -> Said:
    """Whatever a tool raises is its answer."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001
        return kind(failed=f"{type(error).__name__}: {error}".strip(": ").splitlines()[0])


@contextlib.contextmanager
def alone(recording: Path, name: str) -> Iterator[Path]:
    """A folder that holds nothing but the recording, under a name that the tool expects."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(recording, Path(folder) / name)
        yield Path(folder)
