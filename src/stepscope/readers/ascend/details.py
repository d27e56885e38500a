"""Tables that the analysis of a run writes: each kernel with what limited it, and the parts of each step.

Headers are read by name: columns were added, renamed (``Block Dim`` is ``Block Num`` since 2026) and differ by level.
"""

from __future__ import annotations

import polars as pl

from stepscope.readers.ascend.cells import first_of, length_ns, share_pct, start_ns, table_of, whole

RATIOS = {
    "cube_pct": ("aic_mac_ratio",),
    "cube_scalar_pct": ("aic_scalar_ratio",),
    "cube_load_pct": ("aic_mte2_ratio",),
    "cube_feed_pct": ("aic_mte1_ratio",),
    "cube_store_pct": ("aic_fixpipe_ratio",),
    "vector_pct": ("aiv_vec_ratio",),
    "vector_scalar_pct": ("aiv_scalar_ratio",),
    "vector_load_pct": ("aiv_mte2_ratio",),
    "vector_store_pct": ("aiv_mte3_ratio",),
}
"""Shares of a kernel's time on its cores in which a unit of them worked."""

Rows = tuple[pl.DataFrame, int]
"""A frame, and how many lines are none of it."""


def kernels(text: str) -> Rows:
    """``kernel_details.csv``, or ``op_summary`` of msprof: columns of the stored table ``npu_kernel``."""
    table = table_of(text)
    numbers = {
        "step": ("Step Id", "Step ID"),
        "device": ("Device_id",),
        "stream": ("Stream ID",),
        "task": ("Task ID",),
    }
    blocks = {"blocks": ("Block Num", "Block Dim"), "mix_blocks": ("Mix Block Num", "Mix Block Dim")}
    texts = {
        "name": ("Name", "Op Name"),
        "kind": ("Type", "OP Type"),
        "core": ("Accelerator Core", "Task Type"),
        "state": ("OP State",),
        **{name: (name.replace("_", " ").title(),) for name in ("input_shapes", "input_formats", "output_shapes")},
        "input_types": ("Input Data Types",),
        "output_types": ("Output Data Types",),
        "output_formats": ("Output Formats",),
    }
    columns = {
        "start_ns": start_ns(first_of(table, "Start Time(us)", "Task Start Time(us)")),
        "duration_ns": length_ns(first_of(table, "Duration(us)", "Task Duration(us)")),
        "wait_ns": length_ns(first_of(table, "Wait Time(us)", "Task Wait Time(us)")),
        "cube_ns": length_ns(first_of(table, "aicore_time(us)", "aic_time(us)")),
        "vector_ns": length_ns(first_of(table, "aiv_time(us)")),
        "cube_utilization_pct": share_pct(first_of(table, "cube_utilization(%)"), 1.0),
        **{name: whole(first_of(table, *headers)) for name, headers in numbers.items()},
        **{name: _worked(first_of(table, *headers)) for name, headers in blocks.items()},
        **{name: first_of(table, *headers) for name, headers in texts.items()},
        **{name: share_pct(first_of(table, *headers)) for name, headers in RATIOS.items()},
    }
    frame = pl.DataFrame([column.alias(name) for name, column in columns.items()])
    sound = frame.filter(
        pl.col("name").is_not_null() & pl.col("start_ns").is_not_null() & pl.col("duration_ns").is_not_null()
    )
    return sound, len(frame) - len(sound)


def _worked(cells: pl.Series) -> pl.Series:
    """How many cores a kernel ran on: 0 is written where that is not known."""
    number = whole(cells)
    return number.set(number == 0, None)


_PARTS = {
    "computing_ns": "Computing",
    "exposed_ns": "Communication(Not Overlapped)",
    "overlapped_ns": "Overlapped",
    "communication_ns": "Communication",
    "free_ns": "Free",
    "stage_ns": "Stage",
    "bubble_ns": "Bubble",
    "preparing_ns": "Preparing",
}


def steps(text: str) -> Rows:
    """``step_trace_time.csv``: columns of the stored table ``npu_step``. Without a schedule its row has no number."""
    table = table_of(text)
    columns = {name: length_ns(first_of(table, header)) for name, header in _PARTS.items()}
    frame = pl.DataFrame(
        [
            whole(first_of(table, "Step")).alias("step"),
            whole(first_of(table, "Device_id")).alias("device"),
            *(column.alias(name) for name, column in columns.items()),
        ]
    )
    sound = frame.filter(pl.col("computing_ns").is_not_null())
    return sound, len(frame) - len(sound)
