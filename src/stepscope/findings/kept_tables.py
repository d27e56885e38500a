"""The tables, verdicts and sentences of whole ranks: each computed once, and kept beside the stored trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from stepscope.analyses import make_table, table_notes
from stepscope.findings.job_figures import JobFigures, in_job, job_figures
from stepscope.findings.job_messages import job_sentences
from stepscope.findings.sparing import JOB, failures, spared
from stepscope.findings.verdict import Verdict, verdict_json, verdict_of_json, verdicts_of
from stepscope.messages import Message
from stepscope.store.kept_results import is_kept, keep, load, load_head, result_path
from stepscope.store.parquet import arrow_of
from stepscope.store.profile import Profile
from stepscope.store.result_cache import discard

MAX_BYTES = 64 << 20
"""Larger frames are not kept: reading them back is hardly quicker than making them."""


@dataclass(frozen=True)
class Made:
    """A table, and what is to be known beside its rows."""

    frame: pl.DataFrame
    notes: list[Message]


def made_table(profile: Profile, table: str, by: str = "", source: bool = False) -> Made:
    """A table as it was kept, else computed, and kept where nothing but ranks was chosen.

    Raises:
        BadRequest: there is no such table or grouping, or it knows no source lines.
    """
    known = load_table(profile, table, by, source) if is_kept(profile) else None
    if known is not None:
        return known
    frame = make_table(profile, table, by, source)
    made = Made(frame, table_notes(profile, table, frame))
    if is_kept(profile) and not failures(made.notes):
        keep_table(profile, table, by, source, made)
    return made


def made_verdicts(profile: Profile, utilization: Callable[[], pl.DataFrame]) -> tuple[Verdict, ...]:
    """The verdicts on the ranks as they were kept, else computed and kept, with what each is to its job.

    Args:
        utilization: gives the table of that name.
    """
    known = load_verdicts(profile) if is_kept(profile) else None
    if known is None:
        known = verdicts_of(profile, utilization())
        if is_kept(profile) and not any(failures(one.sentences) for one in known):
            keep_verdicts(profile, known)
    return in_job(known, made_figures(profile))


def made_figures(profile: Profile) -> JobFigures | None:
    """The figures of all ranks of a job as they were kept, else computed; None where they cannot be computed."""
    whole = profile.with_every_rank()
    path = result_path(whole, "figures of the job")
    kept = load(path) if is_kept(whole) else None
    try:
        if kept is not None:
            return JobFigures.of_json(kept[0]["figures"]) if kept[0]["figures"] else None
    except (KeyError, TypeError):
        discard(path)
    # Where they fail, the sentences about the job say so.
    found: JobFigures | None = spared(lambda: job_figures(whole), lambda _: None)
    if is_kept(whole):
        keep(path, {"figures": found and found.json()})
    return found


def made_sentences(profile: Profile) -> tuple[Message, ...]:
    """What all ranks say together, as it was kept, else computed and kept."""
    known = load_sentences(profile) if is_kept(profile) else None
    if known is None:
        known = spared(lambda: job_sentences(profile), lambda error: (Message(JOB, type=error),))
        if is_kept(profile) and not failures(known):
            keep_sentences(profile, known)
    return known


def load_table(profile: Profile, table: str, by: str, source: bool) -> Made | None:
    """A table and its notes as they were kept; None where they were not, or the file is damaged."""
    path = result_path(profile, table, by, source)
    kept = load(path)
    if kept is None:
        return None
    try:
        return Made(pl.read_ipc_stream(kept[1]), [Message.of_json(note) for note in kept[0]["notes"]])
    except (KeyError, TypeError, OSError, pl.exceptions.PolarsError):
        discard(path)
        return None


def kept_rows(profile: Profile, table: str) -> int | None:
    """Rows of a table that was kept; None where it was not."""
    head = load_head(result_path(profile, table, "", False))
    rows = head.get("rows") if head else None
    return rows if isinstance(rows, int) else None


def keep_table(profile: Profile, table: str, by: str, source: bool, made: Made) -> None:
    """Keep a table of whole ranks, unless it is very large."""
    frame = made.frame
    if frame.estimated_size() > MAX_BYTES:
        return
    keep(
        result_path(profile, table, by, source),
        {"notes": [note.json() for note in made.notes], "rows": len(frame)},
        arrow_of(frame),
    )


def load_verdicts(profile: Profile) -> tuple[Verdict, ...] | None:
    """The verdicts on all ranks as they were kept; None where they were not, or the file is damaged."""
    path = result_path(profile, "verdicts")
    kept = load(path)
    if kept is None:
        return None
    try:
        return tuple(verdict_of_json(one) for one in kept[0]["verdicts"])
    except (KeyError, TypeError):
        discard(path)
        return None


def keep_verdicts(profile: Profile, verdicts: Sequence[Verdict]) -> None:
    """Keep the verdicts on all ranks of a whole profile."""
    keep(result_path(profile, "verdicts"), {"verdicts": [verdict_json(one, Message.json) for one in verdicts]})


def load_sentences(profile: Profile) -> tuple[Message, ...] | None:
    """The sentences about the job as they were kept; None where they were not."""
    kept = load(result_path(profile, "sentences about the job"))
    found = kept[0].get("sentences") if kept else None
    return tuple(map(Message.of_json, found)) if isinstance(found, list) else None


def keep_sentences(profile: Profile, sentences: Sequence[Message]) -> None:
    """Keep the sentences about the job of a whole profile."""
    keep(result_path(profile, "sentences about the job"), {"sentences": [one.json() for one in sentences]})
