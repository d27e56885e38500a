"""Budgets: what a figure of a table may be at most or at least, from a TOML file.

.. code-block:: toml

    [[budget]]
    name = "GEMM time"
    table = "kernels"
    where = "category = 'gemm'"
    column = "total_ns"
    per = "step"
    most = "12 ms"
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.checking.outcome import BUDGET, BYTES, FINE, NONE, NS, PCT, REGRESSED, UNKNOWN, Check
from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

AGGREGATES = ("sum", "max", "min", "mean", "count")
_KEYS = ("name", "table", "by", "where", "column", "figure", "per", "most", "least")
_FACTORS: dict[str, dict[str, float]] = {
    NS: {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9},
    BYTES: {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "kB": 1e3, "MB": 1e6, "GB": 1e9},
    PCT: {"%": 1},
    NONE: {},
}
_QUANTITY = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*([A-Za-z%]*)\s*")


@dataclass(frozen=True)
class Budget:
    """One entry of the file.

    Attributes:
        figure: one of `AGGREGATES`, of the rows that ``where`` leaves.
        per_step: whether the figure is divided by the number of recorded steps.
        unit: of the figure and of both limits, which are None where not given.
    """

    name: str
    table: str
    by: str
    where: str | None
    column: str
    figure: str
    per_step: bool
    unit: str
    most: float | None
    least: float | None


def read_budgets(path: str) -> list[Budget]:
    """The entries of a budget file, in its order.

    Raises:
        BadRequest: it cannot be read, is no TOML, or an entry is not valid.
    """
    tried, advice = Message("gate-cannot-read-budgets", path=path), Message("gate-budget-example")
    try:
        with open(path, "rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise BadRequest(tried, error.strerror or type(error).__name__, advice) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(tried, Message("gate-no-toml", reason=str(error)), advice) from error
    entries = content.get("budget")
    if not isinstance(entries, list) or not entries or set(content) != {"budget"}:
        raise BadRequest(tried, Message("gate-no-budgets"), advice)
    return [_budget(path, number, entry) for number, entry in enumerate(entries, 1)]


def _budget(path: str, number: int, entry: Any) -> Budget:
    def refuse(found: Message, advice: Message | None = None) -> BadRequest:
        tried = Message("gate-cannot-read-budget", path=path, number=number)
        return BadRequest(tried, found, advice or Message("gate-budget-example"))

    if not isinstance(entry, dict):
        raise refuse(Message("gate-no-budgets"))
    unknown = [key for key in entry if key not in _KEYS]
    if unknown:
        raise refuse(Message("gate-unknown-key", key=unknown[0]), Message("gate-known-keys", keys=list(_KEYS)))
    texts = {key: entry.get(key, "") for key in _KEYS if key not in ("most", "least")}
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    if wrong:
        raise refuse(Message("gate-no-text", key=wrong[0]))
    if texts["table"] not in TABLES:
        raise refuse(Message("gate-no-such-table", table=texts["table"]), Message("gate-list-tables"))
    figure = texts["figure"] or ("sum" if texts["column"] else "count")
    if figure not in AGGREGATES or texts["per"] not in ("", "step"):
        raise refuse(Message("gate-unknown-figure"), Message("gate-known-figures", figures=list(AGGREGATES)))
    if figure != "count" and not texts["column"]:
        raise refuse(Message("gate-no-column"))
    unit = _unit(texts, figure, refuse)
    most, least = (_quantity(entry.get(key), unit, refuse) for key in ("most", "least"))
    if most is None and least is None:
        raise refuse(Message("gate-no-limit"))
    name = texts["name"] or _derived_name(texts, figure)
    where = texts["where"] or None
    return Budget(
        name, texts["table"], texts["by"], where, texts["column"], figure, texts["per"] == "step", unit, most, least
    )


def _derived_name(texts: Mapping[str, str], figure: str) -> str:
    what = f"{figure} of {texts['table']}.{texts['column']}" if texts["column"] else f"rows of {texts['table']}"
    return what + (f" where {texts['where']}" if texts["where"] else "")


def _unit(texts: Mapping[str, str], figure: str, refuse: Any) -> str:
    """Of a column, as its table describes it."""
    table = TABLES[texts["table"]]
    if texts["by"] and texts["by"] not in table.by:
        raise refuse(Message("gate-no-such-grouping", table=table.name, by=texts["by"]), Message("gate-list-tables"))
    if figure == "count":
        return NONE
    columns = table.described(texts["by"])
    column = columns.get(texts["column"])
    if column is None or not column.dtype.is_numeric():
        numbers = [name for name, one in columns.items() if one.dtype.is_numeric()]
        found = Message("gate-no-such-column", table=table.name, column=texts["column"])
        raise refuse(found, Message("gate-known-columns", columns=numbers))
    if figure == "sum" and not column.adds:
        adding = [name for name, one in columns.items() if one.adds and one.dtype.is_numeric()]
        found = Message("gate-does-not-add", table=table.name, column=column.name)
        raise refuse(found, Message("gate-adding-columns", columns=adding or None, figures=["max", "mean"]))
    return column.unit if column.unit in _FACTORS else NONE


def _quantity(value: Any, unit: str, refuse: Any) -> float | None:
    """A limit in the unit of its figure: a number, or a text with a unit as "12 ms"."""
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    factors = _FACTORS[unit]
    match = _QUANTITY.fullmatch(value) if isinstance(value, str) else None
    if match is None or (match[2] and match[2] not in factors):
        raise refuse(Message("gate-no-quantity", value=str(value)), Message("gate-units", units=list(factors) or ["1"]))
    return float(match[1]) * factors.get(match[2], 1)


def budget_check(budget: Budget, profiles: Sequence[Profile]) -> Check:
    """What a budget says of some recordings: kept by all, exceeded by all, or it cannot be told."""
    found = [budget_figure(budget, profile) for profile in profiles]
    missing = next((one for one in found if isinstance(one, Message)), None)
    title, limit = budget.name, budget.most if budget.most is not None else budget.least

    def check(new: float | None, outcome: str, why: Message) -> Check:
        at_least = budget.most is None
        return Check(BUDGET, title, title, budget.unit, None, new, limit, outcome, why, at_least)

    values = [one for one in found if not isinstance(one, Message)]
    mean = sum(values) / len(values) if values else None
    if missing is not None:
        return check(mean, UNKNOWN, missing)
    kept = sum(_is_kept(budget, value) for value in values)
    if kept == len(values):
        return check(mean, FINE, Message("gate-budget-kept"))
    if kept == 0:
        return check(mean, REGRESSED, Message("gate-budget-exceeded"))
    return check(mean, UNKNOWN, Message("gate-budget-mixed", kept=kept, count=len(values)))


def _is_kept(budget: Budget, value: float) -> bool:
    return (budget.most is None or value <= budget.most) and (budget.least is None or value >= budget.least)


def budget_figure(budget: Budget, profile: Profile) -> float | Message:
    """The figure of a recording in the unit of the budget; a message where there is nothing to compute it of.

    Raises:
        BadRequest: the condition is not valid for the table.
    """
    from stepscope.analyses import make_table, table_notes
    from stepscope.analyses.filtering import filtered
    from stepscope.analyses.needs import lacking
    from stepscope.messages.frames import in_words
    from stepscope.schema.lookup import titles

    table = TABLES[budget.table]
    made = make_table(profile, budget.table, budget.by)
    if len(made) == 0:
        notes = table_notes(profile, budget.table, made)
        if budget.figure == "count" and not lacking(profile, table.needs):
            return 0.0
        return Message("gate-no-rows", table=budget.table, why=notes[0] if notes else None)
    words, named = in_words(made, table.messages), titles(table, budget.by, made.columns)
    try:
        rows = filtered(made, budget.where, None, words, named)
    except BadRequest as error:
        raise BadRequest(Message("gate-cannot-check", name=budget.name), error.found, error.advice) from error
    steps = sum(len(rank.steps) for rank in profile.ranks)
    if budget.per_step and steps == 0:
        return Message("gate-no-steps")
    per = steps if budget.per_step else 1
    if budget.figure == "count":
        return len(rows) / per
    values = rows[budget.column].drop_nulls()
    if len(values) == 0:
        return Message("gate-no-values", column=budget.column)
    return float(rows.select(getattr(pl.col(budget.column), budget.figure)()).item()) / per
