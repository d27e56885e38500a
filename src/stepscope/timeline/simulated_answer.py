"""The simulated step as the timeline draws it: the ends of the step, its pieces for a window, sums by track."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl

from stepscope.analyses.simulation.bottleneck_sides import DATA_LOADING, HOST
from stepscope.analyses.simulation.changes import Change, parse_change
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.numeric.nested import Ints
from stepscope.timeline.path_answer import LONGEST_CELL
from stepscope.timeline.simulated_step import Ghost, Placed, simulated
from stepscope.timeline.timeline import Timeline
from stepscope.timeline.windows import moments

_NOTHING_PCT = 0.5
"""A saving of less is none, as what-if says it."""


def changes_of(text: str) -> tuple[Change, ...]:
    """Changes from a JSON list of texts, as the address of What if has them.

    Raises:
        BadRequest: it is no such list, or one is no change.
    """
    try:
        texts = json.loads(text)
        known = isinstance(texts, list) and len(texts) > 0 and all(isinstance(one, str) for one in texts)
        # Half of a surrogate pair is in no name.
        "".join(texts if known else []).encode()
    except (ValueError, RecursionError):
        known = False
    if not known:
        advice = Message("error-assign-example", name="changes", example='["no-sync"]')
        raise BadRequest(Message("error-cannot-read-question"), Message("error-no-changes"), advice)
    return tuple(map(parse_change, texts))


def answer_simulated(
    timeline: Timeline,
    window: tuple[int, int],
    pixels: int,
    changes: tuple[Change, ...],
    rank: int | None,
    steps: tuple[int, int] | None,
    packed: bool,
) -> dict[str, Any]:
    """The simulated step after changes.

    Args:
        window: offsets from the origin, in ns, that is looked at; as much again beside it is drawn.
        pixels: how wide the window is shown: shorter pieces in one pixel are put together.
        rank: whose step; None for the rank whose recommendation a change is, else the first that has what it changes.
        steps: those that are simulated; None for all.

    Returns:
        ``state``: ``ok``, or ``none`` where nothing of a rank's step is changed (``notes`` say why). Else see
        `described`.

    Raises:
        BadRequest: no rank has what is to be changed.
    """
    asked = tuple(one for one in changes if not one.kind.of_job)
    if not asked:
        return {"state": "none", "notes": [Message("simulated-of-job")]}
    ghost = simulated(timeline, asked, rank, steps, packed)
    several = rank is None and len(timeline.profile.ranks) > 1
    left = [Message("simulated-of-job")] if len(asked) < len(changes) else []
    return described(timeline, ghost, changes, window, pixels, several, left)


def described(
    timeline: Timeline,
    ghost: Ghost,
    changes: tuple[Change, ...],
    window: tuple[int, int],
    pixels: int,
    several: bool = False,
    notes: list[Message] | None = None,
) -> dict[str, Any]:
    """A simulated step as JSON values.

    Returns:
        ``changes`` as written; ``rank``, ``step`` (numbers); ``begin``, ``end`` of the recorded step (offsets) and its
        ``recorded_ns``; ``before_ns``, ``after_ns`` with ``_low_ns`` and ``_high_ns``, ``saving_ns``, ``saving_pct``,
        ``bound_before``, ``bound_after`` as what-if has them; ``length_ns`` that the pieces are drawn in; ``nothing``:
        why nothing is saved, None where something is; ``tracks``: ``track``, ``recorded_ns`` and ``simulated_ns`` of
        work in the step; ``pieces``: columns, in order of lane and time; ``names``, texts by place.
    """
    step = ghost.step
    begin = step.begin - ghost.part.origin(timeline.origin_ns)
    number = timeline.profile.ranks[ghost.part.rank].number
    return {
        "state": "ok",
        "changes": [one.text for one in changes],
        "rank": number,
        "step": step.step,
        "begin": begin,
        "end": begin + step.end - step.begin,
        "recorded_ns": step.end - step.begin,
        "mean_ns": round(ghost.recorded_ns),
        **_figures(ghost),
        "length_ns": step.length_ns,
        "nothing": _nothing(ghost),
        "notes": [*_notes(ghost, number if several else None), *(notes or [])],
        "tracks": _tracks(ghost),
        **_drawn(timeline, ghost, begin, window, pixels),
    }


def _notes(ghost: Ghost, rank: int | None) -> list[Message]:
    """What is drawn; of which rank, where that was not asked for."""
    of_rank = [Message("simulated-of-rank", rank=rank)] if rank is not None else []
    of_mean = [Message("simulated-of-mean", steps=ghost.steps, step=ghost.step.step)] if ghost.steps > 1 else []
    return [*of_rank, *of_mean, *([Message("simulated-behind")] if ghost.step.behind else [])]


def _figures(ghost: Ghost) -> dict[str, Any]:
    found = ghost.answer
    spans = (("before", found.before), ("after", found.after), ("saving", found.saving_ns))
    ns = {f"{name}{end}_ns": round(value) for name, of in spans for end, value in _ends(of.low, of.best, of.high)}
    saved = found.saving_pct
    pct = {f"saving{end}_pct": value for end, value in _ends(saved.low, saved.best, saved.high)}
    return {**ns, **pct, "bound_before": found.bound_before[0], "bound_after": found.bound_after[0]}


def _ends(low: float, best: float, high: float) -> tuple[tuple[str, float], ...]:
    return ("_low", low), ("", best), ("_high", high)


def _nothing(ghost: Ghost) -> Message | None:
    """Why nothing is saved: what the step then waits for; None where something is."""
    if abs(ghost.answer.saving_pct.best) >= _NOTHING_PCT:
        return None
    side = ghost.answer.bound_after[0]
    if side == HOST:
        return Message("simulated-nothing", behind=Message("simulated-main-thread"))
    if side == DATA_LOADING:
        return Message("simulated-nothing", behind=Message("simulated-loading"))
    stream = str(ghost.stream) if ghost.stream is not None else None
    return Message("simulated-nothing", behind=Message("simulated-stream", stream=stream))


def _tracks(ghost: Ghost) -> list[dict[str, Any]]:
    """Work of each track in the recorded and in the simulated step, in the order of the lanes."""
    lanes, first = ghost.part.lanes, ghost.part.first_lane
    sums = [
        np.bincount(lanes.track_of_lane[one.lane - first], one.end - one.start, len(lanes.tracks))
        for one in (ghost.recorded, ghost.pieces)
    ]
    return [
        {"track": ghost.part.first_track + at, "recorded_ns": round(sums[0][at]), "simulated_ns": round(sums[1][at])}
        for at in np.flatnonzero(sums[0] + sums[1]).tolist()
    ]


def _drawn(timeline: Timeline, ghost: Ghost, begin: int, window: tuple[int, int], pixels: int) -> dict[str, Any]:
    """The pieces of a window, and their names."""
    room = (window[1] - window[0]) // 2
    first, last = moments(-begin, (window[0] - room, window[1] + room))
    cell = min(max(1, (window[1] - window[0]) // max(1, pixels)), LONGEST_CELL)
    shown, count = _merged(ghost.pieces, first, last, cell)
    codes, at = np.unique(shown.name, return_inverse=True)
    origin = ghost.part.origin(timeline.origin_ns)
    columns = {
        "lane": shown.lane,
        "row": shown.row,
        "start": shown.start + begin,
        "end": shown.end + begin,
        "recorded": shown.recorded - origin,
        "kind": shown.kind,
        "count": count,
        "name": at,
    }
    return {
        "pieces": {name: column.tolist() for name, column in columns.items()},
        "names": [timeline.names[code] if code >= 0 else "" for code in codes.tolist()],
    }


def _merged(pieces: Placed, first: int, last: int, cell: int) -> tuple[Placed, Ints]:
    """Pieces of a piece of time, of which short ones in one cell of a lane are put together; how many each stands for.

    What stands for several is the longest of them, from the first one's begin to the last one's end.
    """
    frame = pl.DataFrame(vars(pieces)).filter((pl.col("start") < last) & (pl.col("end") > first))
    length = pl.col("end") - pl.col("start")
    frame = frame.with_columns(length.alias("length"), (length >= cell).alias("long"))
    same = (pl.col("lane") == pl.col("lane").shift(1)) & (pl.col("start") // cell == pl.col("start").shift(1) // cell)
    joins = same & ~pl.col("long") & ~pl.col("long").shift(1)
    frame = frame.with_columns((~joins.fill_null(False)).cum_sum().alias("group"))
    longest = pl.all().exclude("group", "start", "end", "long", "length").get(pl.col("length").arg_max())
    made = frame.group_by("group", maintain_order=True).agg(
        longest, pl.col("start").min(), pl.col("end").max(), pl.len().cast(pl.Int64).alias("count")
    )
    return Placed(**{name: made[name].to_numpy() for name in vars(pieces)}), made["count"].to_numpy()
