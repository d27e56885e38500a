"""Which call an activity's work belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from building import Event, Events, annotation, call, kernel, launched, memcpy, opened, operator, timed
from stepscope.analyses.roofline.models.listed import Parameters, parameters
from stepscope.analyses.roofline.models.modelled import COMMUNICATION, DEVICE, TRANSFER, matrix_calls, modelled


def recorded(name: str, start: int, end: int, dims: Any, kind: str = "float", **more: Any) -> Event:
    """An operator with shapes, all inputs of one type; a list of lists is one of tensors."""
    types = ["TensorList" if shape and isinstance(shape[0], list) else kind for shape in dims]
    return operator(name, start, end, **{"Input Dims": dims, "Input type": types, **more})


MM = [[4, 8], [8, 16]]


def found(folder: Path, *events: Events) -> tuple[list[tuple[str, int | None]], list[tuple[str | None, str]]]:
    """Modelled calls as (name, FLOPs), activity as (name of its call, part)."""
    [rank] = opened(folder, *events).profile.ranks
    result = modelled(rank)
    names = rank.trace.text(rank.trace.frame("operator", ["name"])["name"])
    calls = [(names[row], flops) for row, flops in result.calls.select("row", "flops").iter_rows()]
    owners = result.activity["call"].to_list()
    return calls, [
        (None if row is None else names[row], part) for row, part in zip(owners, result.activity["part"], strict=True)
    ]


def test_work_belongs_to_the_lowest_operator_with_a_model(tmp_path: Path) -> None:
    """An operator without a model inside one that has one leaves its kernel to that."""
    calls, owners = found(
        tmp_path,
        operator("aten::my_layer", 0, 100),
        recorded("aten::gelu", 10, 90, [[4, 8]]),
        operator("my::helper", 20, 80),
        launched(kernel("k", 200, 210, 1), 30),
    )
    assert calls == [("aten::gelu", 32)]
    assert owners == [("aten::gelu", DEVICE)]


def test_a_product_around_a_product_only_wraps_it(tmp_path: Path) -> None:
    """torch's linear calls addmm; counting both would double the FLOPs."""
    calls, owners = found(
        tmp_path,
        recorded("aten::linear", 0, 100, [[4, 8], [16, 8], [16]]),
        recorded("aten::addmm", 10, 90, [[16], *MM]),
        launched(kernel("gemm", 200, 210, 1), 30),
    )
    assert calls == [("aten::addmm", 1024)]
    assert owners == [("aten::addmm", DEVICE)]


def test_a_wrapper_without_an_inner_product_counts(tmp_path: Path) -> None:
    calls, owners = found(
        tmp_path,
        recorded("aten::linear", 0, 100, [[4, 8], [16, 8], [16]]),
        launched(kernel("gemm", 200, 210, 1), 30),
    )
    assert calls == [("aten::linear", 1024)]
    assert owners == [("aten::linear", DEVICE)]


def test_a_copy_inside_a_product_is_a_call_of_its_own(tmp_path: Path) -> None:
    calls, owners = found(
        tmp_path,
        recorded("aten::mm", 0, 100, MM),
        recorded("aten::copy_", 10, 30, [[4, 8], [4, 8]]),
        launched(kernel("copy", 200, 210, 1), 15),
        launched(kernel("gemm", 210, 220, 2), 40),
    )
    assert calls == [("aten::mm", 1024), ("aten::copy_", 0)]
    assert owners == [("aten::copy_", DEVICE), ("aten::mm", DEVICE)]


def test_communication_and_copies_of_the_host_belong_to_no_call(tmp_path: Path) -> None:
    _, owners = found(
        tmp_path,
        recorded("aten::copy_", 0, 100, [[4, 8], [4, 8]]),
        launched(kernel("ncclDevKernel_AllReduce_Sum_f32", 200, 210, 1), 10),
        launched(memcpy(210, 220, 2), 20),
        launched(memcpy(220, 230, 3, name="Memcpy DtoD (Device -> Device)"), 30),
        launched(memcpy(230, 240, 4, name="CopyDeviceToDevice"), 40),
    )
    copy = ("aten::copy_", DEVICE)
    assert owners == [(None, COMMUNICATION), (None, TRANSFER), copy, copy]


def test_without_shapes_or_launches_nothing_is_modelled(tmp_path: Path) -> None:
    calls, owners = found(
        tmp_path,
        operator("aten::mm", 0, 100),
        launched(kernel("gemm", 200, 210, 1), 30),
        kernel("gemm", 300, 310),
        call(400, 410, 2),
    )
    assert calls == []
    assert owners == [(None, DEVICE)] * 2


