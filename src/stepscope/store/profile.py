"""What was opened: one or many ranks with their recordings, with launches linked and host events nested."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.intervals import contains, union
from stepscope.readers.formats import COMPILE_LOG, INPUT_PIPELINE, KERNEL_REPORT, MEMORY_SNAPSHOT, TELEMETRY
from stepscope.store.linking import links
from stepscope.store.memo import Memory, per_rank
from stepscope.store.memory_budget import Holding
from stepscope.store.nesting import HostNesting, host_nesting
from stepscope.store.recording import Recording, read_recording
from stepscope.store.step_detection import Steps, find_steps, shown_steps, whole_span
from stepscope.store.stream_overlaps import believed_times
from stepscope.store.trace import Trace

FROM_TRACE, FROM_NAME, FROM_ORDER = "distributedInfo", "file name", "order of the files"
FROM_MPI, FROM_PROCESS = "MPI_RANKS", "order of the processes"


@dataclass(frozen=True)
class Rank:
    """One process of the profiled job: what was recorded of it and what is selected of that.

    Attributes:
        number: rank in the job.
        recordings: everything recorded of it; tables show the first, whose trace is `trace`.
        origin: how the number was found: `FROM_TRACE`, `FROM_NAME` or `FROM_ORDER`; of processes of one file `FROM_MPI`
            or `FROM_PROCESS`.
        chosen: first and last step selected, or None for everything.
        moments: part of the history of its memory snapshot that is selected, from and to on the rank's clock, ns; None
            for all of it.
        holding: the ranks that it was opened with, as far as memory is concerned.
        excerpt_of: the rank that this one is an excerpt of (`store.excerpt`); None for a rank with all of its trace.
        memory: results of functions that are `memo.per_rank`.
    """

    number: int
    recordings: tuple[Recording, ...]
    origin: str = FROM_ORDER
    chosen: tuple[int, int] | None = None
    moments: tuple[int, int] | None = None
    holding: Holding = field(default_factory=Holding, repr=False, compare=False)
    excerpt_of: Rank | None = field(default=None, repr=False, compare=False)
    memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    @classmethod
    def of_trace(cls, number: int, trace: Trace, source: str, origin: str = FROM_ORDER) -> Rank:
        """A rank with one recording.

        Args:
            source: path that the trace was read from.
        """
        return cls(number, (read_recording(source, trace, number),), origin)

    @property
    def trace(self) -> Trace:
        """The stored trace that tables are made from."""
        return self.recordings[0].trace

    @property
    def source(self) -> str:
        """Path that `trace` was read from."""
        return self.recordings[0].path

    @property
    def beside(self) -> str:
        """Names the recordings beside `trace` from which tables are made too; "" without any."""
        kinds = (MEMORY_SNAPSHOT, TELEMETRY, KERNEL_REPORT, INPUT_PIPELINE, COMPILE_LOG)
        beside = [
            f"{one.stored.folder.name} {one.shift_ns} {one.gpus}"
            for one in self.recordings[1:]
            if one.kind in kinds and one.stored
        ]
        return f"-{hashlib.sha256(' '.join(beside).encode()).hexdigest()[:12]}" if beside else ""

    @property
    def recorder(self) -> str:
        """What wrote `trace`: what its times hold of the recorder's own work, and what it can record, depend on it."""
        return self.recordings[0].recorder

    @cached_property
    def all_steps(self) -> Steps:
        """Every step of the trace, selected or not."""
        if self.chosen is not None:
            return self.whole.all_steps
        return find_steps(self.trace)

    @property
    def has_steps(self) -> bool:
        """Whether `all_steps` are shown: nothing of a report, a dump or a log is a step."""
        return self.step_count > 0

    @property
    def step_count(self) -> int:
        """How many steps there are, selected or not; none of a report, a dump or a log."""
        return shown_steps(self.trace, self.all_steps)

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
        operator, communication. Ends that cannot be true are cut (`stream_overlaps`). With steps selected: what was
        launched in them. What has no known launch belongs to no step; only where nothing has one, as in a recording
        of the GPU alone, counts what started in them.
        """
        self.holding.use(self)
        trace = self.trace
        frame = trace.frame("activity", ["activity", "name", "device", "stream"])
        frame = pl.concat([believed_times(trace), frame, links(trace)], how="horizontal").with_columns(
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

    @cached_property
    def unlimited(self) -> Rank:
        """This rank with every step and every moment."""
        return self.whole if self.moments is None else replace(self.whole, moments=None)

    @property
    def is_limited(self) -> bool:
        """Whether steps or moments of it are selected."""
        return self.chosen is not None or self.moments is not None

    def with_moments(self, moments: tuple[int, int]) -> Rank:
        """This rank with a part of its snapshot's history selected; what follows from all of that is shared."""
        limited = replace(self, moments=moments)
        limited.__dict__["unlimited"] = self.unlimited  # where `cached_property` keeps it
        return limited

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

    @per_rank(whole=True)
    def nesting(self, table: str) -> HostNesting:
        """All events of a host table, nested; not limited to the selected steps."""
        return host_nesting(self.trace, table)

    @property
    def weight(self) -> int:
        """Events of its trace."""
        return self.trace.events

    def forget(self) -> None:
        """Let go of what was read and computed; it is read and computed again where it is asked for."""
        self.memory.forget()
        self.__dict__.pop("activity", None)  # where `cached_property` keeps it
        self.trace.forget()

    def selected_rows(self, table: str) -> npt.NDArray[np.bool_]:
        """Which rows of a host table start in the selected steps."""
        return self.inside(self.trace.frame(table, ["start_ns"])["start_ns"]).to_numpy()


