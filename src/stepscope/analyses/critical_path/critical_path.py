"""What a step waits for, end to end (see docs/tables/).

The path of a step is walked back from its end; at each moment it lies at exactly one place, on the GPU or on a thread
of the host, so its stretches add up to the step in whole ns.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.activity_dependencies import EVENT
from stepscope.analyses.critical_path.handovers import CONTINUES, handovers
from stepscope.analyses.critical_path.hosttime import KINDS, TABLES_OF_EVENTS, host_pieces, host_sums
from stepscope.analyses.critical_path.launching_threads import several_launch
from stepscope.analyses.critical_path.path import CriticalPath, critical_path_of
from stepscope.analyses.critical_path.threads import host_threads
from stepscope.analyses.needs import is_kineto, option_for
from stepscope.messages import Message
from stepscope.numeric.backtrace import BEHIND, LAUNCHING, ON_GPU, ON_HOST, RETURNING, UNKNOWN
from stepscope.numeric.nested import NOBODY
from stepscope.schema import KERNEL, MEMCPY, TABLES
from stepscope.store.memo import per_rank
from stepscope.store.profile import Profile, Rank

OWN_NAMES = (
    "between queued activities",
    "after an event of another stream",
    "until another stream made room",
    "launched, but not started",
    "launch not recorded",
    "nothing recorded",
)
"""Names of parts of the path that are no event's."""
_NOT_STARTED, _NO_LAUNCH, _NOTHING = 3, 4, 5
"""Places in this list; those before them are as the reasons of `work.Bindings`."""

_LONG_GAP_NS = 10_000
"""A longer pause before an activity whose launch is not recorded is not the stream's own."""

_LONG_LATENCY_NS = 100_000
"""A launch takes a tenth of this to reach an idle GPU; an activity that starts later was held up on the GPU's side."""

_MENTIONED_SHARE = 0.01
"""A share of the path above which what is unknown is worth a word."""

_SYNC_EVENTS = "experimental_config=torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True)"
_LARGE_SHARE = 0.1
"""A share of the path above which what was not recorded is worth the effort of recording it."""

_SIDES = {
    "compute": "gpu",
    "communication": "gpu",
    "memcpy": "gpu",
    "memset": "gpu",
    "gpu_gap": "gpu",
    "launch_latency": "between",
    "sync_return": "between",
    "unknown": "unknown",
}
PATH_KINDS = (*_SIDES, *KINDS)
"""Kinds of pieces; a kind's number is its place here."""

_KEYS = {"": ["kind", "name"], "kind": ["kind"], "step": ["step", "kind"]}
_PIECE = {
    "step": pl.Int64,
    "start_ns": pl.Int64,
    "end_ns": pl.Int64,
    "kind": pl.UInt8,
    "name": pl.UInt32,
    "stream": pl.Int64,
    "thread": pl.Int64,
    "table": pl.UInt8,
    "row": pl.UInt32,
    "handover": pl.UInt8,
}
_ACTIVITY, _CALL = TABLES_OF_EVENTS.index("activity"), TABLES_OF_EVENTS.index("runtime")

_COLUMNS = [pl.col(name).cast(dtype) for name, dtype in _PIECE.items()]
_SUMMED = _COLUMNS[:5]
_LENGTH = pl.col("end_ns") - pl.col("start_ns")


def critical_path(profile: Profile, by: str = "") -> pl.DataFrame:
    """Columns of `schema.TABLES` ``critical_path``, most time first.

    Args:
        by: "" for a row per kind and name, ``kind`` per kind, ``step`` per step and kind (column step), ``event`` for
            the stretches in order of time (columns step, start_ns, stream, thread).
    """
    return pl.concat([_rows(rank, by) for rank in profile.ranks], how="vertical_relaxed")


def _rows(rank: Rank, by: str) -> pl.DataFrame:
    if by == "event":
        rows = path_pieces(rank).sort("start_ns").with_columns(_LENGTH.alias("duration_ns"), pl.lit(1).alias("count"))
    else:
        rows = path_parts(rank).group_by(_KEYS[by], maintain_order=True).agg(pl.col("duration_ns", "count").sum())
    whole = pl.col("duration_ns").sum().over("step") if by in ("step", "event") else pl.col("duration_ns").sum()
    kinds = pl.Series(PATH_KINDS)
    rows = rows.with_columns(
        pl.lit(rank.number).alias("rank"),
        (100.0 * pl.col("duration_ns") / whole).alias("share_pct"),
        kinds.gather(rows["kind"]).alias("kind"),
        _names(rank, rows["name"]) if "name" in rows.columns else pl.lit(None).alias("name"),
    ).with_columns(pl.col("kind").replace_strict(_SIDES, default="host", return_dtype=pl.String).alias("side"))
    schema = TABLES["critical_path"].schema
    columns = [pl.col(name).cast(dtype) for name, dtype in schema.items()]
    if by == "event":
        columns[1:1] = [pl.col("step"), pl.col("start_ns")]
        places = rank.trace.text(host_threads(rank).places["thread"])
        rows = rows.with_columns(places.gather(rows["thread"]).alias("thread"))
        return rows.select(*columns, "stream", "thread")
    if by == "step":
        columns[1:1] = [pl.col("step")]
    first = ["step"] if by == "step" else []
    return rows.select(columns).sort(
        *first, "duration_ns", "kind", "name", descending=[False] * len(first) + [True, False, False]
    )


