"""The recorded steps, ready to be simulated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.critical_path.queue import Flags, gpu_queue
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.host.initialization import one_time_calls
from stepscope.analyses.simulation.gpu_side import GpuSide, gpu_side
from stepscope.analyses.simulation.host_clock import Floats, Placed
from stepscope.analyses.simulation.host_side import HostSide, host_side
from stepscope.analyses.simulation.recorded import recorded_step_ns
from stepscope.analyses.simulation.representative import examined, long_run_step_ns, recorded_rank
from stepscope.analyses.steps.steps import lacks_whole_step, step_times, uncut
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.bottleneck_chain import Chain, binding_chain
from stepscope.numeric.intervals import Ints
from stepscope.numeric.nested import NOBODY
from stepscope.numeric.replay import LAUNCH, MARK, Activities, Items, Timed, replay
from stepscope.store.memo import Memory, per_rank
from stepscope.store.profile import Profile, Rank

PASSES = 8
"""How often the steps are repeated: an edit changes which side binds, and the first passes still show the change."""

_SHARES = 6
"""Of so many ranges the shares are kept: of what the fixes that are simulated beside one another are made of."""

_LONG_AGO = 1 << 40
"""A latency of minus this is no delay."""


@dataclass(frozen=True)
class Edit:
    """What is changed before the steps are simulated.

    Attributes:
        pace: by clock and interval, by what the host's work is multiplied.
        own: by what the work of waiting calls themselves is multiplied.
        activities: with durations and delays as they would be.
        gone: by activity, whether it is no longer launched.
        freed: by item, whether it no longer waits.
    """

    pace: tuple[Floats, ...]
    own: float
    activities: Activities
    gone: Flags
    freed: Flags


class _ItemsOfClock(NamedTuple):
    """Items of one clock.

    Attributes:
        items: their numbers.
        placed: where each stands on the clock.
        working: numbers of those that have work of their own.
        interval: of the clock, in which each of these has it.
    """

    items: Ints
    placed: Placed
    working: Ints
    interval: Ints


@dataclass(frozen=True, eq=False)
class StepModel:
    """Some steps of a rank, ready to be simulated.

    Attributes:
        window: first and last moment, in ns.
        steps: how many steps lie in it.
        of_steps: how many were recorded whole.
        edges: moments at which they begin, and the last moment, in ns.
        host, gpu: the two sides.
        once: by clock, the share of each interval in calls that initialize. They move elsewhere, rather than go, when
            the work around them does.
        recorded_ns: time of one step as recorded, in ns.
    """

    window: tuple[int, int]
    steps: int
    of_steps: int
    edges: Ints
    host: HostSide
    gpu: GpuSide
    once: tuple[Floats, ...]
    recorded_ns: float

    def unchanged(self) -> Edit:
        """An edit that changes nothing."""
        return Edit(
            tuple(np.ones(len(clock.length)) for clock in self.host.clocks),
            1.0,
            self.gpu.activities,
            np.zeros(len(self.gpu.rows), np.bool_),
            np.zeros(len(self.host.items), np.bool_),
        )

    def timed(self, edit: Edit, passes: int = PASSES) -> Timed:
        """The steps simulated, ``passes`` times one after another."""
        return self._replayed(edit, passes, keep=False)

    def step_ns(self, edit: Edit) -> float:
        """Time of one step after an edit, in ns."""
        return self.timed(edit).period_ns() / self.steps

    def chain(self, edit: Edit) -> Chain:
        """What the time of the steps is made of after an edit."""
        return binding_chain(self.kept(edit), _left(edit))

    def kept(self, edit: Edit) -> Timed:
        """The steps simulated `PASSES` times, with the nodes of every pass."""
        return self._replayed(edit, PASSES, keep=True)

    def _replayed(self, edit: Edit, passes: int, *, keep: bool) -> Timed:
        items = self.host.items
        kept = self._kept_before(edit.gone)
        first, last = items["first"].to_numpy(), items["last"].to_numpy()
        empty = kept[last] == kept[first]
        again = Items(
            kind=np.where(edit.freed & (items["kind"].to_numpy() != LAUNCH), MARK, items["kind"].to_numpy()),
            thread=items["thread"].to_numpy(),
            work=self.work(edit),
            target=items["target"].to_numpy(),
            tail=items["tail"].to_numpy(),
            first=np.where(empty, 0, first),
            last=np.where(empty, 0, last),
        )
        clocks, room = len(self.host.clocks), self.gpu.room
        return replay(again, _left(edit), self.gpu.backlog, clocks, room, passes, keep=keep)

    def own(self, edit: Edit) -> Ints:
        """Work of each item itself, in ns: of what is no longer done, nothing is left either."""
        own = self.host.items["own"].to_numpy() * edit.own
        for place, pace in zip(self._places, edit.pace, strict=True):
            own[place.working] *= pace[place.interval]
        return np.rint(own).astype(np.int64)

    def work(self, edit: Edit) -> Ints:
        """Work before each item since the item before it on its thread, its own included, in ns."""
        work = self.own(edit)
        for clock, place, pace in zip(self.host.clocks, self._places, edit.pace, strict=True):
            worked = np.rint(clock.worked_by(place.placed, pace)).astype(np.int64)
            work[place.items] += np.diff(worked, prepend=worked[:1])
        return work

    @cached_property
    def _places(self) -> tuple[_ItemsOfClock, ...]:
        """Where the items of each clock stand on it, whatever is edited."""
        at, thread = self.host.items["at"].to_numpy(), self.host.items["thread"].to_numpy()
        works = self.host.items["own"].to_numpy() > 0
        found = []
        for number, clock in enumerate(self.host.clocks):
            items = np.flatnonzero(thread == number)
            working = items[works[items]]
            # An item stands at the end of its call, whose time is the interval before.
            interval = np.searchsorted(clock.at, at[working]) - 1
            found.append(_ItemsOfClock(items, clock.placed(at[items]), working, interval))
        return tuple(found)

    @cached_property
    def shares(self) -> Memory:
        """Shares of the clocks' intervals that lie in ranges, of the last few ranges (see `edits.shares`)."""
        return Memory(_SHARES)

    def _kept_before(self, gone: Flags) -> Ints:
        """Number of activities before each that are still launched."""
        return np.concatenate([[0], np.cumsum(~gone)])


