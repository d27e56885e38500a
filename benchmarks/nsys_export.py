"""Make a long export of Nsight Systems: ``python nsys_export.py EXPORT COPIES TARGET`` repeats a recording in time.

Times and numbers of launches are shifted from copy to copy; all other columns are as they are.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys

_TIMES = ("start", "end", "timestamp")
_NUMBERS = ("correlationId",)
TABLES = (
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "NVTX_EVENTS",
    "OSRT_API",
    "GPU_METRICS",
)
"""What the reader reads, and what the baseline reads."""


def main() -> None:
    """Copy the export, then repeat the rows of its tables."""
    source, copies, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    shutil.copyfile(source, target)
    with sqlite3.connect(target) as database:
        (length,) = database.execute("SELECT duration FROM ANALYSIS_DETAILS").fetchone()
        (numbers,) = database.execute("SELECT max(correlationId) + 1 FROM CUPTI_ACTIVITY_KIND_RUNTIME").fetchone()
        for table in TABLES:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            database.execute(f"CREATE TEMP TABLE once AS SELECT * FROM {table}")
            for copy in range(1, copies):
                values = ", ".join(_shifted(name, copy * length, copy * numbers) for name in columns)
                database.execute(f"INSERT INTO {table} SELECT {values} FROM once")
            database.execute("DROP TABLE once")
        database.execute("UPDATE ANALYSIS_DETAILS SET duration = ?", [copies * length])
    database.close()


def _shifted(name: str, time: int, number: int) -> str:
    shift = time if name in _TIMES else number if name in _NUMBERS else 0
    return f'"{name}" + {shift}' if shift else f'"{name}"'


if __name__ == "__main__":
    main()
