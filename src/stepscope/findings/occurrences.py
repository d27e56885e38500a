"""Every time that a finding occurs, as a table (see docs/tables/)."""

from __future__ import annotations

import numpy as np
import polars as pl

from stepscope.analyses.critical_path.threads import HOST_TABLES, host_threads
from stepscope.analyses.simulation.edits import Ranges
from stepscope.analyses.simulation.representative import examined, recorded_rank
from stepscope.findings.compile_findings import compile_occurrences
from stepscope.findings.detailed_ranks import few_ranks, selection_note
from stepscope.findings.detector_context import Observation
from stepscope.findings.examination import examine
from stepscope.findings.straggler_findings import FINDING_ID, late_ranges, straggler_rows
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank

MOST = 2_000
"""Occurrences of one finding on one rank that are listed: of more the longest."""

_COLUMNS = {"id": pl.String, "title": pl.String, "start_ns": pl.Int64, "end_ns": pl.Int64, "thread": pl.Int64}


def occurrences(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``occurrences``: findings in their order, each in the order of time."""
    parts = [pl.DataFrame(schema=TABLES["occurrences"].schema)]
    parts += [_late(profile, row) for row in straggler_rows(profile)]
    parts += [_compiled(profile, rank) for rank in few_ranks(profile).ranks]
    parts += [_of_rank(profile, rank) for rank in few_ranks(profile).ranks]
    return pl.concat(parts)


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    """How many occurrences are not listed, and of which steps these are."""
    if len(frame) == 0:
        return [Message("finding-no-occurrence"), *selection_note(profile)]
    found = selection_note(profile)
    counts = frame.group_by("rank", "id", maintain_order=True).agg(pl.col("of").first(), pl.len().alias("shown"))
    for rank, finding, of, shown in counts.filter(pl.col("of") > pl.col("shown")).rows():
        found.append(Message("finding-occurrences-capped", rank=rank, finding=finding, shown=shown, occurrences=of))
    for rank in few_ranks(profile).ranks:
        looked = examined(rank)
        if looked is not rank:
            seen, every = len(looked.steps), len(rank.steps)
            found.append(Message("finding-occurrences-of-steps", rank=rank.number, seen=seen, steps=every))
    return found


def _of_rank(profile: Profile, rank: Rank) -> pl.DataFrame:
    """Occurrences on a rank of its findings, then of its notes."""
    found = examine(profile, rank)
    seen: list[Observation] = [one.cause for one in found.findings] if found else []
    noted: list[Observation] = list(found.notes) if found else []
    looked = examined(rank)
    whole = _whole_steps(looked)
    ranges = [one.claims if len(one.claims.start) else whole for one in seen]
    parts = [_rows(rank, looked, seen, ranges)]
    return pl.concat([*parts, _rows(rank, recorded_rank(looked), noted, [one.claims for one in noted])])


def _whole_steps(rank: Rank) -> Ranges:
    """The steps of a rank: what is about all of a step has no range of its own."""
    start = rank.steps["start_ns"].to_numpy()
    return Ranges(np.full(len(start), -1, np.int64), start, rank.steps["end_ns"].to_numpy())


def _rows(rank: Rank, looked: Rank, seen: list[Observation], ranges: list[Ranges]) -> pl.DataFrame:
    """Occurrences of what was seen on a rank.

    Args:
        looked: the rank that was looked at, whose threads the ranges name.
    """
    frames = [
        _claims(of).with_columns(pl.lit(one.id).alias("id"), pl.lit(one.title.encoded()).alias("title"))
        for one, of in zip(seen, ranges, strict=True)
    ]
    if not frames:
        return pl.DataFrame(schema=TABLES["occurrences"].schema)
    frame = pl.concat(frames)
    frame = frame.with_columns(_names(looked, frame), _threads(looked, frame["thread"]))
    return _finished(rank, frame)


def _claims(ranges: Ranges) -> pl.DataFrame:
    """Ranges as columns thread, start_ns, end_ns, of: the longest, in the order of time."""
    start, end = ranges.start, ranges.end
    longest = np.sort(np.lexsort((start, start - end))[:MOST])
    order = longest[np.lexsort((end[longest], start[longest]))]
    columns = {"thread": ranges.thread[order], "start_ns": start[order], "end_ns": end[order]}
    schema = {name: _COLUMNS[name] for name in columns}
    return pl.DataFrame(columns, schema=schema).with_columns(pl.lit(len(start), pl.Int64).alias("of"))


def _names(rank: Rank, frame: pl.DataFrame) -> pl.Series:
    """Name of the event of the host that each range is; null where it is none."""
    threads = host_threads(rank)
    key = ["thread", "start_ns", "end_ns"]
    wanted = frame.select(key).unique()
    found = [wanted.clear().with_columns(pl.lit(None, pl.UInt32).alias("name"))]
    for table in HOST_TABLES:
        number, times = threads.numbered(rank, table)
        end = (pl.col("start_ns") + pl.col("duration_ns")).alias("end_ns")
        events = times.select("start_ns", end).with_columns(
            pl.Series("thread", number, pl.Int64), rank.trace.frame(table, ["name"])["name"]
        )
        found.append(events.join(wanted, key, "semi").select(*key, pl.col("name").cast(pl.UInt32)))
    named = pl.concat(found).unique(key, keep="first", maintain_order=True)
    codes = frame.select(key).join(named, key, "left", maintain_order="left")["name"]
    return rank.trace.text(codes).alias("name")


def _threads(rank: Rank, number: pl.Series) -> pl.Series:
    """Threads as the recording names them."""
    texts = rank.trace.text(host_threads(rank).places.sort("number")["thread"])
    return texts.gather(number.replace(-1, None)).alias("thread")


def _finished(rank: Rank, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the table, with step and number."""
    steps = rank.all_steps.ranges.sort("start_ns")
    at = np.searchsorted(steps["start_ns"].to_numpy(), frame["start_ns"].to_numpy(), side="right") - 1
    number = steps["step"].gather(pl.Series(np.maximum(at, 0))) if len(steps) else pl.Series([None] * len(frame))
    frame = frame.with_columns(
        pl.lit(rank.number).alias("rank"),
        pl.Series("step", number, pl.Int64).set(pl.Series(at < 0), None),
        (pl.int_range(pl.len()).over("id") + 1).alias("occurrence"),
        (pl.col("end_ns") - pl.col("start_ns")).alias("duration_ns"),
    )
    return frame.select(pl.col(name).cast(dtype) for name, dtype in TABLES["occurrences"].schema.items())


def _late(profile: Profile, row: dict[str, object]) -> pl.DataFrame:
    """What a straggler's own work took longer before each collective, for which the others waited."""
    rank = next(one for one in profile.ranks if one.number == row["rank"])
    start, end = late_ranges(profile, rank)
    none = np.full(len(start), -1, np.int64)
    frame = _claims(Ranges(none, start, end)).with_columns(
        pl.lit(FINDING_ID).alias("id"),
        pl.lit(row["title"]).alias("title"),
        pl.lit(None, pl.String).alias("name"),
        pl.lit(None, pl.String).alias("thread"),
    )
    return _finished(rank, frame)


def _compiled(profile: Profile, rank: Rank) -> pl.DataFrame:
    """Recompilations on a rank that lie on its timeline, as logs of torch.compile have them."""
    found = compile_occurrences(profile).filter(rank=rank.number)
    first, last = rank.span
    found = found.filter((pl.col("end_ns") > first) & (pl.col("start_ns") < last)).sort("id", "start_ns", "end_ns")
    if len(found) == 0:
        return pl.DataFrame(schema=TABLES["occurrences"].schema)
    counted = found.with_columns(pl.len().cast(pl.Int64).over("id").alias("of")).group_by("id", maintain_order=True)
    nothing = (pl.lit(None, pl.String).alias(name) for name in ("name", "thread"))
    return _finished(rank, counted.head(MOST).with_columns(*nothing))
