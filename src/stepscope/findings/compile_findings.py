"""What logs of torch.compile say, in sentences and as findings: recompiles and why, graph breaks, compile time."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.analyses.compilation.compilations import FAILED, UNFINISHED, every_compilation
from stepscope.analyses.compilation.graph_breaks import graph_breaks
from stepscope.analyses.compilation.logs import logs_of
from stepscope.analyses.compilation.recompiles import OVER_LIMIT, recompiles
from stepscope.messages import Message
from stepscope.store.profile import Profile, Rank, as_ranges

_LINKS = {
    "recompile": "https://docs.pytorch.org/docs/stable/user_guide/torch_compiler/compile/programming_model.recompilation.html",
    "graph-break": "https://docs.pytorch.org/docs/stable/user_guide/torch_compiler/compile/programming_model.graph_breaks_index.html",
}
_AHEAD = "compile_fx_aot"
"""The phase of AOTInductor that holds all others."""

_NAMED = 3
_MOST_BREAKS = 5
_FUNCTION = ["function", "source"]


def own_compile_sentences(rank: Rank) -> tuple[Message, ...]:
    """The verdict on a rank of which there is nothing but logs of torch.compile."""
    profile = Profile((rank.source,), (rank,))
    every = every_compilation(profile)
    if len(every) == 0:
        return (Message("compile-none", aot_ns=_ahead_of_time_ns(rank)),)
    ended = every.filter(pl.col("outcome") != UNFINISHED)
    longest = every.sort("duration_ns", descending=True, nulls_last=True, maintain_order=True).row(0, named=True)
    total = Message(
        "compile-total",
        count=len(every),
        untimed=ended["duration_ns"].null_count(),
        total_ns=int(every["duration_ns"].sum()) if every["duration_ns"].count() else None,
        function=longest["function"],
        source=_short(longest["source"]),
        longest_ns=longest["duration_ns"],
    )
    odd = [one for one in (_failed(every), _unfinished(every)) if one is not None]
    said = [Message("text-sentence", text=row["sentence"]) for row in _recompiled(profile)[:_NAMED]]
    broken = graph_breaks(profile)
    if len(broken):
        first = broken.row(0, named=True)
        facts = {"lines": len(broken), "source": _short(first["source"]), "reason": first["reason"]}
        said.append(Message("compile-breaks", **facts))
    return (*said, total, *odd)


def _ahead_of_time_ns(rank: Rank) -> int | None:
    """What AOTInductor compiled for, which goes without Dynamo: its log has phases, and no compilation."""
    ranges = rank.trace.frame("annotation", ["name", "duration_ns"])
    own = ranges.filter(rank.trace.text(ranges["name"]).str.contains(rf"^{_AHEAD}\b"))
    return int(own["duration_ns"].sum()) if len(own) else None


def _failed(every: pl.DataFrame) -> Message | None:
    failed = every.filter(pl.col("outcome") == FAILED)
    if len(failed) == 0:
        return None
    first = failed.row(0, named=True)
    about = {"function": first["function"], "source": _short(first["source"])}
    return Message("compile-failed", count=len(failed), **about, reason=(first["failure"] or "").rstrip(".") or None)


def _unfinished(every: pl.DataFrame) -> Message | None:
    count = int((every["outcome"] == UNFINISHED).sum())
    return Message("compile-unfinished", count=count) if count else None


def compile_rows(profile: Profile) -> list[dict[str, Any]]:
    """Rows of the table ``findings``: functions that were compiled again, then lines that break graphs.

    What compiling costs is paid once for each compilation: no steady step becomes shorter without it, so there is no
    saving; what it took is said.
    """
    if not logs_of(profile):
        return []
    rows = [_recompile_row(row) for row in _recompiled(profile)]
    for row in graph_breaks(profile).group_by("rank", maintain_order=True).head(_MOST_BREAKS).iter_rows(named=True):
        title = Message(
            "compile-break",
            source=_short(row["source"]),
            reason=row["reason"],
            explanation=(row["explanation"] or "").rstrip(".") or None,
        )
        advice = Message("compile-break-advice", hint=row["hint"])
        evidence = Message("compile-break-evidence", count=row["compilations"], first_ns=row["first_ns"])
        rows.append(_row(row["rank"], f"graph-break-{_short(row['source'])}", title, advice, evidence, "graph-break"))
    return rows


def compile_occurrences(profile: Profile) -> pl.DataFrame:
    """Recompilations with their time, by the ids of their findings: rank, id, title, start_ns, end_ns."""
    again = recompiles(profile).filter(pl.col("start_ns").is_not_null() & pl.col("duration_ns").is_not_null())
    found = {(row["rank"], *(row[name] for name in _FUNCTION)): row for row in _recompiled(profile)}
    rows = []
    for one in again.iter_rows(named=True):
        row = found[(one["rank"], *(one[name] for name in _FUNCTION))]
        end = one["start_ns"] + one["duration_ns"]
        rows.append((one["rank"], _id(row), row["sentence"].encoded(), one["start_ns"], end))
    schema = {"rank": pl.Int64, "id": pl.String, "title": pl.String, "start_ns": pl.Int64, "end_ns": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _recompiled(profile: Profile) -> list[dict[str, Any]]:
    """Each function of a rank that was compiled again, most time first, with a sentence about it."""
    again = recompiles(profile)
    if len(again) == 0:
        return []
    costly = again.sort("duration_ns", descending=True, nulls_last=True, maintain_order=True)
    grouped = costly.group_by("rank", *_FUNCTION, maintain_order=True).agg(
        pl.col("reason", "kind", "guard_source", "advice", "start_ns").first(),
        pl.col("reason").n_unique().alias("reasons"),
        pl.col("duration_ns").first().alias("longest_ns"),
        pl.col("duration_ns").sum().alias("total_ns"),
        (pl.col("outcome") != OVER_LIMIT).sum().alias("count"),
        pl.col("step").drop_nulls().unique().sort().alias("in_steps"),
        (pl.col("outcome") == OVER_LIMIT).any().alias("limited"),
    )
    rows = grouped.sort("total_ns", descending=True, maintain_order=True).to_dicts()
    return [row | {"sentence": _sentence(row)} for row in rows]


def _sentence(row: dict[str, Any]) -> Message:
    return Message(
        "compile-recompiled",
        count=row["count"],
        total_ns=row["total_ns"],
        function=row["function"],
        source=_short(row["source"]),
        steps=as_ranges(row["in_steps"]) or None,
        several=len(row["in_steps"]) > 1,
        reason=row["reason"],
        reasons=row["reasons"],
        limited=row["limited"],
    )


def _recompile_row(row: dict[str, Any]) -> dict[str, Any]:
    evidence = Message(
        "compile-recompile-evidence", guard_source=_short(row["guard_source"]), longest_ns=row["longest_ns"]
    )
    limit = Message("compile-advice", kind=OVER_LIMIT).encoded()
    found = _row(row["rank"], _id(row), row["sentence"], row["advice"], evidence, "recompile")
    found["unknown"] = Message("compile-unknown-again").encoded()
    if row["limited"]:
        found["advice"] = limit
    if row["start_ns"] is not None and row["longest_ns"] is not None:
        found |= {"start_ns": row["start_ns"], "end_ns": row["start_ns"] + row["longest_ns"]}
    return found


def _row(rank: int, id_: str, title: Message, advice: Message | str, evidence: Message, link: str) -> dict[str, Any]:
    return {
        "rank": rank,
        "id": id_,
        "title": title.encoded(),
        "category": "compilation",
        "severity": "note",
        "per_sample": False,
        "confidence": "",
        "method": Message("compile-method").encoded(),
        "evidence": evidence.encoded(),
        "advice": advice if isinstance(advice, str) else advice.encoded(),
        "what_if": "",
        "change": "",
        "links": _LINKS[link],
    }


def _id(row: dict[str, Any]) -> str:
    return f"recompile-{_short(row['source']) or row['function'] or ''}"


def _short(source: str | None) -> str | None:
    """File and line without folders."""
    return source.replace("\\", "/").rpartition("/")[2] if source else None
