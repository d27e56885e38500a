"""What one recorder wrote about one process or machine, between the source it was read from and its rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stepscope.messages import Message
from stepscope.readers.facts import EPOCH, OWN
from stepscope.readers.formats import TRACE, Match
from stepscope.store.step_detection import whole_span
from stepscope.store.trace import Trace

_SURELY_EPOCH_NS = 10**17
"""Times beyond count from 1970: no machine has been up for three years."""


@dataclass(frozen=True)
class Recording:
    """One recording; a rank has several, a profile some that belong to no rank.

    Attributes:
        path: what it was read from.
        kind: a kind of `readers.formats`.
        recorder: what wrote it.
        version: of the recorder, "" where the recording does not say.
        rank: number of its rank, None where it belongs to none.
        stored: its tables, None where it was not read.
        span: its place among the recordings of one process, from 1 in order of time; None where it is the only one.
        spans: how many these are.
        used: whether the tables show it.
        note: why it is not used, or which of several it is; None where there is nothing to say.
        joined: how its times are those of the recording that the tables show, see `store.joining`; "" where not.
        shift_ns: what is added to its times to count as that one does; None where that is not known.
        uncertainty_ns: how far they may be off then; None where that is not known.
        gpus: of telemetry beside several ranks, those of this one; None for all.
    """

    path: str
    kind: str
    recorder: str
    version: str = ""
    rank: int | None = None
    stored: Trace | None = None
    span: int | None = None
    spans: int | None = None
    used: bool = True
    note: Message | str | None = None
    joined: str = ""
    shift_ns: int | None = None
    uncertainty_ns: int | None = None
    gpus: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """File name without its folder."""
        return self.path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]

    @property
    def trace(self) -> Trace:
        """Its stored tables.

        Raises:
            LookupError: it was not read.
        """
        if self.stored is None:
            raise LookupError(f"the recording {self.name} was not read")
        return self.stored

    @property
    def clock(self) -> str:
        """What its times are counted on: `EPOCH` or `OWN`; "" where it was not read."""
        if self.stored is None:
            return ""
        said = str(self.facts.get("clock") or "")
        return said or (EPOCH if whole_span(self.stored)[0] >= _SURELY_EPOCH_NS else OWN)

    @property
    def facts(self) -> dict[str, Any]:
        """What it says of itself and what was wrong with it, see `readers.facts`."""
        return self.stored.meta if self.stored is not None else {}

    @property
    def span_ns(self) -> tuple[int, int] | None:
        """First start and last end of everything timed, on its own clock; None without any."""
        found = whole_span(self.stored) if self.stored is not None else (0, 0)
        return found if found != (0, 0) else None


def read_recording(path: str, trace: Trace, rank: int | None = None) -> Recording:
    """A recording that was read."""
    return Recording(path, trace.kind, trace.recorder, str(trace.meta.get("recorder_version") or ""), rank, trace)


def unread_recording(path: str, match: Match, note: Message | str, rank: int | None = None) -> Recording:
    """A recording that was recognised and not read.

    Args:
        note: why.
    """
    return Recording(path, match.kind or TRACE, match.recorder, rank=rank, used=False, note=note)
