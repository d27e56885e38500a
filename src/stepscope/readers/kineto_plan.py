"""Which keys of a Kineto event become which columns of the store, as one literal table.

A key that is not listed for an event's group is not lost: it goes to the table ``extras`` as text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from stepscope.numeric.bytescan import PADDING, words_of
from stepscope.numeric.plan import ARGS, FLOAT, INT, TEXT, TIME, Plan, hash_table_of_keys
from stepscope.schema import KERNEL, MEMCPY, MEMSET


class Slot(NamedTuple):
    """A wanted key: its column in the store, where it stands in the event, and its kind."""

    column: str
    level: int
    key: str
    kind: int


EVENT = [
    Slot("phase", 0, "ph", TEXT),
    Slot("category", 0, "cat", TEXT),
    Slot("name", 0, "name", TEXT),
    Slot("process", 0, "pid", TEXT),
    Slot("thread", 0, "tid", TEXT),
    Slot("start_ns", 0, "ts", TIME),
    Slot("duration_ns", 0, "dur", TIME),
    Slot("flow", 0, "id", INT),
    Slot("binding", 0, "bp", TEXT),
    Slot("scope", 0, "s", TEXT),
    Slot("args", 0, "args", ARGS),
]

ARGUMENTS = [
    Slot("external_id", 1, "External id", INT),
    Slot("record_function_id", 1, "Record function id", INT),
    Slot("event_index", 1, "Ev Idx", INT),
    Slot("correlation", 1, "correlation", INT),
    Slot("device", 1, "device", INT),
    Slot("context", 1, "context", INT),
    Slot("stream", 1, "stream", INT),
    Slot("queued", 1, "queued", INT),
    Slot("registers", 1, "registers per thread", INT),
    Slot("shared_bytes", 1, "shared memory", INT),
    Slot("blocks_per_sm", 1, "blocks per SM", FLOAT),
    Slot("warps_per_sm", 1, "warps per SM", FLOAT),
    Slot("occupancy_pct", 1, "est. achieved occupancy %", FLOAT),
    Slot("grid", 1, "grid", TEXT),
    Slot("block", 1, "block", TEXT),
    Slot("bytes", 1, "bytes", INT),
    Slot("bandwidth_gb_per_s", 1, "memory bandwidth (GB/s)", FLOAT),
    Slot("direction", 1, "kind", TEXT),
    Slot("api", 1, "cbid", INT),
    Slot("sequence", 1, "Sequence number", INT),
    Slot("forward_thread", 1, "Fwd thread id", INT),
    Slot("input_dims", 1, "Input Dims", TEXT),
    Slot("input_types", 1, "Input type", TEXT),
    Slot("input_strides", 1, "Input Strides", TEXT),
    Slot("concrete_inputs", 1, "Concrete Inputs", TEXT),
    Slot("call_stack", 1, "Call stack", TEXT),
    Slot("module_hierarchy", 1, "Module Hierarchy", TEXT),
    Slot("collective", 1, "Collective name", TEXT),
    Slot("in_elements", 1, "In msg nelems", INT),
    Slot("out_elements", 1, "Out msg nelems", INT),
    Slot("in_split", 1, "In split size", TEXT),
    Slot("out_split", 1, "Out split size", TEXT),
    Slot("dtype", 1, "dtype", TEXT),
    Slot("group_size", 1, "Group size", INT),
    Slot("process_group", 1, "Process Group Name", TEXT),
    Slot("process_group_description", 1, "Process Group Description", TEXT),
    Slot("process_group_ranks", 1, "Process Group Ranks", TEXT),
    Slot("source_rank", 1, "Src Rank", INT),
    Slot("destination_rank", 1, "Dst Rank", INT),
    Slot("collective_sequence", 1, "Seq", INT),
    Slot("python_id", 1, "Python id", INT),
    Slot("python_parent_id", 1, "Python parent id", INT),
    Slot("python_module_id", 1, "Python module id", INT),
    Slot("change_bytes", 1, "Bytes", INT),
    Slot("address", 1, "Addr", INT),
    Slot("device_index", 1, "Device Id", INT),
    Slot("device_type", 1, "Device Type", INT),
    Slot("allocated_bytes", 1, "Total Allocated", INT),
    Slot("reserved_bytes", 1, "Total Reserved", INT),
    Slot("sync_kind", 1, "cuda_sync_kind", TEXT),
    Slot("wait_stream", 1, "wait_on_stream", INT),
    Slot("wait_correlation", 1, "wait_on_cuda_event_record_corr_id", INT),
    Slot("wait_event", 1, "wait_on_cuda_event_id", INT),
    Slot("label_name", 1, "name", TEXT),
    Slot("label", 1, "labels", TEXT),
    Slot("sort_index", 1, "sort_index", INT),
]

SLOTS = EVENT + ARGUMENTS

_TIMED = ["name", "process", "thread", "start_ns", "duration_ns", "external_id"]
_COLLECTIVE = [
    "collective",
    "in_elements",
    "out_elements",
    "in_split",
    "out_split",
    "dtype",
    "group_size",
    "process_group",
    "process_group_description",
    "process_group_ranks",
    "source_rank",
    "destination_rank",
    "collective_sequence",
]
_RECORD_FUNCTION = [
    "record_function_id",
    "event_index",
    "sequence",
    "forward_thread",
    "input_dims",
    "input_types",
    "input_strides",
    "concrete_inputs",
    "call_stack",
    "module_hierarchy",
]

GROUPS: dict[str, list[str]] = {
    "activity": [
        "category",
        *_TIMED,
        "correlation",
        "device",
        "context",
        "stream",
        "queued",
        "registers",
        "shared_bytes",
        "blocks_per_sm",
        "warps_per_sm",
        "occupancy_pct",
        "grid",
        "block",
        "bytes",
        "bandwidth_gb_per_s",
        "direction",
        *_COLLECTIVE,
    ],
    "operator": ["category", *_TIMED, *_RECORD_FUNCTION, *_COLLECTIVE],
    "annotation": ["category", *_TIMED, *_RECORD_FUNCTION],
    "runtime": ["category", *_TIMED, "correlation", "api"],
    "python": ["category", *_TIMED, "event_index", "python_id", "python_parent_id", "python_module_id"],
    "memory": [
        "category",
        "name",
        "process",
        "thread",
        "start_ns",
        "scope",
        "event_index",
        "change_bytes",
        "address",
        "device_index",
        "device_type",
        "allocated_bytes",
        "reserved_bytes",
    ],
    "flow": ["phase", "category", "name", "process", "thread", "start_ns", "flow", "binding"],
    "sync": [
        "category",
        *_TIMED,
        "correlation",
        "device",
        "context",
        "stream",
        "sync_kind",
        "wait_stream",
        "wait_correlation",
        "wait_event",
    ],
    "label": ["name", "process", "thread", "start_ns", "label_name", "label", "sort_index"],
    "counter": ["category", "name", "process", "thread", "start_ns", "flow"],
    "other": ["phase", "category", "name", "process", "thread", "start_ns", "duration_ns", "flow", "scope"],
}
"""Groups of events and the columns each keeps. ``other`` takes what no rule places, and what is broken. Series and
values of counters are members of their ``args`` under names of their own, see `readers.counter_values`."""

ACTIVITY_KINDS = {
    "kernel": KERNEL,
    "gpu_memcpy": MEMCPY,
    "gpu_memset": MEMSET,
    # torch 1.8 to 1.12
    "Kernel": KERNEL,
    "Memcpy": MEMCPY,
    "Memset": MEMSET,
    # other devices
    "mtia_ccp_events": KERNEL,
    "hpu_op": KERNEL,
    "xpu_kernel": KERNEL,
    "privateuse1_kernel": KERNEL,
    "privateuse1_memcpy": MEMCPY,
    "privateuse1_memset": MEMSET,
    "concurrent_kernel": KERNEL,
}
"""Categories that ran on the device, and what they are."""

HOST_CATEGORIES = {
    "operator": ["cpu_op", "Operator", "operator"],
    "annotation": ["user_annotation", "gpu_user_annotation"],
    "runtime": [
        "cuda_runtime",
        "cuda_driver",
        "Runtime",
        "runtime",
        "hip_runtime",
        "hip_driver",
        "mtia_runtime",
        "xpu_runtime",
        "xpu_driver",
        "glow_runtime",
        "privateuse1_runtime",
        "privateuse1_driver",
    ],
    "python": ["python_function", "python_function_event", "Python"],
    "sync": ["cuda_sync"],
}
"""Categories of timed host events by group."""

INSTANT_CATEGORIES = {"memory": ["cpu_instant_event", "Memory"]}
"""Categories of instants by group."""

_PHASES = {"s": "flow", "t": "flow", "f": "flow", "M": "label", "C": "counter"}


@dataclass(frozen=True)
class Layout:
    """What of events is read, and where it goes.

    Attributes:
        slots: the wanted keys.
        groups: groups of events, in the order of `GROUPS`, and the columns that each keeps.
        plan: the same for the scanner.
        annotated: categories of operators that annotations have, too.
    """

    slots: Sequence[Slot]
    groups: Mapping[str, Sequence[str]]
    plan: Plan
    annotated: frozenset[bytes]


@cache
def kineto_layout() -> Layout:
    """Of Kineto events: torch 1.8 gave operators and annotations one category."""
    return layout_of(SLOTS, GROUPS, HOST_CATEGORIES, frozenset((b"Operator", b"operator")))


def layout_of(
    slots: Sequence[Slot],
    groups: Mapping[str, Sequence[str]],
    host_categories: Mapping[str, Sequence[str]],
    annotated: frozenset[bytes],
) -> Layout:
    """A layout of events with the phases of Chrome's format.

    Args:
        host_categories: of timed host events, by group.
    """
    return Layout(slots, groups, _plan(slots, groups, host_categories), annotated)


def _plan(slots: Sequence[Slot], groups: Mapping[str, Sequence[str]], host: Mapping[str, Sequence[str]]) -> Plan:
    number = {slot.column: i for i, slot in enumerate(slots)}
    group_number = {name: i for i, name in enumerate(groups)}
    key_bytes, key_start, key_length = _pack([slot.key for slot in slots])
    classes = dict.fromkeys(ACTIVITY_KINDS, "activity")
    classes |= {category: group for group, cats in host.items() for category in cats}
    instants = {category: group for group, cats in INSTANT_CATEGORIES.items() for category in cats}
    texts = [*classes, *instants]
    class_bytes, class_start, class_length = _pack(texts)
    rest = group_number["other"]
    phases = np.full(256, rest, np.int64)
    for phase, group in _PHASES.items():
        phases[ord(phase)] = group_number[group]
    for phase in "Xi":
        phases[ord(phase)] = -1
    timed = [group_number[classes.get(text, "other")] for text in texts]
    untimed = [group_number[instants.get(text, "other")] for text in texts]
    key_words = words_of(key_bytes)
    return Plan(
        keys=np.array(
            [key_start, key_length, [slot.level for slot in slots], [slot.kind for slot in slots]], np.int64
        ).T.copy(),
        key_words=key_words,
        key_table=hash_table_of_keys(key_words, key_start, key_length),
        classes=np.array([class_start, class_length, timed, untimed], np.int64).T.copy(),
        class_words=words_of(class_bytes),
        phase_group=phases,
        roles=np.array(
            [ord("X"), number["phase"], number["category"], number["start_ns"], number["duration_ns"], rest],
            np.int64,
        ),
        column=_columns(groups, number),
    )


def _pack(texts: list[str]) -> tuple[np.ndarray, list[int], list[int]]:
    data = [text.encode() for text in texts]
    length = [len(text) for text in data]
    start = [sum(length[:i]) for i in range(len(data))]
    return np.frombuffer(b"".join(data) + bytes(PADDING), np.uint8).copy(), start, length


def _columns(groups: Mapping[str, Sequence[str]], number: dict[str, int]) -> np.ndarray:
    column = np.full((len(groups), len(number)), -1, np.int64)
    place = 0
    for group, names in enumerate(groups.values()):
        for name in names:
            column[group, number[name]] = place
            place += 1
    return column