def _names(rank: Rank, codes: pl.Series) -> pl.Series:
    texts = rank.trace.texts
    return pl.concat([texts, pl.Series(OWN_NAMES, dtype=pl.String)]).gather(codes).alias("name")


@per_rank
def path_parts(rank: Rank) -> pl.DataFrame:
    """The critical path by step, kind and name: how long each is on it, and in how many pieces.

    Columns: step, kind, name, as those of `path_pieces`, duration_ns, count.
    """
    path, own = critical_path_of(rank), len(rank.trace.texts)
    stretches = _stretches(path)
    pieces = pl.concat([side.select(_SUMMED) for side in _on_device(rank, path, stretches, own)])
    sums = (_LENGTH.sum().alias("duration_ns"), pl.len().cast(pl.Int64).alias("count"))
    parts = [pieces.group_by("step", "kind", "name", maintain_order=True).agg(sums), _host_parts(rank, stretches, own)]
    return pl.concat(parts)


def path_pieces(rank: Rank, path: CriticalPath | None = None) -> pl.DataFrame:
    """The critical path of a rank's selected steps, cut into pieces of one kind and name each.

    Columns: step, start_ns, end_ns, kind (number in `PATH_KINDS`), name (code, or a number behind the last text for
    `OWN_NAMES`), stream, thread (number); table (number in `TABLES_OF_EVENTS`) and row of the event that it lies in, or
    that it leads to where it lies between two, null where nothing was recorded; handover (number in
    `handovers.HANDOVERS`): what let it begin. The pieces of a step cover its path exactly.

    Args:
        path: another one than that of the selected steps.
    """
    path = path or critical_path_of(rank)
    stretches = _stretches(path).with_columns(pl.Series("handover", handovers(path)))
    own = len(rank.trace.texts)
    sides = [*_on_device(rank, path, stretches, own), _on_host(rank, stretches, own)]
    return pl.concat([side.select(_COLUMNS) for side in sides])


def _stretches(path: CriticalPath) -> pl.DataFrame:
    """Columns kind, place, window, start_ns, end_ns, step."""
    stretches = pl.DataFrame(path.stretches._asdict()).rename({"start": "start_ns", "end": "end_ns"})
    return stretches.with_columns(pl.Series("step", path.windows.step[path.stretches.window]))


def _on_device(rank: Rank, path: CriticalPath, stretches: pl.DataFrame, own: int) -> list[pl.DataFrame]:
    """The pieces on the GPU and those between the sides."""
    return [_on_gpu(rank, path, stretches), _between(rank, path, stretches, own)]


def path_shares(rank: Rank) -> dict[str, float]:
    """Share of each kind in the critical path of a rank's steps, in per cent; empty without a path."""
    parts = path_parts(rank)
    whole = max(1, _time(parts))
    kinds = parts["kind"].unique().sort().to_list()
    return {PATH_KINDS[kind]: 100 * _time(parts.filter(kind=kind)) / whole for kind in kinds}


def _kind(name: str) -> pl.Expr:
    return pl.lit(PATH_KINDS.index(name), pl.UInt8)


def _on_gpu(rank: Rank, path: CriticalPath, stretches: pl.DataFrame) -> pl.DataFrame:
    mine = stretches.filter(pl.col("kind") == ON_GPU)
    columns = ["activity", "name", "stream", "communication"]
    what = pl.concat([mine, rank.whole.activity.select(columns)[mine["place"]]], how="horizontal")
    kind = (
        pl.when("communication")
        .then(_kind("communication"))
        .when(pl.col("activity") == KERNEL)
        .then(_kind("compute"))
        .when(pl.col("activity") == MEMCPY)
        .then(_kind("memcpy"))
        .otherwise(_kind("memset"))
    )
    event = (pl.lit(_ACTIVITY).alias("table"), pl.col("place").alias("row"))
    return what.with_columns(kind.alias("kind"), pl.lit(None).alias("thread"), *event)


