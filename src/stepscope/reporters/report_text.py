"""The report for a terminal: verdict, what is wrong with the trace, steps, GPU, operators, kernels, copies."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from stepscope.findings.report import Report
from stepscope.reporters.kernel_text import short_kernel
from stepscope.reporters.step_notes import HOST_AHEAD_NOTE, host_runs_ahead
from stepscope.reporters.table import TextColumn, render_table, wrapped
from stepscope.reporters.units import bar, middle_cut, one_line, percent_text, time_text
from stepscope.schema import UNATTRIBUTED

_TOP = 10
_MAX_STEPS = 12
_BAR = 24

_PARTS = [
    ("compute_ns", "GPU computes"),
    ("communication_ns", "communication alone"),
    ("memcpy_ns", "copies alone"),
    ("memset_ns", "fills alone"),
]
_HOST_PARTS = [
    ("runtime_ns", "host in CUDA/HIP calls"),
    ("data_loading_ns", "host waits for the loader"),
    ("cpu_ns", "host in operators"),
    ("other_ns", "host elsewhere (Python, ...)"),
]


@dataclass(frozen=True)
class Line:
    """A line of text and how it is meant: heading, strong, warning, error, dim or plain."""

    text: str
    style: str = ""


def report_lines(report: Report, width: int = 100) -> list[Line]:
    """All lines of the report, none longer than ``width``."""
    return [
        *_title(report, width),
        *_verdict(report, width),
        *_health(report, width),
        *_ranks(report, width),
        *_steps(report, width),
        *_operators(report, width),
        *_kernels(report, width),
        *_copies(report, width),
        *_closing(report),
    ]


def _heading(text: str, note: str = "") -> list[Line]:
    return [Line(""), Line(text if not note else f"{text}  ({note})", "heading")]


def _title(report: Report, width: int) -> Iterator[Line]:
    summary = report.tables["summary"]
    devices = sorted({name for name in summary["device"].to_list() if name})
    facts = [
        ", ".join(devices) or "no GPU named",
        "1 rank" if len(summary) == 1 else f"{len(summary)} ranks",
        _step_count(summary["steps"].to_list()),
        f"{summary['events'].sum():,} events",
    ]
    yield Line(middle_cut(one_line(report.profile.path), width), "heading")
    yield from (Line(line, "dim") for line in wrapped(" · ".join(facts), width))


def _step_count(counts: list[int]) -> str:
    total = "1 step" if sum(counts) == 1 else f"{sum(counts):,} steps"
    if len(counts) > 1 and len(set(counts)) == 1:
        return f"{counts[0]:,} step{'s' if counts[0] != 1 else ''} each"
    return total


def _verdict(report: Report, width: int) -> Iterator[Line]:
    yield from _heading("Verdict")
    several = len(report.verdicts) > 1
    shown = sorted(report.verdicts, key=lambda verdict: -(verdict.step_ns or 0))[:4] if several else report.verdicts
    for verdict in sorted(shown, key=lambda verdict: verdict.rank):
        label = f"rank {verdict.rank}: " if several else ""
        for i, sentence in enumerate(verdict.sentences[: 2 if several else None]):
            text = f"{label if i == 0 else ''}{sentence}"
            style = "strong" if i < 2 else ""
            yield from (Line(line, style) for line in wrapped(text, width, "  ", "  " if several and i == 0 else ""))
    if several and len(shown) < len(report.verdicts):
        yield Line(f"  the {len(shown)} slowest of {len(report.verdicts)} ranks", "dim")


def _health(report: Report, width: int) -> Iterator[Line]:
    bad = report.tables["health"].filter(pl.col("status") != "ok")
    missing = bad.filter(pl.col("value") == "not recorded")
    bad = bad.filter(pl.col("value") != "not recorded")
    yield from _heading("Can the trace be trusted?")
    if len(bad) == 0:
        yield Line("  yes: nothing dropped, damaged or unlinked")
    several = len(report.profile.ranks) > 1
    for check in bad["check"].unique(maintain_order=True):
        rows = bad.filter(pl.col("check") == check)
        first = rows.sort("status").row(0, named=True)
        where = ""
        if several and first["rank"] is not None:
            ranks = rows["rank"].to_list()
            where = "every rank, as " if len(ranks) == len(report.profile.ranks) else ""
            where = f"{where}rank {first['rank']}: "
        mark = "x" if first["status"] == "error" else "!"
        joint = " " if first["detail"].startswith("of ") else ", "
        text = f"{mark} {check.replace('_', ' ')}: {where}{first['value']}{joint}{first['detail']}"
        yield from (Line(line, first["status"]) for line in wrapped(one_line(text), width, "  ", "  "))
    if len(missing):
        names = missing["check"].unique(maintain_order=True).to_list()
        yield from (
            Line(line, "dim")
            for line in wrapped(
                f"not recorded: {', '.join(names)} (stepscope show health says which option does)", width, "  ", "  "
            )
        )


def _ranks(report: Report, width: int) -> Iterator[Line]:
    summary = report.tables["summary"].filter(pl.col("span_ns") > 0)
    if len(summary) == 0:
        return
    yield from _heading("GPU time", "from the first activity to the last")
    columns = [
        TextColumn("rank", [str(n) for n in summary["rank"]], True),
        TextColumn("span", [time_text(n) for n in summary["span_ns"]], True),
    ]
    for title, name in (
        ("compute", "compute_ns"),
        ("exposed comm", "exposed_communication_ns"),
        ("exposed copies", "exposed_memory_ns"),
        ("idle", "idle_ns"),
    ):
        cells = [_with_share(part, whole) for part, whole in zip(summary[name], summary["span_ns"], strict=True)]
        columns.append(TextColumn(title, cells, True))
    columns.append(TextColumn("overlap", [percent_text(n) for n in summary["overlap_pct"]], True))
    yield from _limited(columns, width, 16, "summary")


def _with_share(part: int, whole: int) -> str:
    return f"{time_text(part)} {percent_text(100 * part / whole):>7}"


def _limited(columns: list[TextColumn], width: int, most: int, table: str) -> Iterator[Line]:
    """A table of at most ``most`` rows and a line that says how many more there are."""
    count = len(columns[0].cells)
    cut = [TextColumn(c.title, c.cells[:most], c.right, c.flexible) for c in columns]
    yield from (Line(line) for line in render_table(cut, width, "  "))
    if count > most:
        yield Line(f"  and {count - most:,} more (stepscope show {table})", "dim")


def _steps(report: Report, width: int) -> Iterator[Line]:
    steps = report.tables["steps"]
    if len(steps) == 0:
        return
    yield from _where_the_step_goes(steps, bool(report.tables["summary"]["span_ns"].sum()), width)
    if len(steps) == 1:
        return
    yield from _heading("Steps", "host: its range; GPU: from the end of the previous step's work to the end of its own")
    columns = [
        TextColumn("rank", [str(n) for n in steps["rank"]], True),
        TextColumn(
            "step", [f"{n}{' cut' if cut else ''}" for n, cut in zip(steps["step"], steps["cut"], strict=True)], True
        ),
        TextColumn("host", [time_text(n) for n in steps["duration_ns"]], True),
    ]
    gpu = steps["device_end_ns"].is_not_null().any()
    if gpu:
        columns.append(TextColumn("GPU", [time_text(n) for n in steps["period_ns"]], True))
        columns.append(TextColumn("GPU ends after host", [time_text(n) for n in steps["lag_ns"]], True))
    for title, names in (
        *([("GPU busy", ["compute_ns", "communication_ns", "memcpy_ns", "memset_ns"])] if gpu else []),
        ("runtime", ["runtime_ns"]),
        ("loader", ["data_loading_ns"]),
        ("operators", ["cpu_ns"]),
        ("other", ["other_ns"]),
    ):
        parts = steps.select(pl.sum_horizontal(names)).to_series()
        shares = [percent_text(100 * a / b if b else 0.0) for a, b in zip(parts, steps["duration_ns"], strict=True)]
        columns.append(TextColumn(title, shares, True))
    if steps["rank"].n_unique() == 1:
        columns = columns[1:]
    yield from _limited(columns, width, _MAX_STEPS, "steps")


def _where_the_step_goes(steps: pl.DataFrame, gpu: bool, width: int) -> Iterator[Line]:
    whole = steps.filter(~pl.col("cut"))
    whole = whole if len(whole) else steps
    total = int(whole["duration_ns"].sum())
    note = f"mean of {len(whole)} host ranges" if len(whole) > 1 else "host range"
    yield from _heading("Where a step goes", note)
    idle = "GPU idle, " if gpu else ""
    for name, label in [*_PARTS, *((name, idle + label) for name, label in _HOST_PARTS)]:
        part = int(whole[name].sum())
        if part == 0:
            continue
        share = 100 * part / max(1, total)
        yield Line(
            f"  {label:<38} {time_text(part / len(whole)):>9} {percent_text(share):>8}  {bar(share, _BAR)}".rstrip()
        )
    yield Line(f"  {'in all':<38} {time_text(total / len(whole)):>9}    100 %")
    if host_runs_ahead(steps):
        yield from (Line(line, "warning") for line in wrapped(f"! {HOST_AHEAD_NOTE}", width, "  ", "  "))


def _operators(report: Report, width: int) -> Iterator[Line]:
    operators = report.tables["operators"]
    if len(operators) == 0:
        return
    named = operators.filter(pl.col("name") != UNATTRIBUTED)
    device = int(operators["device_self_ns"].sum())
    by = "device_self_ns" if device else "host_self_ns"
    yield from _heading("Heaviest operators", "self time: without the operators they call")
    top = named.sort(by, descending=True, maintain_order=True)
    rest = operators.filter(pl.col("name") == UNATTRIBUTED)
    shown = pl.concat([top.head(_TOP), rest])
    columns = [
        TextColumn("operator", [one_line(name) for name in shown["name"]], False, True),
        TextColumn("calls", [f"{n:,}" if n else "-" for n in shown["calls"]], True),
        *_self_columns(shown, "device_self_ns", "GPU", device),
        *_self_columns(shown, "host_self_ns", "host", int(operators["host_self_ns"].sum())),
    ]
    if device:
        columns.append(TextColumn("tensor", [percent_text(n) for n in shown["tensor_core_pct"]], True))
    yield from (Line(line) for line in render_table(columns, width, "  "))
    if len(named) > _TOP:
        yield from _more(len(named) - _TOP, top[_TOP:], by, "operators")


def _self_columns(operators: pl.DataFrame, name: str, side: str, whole: int) -> list[TextColumn]:
    """Self time, its share and, for the GPU, a bar; nothing for a side that was not recorded."""
    if whole == 0:
        return []
    shares = [100 * n / whole for n in operators[name]]
    columns = [
        TextColumn(f"{side} self", [time_text(n) for n in operators[name]], True),
        TextColumn(f"of {side}", [percent_text(share) for share in shares], True),
    ]
    if side == "GPU":
        columns.append(TextColumn("", [bar(share, 10) for share in shares], False))
    return columns


def _more(count: int, rest: pl.DataFrame, column: str, table: str) -> Iterator[Line]:
    time = time_text(int(rest[column].sum()))
    side = "GPU" if column != "host_self_ns" else "host"
    yield Line(f"  and {count:,} more with {time} of {side} time (stepscope show {table})", "dim")


def _kernels(report: Report, width: int) -> Iterator[Line]:
    kernels = report.tables["kernels"]
    if len(kernels) == 0:
        return
    yield from _heading("Heaviest kernels", _kinds(kernels))
    top = kernels.head(_TOP)
    columns = [
        TextColumn("kernel", [one_line(short_kernel(name or "")) for name in top["name"]], False, True),
        TextColumn("kind", top["kind"].to_list(), False),
        TextColumn("calls", [f"{n:,}" for n in top["calls"]], True),
        TextColumn("total", [time_text(n) for n in top["total_ns"]], True),
        TextColumn("share", [percent_text(n) for n in top["share_pct"]], True),
        TextColumn("", [bar(n, 10) for n in top["share_pct"]], False),
        TextColumn("mean", [time_text(n) for n in top["mean_ns"]], True),
    ]
    yield from (Line(line) for line in render_table(columns, width, "  "))
    if len(kernels) > _TOP:
        yield from _more(len(kernels) - _TOP, kernels[_TOP:], "total_ns", "kernels")


def _kinds(kernels: pl.DataFrame) -> str:
    kinds = kernels.group_by("kind").agg(pl.col("share_pct").sum()).sort("share_pct", "kind", descending=[True, False])
    return ", ".join(f"{kind} {percent_text(share)}" for kind, share in kinds.head(5).iter_rows())


def _copies(report: Report, width: int) -> Iterator[Line]:
    copies = report.tables["memcpy"]
    if len(copies) == 0:
        return
    from stepscope.reporters.table import text_columns

    yield from _heading("Copies")
    yield from (Line(line) for line in render_table(text_columns(copies, "memcpy"), width, "  "))


def _closing(report: Report) -> Iterator[Line]:
    """The command that looks closer at what the recording allows."""
    path = shlex.join(report.profile.paths)
    missing = report.tables["health"].filter(pl.col("value") == "not recorded")["check"].to_list()
    if "operators" in missing:
        question = f"kernels {path} --by launch"
    elif "shapes" in missing:
        question = (
            f"kernels {path} --by op" if len(report.tables["kernels"]) else f"operators {path} --sort host_self_ns"
        )
    else:
        question = f"operators {path} --by shape"
    yield Line("")
    yield Line(f"Next: stepscope show {question}", "dim")
