"""What was opened: one or many ranks, each a stored trace, with launches linked and host events nested."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock, RLock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.numeric.intervals import contains, union
from stepscope.readers.remote import is_url
from stepscope.readers.sources import Source, find_sources
from stepscope.store.ingest import ReadOptions, open_trace
from stepscope.store.linking import links
from stepscope.store.nesting import HostNesting, host_nesting
from stepscope.store.stepping import Steps, find_steps, whole_span
from stepscope.store.trace import Trace

_Result = TypeVar("_Result")

RANK_IN_NAME = re.compile(r"(?<![A-Za-z0-9])(rank[\W_]*)(\d{1,9})", re.IGNORECASE)
"""How names say a rank: the word, and the number."""

FROM_TRACE, FROM_NAME, FROM_ORDER = "distributedInfo", "file name", "order of the files"


@dataclass(frozen=True)
class Rank:
    """One process of the profiled job: its trace and what is selected of it.

    Attributes:
        number: rank in the job.
        trace: its stored trace.
        source: path it was read from.
        origin: how the number was found: `FROM_TRACE`, `FROM_NAME` or `FROM_ORDER`.
        chosen: first and last step selected, or None for everything.
    """

    number: int
    trace: Trace
    source: str
    origin: str = FROM_ORDER
    chosen: tuple[int, int] | None = None
    _remembered: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _gate: Any = field(default_factory=Lock, init=False, repr=False, compare=False)
    _locks: defaultdict[str, Any] = field(
        default_factory=lambda: defaultdict(RLock), init=False, repr=False, compare=False
    )

    @cached_property
    def all_steps(self) -> Steps:
        """Every step of the trace, selected or not."""
        return find_steps(self.trace) if self.chosen is None else self.whole.all_steps

    @cached_property
    def span(self) -> tuple[int, int]:
        """First start and last end of everything timed in the trace, in ns, selected or not; (0, 0) without any."""
        return whole_span(self.trace) if self.chosen is None else self.whole.span

    @cached_property
    def steps(self) -> pl.DataFrame:
        """Selected steps: columns step, start_ns, end_ns, partial."""
        ranges = self.all_steps.ranges
        if self.chosen is None:
            return ranges
        return ranges.filter(pl.col("step").is_between(*self.chosen))

    @cached_property
    def activity(self) -> pl.DataFrame:
        """Selected GPU activity in file order.

        Columns: row, start_ns, end_ns, duration_ns, activity, name, device, stream, launch, launch_start_ns,
        operator, communication. With steps selected: what was launched in them. What has no known launch belongs to
        no step; only where nothing has one, as in a recording of the GPU alone, counts what started in them.
        """
        trace = self.trace
        frame = trace.frame("activity", ["start_ns", "duration_ns", "activity", "name", "device", "stream"])
        frame = pl.concat([frame, links(trace)], how="horizontal").with_columns(
            (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
        )
        frame = frame.with_row_index("row")
        if self.chosen is None:
            return frame
        launched = frame["launch_start_ns"]
        return frame.filter(self.inside(launched if launched.null_count() < len(frame) else frame["start_ns"]))

    @cached_property
    def whole(self) -> Rank:
        """This rank without a selection: what a step waited for may have been launched by another one."""
        return self if self.chosen is None else replace(self, chosen=None)

    def with_steps(self, steps: tuple[int, int]) -> Rank:
        """This rank with other steps selected; what it remembers of the whole trace is shared."""
        limited = replace(self, chosen=steps)
        limited.__dict__["whole"] = self.whole  # where `cached_property` keeps it
        return limited

    def inside(self, times: pl.Series) -> pl.Series:
        """Whether times on the host's clock lie in a selected step; always true without a selection."""
        if self.chosen is None:
            return pl.repeat(True, len(times), eager=True)
        return inside_steps(self.steps, times)

    def nesting(self, table: str) -> HostNesting:
        """All events of a host table, nested; not limited to the selected steps."""
        return self.whole.remember(f"nesting {table}", lambda: host_nesting(self.trace, table))

    def remember(self, name: str, make: Callable[[], _Result]) -> _Result:
        """Something that several analyses need, computed once for this rank; analyses may run in several threads.

        Each name has a lock of its own. What is remembered never needs itself in a circle, so no two threads wait for
        each other.
        """
        with self._gate:
            lock = self._locks[name]
        with lock:
            if name not in self._remembered:
                self._remembered[name] = make()
            result: _Result = self._remembered[name]
        return result

    def selected_rows(self, table: str) -> npt.NDArray[np.bool_]:
        """Which rows of a host table start in the selected steps."""
        return self.inside(self.trace.frame(table, ["start_ns"])["start_ns"]).to_numpy()


def inside_steps(ranges: pl.DataFrame, times: pl.Series) -> pl.Series:
    """Whether times lie in one of the ranges of a frame like `Rank.steps`; a missing time lies in none."""
    steps = union(ranges["start_ns"].to_numpy(), ranges["end_ns"].to_numpy())
    inside = contains(steps, times.fill_null(0).to_numpy())
    return pl.Series("inside", inside) & times.is_not_null()


