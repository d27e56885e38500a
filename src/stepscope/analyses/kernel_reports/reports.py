"""The kernel reports of a profile, and the values of their kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.readers.formats import KERNEL_REPORT
from stepscope.readers.ncu.rows import RANGE
from stepscope.schema import TABLES
from stepscope.store.profile import Profile, Rank
from stepscope.store.trace import Trace

Values = Mapping[str, float]
"""Numbers of one kernel by metric, in base units; what was not measured is not in it."""


_OF_A_LAUNCH = ("launch__", "sm__maximum_warps", "smsp__maximum_warps")
"""How the names of what a launch sets begin."""


@dataclass(frozen=True)
class ReportOf:
    """A report of a rank.

    Attributes:
        name: of its file.
    """

    rank: int
    name: str
    trace: Trace

    @property
    def of(self) -> list[pl.Expr]:
        """Columns rank and report."""
        return [pl.lit(self.rank, pl.Int64).alias("rank"), pl.lit(self.name).alias("report")]

    def kernels(self) -> pl.DataFrame:
        """Its kernels and ranges: columns id, name, kind, kernels, grid, block (as texts), device, sections."""
        sizes = [f"{which}_{axis}" for which in ("grid", "block") for axis in "xyz"]
        frame = self.trace.frame("kernel_report", ["kernel", "name", "kind", "kernels", "device", "sections", *sizes])
        return frame.select(
            pl.col("kernel").alias("id"),
            *(self.trace.text(frame[name]) for name in ("name", "kind", "sections")),
            "kernels",
            *(_size(which) for which in ("grid", "block")),
            "device",
        )

    def metrics(self) -> pl.DataFrame:
        """Its values: columns id, metric, unit, value, text, instances; texts null where there is none."""
        frame = self.trace.frame("kernel_metric", ["kernel", "name", "unit", "value", "text", "instances"])
        return frame.select(
            pl.col("kernel").alias("id"),
            self.trace.text(frame["name"]).alias("metric"),
            _known(self.trace.text(frame["unit"])),
            "value",
            _known(self.trace.text(frame["text"])),
            "instances",
        )

    def values(self, metrics: Sequence[str], family: str | None = None) -> dict[int, dict[str, float]]:
        """Of each kernel the numbers of some metrics, and of all whose name begins with a family's.

        Of a range those are left out that are of a launch: a report has them of the range's first kernel.
        """
        wanted = self.trace.codes(lambda text: _is_wanted(text, metrics, family))
        frame = self.trace.frame("kernel_metric", ["kernel", "name", "value"])
        frame = frame.filter(pl.col("name").is_in(wanted.implode()) & pl.col("value").is_finite())
        found: dict[int, dict[str, float]] = {number: {} for number in self.kernels()["id"].to_list()}
        ranges = self.ranges()
        rows = zip(frame["kernel"].to_list(), self.trace.text(frame["name"]).to_list(), frame["value"], strict=True)
        for kernel, name, value in rows:
            if kernel not in ranges or not name.startswith(_OF_A_LAUNCH):
                found.setdefault(kernel, {})[name] = value
        return found

    def ranges(self) -> frozenset[int]:
        """The numbers of its ranges."""
        return frozenset(self.kernels().filter(pl.col("kind") == RANGE)["id"].to_list())

    def curves(self) -> pl.DataFrame:
        """How metrics would be at other settings: columns id, metric, setting, value."""
        frame = self.trace.frame("kernel_curve", ["kernel", "name", "setting", "value"])
        metric = self.trace.text(frame["name"]).alias("metric")
        return frame.select(pl.col("kernel").alias("id"), metric, "setting", "value")

    def rules(self) -> pl.DataFrame:
        """What rules say: columns id, section, rule, kind, message, scope, speedup_pct."""
        names = ["section", "name", "kind", "message", "scope"]
        frame = self.trace.frame("kernel_rule", ["kernel", *names, "speedup_pct"])
        texts = [_known(self.trace.text(frame[name])) for name in names]
        named = frame.select(pl.col("kernel").alias("id"), *texts, "speedup_pct")
        return named.rename({"name": "rule"})


def is_kernel_report(rank: Rank) -> bool:
    """Whether nothing but reports of Nsight Compute was recorded of a rank."""
    return rank.trace.kind == KERNEL_REPORT


def reports_of(rank: Rank) -> list[ReportOf]:
    """The reports of a rank, alone or beside its trace."""
    return [
        ReportOf(rank.number, one.name, one.stored)
        for one in rank.recordings
        if one.kind == KERNEL_REPORT and one.stored is not None
    ]


def every_report(profile: Profile) -> Iterator[ReportOf]:
    """The reports of all ranks."""
    for rank in profile.ranks:
        yield from reports_of(rank)


def rows_of(
    profile: Profile,
    table: str,
    metrics: Sequence[str],
    told: Callable[[Values], Iterable[dict[str, Any]]],
    family: str | None = None,
) -> pl.DataFrame:
    """A table with rows that are told of each kernel from its values; they lack rank, report, id and kernel."""
    schema = TABLES[table].schema
    own = {name: dtype for name, dtype in schema.items() if name not in ("rank", "report")}
    parts = [pl.DataFrame(schema=schema)]
    for report in every_report(profile):
        names = dict(report.kernels().select("id", "name").iter_rows())
        values = report.values(metrics, family)
        rows = [{"id": at, "kernel": names[at], **row} for at, known in values.items() for row in told(known)]
        parts.append(pl.DataFrame(rows, schema=own).with_columns(report.of).select(list(schema)))
    return pl.concat(parts)


def _is_wanted(text: pl.Expr, metrics: Sequence[str], family: str | None) -> pl.Expr:
    named = text.is_in(list(metrics))
    return named if family is None else named | text.str.starts_with(family)


def _known(texts: pl.Series) -> pl.Series:
    """Texts, null where there is none."""
    return texts.replace("", None)


def _size(which: str) -> pl.Expr:
    """A size in three dimensions as a text, null where it is not known."""
    parts = [pl.col(f"{which}_{axis}").cast(pl.String) for axis in "xyz"]
    return pl.format("[{}, {}, {}]", *parts).alias(which)
