"""Tables that are empty because a file could not be read."""

from __future__ import annotations

from stepscope.analyses.needs import Need
from stepscope.messages import Message
from stepscope.store.profile import Profile

_FILES = {
    "input_pipeline": ("pipeline_profiling",),
    "input_batches": (
        *("device_queue_profiling", "dataset_iterator_profiling"),
        *("minddata_getnext_profiling", "minddata_aicpu"),
    ),
    "cpu_utilization": ("minddata_cpu_utilization",),
    "operator_totals": ("gpu_op_detail_info", "cpu_op_detail_info"),
    "activity_totals": ("gpu_activity_data",),
    "npu_kernels": ("kernel_details",),
    "npu_steps": ("step_trace_time",),
    "npu_collectives": ("communication.json",),
    "npu_links": ("communication.json",),
    "npu_pairs": ("communication_matrix",),
    "npu_memory": ("memory_record", "npu_module_mem"),
    "npu_memory_peak": ("operator_memory",),
}
"""How the names of the files begin that tables are read of."""


def why_lost(profile: Profile, table: str, missing: list[Need]) -> Message | None:
    """Which file that could not be read would have filled an empty table; None where none would.

    Args:
        missing: what the table needs and no rank has.
    """
    shown = [one for rank in profile.ranks for one in rank.recordings if one.used]
    names = {name for one in shown for name in one.facts.get("unread_files", [])}
    lost = sorted(name for name in names if name.startswith(_FILES.get(table, ())))
    if lost:
        return Message("note-no-rows-unread", files=lost)
    kinds = {need.kind for need in missing if need.kind}
    unread = [one for one in profile.others if one.stored is None and one.kind in kinds and one.note is not None]
    return Message("note-no-rows-unreadable", name=unread[0].name, reason=unread[0].note) if unread else None
