"""Reader of rocpd databases.

Format: SQLite, a set of tables for each process, whose names end in its GUID. Seen: made files after the schemas 3.0
and 4.1, whose records name their thread themselves or through a track.
Read: kernels, copies, regions (calls of HIP and HSA, ranges of ROCTx), the names of threads and agents.
Ignored: what the environment and the command were, arguments, counters, allocations and sampled stacks; their number is
said.
Specification: ``rocpd_tables.sql`` of rocprofiler-sdk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from stepscope.messages import Message
from stepscope.numeric.sqlite_rows import INTEGER, TEXT
from stepscope.readers.nsys.database import DAMAGE, Database
from stepscope.readers.rocm.one_pass import OnePass
from stepscope.readers.rocm.stored import (
    CALL_COLUMNS,
    COPY_COLUMNS,
    KERNEL_COLUMNS,
    Tables,
    with_all,
)

_KERNELS, _COPIES, _REGIONS = "rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_region"
_TIMED = ("start", "end", "event_id", "pid", "tid", "track_id")
_OF_KERNEL = ("agent_id", "kernel_id", "queue_id", "stream_id", "group_segment_size")
_OF_COPY = ("dst_agent_id", "src_agent_id", "name_id", "size", "queue_id", "stream_id")
_SIZES = {f"grid_size_{axis}": f"grid_{axis}" for axis in "xyz"}
_SIZES |= {f"workgroup_size_{axis}": f"block_{axis}" for axis in "xyz"}
_UNREAD = ("rocpd_sample", "rocpd_memory_allocate", "rocpd_pmc_event", "rocpd_event_operation")
_MESSAGE = r'"message"\s*:\s*"((?:[^"\\]|\\.)*)"'
_ESCAPED = r'\\(["\\/])'
_GUID = re.compile(re.escape(_KERNELS) + r"(_[0-9A-Za-z_]+)?")
_MOST_SETS = 4096


class RocpdReading(OnePass):
    """One pass. Iterate `tables` to the end, then look at `facts`.

    Args:
        given: the file.
    """

    def tables(self) -> Tables:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it is no database, or holds no record.
        """
        stream = self._given.stream
        if stream is None:
            raise self._refused(Message("reader-folder"), Message("reader-name-file-in-it"))
        with Database(self._given.source, stream, self._stored.texts) as database:
            try:
                yield from self._sets(database)
            except DAMAGE as error:
                raise self._refused(Message("reader-no-database"), Message("reader-export-again")) from error
            self.facts.truncated = database.damage
        if self.facts.events == self.facts.broken_times:
            raise self._refused(Message("reader-rocm-no-event"), Message("reader-rocm-record"))
        yield from self._stored.finish()

    def _sets(self, database: Database) -> Tables:
        endings = [found[1] or "" for name in database.tables() if (found := _GUID.fullmatch(name))][:_MOST_SETS]
        sets = [_Set(database, ending, place + 1) for place, ending in enumerate(sorted(endings))]
        with_gpu = {process for one in sets for process in one.processes_with_gpu()}
        others = {process for one in sets for process in one.processes.values()}
        self._stored.settle(with_gpu, others | with_gpu)
        self.facts.head = {"deviceProperties": [device for one in sets[:1] for device in one.devices()]}
        for one in sets:
            self.facts.unread_records += sum(one.count(table) for table in _UNREAD)
            for frame in one.kernels():
                yield from self._stored.kernels(frame)
            for frame in one.copies():
                yield from self._stored.copies(frame)
            for frame in one.regions():
                marker = frame["domain"].str.starts_with("MARKER").fill_null(False)
                yield from self._stored.calls(frame.filter(~marker))
                yield from self._stored.markers(frame.filter(marker))
            yield from self._stored.names(one.threads_named())
            if self._given.progress is not None:
                self._given.progress(0, self.facts.events)


