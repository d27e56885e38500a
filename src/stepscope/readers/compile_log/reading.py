"""One pass over a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.coded_texts import MOST_BYTES, Texts, text, whole
from stepscope.readers.compile_log.clock import WallClock
from stepscope.readers.compile_log.compilations import METRICS, Compilations
from stepscope.readers.compile_log.format import RECORDER
from stepscope.readers.compile_log.graph_breaks import GraphBreaks
from stepscope.readers.compile_log.kernels import Kernels
from stepscope.readers.compile_log.phases import PHASE, Phases
from stepscope.readers.compile_log.records import Record, Records
from stepscope.readers.compile_log.values import us_to_ns
from stepscope.readers.facts import EPOCH, OWN, Facts
from stepscope.readers.formats import Input
from stepscope.schema import STORE_TABLES


@dataclass
class CompileFacts(Facts):
    """Facts of a log.

    Attributes:
        recorder: see `Facts`; its version is that of torch.
        unchecked: payloads that are not those that were written: cut, damaged or edited.
        resolution_ns: to what the times of its lines are rounded.
        provenance: whether Inductor says which lines kernels come from, see `kernels.RECORDED`.
    """

    recorder: str = RECORDER
    unchecked: int = 0
    resolution_ns: int = 1_000_000
    provenance: bool = False


class LogReading:
    """Iterate `tables` to the end, then look at `facts`."""

    def __init__(self, given: Input) -> None:
        self.facts = CompileFacts(clock=OWN)
        self._given = given
        self._texts = Texts()
        self._files: dict[int, str] = {}
        self._clock = WallClock()
        self._compilations = Compilations(self._texts)
        self._breaks = GraphBreaks(self._texts)
        self._kernels = Kernels(self._texts)
        self._phases = Phases(self._texts)
        self._takers: dict[str, Callable[[Record], None]] = {
            "str": self._file,
            "dynamo_start": self._started,
            "chromium_event": self._phase,
            **dict.fromkeys(METRICS, self._ended),
            "recompile_reasons": lambda one: self._compilations.again(one.said, one.json, one.text),
            "dynamo_graph_break_reason": self._broke,
            "inductor_provenance_tracking_kernel_stack_traces": self._stacks,
            "inductor_provenance_tracking_node_mappings": self._nodes,
            "inductor_triton_kernel_to_post_grad_nodes": self._nodes,
            "dynamo_output_graph": lambda one: self._kernels.graph(one.said, one.text),
            "inductor_output_code": lambda one: self._kernels.code(one.said, one.text),
            "torch_version": self._version,
        }

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame), ``texts`` last.

        Raises:
            UnreadableInput: it holds no record, or more text than any log.
        """
        path, stream = self._given.source.path, self._given.stream
        tried, advice = Message("error-cannot-read", path=path), Message("reader-compile-advice")
        if stream is None:
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
        records = Records(stream)
        for record in records:
            self._take(record)
            if self._texts.length > MOST_BYTES:
                raise UnreadableInput(tried, Message("reader-longer", limit=MOST_BYTES), advice)
        if records.seen == records.damaged:
            raise UnreadableInput(tried, Message("reader-compile-empty"), advice)
        self._compilations.finish()
        self.facts.damaged, self.facts.truncated = records.damaged, stream.damage
        yield from self._stored()
        self.facts.events += records.damaged

    def _take(self, record: Record) -> None:
        kind = record.kind
        taker = self._takers.get(kind)
        if taker is not None:
            taker(record)
            self.facts.unchecked += not record.is_whole
        else:
            self._compilations.cache(kind, record.said)
        rank = whole(record.said.get("rank"))
        if rank is not None and 0 <= rank < 1 << 31:
            self.facts.head.setdefault("distributedInfo", {"rank": rank})

    def _file(self, record: Record) -> None:
        about = record.said["str"]
        if isinstance(about, list) and len(about) == 2 and isinstance(about[0], str) and whole(about[1]) is not None:
            self._files[about[1]] = about[0]

    def _started(self, record: Record) -> None:
        ns = self._clock.ns(record.written)
        self._compilations.start(record.said, self._files, record.process, ns)

    def _ended(self, record: Record) -> None:
        metrics = record.said[record.kind]
        ended = us_to_ns(metrics.get("end_time_us")) if isinstance(metrics, dict) else None
        if ended is not None:
            self._learn(record, ended // 1000)
        self._compilations.end(record.kind, record.said, record.process)

    def _phase(self, record: Record) -> None:
        us = self._phases.add(record.process, record.json)
        if us is not None:
            self._learn(record, us)

    def _learn(self, record: Record, us: int) -> None:
        self._clock.learn(record.written, us)
        self.facts.clock = EPOCH

    def _broke(self, record: Record) -> None:
        self._breaks.add(record.said, record.text, self._clock.ns(record.written))

    def _stacks(self, record: Record) -> None:
        self.facts.provenance = True
        self._kernels.stacks(record.said, record.json)

    def _nodes(self, record: Record) -> None:
        self._kernels.nodes(record.said, record.json)

    def _version(self, record: Record) -> None:
        said = record.json
        self.facts.recorder_version = (text(said.get("pytorch_version")) or "")[:40] if isinstance(said, dict) else ""

    def _stored(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """The tables; what has a time or ended is an event, numbered through all of them."""
        phases = pl.DataFrame(self._phases.rows, schema=[*PHASE], orient="row") if self._phases.rows else None
        for table, rows in (
            ("compilation", self._compilations.rows),
            ("graph_break", self._breaks.rows),
            ("annotation", phases),
        ):
            if rows is not None:
                yield table, self._numbered(table, rows)
        yield "recompile_reason", _frame("recompile_reason", self._compilations.reasons)
        yield "compiled_kernel", _frame("compiled_kernel", self._kernels.rows())
        yield "texts", pl.DataFrame({"text": list(self._texts.all)}, {"text": pl.String})

    def _numbered(self, table: str, rows: Sequence[dict[str, Any]] | pl.DataFrame) -> pl.DataFrame:
        types = {name: dtype for name, dtype in STORE_TABLES[table].items() if name != "event"}
        first = self.facts.events
        self.facts.events += len(rows)
        if not isinstance(rows, pl.DataFrame):
            rows = pl.DataFrame([{name: row.get(name) for name in types} for row in rows], types, orient="row")
        typed = rows.select(pl.col(name).cast(types[name]) for name in rows.columns)
        return typed.with_row_index("event", first)


def _frame(table: str, rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    types = STORE_TABLES[table]
    return pl.DataFrame([{name: row.get(name) for name in types} for row in rows], schema=types, orient="row")
