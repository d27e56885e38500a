"""What happened in a stretch of time: exact sums over events, clipped to it."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from stepscope.analyses.steps.unions import rank_unions
from stepscope.numeric.intervals import Ints, Union, covered_within, merge
from stepscope.store.memo import per_rank
from stepscope.store.profile import Rank
from stepscope.timeline.kinds import KINDS
from stepscope.timeline.timeline import Timeline
from stepscope.timeline.tracks import SINGLE, Track
from stepscope.timeline.windows import Part, lane_ranges, moments

MOST_NAMES = 100


class NameTime(NamedTuple):
    """What one name took on one kind of track: events that reach into the stretch, and their time in it in ns."""

    name: str
    kind: int
    track_kind: str
    calls: int
    total_ns: int


def area_facts(timeline: Timeline, t0: int, t1: int, tracks: Ints | None = None) -> dict[str, Any]:
    """Time of each rank, and names with most time.

    Args:
        t0, t1: offsets in ns.
        tracks: numbers of the tracks that count; all that are listed without. Ranks without any of them are left out.
    """
    chosen = _chosen(timeline, tracks)
    rows: list[NameTime] = []
    windows: dict[int, tuple[int, int]] = {}
    for part in timeline.parts:
        windows[part.rank] = moments(part.origin(timeline.origin_ns), (t0, t1))
        for kind, mine in _by_kind(part, chosen).items():
            rows += _names(part, kind, mine, windows[part.rank])
    names = _summed(rows)
    length = t1 - t0
    ranks = sorted({chosen[number] for number in chosen})
    profile = timeline.profile
    return {
        "t0": t0,
        "t1": t1,
        "ranks": [{"rank": profile.ranks[one].number, **_gpu_time(profile.ranks[one], *windows[one])} for one in ranks],
        "names": [
            {**one._asdict(), "kind": KINDS[one.kind], "share_pct": 100.0 * one.total_ns / length if length else 0.0}
            for one in _top(names)
        ],
        "total_names": len(names),
        "events": sum(one.calls for one in names if one.track_kind != "idle"),
    }


def _chosen(timeline: Timeline, tracks: Ints | None) -> dict[int, int]:
    """Index of the rank of each track that counts."""
    wanted = set(tracks.tolist()) if tracks is not None else None
    found = {}
    for part in timeline.parts:
        for i, track in enumerate(part.lanes.tracks):
            number = part.first_track + i
            if number in wanted if wanted is not None else track.listed != SINGLE:
                found[number] = part.rank
    return found


def _by_kind(part: Part, chosen: dict[int, int]) -> dict[str, list[Track]]:
    """Tracks of a part that count, by what they are."""
    found: dict[str, list[Track]] = {}
    for i, track in enumerate(part.lanes.tracks):
        if part.first_track + i in chosen:
            found.setdefault("stream" if track.kind == "packed" else track.kind, []).append(track)
    return found


def _names(part: Part, kind: str, tracks: list[Track], window: tuple[int, int]) -> list[NameTime]:
    """All names on some tracks."""
    from stepscope.numeric.pyramid import clipped_totals

    lanes = part.lanes
    own = np.concatenate([np.arange(track.first_lane, track.first_lane + track.depths) for track in tracks])
    ranges = lane_ranges(lanes, own, 0, *window)
    columns = (lanes["start"], lanes["end"], lanes["name"], lanes["kind"])
    count, total, kind_of = clipped_totals(columns, ranges, lanes.names, *window)
    used = np.flatnonzero(count)
    facts = zip(used.tolist(), kind_of[used].tolist(), count[used].tolist(), total[used].tolist(), strict=True)
    return [NameTime(lanes.texts[name], code, kind, calls, time) for name, code, calls, time in facts]


def _summed(rows: list[NameTime]) -> list[NameTime]:
    """The same names of several ranks as one, most time first."""
    sums: dict[tuple[str, int, str], tuple[int, int]] = {}
    for one in rows:
        calls, total = sums.get(one[:3], (0, 0))
        sums[one[:3]] = (calls + one.calls, total + one.total_ns)
    return sorted((NameTime(*key, *value) for key, value in sums.items()), key=_most_time)


def _top(names: list[NameTime]) -> list[NameTime]:
    """The names with most time, most first; each kind of track has its share of them.

    Of nested events the outermost have most time; without a share of their own, kernels would not be seen among them.
    """
    share = MOST_NAMES // max(len({one.track_kind for one in names}), 1)
    count: Counter[str] = Counter()
    chosen: list[NameTime] = []
    rest: list[NameTime] = []
    for one in names:
        count[one.track_kind] += 1
        (chosen if count[one.track_kind] <= share else rest).append(one)
    return sorted([*chosen, *rest[: MOST_NAMES - len(chosen)]], key=_most_time)


def _most_time(one: NameTime) -> tuple[int, int, str, str]:
    return -one.total_ns, -one.calls, one.name, one.track_kind


def _gpu_time(rank: Rank, begin: int, until: int) -> dict[str, int]:
    """How a stretch of a rank's GPU time divides, as the table ``summary`` does it; the stretch is the span."""
    window = np.array([begin]), np.array([until])
    compute, communication, memory, kernels, busy = (int(covered_within(one, *window)[0]) for one in _unions(rank))
    return {
        "span_ns": until - begin,
        "busy_ns": busy,
        "idle_ns": until - begin - busy,
        "compute_ns": compute,
        "communication_ns": communication,
        "exposed_communication_ns": kernels - compute,
        "memory_ns": memory,
        "exposed_memory_ns": busy - kernels,
    }


@per_rank
def _unions(rank: Rank) -> tuple[Union, ...]:
    """Compute, communication, memory, kernels of both kinds, and everything."""
    compute, communication, memory = rank_unions(rank)
    kernels = merge(compute, communication)
    return compute, communication, memory, kernels, merge(kernels, memory)
