"""Host and GPU time by nn.Module."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import Event, call, kernel, launched, memset, opened, operator, rows, step, write
from building.autograd import ENGINE, accumulate, backward, forward, frame
from oracles import autograd as autograd_oracle
from oracles import general as oracle
from stepscope.schema import UNATTRIBUTED

DEVICE = ("name", "device_total_ns", "device_self_ns", "forward_device_ns", "backward_device_ns", "recompute_device_ns")
HOST = ("name", "calls", "host_total_ns", "host_self_ns", "backward_host_ns")


def module(name: str, start: int, end: int, *, thread: object = 1) -> Event:
    return frame(f"nn.Module: {name}", start, end, thread=thread)


def test_time_of_a_module_includes_the_modules_it_calls(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        module("Net_0", 0, 100),
        frame("torch/nn/modules/linear.py(100): forward", 10, 60),
        module("Linear_0", 20, 50),
        launched(kernel("a", 200, 210, 1), at=30),
        launched(kernel("b", 210, 230, 2), at=60),
        launched(memset(230, 270, 3), at=150),
    )
    table = profile.show("modules")
    assert rows(table, *DEVICE) == [
        (UNATTRIBUTED, 40, 40, 40, 0, 0),
        ("Net_0", 30, 20, 30, 0, 0),
        ("Linear_0", 10, 10, 10, 0, 0),
    ]
    assert rows(table, "path", *HOST[1:]) == [
        ("", 0, 0, 0, 0),
        ("Net_0", 1, 100, 70, 0),
        ("Net_0/Linear_0", 1, 30, 30, 0),
    ]
    assert profile.notes("modules") == ["57.1 % of GPU time belongs to no module: other code outside modules 57.1 %"]


def training_step() -> list[Event | list[Event]]:
    """`Net` calls `Linear`; the engine runs both backward functions on a thread of its own."""
    return [
        module("Net_0", 0, 100),
        module("Linear_0", 20, 50),
        forward("aten::linear", 25, 45, 5),
        launched(kernel("fwd", 200, 210, 1), at=30),
        forward("aten::relu", 60, 70, 6),
        launched(kernel("relu", 210, 212, 2), at=65),
        backward("ReluBackward0", 300, 320, 6),
        launched(kernel("relu bwd", 400, 404, 3), at=310, thread=ENGINE),
        backward("LinearBackward0", 320, 350, 5),
        launched(kernel("bwd", 410, 430, 4), at=330, thread=ENGINE),
        accumulate(350, 360),
        launched(kernel("add", 430, 431, 5), at=355, thread=ENGINE),
    ]


def test_the_backward_pass_belongs_to_the_modules_of_the_forward_operators(tmp_path: Path) -> None:
    """So does adding the gradient, right behind the function that completed it."""
    table = opened(tmp_path, *training_step()).show("modules")
    assert rows(table, *DEVICE) == [("Net_0", 37, 6, 12, 25, 0), ("Linear_0", 31, 31, 10, 21, 0)]
    assert rows(table, *HOST) == [("Net_0", 1, 100, 70, 60), ("Linear_0", 1, 30, 30, 40)]


def test_modules_of_one_class_are_told_apart_or_put_together(tmp_path: Path) -> None:
    events = [
        module("Net_0", 0, 100),
        [module(f"Block_{i}", 10 + 40 * i, 45 + 40 * i) for i in range(2)],
        [module(f"Linear_{i}", 15 + 40 * i, 25 + 40 * i) for i in range(2)],
        [launched(kernel("a", 200 + 10 * i, 205 + 10 * i, i + 1), at=20 + 40 * i) for i in range(2)],
        [launched(kernel("b", 300 + 10 * i, 302 + 10 * i, i + 3), at=30 + 40 * i) for i in range(2)],
    ]
    profile = opened(tmp_path, *events)
    assert rows(profile.show("modules"), "path", "calls", "device_total_ns", "device_self_ns") == [
        ("Net_0", 1, 14, 0),
        ("Net_0/Block_0", 1, 7, 2),
        ("Net_0/Block_1", 1, 7, 2),
        ("Net_0/Block_0/Linear_0", 1, 5, 5),
        ("Net_0/Block_1/Linear_1", 1, 5, 5),
    ]
    columns = ("name", "path", "instances", "calls", "host_total_ns", "device_total_ns", "device_self_ns")
    assert rows(profile.show("modules", by="class"), *columns) == [
        ("Net", "Net", 1, 1, 100, 14, 0),
        ("Block", "Net/Block", 2, 2, 70, 14, 4),
        ("Linear", "Net/Block/Linear", 2, 2, 20, 10, 10),
    ]


def test_a_module_inside_one_of_its_class_counts_once(tmp_path: Path) -> None:
    """Each `Sequential` has its own path of classes; one that calls itself has one path and is no more time."""
    profile = opened(
        tmp_path,
        module("Tree_0", 0, 100),
        module("Tree_0", 10, 90),
        launched(kernel("a", 200, 205, 1), at=20),
    )
    assert rows(profile.show("modules"), *DEVICE) == [("Tree_0", 5, 5, 5, 0, 0)]
    assert rows(profile.show("modules"), "path", *HOST) == [("Tree_0", "Tree_0", 2, 100, 100, 0)]


def checkpointed() -> list[Event | list[Event]]:
    """The first function of `Block` that needs a tensor runs the whole block again, modules and all."""
    return [
        module("Net_0", 0, 100),
        module("Block_0", 10, 90),
        module("Linear_0", 20, 40),
        forward("aten::linear", 22, 38, 5),
        launched(kernel("fwd", 200, 210, 1), at=30),
        forward("aten::relu", 60, 70, 6),
        backward("ReluBackward0", 300, 400, 6),
        frame("torch/utils/checkpoint.py(1000): unpack_hook", 302, 370, thread=ENGINE),
        module("Block_0", 305, 365, thread=ENGINE),
        module("Linear_0", 310, 330, thread=ENGINE),
        forward("aten::linear", 312, 328, 0, thread=ENGINE),
        launched(kernel("again", 500, 511, 2), at=320, thread=ENGINE),
        operator("aten::threshold_backward", 380, 390, thread=ENGINE),
        launched(kernel("relu bwd", 520, 523, 3), at=385, thread=ENGINE),
        backward("LinearBackward0", 400, 430, 5),
        launched(kernel("bwd", 530, 550, 4), at=410, thread=ENGINE),
    ]


def test_a_forward_pass_run_again_belongs_to_its_modules(tmp_path: Path) -> None:
    """Also to those around them that are not called again, and not to the module whose backward needed it."""
    table = opened(tmp_path, *checkpointed()).show("modules")
    assert rows(table, *DEVICE) == [
        ("Block_0", 44, 3, 10, 34, 11),
        ("Net_0", 44, 0, 10, 34, 11),
        ("Linear_0", 41, 41, 10, 31, 11),
    ]
    assert rows(table, "path", "calls", "host_total_ns") == [
        ("Net_0/Block_0", 2, 140),
        ("Net_0", 1, 100),
        ("Net_0/Block_0/Linear_0", 2, 40),
    ]


def test_a_repeated_call_that_took_no_time_counts(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        module("Net_0", 0, 100),
        module("Linear_0", 20, 20),
        forward("aten::relu", 60, 70, 6),
        backward("ReluBackward0", 300, 400, 6),
        module("Linear_0", 310, 330, thread=ENGINE),
        launched(kernel("again", 500, 511, 2), at=320, thread=ENGINE),
    )
    assert rows(profile.show("modules"), *DEVICE) == [("Net_0", 11, 0, 0, 11, 11), ("Linear_0", 11, 11, 0, 11, 11)]


def test_a_checkpoint_that_re_enters_the_engine(tmp_path: Path) -> None:
    """Backward functions of the operators run again belong to the modules run again, which are those of before."""
    table = opened(
        tmp_path,
        module("Net_0", 0, 100),
        module("Linear_0", 20, 40),
        operator("CheckpointFunction", 15, 50, **{"Sequence number": 5, "Fwd thread id": 0}),
        operator("aten::linear", 22, 38),
        launched(kernel("fwd", 200, 210, 1), at=30),
        backward("CheckpointFunctionBackward", 300, 500, 5),
        module("Linear_0", 310, 330, thread=ENGINE),
        forward("aten::linear", 312, 328, 0, thread=ENGINE),
        launched(kernel("again", 500, 511, 2), at=320, thread=ENGINE),
        backward("LinearBackward0", 350, 400, 0, made_on=2),
        launched(kernel("bwd", 530, 550, 4), at=360, thread=ENGINE),
    ).show("modules")
    assert rows(table, *DEVICE) == [("Net_0", 41, 0, 10, 31, 11), ("Linear_0", 41, 41, 10, 31, 11)]


def test_a_bucket_of_gradients_belongs_to_the_whole_model(tmp_path: Path) -> None:
    """The gradient that fills a bucket starts its all-reduce; its module is not where the bucket's time went."""
    table = opened(
        tmp_path,
        *training_step(),
        operator("c10d::allreduce_", 356, 358, thread=ENGINE),
        launched(kernel("ncclDevKernel_AllReduce", 440, 540, 6), at=356, thread=ENGINE),
    ).show("modules")
    assert rows(table, *DEVICE) == [("Net_0", 137, 106, 12, 125, 0), ("Linear_0", 31, 31, 10, 21, 0)]


