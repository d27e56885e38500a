"""What events of the timeline are: the codes of the binary answers."""

from __future__ import annotations

KINDS = (
    "compute",
    "communication",
    "memcpy",
    "memset",
    "runtime",
    "data_loading",
    "operator",
    "annotation",
    "python",
    "sync",
    "idle",
    "other",
    "os_call",
    "sample",
    "on_cpu",
    "off_cpu",
    "collective",
    "unfinished",
    "not_started",
)
"""Names of the kinds; a kind's number is its place here."""

(
    COMPUTE,
    COMMUNICATION,
    MEMCPY,
    MEMSET,
    RUNTIME,
    DATA_LOADING,
    OPERATOR,
    ANNOTATION,
    PYTHON,
    SYNC,
    IDLE,
    OTHER,
    OS_CALL,
    SAMPLE,
    ON_CPU,
    OFF_CPU,
    COLLECTIVE,
    UNFINISHED,
    NOT_STARTED,
) = range(len(KINDS))
