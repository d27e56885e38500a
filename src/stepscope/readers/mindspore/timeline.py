"""The timeline of a run: Chrome's events, of which the process alone says what they are.

Format: a bare list; ``ts`` and ``dur`` are texts in us with three decimals, ``cat`` is empty. Seen: MindSpore 2.10 on
a CPU.
Read: every event, as the reader of traces reads them. Operators become the table ``operator``; ranges of the scopes
that operators lie in, a thread for each depth, stay with what no rule places, under a category of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.facts import EPOCH, KinetoFacts
from stepscope.readers.formats import Input
from stepscope.readers.kineto import KinetoReader
from stepscope.schema import SCOPE, STORE_TABLES

_OPERATORS, _SCOPES = "CPU OP", "Scope Layer"


class TimelineReading:
    """One pass. Iterate `tables` to the end, then look at `facts`."""

    def __init__(self, given: Input) -> None:
        if given.stream is None:
            tried = Message("error-cannot-read", path=given.source.path)
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
        self._reader = KinetoReader(given.stream, given.progress, given.workers)
        self._reader.facts.recorder = "MindSpore"

    @property
    def facts(self) -> KinetoFacts:
        return self._reader.facts

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it holds no event.
        """
        held: list[pl.DataFrame] = []
        labels: list[pl.DataFrame] = []
        texts: list[pl.DataFrame] = []
        for table, frame in self._reader.tables():
            if table == "texts":
                texts.append(frame)
            elif table == "other":
                held.append(frame)  # names of processes may stand behind their events
            else:
                if table == "label":
                    labels.append(frame)
                yield table, frame
        known = pl.concat(texts)["text"] if texts else pl.Series("text", [], dtype=pl.String)
        placing = _Placing(known, labels)
        for frame in held:
            yield from placing.placed(frame)
        self.facts.clock = EPOCH
        yield from (("texts", frame) for frame in texts)
        yield "texts", pl.DataFrame({"text": placing.added}, {"text": pl.String})


class _Placing:
    """Where events without a category belong.

    Args:
        texts: of the recording.
        labels: parts of the table ``label``.

    Attributes:
        added: further texts, whose codes are behind those of the recording.
    """

    def __init__(self, texts: pl.Series, labels: list[pl.DataFrame]) -> None:
        codes = {text: code for code, text in enumerate(texts.to_list()) if text in _WORDS}
        self._texts, self.added = texts, [SCOPE]
        self._depths: dict[int, int] = {}
        self._timed, self._empty = codes.get("X"), codes.get("")
        frame = pl.concat([pl.DataFrame(schema=_LABEL), *labels], how="diagonal")
        named = frame.filter(pl.col("name") == codes.get("process_name", -1))

        def processes(name: str) -> pl.Series:
            return named.filter(pl.col("label_name") == codes.get(name, -1))["process"].unique()

        self._operators, self._scopes = processes(_OPERATORS), processes(_SCOPES)

    def placed(self, other: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
        """Events of the table ``other`` in their tables."""
        other = pl.concat([pl.DataFrame(schema=_OTHER), other], how="diagonal")
        bare = pl.col("category").is_null() | (pl.col("category") == (-1 if self._empty is None else self._empty))
        timed = (pl.col("phase") == (-1 if self._timed is None else self._timed)) & (pl.col("broken") == 0) & bare
        timed &= pl.col("duration_ns").is_not_null()

        def of(processes: pl.Series) -> pl.Expr:
            return (timed & pl.col("process").is_in(processes.implode())).fill_null(False)

        operators = other.filter(of(self._operators))
        if len(operators):
            yield "operator", operators.drop(set(other.columns) - set(STORE_TABLES["operator"]))
        rest = other.filter(~of(self._operators))
        if len(rest):
            within = rest.select(of(self._scopes)).to_series()
            category = pl.when(within).then(pl.lit(len(self._texts), pl.UInt32)).otherwise("category").alias("category")
            # Its threads are depths, and their numbers those of threads elsewhere.
            depths = {
                code: self._depth(code)
                for code in rest["thread"].filter(within).drop_nulls().unique(maintain_order=True)
            }
            depth = pl.col("thread").replace_strict(depths, default=None, return_dtype=pl.UInt32)
            yield "other", rest.with_columns(category, pl.when(within).then(depth).otherwise("thread").alias("thread"))

    def _depth(self, thread: int) -> int:
        """The code of what a thread of scopes is called."""
        if thread not in self._depths:
            self._depths[thread] = len(self._texts) + len(self.added)
            self.added.append(f"{SCOPE} {self._texts[thread]}")
        return self._depths[thread]


_TIMES = ("start_ns", "duration_ns")
_WORDS = {"X", "", "process_name", _OPERATORS, _SCOPES}
_OTHER = {name: STORE_TABLES["other"][name] for name in ("phase", "category", "process", "thread", *_TIMES)}
_LABEL = {"name": pl.UInt32, "process": pl.UInt32, "label_name": pl.UInt32}