def test_backward_on_the_thread_of_the_forward_pass(tmp_path: Path) -> None:
    """A Lightning-like module calls `backward` itself: it is open, and yet the forward operator's module counts."""
    profile = opened(
        tmp_path,
        module("Training_0", 0, 500),
        module("Linear_0", 20, 50),
        forward("aten::linear", 25, 45, 5),
        backward("LinearBackward0", 320, 350, 5, thread=1),
        launched(kernel("bwd", 410, 430, 4), at=330),
    )
    assert rows(profile.show("modules"), *DEVICE) == [("Training_0", 20, 0, 0, 20, 0), ("Linear_0", 20, 20, 0, 20, 0)]


@pytest.mark.long
def test_a_selected_step_counts_what_was_launched_in_it(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        [step(i, 100 * i, 100 * i + 100) for i in (1, 2)],
        [module("Net_0", 100 * i, 100 * i + 10 * i) for i in (1, 2)],
        [launched(kernel("a", 500 + 10 * i, 500 + 11 * i, i), at=100 * i + 5) for i in (1, 2)],
    )
    assert rows(profile.show("modules", step=2), *DEVICE[:3], *HOST[1:4]) == [("Net_0", 2, 2, 1, 20, 20)]
    assert rows(profile.show("modules"), *DEVICE[:3], *HOST[1:4]) == [("Net_0", 3, 3, 2, 30, 30)]


