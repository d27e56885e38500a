"""The timeline of a run, ``trace_view.json``: Chrome's events, of which the process says what they are.

Format: a list of events; ``ts`` are texts in us with three decimals. Operators, the queue and Python functions have
categories as torch.profiler gives them; what ran in CANN and on the NPU has none (`placing`). The analysis writes the
first, then the others behind them, so a list that is not closed is one whose analysis was interrupted.
Seen: torch_npu of 2024 to 2025 at levels 0, 1 and 2, CANN with the processes "HCCL" and "Communication".
Specification: the profiler of Ascend/pytorch and the exporter of msprof.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.ascend.layout import ascend_layout
from stepscope.readers.ascend.placing import Held, placed
from stepscope.readers.ascend.texts import TextCodes
from stepscope.readers.facts import EPOCH, KinetoFacts
from stepscope.readers.formats import Input
from stepscope.readers.kineto import KinetoReader

NPU = "Ascend NPU"
"""Name of a device of which a timeline says no more."""

_HELD = ("other", "label", "runtime", "flow")
"""Tables of which all rows are needed before any can be placed."""


class TimelineReading:
    """One pass. Iterate `tables` to the end, then look at `facts`.

    Args:
        recorder: what wrote it.
        groups: names of groups of ranks by what HCCL calls them.

    Attributes:
        codes: the texts, once all tables but them were read.
    """

    def __init__(self, given: Input, recorder: str) -> None:
        if given.stream is None:
            tried = Message("error-cannot-read", path=given.source.path)
            raise UnreadableInput(tried, Message("reader-folder"), Message("reader-name-file-in-it"))
        self._reader = KinetoReader(given.stream, given.progress, given.workers, layout=ascend_layout())
        self._reader.facts.recorder = recorder
        self.codes = TextCodes(pl.Series("text", [], pl.String))

    @property
    def facts(self) -> KinetoFacts:
        return self._reader.facts

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame) in parts, ``texts`` last.

        Raises:
            UnreadableInput: it holds no event.
        """
        held: Held = {name: [] for name in _HELD}
        texts: list[pl.DataFrame] = []
        processes: set[int] = set()
        for table, frame in self._reader.tables():
            if table == "texts":
                texts.append(frame)
            elif table in held:
                held[table].append(frame)
            else:
                if table in ("operator", "python"):
                    processes |= set(frame["process"].drop_nulls().unique().to_list())
                yield table, frame
        self.codes = TextCodes(pl.concat(texts)["text"] if texts else pl.Series("text", [], pl.String))
        self.facts.clock = EPOCH
        devices: set[int] = set()
        for table, frame in placed(held, self.codes, processes):
            if table == "activity":
                devices |= set(frame["device"].drop_nulls().to_list())
            yield table, frame
        self.facts.head = {"deviceProperties": [{"id": device, "name": NPU} for device in sorted(devices)]}
        yield from (("texts", frame) for frame in texts)
        yield "texts", self.codes.added()
