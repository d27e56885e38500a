"""Recognise telemetry, and read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import polars as pl

from stepscope.errors import UnreadableInput
from stepscope.messages import Message
from stepscope.readers.beginning import Beginning
from stepscope.readers.facts import EPOCH, OWN, Facts
from stepscope.readers.formats import TELEMETRY, Input, Match, Reader, Reading


@dataclass
class TelemetryFacts(Facts):
    """Facts of telemetry.

    Attributes:
        zone: "local" where its times are of a zone that it does not name, else "".
        resolution_ns: to what its times are rounded: a second, a millisecond, a microsecond or a nanosecond.
        assumed_interval_ns: how far apart its samples are taken to be, where it holds no times; 0 where it does.
        host: name of the machine, "" where it does not say.
        refused: counters that its recorder could not have, each with the reason.
    """

    zone: str = ""
    resolution_ns: int = 1
    assumed_interval_ns: int = 0
    host: str = ""
    refused: dict[str, str] = field(default_factory=dict)


Parser = Callable[[str], tuple[pl.DataFrame, int]]

_QUERIED = re.compile(rb"timestamp,.{0,4000}(?:\[|index|uuid|utilization\.|power\.|clocks\.|temperature\.|memory\.)")
_MONITORED = re.compile(rb"# ?(?:Date +)?(?:Time +)?gpu +\w")
_EXPORTED = re.compile(rb"(?m)^(?:# HELP )?DCGM_FI_\w+[ {]")
_DCGM_MONITORED = re.compile(rb"[^\n]{0,40}#\s*Entity\s+\w")
_OWN = re.compile(rb'\{"stepscope_telemetry":\s*\d')
_PLAIN = re.compile(rb"time_ns,[\w .%/-]")
_HALF_A_DAY_NS = 12 * 3600 * 10**9
"""How far a clock of local time may be off, where nobody says of which zone."""


class _Reading:
    """One pass.

    Args:
        given: the file.
        facts: what is known of it.
        parse: makes samples of its text.
    """

    def __init__(self, given: Input, facts: TelemetryFacts, parse: Parser) -> None:
        self.facts = facts
        self._given = given
        self._parse = parse

    def tables(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield (table, frame), ``texts`` last.

        Raises:
            UnreadableInput: it holds no sample.
        """
        from stepscope.readers.telemetry.samples import tables_of, whole_text

        samples, odd = self._samples(whole_text(self._given))
        timed = samples.filter(pl.col("time_ns").is_not_null())
        self.facts.damaged = odd + len(samples) - len(timed)
        self.facts.events = len(timed) + self.facts.damaged
        stream = self._given.stream
        self.facts.truncated = stream.damage if stream is not None else None
        if len(timed) == 0:
            found = Message("reader-telemetry-no-time" if len(samples) else "reader-telemetry-no-sample")
            tried = Message("error-cannot-read", path=self._given.source.path)
            raise UnreadableInput(tried, found, Message("reader-telemetry-record"))
        self.facts.resolution_ns = _resolution(timed["time_ns"])
        yield from tables_of(timed, "telemetry")

    def _samples(self, text: str) -> tuple[pl.DataFrame, int]:
        try:
            return self._parse(text)
        except (ValueError, IndexError, pl.exceptions.PolarsError) as error:
            tried = Message("error-cannot-read", path=self._given.source.path)
            raise UnreadableInput(
                tried, Message("reader-telemetry-no-sample"), Message("reader-telemetry-record")
            ) from error


class _Text(Reader):
    """A log that is known by how it begins."""

    kind = TELEMETRY
    begins: re.Pattern[bytes]

    def recognise(self, beginning: Beginning) -> Match | None:
        first = beginning.first.removeprefix(b"\xef\xbb\xbf")
        return Match(self.kind, self.recorder, self.name) if self.begins.match(first) else None


class QueriedSmi(_Text):
    """``nvidia-smi --query-gpu=timestamp,... --format=csv -l 1``."""

    name = "nvidia_smi"
    recorder = "nvidia-smi"
    suffixes = (".csv", ".log")
    begins = _QUERIED

    def read(self, given: Input) -> Reading:
        from stepscope.readers.telemetry.tables_of_text import queried

        return _Reading(given, _local(self.recorder), queried)


class MonitoredSmi(_Text):
    """``nvidia-smi dmon -o DT``."""

    name = "nvidia_smi_dmon"
    recorder = "nvidia-smi"
    suffixes = (".log", ".csv")
    begins = _MONITORED

    def read(self, given: Input) -> Reading:
        from stepscope.readers.telemetry.tables_of_text import monitored

        return _Reading(given, _local(self.recorder), monitored)


class DcgmExporter(_Text):
    """What DCGM's exporter serves, with times."""

    name = "dcgm"
    recorder = "DCGM"
    suffixes = (".prom",)
    begins = _EXPORTED

    def read(self, given: Input) -> Reading:
        from stepscope.readers.telemetry.exporter import exported

        return _Reading(given, TelemetryFacts(self.recorder, clock=EPOCH), exported)


class DcgmMonitor(_Text):
    """``dcgmi dmon -e 155,203,1002``, perhaps through ``ts '%Y-%m-%dT%H:%M:%.S'``."""

    name = "dcgm_dmon"
    recorder = "DCGM"
    suffixes = (".log",)
    begins = _DCGM_MONITORED

    def read(self, given: Input) -> Reading:
        from stepscope.readers.telemetry.dcgm_monitor import ASSUMED_NS, dcgm_monitored, is_timed

        facts = _local(self.recorder)

        def parse(text: str) -> tuple[pl.DataFrame, int]:
            if not is_timed(text):
                facts.zone, facts.uncertainty_ns, facts.assumed_interval_ns = "", None, ASSUMED_NS
            return dcgm_monitored(text)

        return _Reading(given, facts, parse)


class TimedTable(_Text):
    """A CSV whose first column is ``time_ns``, in ns since 1970; columns end in their unit, as ``power_mw``."""

    name = "timed_csv"
    recorder = "CSV"
    suffixes = (".csv",)
    begins = _PLAIN

    def read(self, given: Input) -> Reading:
        from stepscope.readers.telemetry.tables_of_text import plain

        return _Reading(given, TelemetryFacts(self.recorder, clock=EPOCH), plain)


class OwnLines(_Text):
    """What ``stepscope telemetry`` and ``stepscope record --telemetry`` write."""

    name = "stepscope_telemetry"
    recorder = "stepscope"
    suffixes = (".jsonl",)
    begins = _OWN

    def read(self, given: Input) -> Reading:
        from stepscope.readers.telemetry.own_lines import own_lines

        facts = TelemetryFacts(self.recorder, clock=EPOCH)

        def parse(text: str) -> tuple[pl.DataFrame, int]:
            samples, odd, said = own_lines(text)
            facts.host, facts.refused = said.host, said.refused
            return samples, odd

        return _Reading(given, facts, parse)


def _local(recorder: str) -> TelemetryFacts:
    return TelemetryFacts(recorder, clock=OWN, uncertainty_ns=_HALF_A_DAY_NS, zone="local")


def _resolution(times: pl.Series) -> int:
    """The largest of some units that all times are multiples of, in ns."""
    return next((unit for unit in (10**9, 10**6, 10**3) if bool((times % unit == 0).all())), 1)