def test_ranks_are_summed_by_path(tmp_path: Path) -> None:
    for i in (0, 1):
        events = [module("Net_0", 0, 10 + i), launched(kernel("a", 20, 25, 1), at=5)]
        write(tmp_path / f"rank{i}.json", *(events if i else [operator("aten::other", 0, 1), *events]))
    table = stepscope.open(str(tmp_path)).show("modules")
    assert rows(table, "path", "calls", "host_total_ns", "device_total_ns") == [("Net_0", 2, 21, 10)]


def test_without_stacks_there_are_no_rows_and_the_reason_is_given(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 10), launched(kernel("a", 20, 25, 1), at=5))
    assert profile.show("modules").rows() == []
    assert profile.notes("modules") == ["no rows: the recording has no Python stacks; record with with_stack=True"]


def test_stacks_without_modules_have_a_reason_of_their_own(tmp_path: Path) -> None:
    profile = opened(tmp_path, frame("train.py(3): step", 0, 10), launched(kernel("a", 20, 25, 1), at=5))
    assert profile.show("modules").rows() == []
    assert profile.notes("modules") == ["no rows: no nn.Module was called in the recording"]


def test_modules_on_the_host_alone(tmp_path: Path) -> None:
    profile = opened(tmp_path, module("Net_0", 0, 10), operator("aten::mm", 2, 5))
    assert rows(profile.show("modules"), "name", "calls", "host_total_ns", "device_total_ns") == [("Net_0", 1, 10, 0)]
    assert profile.notes("modules") == []