def test_an_operator_that_ended_before_the_launch_does_not_own_it(tmp_path: Path) -> None:
    """The inner one sticks out of its parent, which is over when the kernel is launched."""
    _, owners = found(
        tmp_path,
        recorded("aten::gelu", 0, 20, [[4, 8]]),
        operator("my::late", 10, 50),
        launched(kernel("k", 200, 210, 1), 30),
    )
    assert owners == [(None, DEVICE)]


def test_lists_of_tensors_take_their_type_from_the_longest_kernel(tmp_path: Path) -> None:
    [rank] = opened(
        tmp_path,
        recorded("aten::cat", 0, 100, [[[4, 8], [4, 8]], []]),
        launched(
            kernel("void CatArrayBatchedCopy<at::native::OpaqueType<2u>, unsigned int, 3, 64, 64>(int)", 200, 240, 1),
            30,
        ),
        launched(kernel("void fill<float>(int)", 240, 250, 2), 40),
    ).profile.ranks
    assert modelled(rank).calls.select("bytes", "dtype", "kind").row(0) == (2 * 2 * 64, "16-bit", "copy")


def test_matrix_calls_are_products_convolutions_and_attention(tmp_path: Path) -> None:
    [rank] = opened(
        tmp_path,
        annotation("step", 0, 100),
        recorded("aten::mm", 10, 20, MM),
        recorded("aten::gelu", 30, 40, [[4, 8]]),
        timed("cpu_op", None, 50, 60, process=1, thread=1),  # type: ignore[arg-type]
    ).profile.ranks
    assert matrix_calls(rank)["flops"].to_list() == [1024]


FUSED = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedListMetadata<4>, float>(int)"


def optimizer(folder: Path, *blocks: int, passes: int = 2) -> list[tuple[int | None, int | None]]:
    """FLOPs and bytes of a fused Adam over parameters of 100,000 and 10 elements, whose kernels start some blocks."""
    kinds = ["TensorList"] * 6 + ["Scalar"]
    shapes: dict[str, Any] = {"Input Dims": [[]] * 7, "Input type": kinds}
    gradients = [
        recorded("torch::autograd::AccumulateGrad", 10 * n + place, 10 * n + place + 1, [shape])
        for n in range(passes)
        for place, shape in enumerate(([1000, 100], [10]))
    ]
    work = [
        launched(kernel(FUSED, 300 + 10 * n, 305 + 10 * n, n + 1, grid=[count, 1, 1]), 202 + 2 * n)
        for n, count in enumerate(blocks)
    ]
    [rank] = opened(folder, gradients, operator("aten::_fused_adamw_", 200, 250, **shapes), work).profile.ranks
    return list(modelled(rank).calls.filter(pl.col("kind") == "optimizer").select("flops", "bytes").iter_rows())


def test_a_list_of_all_parameters_is_known_by_its_blocks(tmp_path: Path) -> None:
    """Two blocks of 65,536 elements for 100,000, one for 10: three, in one kernel or several."""
    whole = [(14 * 100_010, 7 * 4 * 100_010)]
    assert optimizer(tmp_path, 3) == whole
    assert optimizer(tmp_path, 2, 1) == whole
    assert optimizer(tmp_path, 3, passes=1) == whole


def test_a_list_of_other_tensors_is_not_guessed(tmp_path: Path) -> None:
    assert optimizer(tmp_path, 2) == []
    assert optimizer(tmp_path, 3, 3) == []
    assert optimizer(tmp_path, 3, passes=0) == []


def test_damaged_gradients_and_grids_are_no_parameters(tmp_path: Path) -> None:
    strange = [
        operator("torch::autograd::AccumulateGrad", n, n + 1, **{"Input Dims": dims})
        for n, dims in enumerate(([], "x", [["a"]], [[-1]], [5], None, [[]]))
    ]
    [rank] = opened(tmp_path, strange, kernel(FUSED, 5, 9, grid="x")).profile.ranks
    assert parameters(rank) == []


def test_shards_of_parameters_are_known_by_their_blocks(tmp_path: Path) -> None:
    """Of four ranks, the last holds rows 300,000 to 400,000 of the first parameter and none of a short one."""
    events = [
        recorded("torch::autograd::AccumulateGrad", 0, 1, [[400_000, 2]]),
        recorded("torch::autograd::AccumulateGrad", 2, 3, [[5]]),
    ]
    group = {"pg_name": "0", "pg_desc": "default_pg", "pg_size": 4, "ranks": [0, 1, 2, 3]}
    info = {"rank": 3, "world_size": 4, "pg_config": [group]}
    [rank] = opened(tmp_path, events, distributedInfo=info).profile.ranks
    assert parameters(rank) == [Parameters(800_005, 14), Parameters(200_000, 4)]