def _between(rank: Rank, path: CriticalPath, stretches: pl.DataFrame, own: int) -> pl.DataFrame:
    """Gaps on the GPU, launch latencies, returns of waiting calls, and what nothing explains."""
    mine = stretches.filter(~pl.col("kind").is_in([ON_GPU, ON_HOST]))
    place = mine["place"].to_numpy()
    kind = mine["kind"].to_numpy()
    activity = np.where((kind != RETURNING) & (place >= 0), place, 0)
    gap = mine["end_ns"].to_numpy() - mine["start_ns"].to_numpy()
    behind = kind == BEHIND
    if len(path.queue.start):
        reason, unlinked = path.bindings.reason[activity], path.queue.call[activity] < 0
    else:
        reason = unlinked = np.zeros(len(place), np.int64)
    unexplained = (kind == UNKNOWN) | (behind & (unlinked > 0) & (gap > _LONG_GAP_NS))
    late = (kind == LAUNCHING) & (gap > _LONG_LATENCY_NS)
    launching, returning = (kind == LAUNCHING) & ~late, kind == RETURNING
    name = np.where(unexplained, np.where(place >= 0, _NO_LAUNCH, _NOTHING), np.where(late, _NOT_STARTED, reason)) + own
    calls = rank.trace.frame("runtime", ["name"])["name"].fill_null(own + _NOTHING).to_numpy()
    name[launching] = calls[path.queue.call[activity[launching]]]
    name[returning] = calls[path.turn_call[place[returning]]]
    kinds = np.select(
        [unexplained, launching, returning],
        [PATH_KINDS.index("unknown"), PATH_KINDS.index("launch_latency"), PATH_KINDS.index("sync_return")],
        PATH_KINDS.index("gpu_gap"),
    )
    row = place.copy()
    row[returning] = path.turn_call[place[returning]]
    return mine.with_columns(
        pl.Series("kind", kinds),
        pl.Series("name", name),
        pl.lit(None).alias("stream"),
        pl.lit(None).alias("thread"),
        pl.Series("table", np.where(returning, _CALL, _ACTIVITY)),
        pl.Series("row", row).replace(NOBODY, None),
    )


def _on_host(rank: Rank, stretches: pl.DataFrame, own: int) -> pl.DataFrame:
    mine = stretches.filter(pl.col("kind") == ON_HOST)
    pieces = host_pieces(rank, mine["place"].to_numpy(), mine["start_ns"].to_numpy(), mine["end_ns"].to_numpy())
    where = mine.select("step", pl.col("place").alias("thread"), "handover", first="start_ns")[pieces["stretch"]]
    begins = pl.col("start_ns") == pl.col("first")
    return pl.concat([pieces, where], how="horizontal").with_columns(
        *_in_order(own),
        pl.lit(None).alias("stream"),
        pl.when(begins).then("handover").otherwise(CONTINUES).alias("handover"),
    )


def _host_parts(rank: Rank, stretches: pl.DataFrame, own: int) -> pl.DataFrame:
    """The pieces on the host, of which there are millions, added up: columns of `path_parts`."""
    mine = stretches.filter(pl.col("kind") == ON_HOST)
    thread, first, last, step = (mine[name].to_numpy() for name in ("place", "start_ns", "end_ns", "step"))
    sums = host_sums(rank, thread, first, last, step).rename({"group": "step"}).with_columns(*_in_order(own))
    return sums.group_by("step", "kind", "name", maintain_order=True).agg(pl.col("duration_ns", "count").sum())


def _in_order(own: int) -> tuple[pl.Expr, pl.Expr]:
    """Kinds of time on the host as numbers in `PATH_KINDS`, and names with that of what was not recorded."""
    return pl.col("kind") + len(_SIDES), pl.col("name").fill_null(own + _NOTHING)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How much of the path is told from times instead of being recorded, and what it leaves unexplained."""
    if len(frame) == 0:
        several = any(several_launch(rank.whole) for rank in profile.ranks)
        return [Message("path-several-launch" if several else "note-path-none")]
    events = inferred = whole = blank = unknown = 0
    for rank in profile.ranks:
        path, parts = critical_path_of(rank), path_parts(rank)
        behind = path.stretches.place[path.stretches.kind == BEHIND]
        waited = behind[path.bindings.reason[behind] == EVENT]
        events += len(waited)
        inferred += int(path.bindings.inferred[waited].sum())
        whole += _time(parts)
        unknown += _time(parts.filter(pl.col("kind") == PATH_KINDS.index("unknown")))
        if rank.trace.rows("python") == 0:
            blank += _time(parts.filter(pl.col("name") == len(rank.trace.texts) + _NOTHING))
    found = []
    if inferred:
        option = _SYNC_EVENTS if any(map(is_kineto, profile.ranks)) else None
        found.append(Message("note-path-inferred", inferred=inferred, waits=events, option=option))
    if blank >= _LARGE_SHARE * whole:
        option = option_for(profile, "stacks")
        found.append(Message("note-path-untraced", share_pct=100 * blank / whole, option=option))
    if unknown >= _MENTIONED_SHARE * whole:
        found.append(Message("note-path-unknown", share_pct=100 * unknown / whole))
    return found


def _time(parts: pl.DataFrame) -> int:
    return int(parts["duration_ns"].sum())
