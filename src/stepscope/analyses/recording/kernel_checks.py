"""Checks of reports of Nsight Compute: what was not collected, and what of a report is not read."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.analyses.kernel_reports.figures import COMPUTE, THEORETICAL
from stepscope.analyses.kernel_reports.kernel_stalls import LATENCY
from stepscope.analyses.kernel_reports.reports import reports_of
from stepscope.analyses.recording.check import NOT_RECORDED, OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.store.profile import Rank

_DETAILS = "details"
_FULL = "ncu --set full"
_GROUPS = {
    "speed_of_light": (COMPUTE, "ncu --set basic"),
    "occupancy": (THEORETICAL, "ncu --set basic"),
    "memory_access": ("memory_l2_theoretical_sectors_global", _FULL),
    "shared_memory": ("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", _FULL),
    "warp_stalls": (LATENCY, _FULL),
}
"""By the name of the check: a metric that stands for what is collected together, and what collects it."""


def unread_results(rank: Rank) -> Check | None:
    """Results of several kernels together, which are not read."""
    unread: dict[str, int] = {}
    for report in reports_of(rank):
        for kind, count in (report.trace.meta.get("unread_results") or {}).items():
            unread[kind] = unread.get(kind, 0) + count
    if not unread:
        return None
    detail = Message(
        "check-kernels-unread", kinds=[Message(f"check-kernels-{kind}".replace("_", "-")) for kind in unread]
    )
    return Check("unread_results", WARNING, counted(sum(unread.values())), detail)


def code(rank: Rank) -> Check | None:
    """Whether instructions were sampled, whether their lines are known, and whether the text of these is."""
    reports = reports_of(rank)
    if not any(report.trace.rows("kernel_instruction") for report in reports):
        return None
    if not any(report.trace.frame("kernel_instruction", ["line"])["line"].count() for report in reports):
        return Check("source_lines", WARNING, NOT_RECORDED, Message("check-kernels-no-lines"))
    if not any(report.trace.rows("source_line") for report in reports):
        return Check("source_lines", OK, Message("check-recorded"), Message("check-kernels-no-source"))
    return Check("source_lines", OK, Message("check-recorded"))


def rounded(rank: Rank) -> Check | None:
    """Values of the details page, which are rounded."""
    pages = [report.name for report in reports_of(rank) if report.trace.meta.get("page") == _DETAILS]
    return Check("rounded_values", WARNING, counted(len(pages)), Message("check-kernels-rounded")) if pages else None


def _collected(name: str) -> Callable[[Rank], Check | None]:
    """A check whether some metrics were collected of every kernel, and of ranges those that a range has."""
    metric, option = _GROUPS[name]

    def make(rank: Rank) -> Check | None:
        every = [
            metric in known
            for report in reports_of(rank)
            for number, known in report.values([metric]).items()
            if metric != THEORETICAL or number not in report.ranges()
        ]
        if not every:
            return None
        if all(every):
            return Check(name, OK, Message("check-recorded"))
        views = Message(f"check-kernels-{name.replace('_', '-')}")
        if any(every):
            detail = Message("check-kernels-some", views=views, option=option)
            return Check(name, WARNING, Message("check-kernels-of", count=sum(every), of=len(every)), detail)
        return Check(name, WARNING, NOT_RECORDED, Message("check-cannot-show", views=views, option=option))

    return make


KERNELS = [unread_results, rounded, *map(_collected, _GROUPS), code]