def test_modules_of_torchscript_are_known_from_the_operators_arguments(tmp_path: Path) -> None:
    inner = {"Module Hierarchy": "TOP()::<forward op>.head(Linear)::forward."}
    profile = opened(
        tmp_path,
        operator("<forward op>", 0, 100, **{"Module Hierarchy": "TOP(Net)::forward.SELF(Net)::run."}),
        operator("aten::linear", 10, 50, **inner, **{"Sequence number": 5}),
        launched(kernel("a", 200, 210, 1), at=20),
        operator("aten::sum", 110, 120),
        backward("LinearBackward0", 300, 340, 5),
        launched(kernel("b", 400, 420, 2), at=310, thread=ENGINE),
    )
    table = profile.show("modules")
    assert rows(table, "path", *DEVICE[1:]) == [("TOP", 30, 0, 10, 20, 0), ("TOP/head(Linear)", 30, 30, 10, 20, 0)]
    assert rows(table, *HOST) == [("TOP", None, 100, 60, 40), ("head(Linear)", None, 40, 40, 40)]
    assert rows(profile.show("operators", by="module"), "name", "module")[:2] == [
        ("LinearBackward0", "TOP/head(Linear)"),
        ("aten::linear", "TOP/head(Linear)"),
    ]


def test_hostile_modules(tmp_path: Path) -> None:
    """No number, an odd name, no time, a kernel that names no thread; nothing is lost and nothing fails."""
    linked = call(5, 7, 1)
    del linked["tid"]
    profile = opened(
        tmp_path,
        module("", 0, 100),
        module("a/b_1_", 0, 100),
        module("Net_0", 50, 50),
        linked,
        kernel("a", 200, 210, 1),
        kernel("b", 210, 220),
    )
    assert profile.show("modules")["device_self_ns"].sum() == 20
    assert profile.show("modules", by="class")["device_self_ns"].sum() == 20


SMALL = [
    "h200/train/cnn.step12.pt.trace.json.gz",
    "public/tracelens/h100__gaunernst_bert-small-uncased__1016001.json.gz",
    "public/tracelens/torch_compile_triton__trace.json.gz",
    "h200/diverse/llama_compile_cudagraphs.pt.trace.json.gz",
]
LARGE = [
    "public/hta/a100-8rank-old_schema-rank3.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
    "h200/pairs/batch_size.slow.pt.trace.json.gz",
    "h200/pairs/naive_attention.slow.pt.trace.json.gz",
    "h200/train/dit_compiled.pt.trace.json.gz",
    "h200/diverse/vit_prefetcher.pt.trace.json.gz",
    "h200/ranks/fsdp4/rank0.json.gz",
    "public/hta/a100-2rank-nccl_metadata-rank0.json.gz",
    "public/tracelens/b200__eager_trace.json.gz",
    "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
]


@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_modules_and_backward_of_a_recording_say_what_the_oracle_says(shared_data: Path, name: str) -> None:
    path = shared_data / name
    profile, events = stepscope.open(str(path)), oracle.read(path)
    table = profile.show("modules")
    expected = autograd_oracle.modules(events) if len(table) else {}
    columns = autograd_oracle.MODULE_COLUMNS
    found = {row["name"]: {column: row[column] for column in columns} for row in table.to_dicts()}
    assert found == expected
    operators = profile.show("operators").filter(pl.col("backward_host_ns") + pl.col("backward_device_ns") > 0)
    times = rows(operators, "name", "backward_host_ns", "backward_device_ns")
    assert {name: (host, device) for name, host, device in times} == {
        name: both for name, both in autograd_oracle.backward_times(events).items() if any(both)
    }