class _Set:
    """The tables of one GUID.

    Args:
        ending: of their names.
        number: of a process whose number nothing tells.
    """

    def __init__(self, database: Database, ending: str, number: int) -> None:
        self._database, self._ending, self._number = database, ending, number
        self._strings = self._named("rocpd_string", "string")
        self._categories = self._named("rocpd_info_category", "name") or self._strings
        self._symbols = self._named("rocpd_info_kernel_symbol", "display_name")
        self.processes = self._numbers("rocpd_info_process", "pid")
        self._threads = self._numbers("rocpd_info_thread", "tid")
        agents = self._values("rocpd_info_agent", "id", "type", "type_index", "product_name", "name")
        self._agents = {row[0]: row for row in agents}
        self._tracks = self._whole("rocpd_track", "id", "pid", "tid", "agent_id", "queue_id", "stream_id")
        self._events = self._whole("rocpd_event", "id", "category_id", "stack_id", texts=("extdata",))

    def devices(self) -> list[dict[str, Any]]:
        """GPUs as a trace's ``deviceProperties`` has them, by the number that HIP gives them."""
        gpus = [row for row in self._agents.values() if row[1] == "GPU" and isinstance(row[2], int)]
        return [{"id": row[2], "name": str(row[3] or row[4] or "")[:128]} for row in gpus]

    def count(self, table: str) -> int:
        """Rows of a table."""
        return sum(len(frame) for frame in self._rows(table, ("event_id",)))

    def processes_with_gpu(self) -> set[int]:
        """Numbers of the processes that have kernels, or else copies."""
        for table in (_KERNELS, _COPIES):
            found: set[int] = set()
            for frame in self._rows(table, ("pid", "track_id")):
                found |= set(self._placed(frame)["process"].unique().to_list())
            if found:
                return found
        return set()

    def kernels(self) -> Iterator[pl.DataFrame]:
        for frame in self._rows(_KERNELS, (*_TIMED, *_OF_KERNEL, *_SIZES)):
            frame = (
                self._placed(frame)
                .rename(_SIZES)
                .with_columns(
                    self._texts(frame["kernel_id"], self._symbols).alias("name"),
                    pl.col("queue_id").alias("queue"),
                    pl.col("stream_id").alias("stream"),
                    pl.col("group_segment_size").alias("lds_bytes"),
                )
            )
            yield with_all(frame.with_columns(self._devices(frame["agent_id"]).alias("device")), KERNEL_COLUMNS)

    def copies(self) -> Iterator[pl.DataFrame]:
        for frame in self._rows(_COPIES, (*_TIMED, *_OF_COPY)):
            source, target = (self._devices(frame[name]) for name in ("src_agent_id", "dst_agent_id"))
            frame = self._placed(frame).with_columns(
                self._texts(frame["name_id"], self._strings).alias("name"),
                target.fill_null(source).alias("device"),
                pl.coalesce("stream_id", "queue_id").alias("stream"),
                pl.col("size").alias("bytes"),
            )
            yield with_all(frame, COPY_COLUMNS)

    def regions(self) -> Iterator[pl.DataFrame]:
        for frame in self._rows(_REGIONS, (*_TIMED, "name_id")):
            frame = self._placed(frame)
            said = frame["extdata"].str.extract(_MESSAGE).str.replace_all(_ESCAPED, "${1}")
            name = said.fill_null(self._texts(frame["name_id"], self._strings))
            domain = self._texts(frame["category_id"], self._categories).fill_null("")
            yield with_all(frame.with_columns(name.alias("name"), domain.alias("domain")), CALL_COLUMNS)

    def threads_named(self) -> pl.DataFrame:
        rows = self._values("rocpd_info_thread", "pid", "tid", "name")
        found = [
            (self.processes.get(pid, self._number), tid, name)
            for pid, tid, name in rows
            if isinstance(tid, int) and isinstance(name, str) and name
        ]
        types = {"process": pl.Int64, "thread": pl.Int64, "label_name": pl.String}
        return pl.DataFrame(found, schema=types, orient="row")

    def _placed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Rows with process, thread, and what their event and their track say."""
        if "track_id" in frame.columns and len(self._tracks):
            tracks = self._tracks.rename({"id": "track_id"})
            empty = {name for name in frame.columns if frame[name].null_count() == len(frame)} - {"track_id"}
            frame = frame.drop(empty & set(tracks.columns))
            wanted = ["track_id", *(name for name in tracks.columns if name not in frame.columns)]
            frame = frame.join(tracks.select(wanted), "track_id", "left", maintain_order="left")
        if "event_id" in frame.columns:
            events = self._events.rename({"id": "event_id"})
            frame = frame.join(events, "event_id", "left", maintain_order="left")
            frame = frame.with_columns(pl.col("stack_id").alias("correlation"))
        process = frame["pid"].replace_strict(self.processes, default=self._number, return_dtype=pl.Int64)
        columns = [process.alias("process")]
        if "tid" in frame.columns:
            thread = frame["tid"].replace_strict(self._threads, default=None, return_dtype=pl.Int64)
            columns.append(thread.fill_null(frame["tid"]).alias("thread"))
        return frame.with_columns(columns)

    def _devices(self, agents: pl.Series) -> pl.Series:
        """HIP's numbers of GPUs; null for other agents."""
        known = {number: row[2] for number, row in self._agents.items() if row[1] == "GPU" and isinstance(row[2], int)}
        return agents.replace_strict(known, default=None, return_dtype=pl.Int64)

    def _texts(self, numbers: pl.Series, known: dict[int, str]) -> pl.Series:
        return numbers.replace_strict(known, default=None, return_dtype=pl.String)

    def _named(self, table: str, column: str) -> dict[int, str]:
        frame = self._whole(table, "id", texts=(column,))
        known = zip(frame["id"].to_list(), frame[column].to_list(), strict=True)
        return {number: text for number, text in known if number is not None and text is not None}

    def _numbers(self, table: str, column: str) -> dict[int, int]:
        return {
            number: value
            for number, value in self._values(table, "id", column)
            if isinstance(number, int) and isinstance(value, int) and 0 <= value < 1 << 31
        }

    def _values(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        return self._database.values(f"{table}{self._ending}", list(columns))

    def _whole(self, table: str, *numbers: str, texts: tuple[str, ...] = ()) -> pl.DataFrame:
        """A table in one frame."""
        types = dict.fromkeys(numbers, pl.Int64) | dict.fromkeys(texts, pl.String)
        return pl.concat([pl.DataFrame(schema=types), *self._rows(table, numbers, texts)])

    def _rows(self, table: str, numbers: tuple[str, ...], texts: tuple[str, ...] = ()) -> Iterator[pl.DataFrame]:
        """Rows of a table, its texts as texts."""
        wanted = dict.fromkeys(numbers, INTEGER) | dict.fromkeys(texts, TEXT)
        for frame in self._database.rows(f"{table}{self._ending}", wanted):
            as_texts = [self._of_codes(frame[name]).alias(name) for name in texts]
            yield frame.with_columns(as_texts).select(*numbers, *texts)

    def _of_codes(self, codes: pl.Series) -> pl.Series:
        distinct = codes.unique().drop_nulls()
        texts = [text.decode("utf-8", "replace") for text in self._database.texts_of(distinct)]
        return codes.replace_strict(distinct, pl.Series(texts, dtype=pl.String), default=None, return_dtype=pl.String)
