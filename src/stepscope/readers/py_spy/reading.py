"""One pass over a file of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import OWN, Facts
from stepscope.readers.formats import Input
from stepscope.readers.py_spy.format import RECORDER
from stepscope.readers.py_spy.stacks import Stacks
from stepscope.readers.telemetry.samples import whole_text
from stepscope.schema import STORE_TABLES


@dataclass
class SampleFacts(Facts):
    """Facts of a file of samples; its version is that of py-spy, or the name of another tool."""

    recorder: str = RECORDER


class SamplesReading:
    """Iterate `tables` to the end, then look at `facts`.

    Args:
        parse: adds the samples of a text, and returns what wrote it.
    """

    def __init__(self, given: Input, parse: Callable[[str, Stacks], str]) -> None:
        self.facts = SampleFacts(clock=OWN)
        self._given = given
        self._parse = parse

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame), ``texts`` last.

        Raises:
            UnreadableInput: it holds no sample.
        """
        stacks, path = Stacks(), self._given.source.path
        try:
            wrote = self._parse(whole_text(self._given), stacks)
        except (ValueError, RecursionError) as error:
            raise self._refused(path, Message("reader-samples-damaged")) from error
        if not stacks.samples:
            raise self._refused(path, Message("reader-samples-empty"))
        facts, stream = self.facts, self._given.stream
        facts.events, facts.damaged = len(stacks.samples) + stacks.damaged, stacks.damaged
        facts.truncated = stream.damage if stream is not None else None
        facts.recorder_version = wrote.removeprefix("py-spy@")[:40]
        types = STORE_TABLES["stack_sample"]
        columns = [name for name in types if name != "event"]
        rows = pl.DataFrame(stacks.samples, {name: types[name] for name in columns}, orient="row")
        yield "stack_sample", rows.with_row_index("event")
        yield "sample_frame", pl.DataFrame(stacks.frames, STORE_TABLES["sample_frame"], orient="row")
        yield "texts", pl.DataFrame({"text": list(stacks.texts.all)}, {"text": pl.String})

    def _refused(self, path: str, found: Message) -> UnreadableInput:
        return UnreadableInput(Message("error-cannot-read", path=path), found, Message("reader-samples-advice"))
