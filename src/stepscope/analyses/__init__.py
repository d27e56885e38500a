"""Analyses: pure functions from a `Profile` to a table of `schema.TABLES`, in one folder for each subject.

`registry` says which function makes which table; `make_table` is how everything else asks for one.
"""

from __future__ import annotations

import difflib
import threading
from collections.abc import Callable
from typing import Any

import polars as pl

from stepscope.analyses.lost_files import why_lost
from stepscope.analyses.needs import KINETO, held_apart, holders, lacking, recording_facts
from stepscope.analyses.none_of_it import none_happened
from stepscope.analyses.per_rank import is_by_rank, joined_table, prepare_missing
from stepscope.analyses.registry import analysis
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_TRIED: dict[str, Callable[[str], Message]] = {
    "eager": lambda table: Message("error-cannot-show-eager", table=table),
    "base": lambda table: Message("error-cannot-show-base", table=table),
    "named": lambda table: Message("error-cannot-show-named", table=table),
}


def make_table(profile: Profile, name: str, by: str = "", source: bool = False) -> pl.DataFrame:
    """A table of `schema.TABLES`, computed from a profile.

    Args:
        by: another grouping, one of the table's `schema.Table.by`; "" for the usual one.
        source: add the source line, for tables with `schema.Table.source`.

    Raises:
        BadRequest: there is no such table or grouping, or it knows no source lines.
    """
    check_request(name, by, source, profile.eager is not None, profile.base is not None, bool(profile.named))
    if not by and not source and is_by_rank(profile, name):
        return joined_table(profile, name)
    prepare_missing(profile.everyone, TABLES[name].digests)  # whatever was chosen, they are of whole ranks
    options: dict[str, Any] = {}
    if TABLES[name].by:
        options["by"] = by
    if TABLES[name].source:
        options["source"] = source
    return analysis(name).make(profile, **options)


def table_notes(profile: Profile, name: str, frame: pl.DataFrame) -> list[Message]:
    """What a reader of a table must know beside its rows: why it is empty, or what it leaves out.

    Args:
        frame: the table as `make_table` made it.
    """
    missing = lacking(profile, TABLES[name].needs)
    lost = why_lost(profile, name, missing) if len(frame) == 0 else None
    if lost is not None:
        return [lost]
    if len(frame) == 0 and missing:
        apart = holders(profile, missing[0])
        if apart:
            return [held_apart(apart)]
        if any(rank.trace.truncated is not None for rank in profile.ranks):
            return [missing[0].note_cut()]
        if none_happened(profile.ranks, missing[0].name):
            return [Message("note-no-rows")]
        by_stepscope = all(recording_facts(rank) for rank in profile.ranks)
        return [missing[0].note(_recorder(profile), by_stepscope)]
    own = analysis(name).notes
    notes = own(profile, frame) if own else []
    if len(frame) == 0 and not notes:
        return [Message("note-no-rows")]
    return notes


def _recorder(profile: Profile) -> str:
    """Who recorded all ranks: Kineto where that is any of them, since its options are what can be changed."""
    recorders = {rank.recorder for rank in profile.ranks}
    return KINETO if KINETO in recorders else min(recorders)


def load_analyses() -> None:
    """Import the module of every table. That takes a moment, which may pass while a trace is read."""
    for name in TABLES:
        if not threading.main_thread().is_alive():  # Python is about to end, and waits for the thread that imports
            return
        analysis(name)


def check_request(
    name: str, by: str = "", source: bool = False, eager: bool = False, base: bool = False, named: bool = False
) -> None:
    """Refuse a table or grouping that does not exist, before anything is read.

    Raises:
        BadRequest: names what there is instead.
    """
    table = TABLES.get(name)
    if table is None:
        close = difflib.get_close_matches(name, TABLES, 1)
        advice = Message("error-tables", close=close[0] if close else None, tables=list(TABLES))
        raise BadRequest(Message("error-cannot-show", what=name), Message("error-no-such-table"), advice)
    if by and by not in table.by:
        offered = Message("error-groupings", groupings=table.by) if table.by else Message("error-no-grouping")
        tried = Message("error-cannot-group", table=name, by=by)
        raise BadRequest(tried, offered, Message("error-group-otherwise"))
    if source and not table.knows_source:
        others = [other.name for other in TABLES.values() if other.knows_source]
        tried = Message("error-cannot-show-source", table=name)
        raise BadRequest(tried, Message("error-rows-without-source"), Message("error-tables-with", tables=others))
    _check_other("eager", eager, name, Message("error-no-operators"))
    _check_other("base", base, name, Message("error-no-comparison"))
    _check_other("named", named, name, Message("error-no-instances"))


def _check_other(what: str, given: bool, name: str, found: Message) -> None:
    """Refuse another recording, eager or base, or a name, for a table that does not take one."""
    if not given or getattr(TABLES[name], what):
        return
    others = [other.name for other in TABLES.values() if getattr(other, what)]
    raise BadRequest(_TRIED[what](name), found, Message("error-tables-with", tables=others))
