"""Analyses: one module per question a user asks. Pure functions: `Profile` in, a table of `schema.TABLES` out."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from importlib import import_module

import polars as pl

from stepscope.errors import BadRequest
from stepscope.schema import TABLES
from stepscope.store.profile import Profile


def make_table(profile: Profile, name: str, by: str = "") -> pl.DataFrame:
    """A table of `schema.TABLES`, computed from a profile.

    Args:
        by: another grouping, one of the table's `schema.Table.by`; "" for the usual one.

    Raises:
        BadRequest: there is no such table or grouping.
    """
    check_request(name, by)
    function: Callable[..., pl.DataFrame] = getattr(import_module(f"stepscope.analyses.{name}"), name)
    return function(profile, by) if TABLES[name].by else function(profile)


def check_request(name: str, by: str = "") -> None:
    """Refuse a table or grouping that does not exist, before anything is read.

    Raises:
        BadRequest: names what there is instead.
    """
    table = TABLES.get(name)
    if table is None:
        close = difflib.get_close_matches(name, TABLES, 1)
        hint = f"Did you mean {close[0]}? " if close else ""
        raise BadRequest(f"cannot show {name}", "there is no such table", f"{hint}Tables: {', '.join(TABLES)}.")
    if by and by not in table.by:
        offered = f"it offers {', '.join(table.by)}" if table.by else "it has no other grouping"
        raise BadRequest(f"cannot show {name} by {by}", offered, "Name one of them or leave --by out.")