@dataclass(frozen=True)
class Skipped:
    """A file that was found but not read, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Profile:
    """One or many ranks, opened.

    Attributes:
        paths: what was asked for.
        ranks: by rank number.
        skipped: files of a folder that hold no trace.
        peaks: what the devices can do at most, where the user knows better; names as in `hardware.peaks.FIGURES`.
        eager: the same work recorded without CUDA graphs, which tells the operators of what graphs replay.
    """

    paths: tuple[str, ...]
    ranks: tuple[Rank, ...]
    skipped: tuple[Skipped, ...] = field(default=())
    peaks: Mapping[str, float] = field(default_factory=dict)
    eager: Profile | None = field(default=None)

    @property
    def path(self) -> str:
        """What was asked for, in one text."""
        return " ".join(self.paths)

    @cached_property
    def span(self) -> tuple[int, int]:
        """First start and last end of everything timed on any rank, chosen or not, in ns; (0, 0) without any."""
        timed = [rank.span for rank in self.ranks if rank.span != (0, 0)] or [(0, 0)]
        return min(start for start, _ in timed), max(end for _, end in timed)

    def select(self, ranks: Sequence[int] | None = None, steps: tuple[int, int] | None = None) -> Profile:
        """The same profile, limited to some ranks and to the steps first to last (both included).

        Raises:
            BadRequest: a rank or every step asked for is missing.
        """
        chosen = self.ranks
        if ranks is not None:
            if not ranks:
                raise BadRequest("cannot show no rank", "no rank was named", "Name one, or leave the choice out.")
            known = [rank.number for rank in self.ranks]
            missing = [number for number in ranks if number not in known]
            if missing:
                raise BadRequest(
                    f"cannot show rank {missing[0]}", f"the profile has {_ranges(known)}", "Name one of them."
                )
            chosen = tuple(rank for rank in chosen if rank.number in ranks)
        if steps is not None:
            chosen = tuple(rank.with_steps(steps) for rank in chosen)
            if all(len(rank.steps) == 0 for rank in chosen):
                known = sorted({step for rank in chosen for step in rank.all_steps.ranges["step"].to_list()})
                asked = str(steps[0]) if steps[0] == steps[1] else f"{steps[0]}:{steps[1]}"
                raise BadRequest(
                    f"cannot show step {asked}", f"the profile has steps {_ranges(known)}", "Name one of them."
                )
        limited = replace(self, ranks=chosen)
        limited.__dict__["span"] = self.span  # where `cached_property` keeps it
        return limited


def _ranges(numbers: Sequence[int]) -> str:
    """Sorted numbers as text: 0-3, 7."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def open_profile(path: str | Sequence[str], options: ReadOptions | None = None) -> Profile:
    """Open a trace, a folder of ranks, a glob, a URL, or several of these.

    Raises:
        UnreadableInput: nothing that was named can be read. In a folder, files that hold no trace are skipped and
            listed in `Profile.skipped`.
    """
    paths = _once([path] if isinstance(path, str) else path, str)
    if not paths:
        raise UnreadableInput("cannot open nothing", "no path was given", "Name a trace file or a folder of traces.")
    sources = _once((source for one in paths for source in find_sources(one)), lambda source: source.path)
    if len(sources) == 1 and not _is_collection(paths, sources):
        trace = open_trace(sources[0], options)
        return Profile(tuple(paths), _numbered([(sources[0], trace)]))
    opened: list[tuple[Source, Trace]] = []
    skipped: list[Skipped] = []
    for source in sources:
        try:
            opened.append((source, open_trace(source, options)))
        except UnreadableInput as error:
            skipped.append(Skipped(source.path, error.found))
    if not opened:
        first = skipped[0]
        raise UnreadableInput(
            f"cannot open {' '.join(paths)}",
            f"none of {len(skipped)} files is a trace ({Source(first.path).name}: {first.reason})",
            "Name a trace file or the folder that torch.profiler wrote to.",
        )
    return Profile(tuple(paths), _numbered(opened), tuple(skipped))


def _once(named: Iterable[_Result], path: Callable[[_Result], str]) -> list[_Result]:
    """What was named, each file once, under the first of its names."""
    found: dict[str, _Result] = {}
    for one in named:
        where = path(one)
        found.setdefault(where if is_url(where) or not where else os.path.abspath(where), one)
    return list(found.values())


def _is_collection(paths: list[str], sources: list[Source]) -> bool:
    return [source.path for source in sources] != paths


def _numbered(opened: list[tuple[Source, Trace]]) -> tuple[Rank, ...]:
    """Give every trace its rank: as recorded, else by file name, else the lowest free number."""
    known: list[tuple[int | None, str]] = [_own_number(source, trace) for source, trace in opened]
    used: set[int] = set()
    ranks = []
    for (source, trace), (number, origin) in zip(opened, known, strict=True):
        if number is None or number in used:
            taken = used | {n for n, _ in known if n is not None}
            number = next(i for i in range(len(opened) + len(taken)) if i not in taken)
            origin = FROM_ORDER
        used.add(number)
        ranks.append(Rank(number, trace, source.path, origin))
    return tuple(sorted(ranks, key=lambda rank: rank.number))


def _own_number(source: Source, trace: Trace) -> tuple[int | None, str]:
    recorded = trace.head.get("distributedInfo", {}).get("rank")
    if isinstance(recorded, int) and not isinstance(recorded, bool) and recorded >= 0:
        return recorded, FROM_TRACE
    named = RANK_IN_NAME.findall(source.name)
    return (int(named[-1][1]), FROM_NAME) if named else (None, FROM_ORDER)
