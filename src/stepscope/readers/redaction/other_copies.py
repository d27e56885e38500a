"""Copies of recordings of which what is read is copied: Perfetto, ROCm, Ascend, MindSpore, logs, samples of stacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.compile_log.records import Records
from stepscope.readers.formats import Input
from stepscope.readers.nsys.database import DAMAGE
from stepscope.readers.redaction.compile_copy import CompileCopy
from stepscope.readers.redaction.document_copy import copied
from stepscope.readers.redaction.hiding import Hiding
from stepscope.readers.redaction.packet_copy import PacketCopy
from stepscope.readers.redaction.run_copy import RunCopy, copied_cells, copied_samples, copied_stacks
from stepscope.readers.redaction.told import without_told
from stepscope.readers.redaction.writing import counts, written
from stepscope.readers.rocm.documents import DOCUMENT
from stepscope.readers.sources import Source
from stepscope.readers.telemetry.samples import whole_text

PERFETTO = "perfetto"
_CUT = Message("redact-cut")
_DAMAGE = (ValueError, RecursionError, pl.exceptions.PolarsError)


def _packets(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    with source.open() as stream, written(target) as write:
        copy = PacketCopy(stream, hiding)
        for piece in copy.pieces():
            write(piece)
    about = Message("redact-packets", packets=copy.left_out, arguments=copy.arguments)
    return [about, *counts(hiding), *([] if copy.whole else [_CUT])]


def _records(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    with source.open() as stream, written(target) as write:
        copy = CompileCopy(Records(stream), hiding)
        for line in copy.lines():
            write(line)
    about = Message("redact-records", records=copy.left_out)
    return [about, *counts(hiding), *([] if stream.damage is None else [_CUT])]


def _run(source: Source, target: Path, hiding: Hiding) -> list[Message]:
    target.mkdir()
    copy = RunCopy(source.path, target, hiding)
    try:
        copy.copy()
    except DAMAGE as error:
        tried = Message("error-cannot-redact", path=source.path)
        raise UnreadableInput(tried, Message("reader-no-database"), Message("reader-export-again")) from error
    return [Message("redact-run", files=copy.left_out), *counts(hiding), *([] if copy.whole else [_CUT])]


def _whole(of_text: Callable[[str], bytes]) -> Callable[[Source, Path, Hiding], list[Message]]:
    """What copies a file that is read as a whole."""

    def copy(source: Source, target: Path, hiding: Hiding) -> list[Message]:
        with source.open() as stream:
            text = whole_text(Input(source, stream, workers=1))
            cut = [] if stream.damage is None else [_CUT]
        try:
            found = of_text(text)
        except _DAMAGE as error:
            tried = Message("error-cannot-redact", path=source.path)
            raise UnreadableInput(tried, Message("redact-damaged"), Message("reader-record-again")) from error
        with written(target) as write:
            write(hiding.hidden(found))
        return [Message("redact-read"), *counts(hiding), *cut]

    return copy


def _told(text: str) -> bytes:
    return without_told(text.encode())[0]


COPIES: dict[str, Callable[[Source, Path, Hiding], list[Message]]] = {
    PERFETTO: _packets,
    "compile_log": _records,
    **dict.fromkeys(("ascend", "mindspore", "minddata"), _run),
    "rocprof_json": _whole(lambda text: copied(text, DOCUMENT)),
    "rocprof_csv": _whole(copied_cells),
    "speedscope": _whole(copied_samples),
    "collapsed": _whole(copied_stacks),
    **dict.fromkeys(("nccl_inspector", "flight_recorder_json", "minddata_file"), _whole(_told)),
}
"""By the name of the format."""
