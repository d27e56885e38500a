"""Checks of logs of torch.compile: what in them is not as it was written, and whether their times are known."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.analyses.recording.check import OK, WARNING, Check, counted
from stepscope.messages import Message
from stepscope.readers.facts import EPOCH
from stepscope.readers.formats import COMPILE_LOG
from stepscope.store.profile import Rank
from stepscope.store.recording import Recording


def payloads(rank: Rank) -> Check | None:
    """Records whose text has another checksum than it was written with."""
    found = sum(int(one.facts.get("unchecked") or 0) for one in _logs(rank))
    return Check("compile_log_payloads", WARNING, counted(found), Message("check-compile-payloads")) if found else None


def times(rank: Rank) -> Check | None:
    """Logs without any time since 1970."""
    found = sum(one.clock != EPOCH for one in _logs(rank))
    return Check("compile_log_times", WARNING, counted(found), Message("check-compile-times")) if found else None


def provenance(rank: Rank) -> Check | None:
    """Whether Inductor says which lines kernels come from."""
    logs = [one for one in _logs(rank) if one.stored is not None and one.stored.rows("compiled_kernel")]
    if not logs or any(one.facts.get("provenance") for one in logs):
        return None
    return Check("kernel_provenance", OK, counted(len(logs)), Message("check-compile-provenance"))


COMPILATION: list[Callable[[Rank], Check | None]] = [payloads, times, provenance]


def _logs(rank: Rank) -> list[Recording]:
    return [one for one in rank.recordings if one.kind == COMPILE_LOG and one.stored is not None]