def inside_steps(ranges: pl.DataFrame, times: pl.Series) -> pl.Series:
    """Whether times lie in one of the ranges of a frame like `Rank.steps`; a missing time lies in none."""
    steps = union(ranges["start_ns"].to_numpy(), ranges["end_ns"].to_numpy())
    inside = contains(steps, times.fill_null(0).to_numpy())
    return pl.Series("inside", inside) & times.is_not_null()


def time_base(trace: Trace) -> int:
    """What the trace says its times count from, in ns since the epoch; 0 where it says nothing."""
    return trace.time_base_ns


@dataclass(frozen=True)
class Skipped:
    """A file that was found but left out, and why."""

    path: str
    reason: Message | str


@dataclass(frozen=True)
class Tested:
    """What earlier predictions of a kind of finding tell of the next.

    Attributes:
        factor: by what the range of its saving is multiplied.
        count: how many predictions that follows from.
    """

    factor: float
    count: int


@dataclass(frozen=True)
class Profile:
    """One or many ranks, opened.

    Attributes:
        paths: what was asked for.
        ranks: by rank number.
        skipped: files that were found and left out.
        others: recordings that belong to no rank, or that were recognised and are not shown.
        peaks: what the devices can do at most, where the user knows better; names as in `roofline.peaks.FIGURES`.
        tested: by the id of a finding, what earlier predictions of it tell.
        eager: the same work recorded without CUDA graphs, which tells the operators of what graphs replay.
        base: an earlier recording to compare with.
        captures: recording of the capture of the graphs, found beside the others; tells the same where there is no
            ``eager``.
        named: the name that tables with `schema.Table.named` are limited to; "" for every name.
        scheduler: who computes what is missing of many ranks, as of `ReadOptions`.
        whole: what it was selected from, or None for everything.
        memory: results of functions that are `memo.per_profile`.
    """

    paths: tuple[str, ...]
    ranks: tuple[Rank, ...]
    skipped: tuple[Skipped, ...] = field(default=())
    others: tuple[Recording, ...] = field(default=())
    peaks: Mapping[str, float] = field(default_factory=dict, hash=False)
    tested: Mapping[str, Tested] = field(default_factory=dict, hash=False)
    eager: Profile | None = field(default=None)
    base: Profile | None = field(default=None)
    captures: Profile | None = field(default=None)
    named: str = field(default="")
    scheduler: str = field(default="")
    whole: Profile | None = field(default=None, repr=False, compare=False)
    memory: Memory = field(default_factory=Memory, init=False, repr=False, compare=False)

    @property
    def path(self) -> str:
        """What was asked for, in one text."""
        return " ".join(self.paths)

    def factor(self, *findings: str) -> float:
        """By what the range of what some findings save together is multiplied: that of the least sure of them."""
        return max((self.tested[one].factor if one in self.tested else 1.0 for one in findings), default=1.0)

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """Every recording: those of the ranks, then those of none."""
        return (*(one for rank in self.ranks for one in rank.recordings), *self.others)

    @property
    def unshown(self) -> tuple[Recording, ...]:
        """Whole recordings that were read and that no other table than ``recordings`` shows: those of ranks first."""
        skipped = {one.path for one in self.skipped}
        beside = [one for rank in self.everyone.ranks for one in rank.recordings[1:]]
        alone = [one for one in self.others if one.stored is not None and len(one.stored.processes) < 2]
        return tuple(one for one in (*beside, *alone) if one.span is None and not one.used and one.path not in skipped)

    @cached_property
    def span(self) -> tuple[int, int]:
        """First start and last end of everything timed on any rank, chosen or not, in ns; (0, 0) without any."""
        if self.whole is not None:
            return self.whole.span
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
                raise BadRequest(
                    Message("open-cannot-show-no-rank"), Message("open-no-rank-named"), Message("open-name-rank")
                )
            known = [rank.number for rank in self.ranks]
            missing = [number for number in ranks if number not in known]
            if missing:
                tried = Message("open-cannot-show-rank", rank=str(missing[0]))
                raise BadRequest(tried, _there_are("open-ranks", known), Message("error-name-one"))
            chosen = tuple(rank for rank in chosen if rank.number in ranks)
        if steps is not None:
            chosen = tuple(rank.with_steps(steps) for rank in chosen)
            if all(len(rank.steps) == 0 for rank in chosen):
                known = sorted({step for rank in chosen for step in rank.all_steps.ranges["step"].to_list()})
                asked = str(steps[0]) if steps[0] == steps[1] else f"{steps[0]}:{steps[1]}"
                tried = Message("open-cannot-show-step", step=asked)
                raise BadRequest(tried, _there_are("open-steps", known), Message("error-name-one"))
        return replace(self, ranks=chosen, whole=self.everyone)

    @property
    def everyone(self) -> Profile:
        """The profile that this one was selected from, with all ranks and steps: a rank's partners are among them."""
        return self.whole or self

    def with_every_rank(self) -> Profile:
        """The selected steps of every rank: what a rank is to the job follows from the others, shown or not."""
        steps = self.ranks[0].chosen if self.ranks else None
        return self.everyone if steps is None else self.everyone.select(steps=steps)


def _there_are(message: str, numbers: Iterable[int]) -> Message:
    """What a profile has of what was asked for, in a message with the parameter ``which``."""
    return Message(message, which=as_ranges(numbers))


def as_ranges(numbers: Iterable[int]) -> str:
    """Numbers as text, in order: 0-3, 7."""
    parts: list[list[int]] = []
    for number in sorted(set(numbers)):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
