"""What kernel reports say, in sentences and as findings: of each profiled kernel what limits it."""

from __future__ import annotations

import posixpath
from typing import Any

import polars as pl

from stepscope.analyses.gpu.kernel_names import name_parts
from stepscope.analyses.kernel_reports.diagnosis import METRICS, Diagnosis, diagnosed
from stepscope.analyses.kernel_reports.figures import DURATION
from stepscope.analyses.kernel_reports.kernel_lines import kernel_lines
from stepscope.analyses.kernel_reports.kernel_reports import kernel_reports
from stepscope.analyses.kernel_reports.reports import is_kernel_report, reports_of
from stepscope.messages import Message
from stepscope.readers.ncu.rows import RANGE
from stepscope.store.profile import Profile, Rank

_NAMED = 5
_LINK = "https://docs.nvidia.com/nsight-compute/ProfilingGuide/"


def kernel_sentences(rank: Rank) -> tuple[Message, ...]:
    """The verdict on a rank of which there are kernel reports alone: how long the kernels take, the longest first."""
    profile = Profile((rank.source,), (rank,))
    rows = kernel_reports(profile)
    total = int(rows["duration_ns"].sum())
    longest = _alike(rows)
    places = most_sampled(profile)
    said = [_sentence(row, total, places) for row in longest.head(_NAMED).iter_rows(named=True)]
    first = said[0] if len(said) > 1 and said[0]["share_pct"] is not None else None
    most = {name: first and first[name] for name in ("kernel", "share_pct")}
    ranges = int((rows["kind"] == RANGE).sum())
    kinds = "both" if 0 < ranges < len(rows) else "one"
    single = len(rows) - ranges
    summary = Message("verdict-kernel-reports", kernels=single, ranges=ranges, kinds=kinds, total_ns=total, **most)
    return summary, *said, *_others(longest[_NAMED:], total)


def _alike(rows: pl.DataFrame) -> pl.DataFrame:
    """Launches of a kernel that one thing limits as one row, the longest first: the longest launch of each, how many
    there are (launches) and the time of all."""
    rows = rows.sort("duration_ns", descending=True, nulls_last=True, maintain_order=True)
    key = ["report", "name", "grid", "block", "bottleneck"]
    known = pl.col("duration_ns").is_not_null().any()
    found = rows.group_by(key, maintain_order=True).agg(
        pl.all().exclude("duration_ns").first(),
        pl.len().alias("launches"),
        pl.when(known).then(pl.col("duration_ns").sum()).alias("duration_ns"),
    )
    return found.sort("duration_ns", descending=True, nulls_last=True, maintain_order=True)


def _others(rows: pl.DataFrame, total_ns: int) -> list[Message]:
    """The number and total time of the remaining kernels, which have no sentence of their own."""
    if not len(rows) or not total_ns:
        return []
    rest, kernels = int(rows["duration_ns"].sum()), int(rows["launches"].sum())
    return [Message("verdict-kernels-others", kernels=kernels, duration_ns=rest, share_pct=100 * rest / total_ns)]


def most_sampled(profile: Profile) -> dict[tuple[str, int], tuple[str, float]]:
    """By report and number of a kernel the line that most of its samples fall on, and their share."""
    rows = kernel_lines(profile).filter(pl.col("samples_pct") > 0).unique(["report", "id"], keep="first")
    return {
        (row["report"], row["id"]): (f"{posixpath.basename(row['file'])}:{row['line']}", row["samples_pct"])
        for row in rows.iter_rows(named=True)
    }


def _sentence(row: dict[str, Any], total_ns: int, places: dict[tuple[str, int], tuple[str, float]]) -> Message:
    place, place_pct = places.get((row["report"], row["id"]), (None, None))
    known = row["duration_ns"] is not None and total_ns > 0
    return Message(
        "verdict-kernel",
        kernel=own_name(row["name"]),
        launches=row["launches"],
        duration_ns=row["duration_ns"] if known else None,
        share_pct=100 * row["duration_ns"] / total_ns if known else None,
        says=Message.decoded(row["finding"]),
        bound_pct=row["bound_pct"],
        place=place,
        place_pct=place_pct,
    )


def kernel_rows(rank: Rank) -> list[dict[str, Any]]:
    """Rows of the table ``findings``: the causes of each kernel, what costs most time first.

    Beside a trace they stand in the table ``kernel_reports`` alone: what they cost a step is not known.
    """
    if not is_kernel_report(rank):
        return []
    reports, found = reports_of(rank), []
    places = most_sampled(Profile((rank.source,), (rank,)))
    for place, report in enumerate(reports, 1):
        names = dict(report.kernels().select("id", "name").iter_rows())
        ranges = report.ranges()
        for number, values in report.values([*METRICS, DURATION]).items():
            own = f"{place}-{number}" if len(reports) > 1 else f"{number}"
            duration = values.get(DURATION)
            sampled = places.get((report.name, number))
            found += [
                (one.bound_pct * (duration or 0.0), _row(rank, own, names[number], duration, one, sampled))
                for one in diagnosed(values, number in ranges)
                if one.bound_pct is not None
            ]
    return [row for _, row in sorted(found, key=lambda one: -one[0])]


def _row(
    rank: Rank,
    own: str,
    name: str,
    duration_ns: float | None,
    one: Diagnosis,
    sampled: tuple[str, float] | None,
) -> dict[str, Any]:
    duration = None if duration_ns is None else round(duration_ns)
    place, place_pct = sampled or (None, None)
    title = Message("kernel-finding", kernel=own_name(name), duration_ns=duration, says=one.says)
    return {
        "rank": rank.number,
        "id": f"{one.id.replace('_', '-')}-{own}",
        "title": title.encoded(),
        "category": "kernel",
        "severity": "note",
        "per_sample": False,
        "confidence": "",
        "method": Message("kernel-method", bound_pct=one.bound_pct, place=place, place_pct=place_pct).encoded(),
        "advice": one.advice.encoded(),
        "what_if": "",
        "change": "",
        "links": _LINK,
    }


def own_name(name: str) -> str:
    """A kernel's name without return type, namespaces, template arguments and parameters.

    >>> own_name("void at::native::elementwise_kernel<4, CopyFunctor<float>>(int, char*)")
    'elementwise_kernel'
    >>> own_name("range: scale, add")
    'range: scale, add'
    """
    if name.startswith(f"{RANGE}: "):
        return name
    own = name_parts(name)[0]
    return own.rpartition("::")[2].strip() or name
