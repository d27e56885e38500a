"""The timeline of a profile: its tracks, and the numbers under which everything else asks for lanes and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from stepscope.analyses.hangs.record_times import RecordedJob, recorded_job
from stepscope.analyses.hangs.records import is_flight_recorder
from stepscope.analyses.ranks.job_clock import job_shifts
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.store.memo import Memory, in_memory, per_rank
from stepscope.store.preparing import prepare_ranks
from stepscope.store.profile import Profile, Rank
from stepscope.store.step_detection import whole_span
from stepscope.timeline.counting import Counter, answer_counters
from stepscope.timeline.lane_cache import EVENT_STEPS, KEPT_FILES, counters, event_lanes, idle_lanes, keep_lanes
from stepscope.timeline.lane_file import Saved
from stepscope.timeline.lanes import LaneSet
from stepscope.timeline.preparing import Preparation
from stepscope.timeline.record_facts import dump_notes, record_count
from stepscope.timeline.sharing import sharing_notes
from stepscope.timeline.stored_events import timed_events
from stepscope.timeline.tracks import COMMUNICATION, COUNTERS, GPU, HOST, PACKED, SINGLE, SYSTEM, Track
from stepscope.timeline.windows import Part, answer_window

_WORKERS = 2
_OTHER_STEPS = 2
"""Steps of each rank beside those of its events: idle time and counters."""

_SECTIONS = (COMMUNICATION, GPU, COUNTERS, HOST)
_KEPT = 16
"""Answers in parts that are kept: whoever steps from one event of a name to the next asks for all of them each time."""

_MOST_VALUES = 1 << 22
"""Values of counters in one answer: some 50 MB."""


class Timeline:
    """All timed events of a profile on lanes. Made by `open_timeline`; may be asked by several threads.

    Attributes:
        memory: results of `per_timeline`.
        profile: all steps of it, whatever is selected.
        parts: lanes by rank; those of a rank's events, then those of its idle time.
        counters: all counters.
        job: what the flight recorder's dumps of the job tell, where tracks are of them.
        lanes, track_numbers: how many lanes and numbers of tracks there are.
        names: all names; a name's number is its place.
        origin_ns: the earliest event, on the job's clock; every other time of an answer is an offset from it, in ns.
        end: offset of the latest end.
    """

    def __init__(
        self,
        profile: Profile,
        events: list[LaneSet],
        idle: list[LaneSet],
        counted: list[Saved],
        shifts: Mapping[int, int] | None = None,
        job: RecordedJob | None = None,
    ) -> None:
        self.profile = profile
        self.parts: list[Part] = []
        self._name_of: dict[str, int] = {}
        self.memory = Memory(_KEPT)
        self.names: list[str] = []
        shift = [(shifts or {}).get(rank.number, 0) for rank in profile.ranks]
        lane = track = 0
        for rank, pair in enumerate(zip(events, idle, strict=True)):
            for lanes in pair:
                self.parts.append(Part(lanes, rank, lane, track, self._numbers(lanes), shift[rank]))
                lane += lanes.lanes
                track += len(lanes.tracks)
        self.lanes = lane
        self.counters = []
        for rank, saved in enumerate(counted):
            self.counters += [Counter(track + index, saved, index, shift[rank]) for index in range(len(saved.tracks))]
            track += len(saved.tracks)
        self.track_numbers = track
        self.job = job
        whole = (
            [_recorded_span(lanes) for lanes in events] if job else [whole_span(rank.trace) for rank in profile.ranks]
        )
        timed = zip(whole, shift, strict=True)
        spans = [(begin - by, end - by) for (begin, end), by in timed if (begin, end) != (0, 0)]
        self.origin_ns = min((begin for begin, _ in spans), default=0)
        self.end = max((end for _, end in spans), default=self.origin_ns) - self.origin_ns
        self._tracks = self._listed(counted)

    def _numbers(self, lanes: LaneSet) -> np.ndarray:
        """Number of each name of some lanes among all names; a name has one number in all ranks."""
        found = [self._name_of.setdefault(text, len(self._name_of)) for text in lanes.texts]
        self.names += list(self._name_of)[len(self.names) :]
        return np.array(found, np.uint32)

    def _listed(self, counted: list[Saved]) -> list[tuple[int, int, Track]]:
        """Number, rank's number and facts of every track, as they are shown: GPUs, counters, threads."""
        found = []
        for index, rank in enumerate(self.profile.ranks):
            mine = [
                (part.first_track + i, replace(track, first_lane=part.first_lane + track.first_lane))
                for part in self.parts
                if part.rank == index
                for i, track in enumerate(part.lanes.tracks)
            ]
            idle = {track.device: (number, track) for number, track in mine if track.kind == "idle"}
            mine += [(counter.number, counter.track) for counter in self.counters if counter.saved is counted[index]]
            shown: list[tuple[int, Track]] = []
            for number, track in mine:
                if track.kind == "idle":
                    continue
                if track.section == GPU and track.device in idle:
                    shown.append(idle.pop(track.device))
                shown.append((number, track))
            shown.sort(key=lambda one: _SECTIONS.index(one[1].section))
            found += [(number, rank.number, track) for number, track in shown]
        return found

    @cached_property
    def tracks(self) -> dict[int, tuple[int, Track]]:
        """Rank and facts of every track by its number."""
        return {number: (rank, track) for number, rank, track in self._tracks}

    def answer_tracks(self, packed: bool = True) -> dict[str, Any]:
        """What is on the timeline: the tracks as they are shown, and how much of the store is on them.

        Args:
            packed: whether little-used streams of a GPU are packed together where it has very many.
        """
        hidden = SINGLE if packed else PACKED
        tracks = [(number, rank, track) for number, rank, track in self._tracks if track.listed != hidden]
        events = sum(track.events for _, _, track in tracks if track.kind not in ("idle", "counter"))
        store = sum(timed_events(rank.trace) for rank in self.profile.ranks)
        store += sum(record_count(rank) for rank in self.profile.ranks) if self.job else 0
        return {
            "origin_ns": str(self.origin_ns),
            "end": self.end,
            "tracks": [_shown(number, rank, track) for number, rank, track in tracks],
            "lanes": self.lanes,
            "events": events,
            "left_out": store - events,
            "overlapping": sum(part.lanes.overlaps for part in self.parts),
            "notes": [*self._notes(), *sharing_notes([track for _, _, track in tracks])],
        }

    def _notes(self) -> list[Message]:
        overlaps = sum(part.lanes.overlaps for part in self.parts)
        outside = sum(_outside(part, self.origin_ns, self.end) for part in self.parts)
        notes = dump_notes(self.profile.ranks)
        notes += [Message("lane-overlapping", events=overlaps)] if overlaps else []
        return [*notes, Message("lane-outside", events=outside)] if outside else notes

    def window(self, t0: int, t1: int, pixels: int, lanes: Ints | None = None) -> bytearray:
        """Cells of some lanes, or of all, in a window of time; see `windows.answer_window`."""
        wanted = np.arange(self.lanes) if lanes is None else lanes
        return answer_window(self.parts, self.origin_ns, t0, t1, pixels, wanted)

    @cached_property
    def name_totals(self) -> tuple[Ints, Ints]:
        """Events of each name, and their time in ns, without idle time."""
        count, total = np.zeros(len(self.names), np.int64), np.zeros(len(self.names), np.int64)
        for part in self.parts:
            count[part.name] += part.lanes["name_events"]
            total[part.name] += part.lanes["name_total"]
        return count, total

    def counter_bins(self, t0: int, t1: int, bins: int, tracks: Ints | None = None) -> bytearray:
        """Counters of some tracks, or all, in a window of time; see `counting.answer_counters`.

        The bins of very many counters are wider than asked for; the answer says how many they are.
        """
        wanted = set(tracks.tolist()) if tracks is not None else None
        chosen = [one for one in self.counters if wanted is None or one.number in wanted]
        most = max(1, _MOST_VALUES // max(1, len(chosen)))
        return answer_counters(chosen, self.origin_ns, t0, t1, min(bins, most))

    def texts(self, codes: Iterable[int]) -> dict[str, str]:
        """Names by their numbers; numbers that stand for none are left out."""
        return {str(code): self.names[code] for code in codes if 0 <= code < len(self.names)}

    def numbers_of(self, texts: Iterable[str | None]) -> list[int]:
        """Numbers of names, of those that events bear."""
        return [self._name_of[text] for text in texts if text in self._name_of]


def _itself(timeline: Timeline) -> Timeline:
    return timeline


per_timeline = in_memory(_itself)
"""Compute a function of a timeline once for it, as long as it is among those used last (`_KEPT`)."""


def _shown(number: int, rank: int, track: Track) -> dict[str, Any]:
    facts = track.facts()
    del facts["place"], facts["listed"], facts["shared"]
    return {"id": number, "rank": rank, **facts, "title": track.title}


def _recorded_span(lanes: LaneSet) -> tuple[int, int]:
    """First start and last end of a dump's collectives, which no step and no table counts; (0, 0) without any."""
    first = lanes["lane_first"]
    # Events of a lane do not overlap, so that the last one ends last.
    return (int(lanes["start"][first[:-1]].min()), int(lanes["end"][first[1:] - 1].max())) if lanes.events else (0, 0)


def _outside(part: Part, origin: int, end: int) -> int:
    """How much of what the operating system did lies outside the time that a program's own events take."""
    lanes = part.lanes
    begin = part.origin(origin)
    count = 0
    for track in (track for track in lanes.tracks if track.kind in SYSTEM):
        for lane in range(track.first_lane, track.first_lane + track.depths):
            first, last = lanes["lane_first"][lane : lane + 2].tolist()
            # Events of a lane do not overlap, so that their ends are in order, too.
            inside = np.searchsorted(lanes["start"][first:last], begin + end, side="right")
            count += last - first - int(inside) + int(np.searchsorted(lanes["end"][first:last], begin, side="left"))
    return count


def open_timeline(profile: Profile) -> Timeline:
    """The timeline of a profile, made when first asked for, from what is kept beside its store.

    It does not depend on what is selected. Threads that ask at once get the same one.
    """
    whole = _whole(profile)
    if not whole.ranks:
        return Timeline(whole, [], [], [])
    return _made(whole.ranks[0], whole)


def preparation(profile: Profile) -> Preparation:
    """How far the timeline of a profile has come, whoever has it made; nobody is waited for.

    Args:
        profile: of one rank at least.
    """
    whole = _whole(profile)
    return _preparation(whole.ranks[0], whole)


def _whole(profile: Profile) -> Profile:
    """All steps of some ranks."""
    return replace(profile, ranks=tuple(rank.whole for rank in profile.ranks), whole=profile.everyone)


@per_rank
def _preparation(rank: Rank, profile: Profile) -> Preparation:
    return Preparation(len(profile.ranks) * (EVENT_STEPS + _OTHER_STEPS))


@per_rank
def _made(rank: Rank, profile: Profile) -> Timeline:
    """The timeline of a profile; its first rank keeps it, so that it goes when that one forgets."""
    known = _preparation(rank, profile)
    # Beside traces dumps have no lanes: they may be of hours later, on another clock.
    job = recorded_job(profile) if all(map(is_flight_recorder, profile.ranks)) else None
    try:
        if job is None:  # lanes of a dump are few, made soon, and depend on the others
            prepare_ranks(profile, KEPT_FILES, keep_lanes, partial(known.step, EVENT_STEPS))
        with ThreadPoolExecutor(_WORKERS) as pool:
            events = [pool.submit(event_lanes, rank, known.step, job) for rank in profile.ranks]
            idle = [pool.submit(idle_lanes, rank) for rank in profile.ranks]
            counted = [pool.submit(counters, rank) for rank in profile.ranks]
            for lanes in idle:
                lanes.add_done_callback(lambda _: known.step())
            for counter in counted:
                counter.add_done_callback(lambda _: known.step())
            made = [[one.result() for one in several] for several in (events, idle)]
            return Timeline(profile, made[0], made[1], [one.result() for one in counted], job_shifts(profile), job)
    finally:
        known.over.set()
