"""Copies of what is read as text: the files of a run of Ascend or MindSpore, pages, samples of stacks."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from stepscope.readers.ascend import names as ascend
from stepscope.readers.formats import Input
from stepscope.readers.mindspore.names import INFO, PIPELINE, RAW, VIEW, parts_of
from stepscope.readers.redaction.asked_copy import AskedCopy, asked_by_reader
from stepscope.readers.redaction.document_copy import copied
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.told import without_told
from stepscope.readers.redaction.trace_copy import TraceCopy
from stepscope.readers.sources import Source
from stepscope.readers.telemetry.samples import whole_text

_TEXT = pl.String
_NUMBER = pl.Int64
_INFO = pl.Struct(
    {
        **dict.fromkeys(("rank_id", "torch_npu_version", "ms_version", "cann_version", "version"), _TEXT),
        **dict.fromkeys(("context_mode", "device_id", "rank_size", "pipeline_stage"), _TEXT),
        "config": pl.Struct({"experimental_config": pl.Struct({"_profiler_level": _TEXT})}),
    }
)
_METADATA = pl.Struct({"distributed_args": pl.Struct({"world_size": _NUMBER})})
_SAMPLES = pl.Struct(
    {
        **dict.fromkeys(("$schema", "exporter"), _TEXT),
        "shared": pl.Struct({"frames": pl.List(pl.Struct({"name": _TEXT, "file": _TEXT, "line": _NUMBER}))}),
        "profiles": pl.List(
            pl.Struct(
                {
                    **dict.fromkeys(("type", "name", "unit"), _TEXT),
                    **dict.fromkeys(("startValue", "endValue"), _NUMBER),
                    "samples": pl.List(pl.List(_NUMBER)),
                    "weights": pl.List(_NUMBER),
                    "events": pl.List(pl.Struct({"type": _TEXT, "at": _NUMBER, "frame": _NUMBER})),
                }
            )
        ),
    }
)
_COMMAND = re.compile(rb'(process \d{1,20}):"[^"\n]*"')
"""A process as py-spy names it among frames: with its command."""

_IDENTIFYING = re.compile(r"(?i).*(?:uuid|guid|host|serial|pci|location).*")


def copied_samples(text: str) -> bytes:
    """Samples of stacks as speedscope JSON.

    Raises:
        ValueError: it is no JSON.
    """
    return copied(text, _SAMPLES)


def copied_stacks(text: str) -> bytes:
    """Samples of stacks as lines, without commands of processes."""
    return _COMMAND.sub(rb"\1", text.encode())


def copied_cells(text: str) -> bytes:
    """A table in CSV, without the cells of columns that identify a machine or a GPU.

    Raises:
        pl.exceptions.PolarsError: it is none.
    """
    frame = pl.read_csv(io.BytesIO(text.encode()), infer_schema=False, truncate_ragged_lines=True)
    blank = [pl.lit("").alias(name) for name in frame.columns if _IDENTIFYING.fullmatch(name)]
    return frame.with_columns(blank).write_csv().encode()


class RunCopy:
    """A copy of the folder of a run: the files that are read.

    Attributes:
        files, left_out: how many files were copied, and how many were not.
        whole: whether none of them ends early.
    """

    def __init__(self, source: str, target: Path, hiding: Hiding) -> None:
        self.files = self.left_out = 0
        self.whole = True
        self._source, self._target, self._hiding = Path(source), target, hiding

    def copy(self) -> None:
        """Write the copy.

        Raises:
            UnreadableInput: a database in it is damaged.
        """
        for path in sorted(one for one in self._source.rglob("*") if one.is_file() and not one.is_symlink()):
            within = path.relative_to(self._source)
            # What is read lies in the folder, or in one that it knows below it.
            copied_ = len(within.parts) <= _DEEPEST and self._copy(path, self._target / within)
            self.files += copied_
            self.left_out += not copied_

    def _copy(self, path: Path, target: Path) -> bool:
        name = path.name
        part = parts_of(name)
        is_database = ascend.DATABASE.fullmatch(name) or ascend.ANALYSIS.fullmatch(name)
        is_text = name in _TEXTS_OF_ASCEND
        is_text |= part is not None and part[0] in (*RAW, *PIPELINE)
        is_info = ascend.INFO.fullmatch(name) is not None or (part is not None and part[0] == INFO)
        if not (is_database or is_text or is_info or name in (VIEW, ascend.METADATA)):
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        if is_database:
            AskedCopy(str(path), target, self._hiding, asked_by_reader(Source(str(self._run_of(path))))).copy()
        elif name == VIEW:
            self._timeline(path, target)
        else:
            target.write_bytes(self._hiding.hidden(b"".join(self._content(path, is_info))))
        return True

    def _run_of(self, path: Path) -> Path:
        """What is opened to read a database: the folder, which the analysis of one cannot be read without."""
        return path.parent if ascend.ANALYSIS.fullmatch(path.name) else path

    def _timeline(self, path: Path, target: Path) -> None:
        with Source(str(path)).open() as stream, target.open("wb") as file:
            self.whole &= TraceCopy(stream, file.write, self._hiding).copy()

    def _content(self, path: Path, is_info: bool) -> Iterator[bytes]:
        source = Source(str(path))
        with source.open() as stream:
            text = whole_text(Input(source, stream, workers=1))
            self.whole &= stream.damage is None
        form: Any = _INFO if is_info else _METADATA if path.name == ascend.METADATA else None
        if form is None:
            yield without_told(text.encode())[0]
            return
        try:
            yield copied(text, form)
        except (ValueError, RecursionError):
            yield json.dumps({}).encode()


_TEXTS_OF_ASCEND = (
    *(ascend.KERNELS, ascend.STEPS, ascend.COLLECTIVES, ascend.MATRIX),
    *(ascend.MEMORY, ascend.MODULES, ascend.ALLOCATIONS),
)
_DEEPEST = 2
