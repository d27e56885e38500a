"""Host and GPU time by operator."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import annotation, call, kernel, launched, memcpy, opened, operator, rows, step, timed, write
from building.autograd import ENGINE, accumulate, backward, forward, frame
from stepscope.analyses import make_table, table_notes
from stepscope.messages import Message
from stepscope.schema import UNATTRIBUTED

HOST = ("name", "calls", "host_total_ns", "host_self_ns")
DEVICE = ("name", "device_total_ns", "device_self_ns")


def test_totals_include_what_is_called_and_self_does_not(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::linear", 0, 100),
        operator("aten::addmm", 20, 80),
        launched(kernel("ampere_sgemm_128x64_nn", 200, 250, 1), at=40),
        launched(memcpy(250, 260, 2), at=85),
    )
    assert profile.show("operators").to_dicts() == [
        {
            "name": "aten::addmm",
            "calls": 1,
            "host_total_ns": 60,
            "host_self_ns": 60,
            "device_total_ns": 50,
            "device_self_ns": 50,
            "device_share_pct": 100 * 50 / 60,
            "backward_host_ns": 0,
            "backward_device_ns": 0,
            "flops": None,
            "tensor_core_pct": 0.0,
            "tensor_core_self_pct": 0.0,
            "tensor_core_eligible": True,
        },
        {
            "name": "aten::linear",
            "calls": 1,
            "host_total_ns": 100,
            "host_self_ns": 40,
            "device_total_ns": 60,
            "device_self_ns": 10,
            "device_share_pct": 100 * 10 / 60,
            "backward_host_ns": 0,
            "backward_device_ns": 0,
            "flops": None,
            "tensor_core_pct": 0.0,
            "tensor_core_self_pct": 0.0,
            "tensor_core_eligible": True,
        },
    ]


def test_an_operator_inside_one_of_its_own_name_is_a_call_but_no_more_time(tmp_path: Path) -> None:
    """`aten::to` calls itself; its GPU time and its host time count once."""
    profile = opened(
        tmp_path,
        operator("aten::to", 0, 100),
        operator("aten::_to_copy", 10, 90),
        operator("aten::to", 20, 80),
        launched(memcpy(200, 250, 1), at=30),
    )
    table = profile.show("operators")
    assert rows(table, *HOST) == [("aten::to", 2, 100, 80), ("aten::_to_copy", 1, 80, 20)]
    assert rows(table, *DEVICE) == [("aten::to", 50, 50), ("aten::_to_copy", 50, 0)]


def test_a_child_that_sticks_out_keeps_its_whole_length(tmp_path: Path) -> None:
    """Between 100 and 120 only the child runs; a moment belongs to whoever is innermost, so self sums to the union."""
    profile = opened(
        tmp_path,
        operator("outer", 0, 100),
        operator("child", 80, 120),
        launched(kernel("a", 200, 210, 1), at=90),
        launched(kernel("b", 210, 230, 2), at=110),
    )
    table = profile.show("operators")
    assert rows(table, *HOST) == [("child", 1, 40, 40), ("outer", 1, 100, 80)]
    assert rows(table, *DEVICE) == [("child", 30, 30), ("outer", 10, 0)]


def test_an_operator_that_ended_gets_nothing_from_one_that_began_in_its_child(tmp_path: Path) -> None:
    """`late` begins inside `child` when `outer` has already ended."""
    profile = opened(
        tmp_path,
        operator("outer", 0, 100),
        operator("child", 80, 200),
        operator("late", 150, 180),
        launched(kernel("a", 300, 310, 1), at=160),
        launched(kernel("b", 310, 330, 2), at=190),
    )
    table = profile.show("operators")
    assert rows(table, *HOST) == [("child", 1, 120, 90), ("late", 1, 30, 30), ("outer", 1, 100, 80)]
    assert rows(table, *DEVICE) == [("child", 30, 20), ("late", 10, 10), ("outer", 0, 0)]


def test_of_equal_starts_the_shorter_is_further_in(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("short", 0, 40, external_id=1),
        operator("long", 0, 100, external_id=2),
        launched(kernel("a", 200, 210, 1), at=0),
        launched(kernel("b", 210, 230, 2), at=40),
    )
    table = profile.show("operators")
    assert rows(table, *HOST) == [("long", 1, 100, 60), ("short", 1, 40, 40)]
    assert rows(table, *DEVICE) == [("long", 30, 20), ("short", 10, 10)]


def test_of_equal_times_the_higher_external_id_is_further_in(tmp_path: Path) -> None:
    """Times in whole microseconds make callers and callees equal; the profiler numbers operators as they begin."""
    profile = opened(
        tmp_path,
        operator("inner", 0, 50, external_id=8),
        operator("outer", 0, 50, external_id=7),
        operator("unnumbered", 0, 50),
        launched(kernel("a", 200, 210, 1), at=10),
    )
    table = profile.show("operators")
    assert rows(table, *HOST) == [("inner", 1, 50, 50), ("outer", 1, 50, 0), ("unnumbered", 1, 50, 0)]
    assert rows(table, *DEVICE) == [("inner", 10, 10), ("outer", 10, 0), ("unnumbered", 10, 0)]


def test_operators_without_length_are_calls(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, operator("aten::detach", 5, 5), operator("aten::add", 0, 10), operator("aten::detach", 20, 20)
    )
    assert rows(profile.show("operators"), *HOST) == [("aten::add", 1, 10, 10), ("aten::detach", 2, 0, 0)]


def test_threads_nest_apart_and_their_times_add_up(tmp_path: Path) -> None:
    """The backward thread works while the main thread waits in an operator: both times are host times."""
    profile = opened(
        tmp_path,
        operator("aten::add", 0, 100, thread=1),
        operator("aten::add", 50, 150, thread=2),
        operator("aten::mul", 60, 70, thread=2),
    )
    assert rows(profile.show("operators"), *HOST) == [("aten::add", 2, 200, 190), ("aten::mul", 1, 10, 10)]


def test_runtime_calls_belong_to_the_operator_that_makes_them(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::item", 0, 100), call(10, 90, 1, name="cudaStreamSynchronize"))
    assert rows(profile.show("operators"), *HOST) == [("aten::item", 1, 100, 100)]


def test_annotations_and_python_frames_are_no_rows_and_take_no_time(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        annotation("forward", 10, 90),
        timed("python_function", "train.py(3): step", 20, 80, process=1, thread=1),
        step(1, 0, 200),
    )
    assert rows(profile.show("operators"), *HOST) == [("aten::mm", 1, 100, 100)]


def test_what_no_operator_launched_is_a_row_and_self_adds_up_to_all_activity(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        launched(kernel("a", 200, 210, 1), at=10),
        launched(kernel("b", 210, 230, 2), at=110),
        kernel("c", 230, 270),
    )
    table = profile.show("operators")
    assert rows(table, *DEVICE) == [(UNATTRIBUTED, 60, 60), ("aten::mm", 10, 10)]
    assert rows(table, *HOST)[0] == (UNATTRIBUTED, 0, 0, 0)
    assert table["device_self_ns"].sum() == 70


def test_gpu_time_is_a_sum_of_durations_not_a_union(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        launched(kernel("a", 200, 250, 1), at=10),
        launched(kernel("b", 200, 250, 2, stream=8), at=20),
    )
    assert rows(profile.show("operators"), *DEVICE) == [("aten::mm", 100, 100)]


def test_tensor_core_share_is_that_of_the_gpu_time_launched_inside(tmp_path: Path) -> None:
    """By name: the cutlass kernel runs on tensor cores, the sgemm kernel does not. Copies count as time without."""
    profile = opened(
        tmp_path,
        operator("aten::linear", 0, 100),
        operator("aten::mm", 10, 30),
        launched(
            kernel("void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_bf16_128x64_nn_align8>", 200, 230, 1), at=15
        ),
        launched(kernel("ampere_sgemm_128x64_nn", 230, 240, 2), at=20),
        launched(memcpy(240, 260, 3), at=50),
        operator("aten::relu", 110, 120),
    )
    assert rows(profile.show("operators"), "name", "tensor_core_pct") == [
        ("aten::mm", 75.0),
        ("aten::linear", 50.0),
        ("aten::relu", None),
    ]


def test_flops_are_modelled_from_shapes_and_summed_upwards(tmp_path: Path) -> None:
    """2 x 4 x 8 x 16 for the product of 4 x 8 with 8 x 16; an operator without model or modelled callee has none."""
    shapes = {"Input Dims": [[4, 8], [8, 16]]}
    profile = opened(
        tmp_path,
        operator("aten::matmul", 0, 50, **shapes),
        operator("aten::mm", 10, 40, **shapes),
        operator("aten::mm", 60, 70, **shapes),
        operator("aten::mm", 80, 90),
        operator("aten::relu", 100, 110, **{"Input Dims": [[4, 16]]}),
    )
    flops = dict(rows(profile.show("operators"), "name", "flops"))
    assert flops == {"aten::mm": 2048, "aten::matmul": 1024, "aten::relu": None}


def test_by_shape_has_a_row_for_each_shape(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 10, **{"Input Dims": [[4, 8], [8, 16]]}),
        operator("aten::mm", 10, 30, **{"Input Dims": [[2, 2], [2, 2]]}),
        operator("aten::mm", 30, 35, **{"Input Dims": [[4, 8], [8, 16]]}),
        operator("aten::mm", 40, 41),
        launched(kernel("a", 200, 210, 1), at=15),
    )
    assert rows(profile.show("operators", by="shape"), "name", "shape", "calls", "host_self_ns", "device_self_ns") == [
        ("aten::mm", "[[2, 2], [2, 2]]", 1, 20, 10),
        ("aten::mm", "[[4, 8], [8, 16]]", 2, 15, 0),
        ("aten::mm", None, 1, 1, 0),
    ]


def test_by_dtype_and_by_stack_group_by_what_was_recorded(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 10, **{"Input type": ["float"], "Call stack": "train.py(3): step"}),
        operator("aten::mm", 10, 30, **{"Input type": ["c10::BFloat16"], "Call stack": "train.py(3): step"}),
    )
    assert rows(profile.show("operators", by="dtype"), "name", "dtype", "host_self_ns") == [
        ("aten::mm", '["c10::BFloat16"]', 20),
        ("aten::mm", '["float"]', 10),
    ]
    assert rows(profile.show("operators", by="stack"), "name", "stack", "host_self_ns") == [
        ("aten::mm", "train.py(3): step", 30),
    ]


def test_a_total_by_shape_counts_once_for_each_row(tmp_path: Path) -> None:
    """The two calls nest and differ in shape: each row has the GPU time, the row of the name has it once."""
    profile = opened(
        tmp_path,
        operator("aten::to", 0, 100, **{"Input Dims": [[2]]}),
        operator("aten::to", 10, 60, **{"Input Dims": [[3]]}),
        launched(memcpy(200, 250, 1), at=20),
    )
    assert rows(
        profile.show("operators", by="shape"), "shape", "host_total_ns", "device_total_ns", "device_self_ns"
    ) == [
        ("[[3]]", 50, 50, 50),
        ("[[2]]", 100, 50, 0),
    ]
    assert rows(profile.show("operators"), "host_total_ns", "device_total_ns", "device_self_ns") == [(100, 50, 50)]


def test_a_selected_step_shows_the_operators_that_start_in_it(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        operator("aten::mm", 10, 20),
        operator("aten::mm", 110, 140),
        launched(kernel("a", 150, 160, 1), at=15),
        launched(kernel("a", 160, 180, 2), at=115),
    )
    columns = ("name", "calls", "host_total_ns", "host_self_ns", "device_total_ns", "device_self_ns")
    assert rows(profile.show("operators", step=1), *columns) == [("aten::mm", 1, 10, 10, 10, 10)]
    assert rows(profile.show("operators", step=2), *columns) == [("aten::mm", 1, 30, 30, 20, 20)]
    assert rows(profile.show("operators"), *columns) == [("aten::mm", 2, 40, 40, 30, 30)]


def test_ranks_are_summed_by_name(tmp_path: Path) -> None:
    """Texts have other codes in the other file."""
    write(tmp_path / "rank0.json", operator("aten::mm", 0, 10), launched(kernel("a", 20, 25, 1), at=5))
    write(tmp_path / "rank1.json", operator("aten::add", 0, 2), operator("aten::mm", 5, 25), kernel("b", 7, 8))
    profile = stepscope.open(str(tmp_path))
    columns = ("name", "calls", "host_total_ns", "device_self_ns")
    assert rows(profile.show("operators"), *columns) == [
        ("aten::mm", 2, 30, 5),
        (UNATTRIBUTED, 0, 0, 1),
        ("aten::add", 1, 2, 0),
    ]
    assert rows(profile.show("operators", rank=1), *columns) == [
        (UNATTRIBUTED, 0, 0, 1),
        ("aten::mm", 1, 20, 0),
        ("aten::add", 1, 2, 0),
    ]


def test_a_trace_without_operators_has_only_the_unattributed_row(tmp_path: Path) -> None:
    profile = opened(tmp_path, call(0, 5, 1), kernel("a", 20, 25, 1))
    assert rows(profile.show("operators"), *DEVICE) == [(UNATTRIBUTED, 5, 5)]


BACKWARD = ("name", "backward_host_ns", "backward_device_ns")


def test_an_operator_shows_what_its_backward_costs(tmp_path: Path) -> None:
    """With what it calls, and with adding the gradient; the functions keep their own rows."""
    profile = opened(
        tmp_path,
        forward("aten::linear", 0, 50, 4),
        forward("aten::t", 5, 10, 4),
        forward("aten::addmm", 20, 40, 5),
        backward("AddmmBackward0", 100, 140, 5),
        launched(kernel("a", 200, 230, 1), at=110, thread=ENGINE),
        backward("TBackward0", 140, 150, 4),
        accumulate(150, 170),
        launched(kernel("b", 230, 237, 2), at=160, thread=ENGINE),
    )
    table = profile.show("operators")
    assert sorted(row for row in rows(table, *BACKWARD) if row[1]) == [
        ("aten::addmm", 40, 30),
        ("aten::linear", 70, 37),
        ("aten::t", 30, 7),
    ]
    assert profile.notes("operators") == []


def test_what_is_no_operators_backward_is_said(tmp_path: Path) -> None:
    """Work done again, hooks before a function, buckets of gradients, and functions from before the recording."""
    profile = opened(
        tmp_path,
        forward("aten::relu", 0, 50, 4),
        backward("ReluBackward0", 100, 200, 4),
        forward("aten::mm", 110, 120, 0, thread=ENGINE),
        operator("aten::threshold_backward", 150, 160, thread=ENGINE),
        accumulate(200, 300),
        operator("c10d::allreduce_", 210, 260, thread=ENGINE),
        backward("MmBackward0", 300, 400, 3),
        [
            operator("autograd::engine::evaluate_function: ReluBackward0", 400, 500, thread=ENGINE),
            operator("fsdp::all_gather", 401, 430, thread=ENGINE),
            operator("ReluBackward0", 440, 500, thread=ENGINE, **{"Sequence number": 4, "Fwd thread id": 1}),
        ],
    )
    assert [row for row in rows(profile.show("operators"), *BACKWARD) if row[1]] == [("aten::relu", 211, 0)]
    [note] = profile.notes("operators")
    before = "CPU time of the backward pass that the column Backward CPU excludes: "
    assert note.removeprefix(before).split(", ") == [
        "recomputed forward work 2.5 %",
        "hooks before functions 7.2 %",
        "communication of ready gradients 12.5 %",
        "and forward operators not recorded 25.0 %",
    ]


def test_operators_by_module(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        frame("nn.Module: Net_0", 0, 100),
        frame("nn.Module: Linear_0", 10, 40),
        forward("aten::mm", 12, 20, 5),
        forward("aten::mm", 50, 90, 6),
        operator("aten::mm", 110, 200),
        backward("MmBackward0", 300, 305, 5),
    )
    assert rows(profile.show("operators", by="module"), "name", "module", "host_self_ns")[:3] == [
        ("aten::mm", None, 90),
        ("aten::mm", "Net_0", 40),
        ("aten::mm", "Net_0/Linear_0", 8),
    ]
    modules = dict(rows(profile.show("operators", by="module"), "name", "module"))
    assert modules["MmBackward0"] == "Net_0/Linear_0"


def test_operators_by_stack_of_python_frames(tmp_path: Path) -> None:
    """User frames alone, innermost first; a frame that lasts too long is not around what comes later."""
    profile = opened(
        tmp_path,
        frame("train.py(9): main", 0, 1000),
        [frame("net.py(3): forward", at, at + 50) for at in (10, 110)],
        frame("torch/nn/functional.py(1): linear", 12, 40),
        frame("<built-in method __exit__ of object>", 45, 990),
        [forward("aten::mm", at, at + 10, at) for at in (15, 115, 205)],
        backward("MmBackward0", 500, 505, 115),
    )
    stack = "net.py(3): forward;train.py(9): main"
    assert rows(profile.show("operators", by="stack"), "name", "stack", "calls")[:2] == [
        ("aten::mm", stack, 2),
        ("aten::mm", "train.py(9): main", 1),
    ]
    stacks = dict(rows(profile.show("operators", by="stack"), "name", "stack"))
    assert stacks["MmBackward0"] == stack


def test_the_source_of_a_row_is_the_line_with_most_of_its_time(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        [frame(f"net.py({line}): f", 100 * line, 100 * line + 90) for line in (1, 2, 3)],
        [operator("aten::mm", 100 * line, 100 * line + 10 * line) for line in (1, 2, 3)],
        [operator("aten::relu", 100 * line + 50, 100 * line + 50 + 10 * line) for line in (1, 2, 3)],
        launched(kernel("a", 500, 510, 1), at=202),
        launched(kernel("b", 510, 515, 2), at=102),
        operator("aten::add", 900, 950),
        kernel("c", 600, 601),
    )
    assert dict(rows(profile.show("operators", source=True), "name", "source")) == {
        "aten::mm": "net.py:2",
        "aten::relu": "net.py:3",
        "aten::add": None,
        UNATTRIBUTED: None,
    }
    assert rows(profile.show("operators", by="shape", source=True), "name", "source")[0] == ("aten::mm", "net.py:2")


def test_a_grouping_that_was_not_recorded_says_so(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10)).profile
    for by, option in (
        ("module", "with_stack=True"),
        ("stack", "with_stack=True"),
        ("shape", "record_shapes=True"),
        ("dtype", "record_shapes=True"),
    ):
        [note] = table_notes(profile, "operators", make_table(profile, "operators", by))
        assert note == Message(f"note-operators-no-{by}", option=option)
    assert table_notes(profile, "operators", make_table(profile, "operators", source=True)) == [
        Message("note-operators-no-source", option="with_stack=True")
    ]


def test_a_row_most_of_whose_time_has_no_source_shows_none(tmp_path: Path) -> None:
    """The barrier at the start has a line; the all-reduces of the backward pass, which take the time, have none."""
    profile = opened(
        tmp_path,
        frame("train.py(9): main", 0, 100),
        operator("c10d::allreduce_", 10, 90),
        launched(kernel("a", 200, 210, 1), at=20),
        operator("c10d::allreduce_", 300, 310, thread=ENGINE),
        launched(kernel("b", 400, 500, 2), at=305, thread=ENGINE),
        operator("aten::mm", 20, 30),
        operator("aten::mm", 320, 325, thread=ENGINE),
    )
    sources = dict(rows(profile.show("operators", source=True), "name", "source"))
    assert sources == {"c10d::allreduce_": None, "aten::mm": "train.py:9"}


def test_a_forward_operator_that_took_no_time_has_a_backward(tmp_path: Path) -> None:
    """Seen in a trace of 2022, whose times are whole microseconds: `aten::to` lacked nine tenths of its backward."""
    profile = opened(
        tmp_path,
        forward("aten::linear", 0, 50, 4),
        forward("aten::to", 10, 10, 5),
        backward("ToBackward0", 100, 140, 5),
        launched(kernel("a", 200, 230, 1), at=110, thread=ENGINE),
    )
    assert sorted(row for row in rows(profile.show("operators"), *BACKWARD) if row[1]) == [
        ("aten::linear", 40, 30),
        ("aten::to", 40, 30),
    ]