def _left(edit: Edit) -> Activities:
    """The activities of an edit, with those that are no longer launched as nothing."""
    return edit.activities._replace(
        duration=np.where(edit.gone, 0, edit.activities.duration),
        latency=np.where(edit.gone, -_LONG_AGO, edit.activities.latency),
        gap=np.where(edit.gone, 0, edit.activities.gap),
        event=np.where(edit.gone, NOBODY, edit.activities.event),
    )


@per_rank
def step_model(rank: Rank) -> StepModel | None:
    """The whole steps of a rank as `examined` gives it, or None where nothing of the host was recorded in them, or of
    none the whole GPU work.

    The recorded time is that of all steps.
    """
    table, every = uncut(step_times(rank)), uncut(step_times(recorded_rank(rank)))
    start, end = table["start_ns"], table["start_ns"] + table["duration_ns"]
    if len(table) == 0 or host_threads(rank).main < 0 or lacks_whole_step(rank):
        return None
    window = (int(start.min()), int(end.max()))  # type: ignore[arg-type]
    if window[1] <= window[0] or several_launch(recorded_rank(rank).whole):
        return None
    gpu = gpu_side(rank.whole, window)
    host = host_side(rank.whole, window, gpu)
    recorded = long_run_step_ns(every)
    if len(table) == len(every):
        recorded = recorded_step_ns(table, window, gpu_queue(rank.whole), gpu, host.held_ns)
    edges = np.append(np.sort(start.to_numpy()), window[1])
    return StepModel(window, len(table), len(every), edges, host, gpu, _once(rank, host), recorded)


def _once(rank: Rank, host: HostSide) -> tuple[Floats, ...]:
    """By clock, the share of each interval in calls that initialize."""
    calls = one_time_calls(recorded_rank(rank).whole)
    thread, start, end = host_threads(rank).numbers(calls), calls["start_ns"].to_numpy(), calls["end_ns"].to_numpy()
    return tuple(clock.inside(start[thread == clock.thread], end[thread == clock.thread]) for clock in host.clocks)


def timed_ranks(profile: Profile) -> list[tuple[Rank, StepModel]]:
    """The ranks whose steps can be simulated, as `examined` gives them, with their models.

    Raises:
        BadRequest: there is none.
    """
    made = [(rank, step_model(rank)) for rank in map(examined, profile.ranks)]
    found = [(rank, model) for rank, model in made if model is not None]
    if not found:
        if any(several_launch(rank.whole) for rank in profile.ranks):
            nothing, advice = Message("error-several-launch"), Message("error-record-one-thread")
        elif any(map(lacks_whole_step, profile.ranks)):
            nothing, advice = Message("error-no-whole-step"), Message("reader-copy-again")
        elif not any(rank.has_steps for rank in profile.ranks):
            nothing, advice = Message("error-nothing-to-simulate"), Message("error-trace-beside")
        else:
            nothing, advice = Message("error-nothing-to-simulate"), Message("error-record-cpu")
        raise BadRequest(Message("error-cannot-simulate"), nothing, advice)
    return found
