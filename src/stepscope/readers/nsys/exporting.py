"""Reports of Nsight Systems, exported by the user's own ``nsys``: nobody else can read them."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.formats import Input
from stepscope.readers.nsys.format import not_readable, report_version
from stepscope.readers.nsys.reader import NsysFacts, NsysReading
from stepscope.readers.sources import Source


class ReportReading:
    """One pass: export, then read the export.

    Args:
        given: the report.
        command: path of ``nsys``, or None where there is none.
    """

    def __init__(self, given: Input, command: str | None) -> None:
        self.facts = NsysFacts()
        self._given = given
        self._command = command

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: there is no ``nsys``, it cannot export the report, or that holds no event.
        """
        with tempfile.TemporaryDirectory(prefix="stepscope-") as folder:
            exported = Source(self._export(os.path.join(folder, "export.sqlite")))
            with exported.open() as stream:
                reading = NsysReading(replace(self._given, source=exported, stream=stream))
                try:
                    yield from reading.tables()
                except UnreadableInput as error:
                    raise self._refused(error.found) from error
                self.facts = reading.facts

    def _export(self, target: str) -> str:
        stream = self._given.stream
        version = report_version(stream.peek(200)) if stream is not None else ""
        if self._command is None or stream is None or self._given.source.is_remote or stream.is_gzip:
            raise self._refused(not_readable(version))
        options = ["--type", "sqlite", "--force-overwrite", "true", "--output", target]
        # A name that begins with a dash would be an option.
        report = os.path.abspath(self._given.source.path)
        done = subprocess.run([self._command, "export", *options, report], capture_output=True, check=False)
        if done.returncode or not os.path.exists(target):
            known = Message("reader-nsys-failed", version=version)
            raise self._refused(known if version else Message("reader-nsys-failed-any"))
        return target

    def _refused(self, found: Message | str) -> UnreadableInput:
        tried = Message("error-cannot-read", path=self._given.source.path)
        return UnreadableInput(tried, found, Message("reader-nsys-export"))
