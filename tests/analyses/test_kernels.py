"""GPU time by kernel."""

from __future__ import annotations

from pathlib import Path

import stepscope
from building import call, kernel, launched, memcpy, opened, operator, rows, step, write

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"
GEMM = "void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm_bf16_128x64_nn_align8>"


def configured(grid: int, block: int, **more: object) -> dict[str, object]:
    """Arguments of a kernel's launch configuration."""
    return {"grid": [grid, 1, 1], "block": [block, 1, 1], **more}


def test_calls_of_one_name_are_summed(tmp_path: Path) -> None:
    """Blocks per SM and occupancy are weighted by duration: (1 x 10 + 4 x 20) / 30 and (50 x 10 + 80 x 20) / 30."""
    profile = opened(
        tmp_path,
        operator("aten::mm", 0, 100),
        call(10, 20, 1),
        kernel(
            GEMM,
            200,
            210,
            1,
            **configured(4, 128),
            **{"blocks per SM": 1.0, "est. achieved occupancy %": 50, "registers per thread": 32, "shared memory": 0},
        ),
        call(20, 30, 2),
        kernel(
            GEMM,
            300,
            320,
            2,
            **configured(8, 256),
            **{
                "blocks per SM": 4.0,
                "est. achieved occupancy %": 80,
                "registers per thread": 64,
                "shared memory": 1024,
            },
        ),
        kernel(NCCL, 400, 470, **{"Collective name": "allreduce"}),
    )
    assert profile.show("kernels").to_dicts() == [
        {
            "name": NCCL,
            "calls": 1,
            "total_ns": 70,
            "mean_ns": 70,
            "min_ns": 70,
            "max_ns": 70,
            "share_pct": 70.0,
            "kind": "communication",
            "op": None,
            "grid": None,
            "block": None,
            "blocks_per_sm": None,
            "occupancy_pct": None,
            "registers": None,
            "shared_bytes": None,
            "tensor_core": False,
            "estimated_occupancy_pct": None,
            "occupancy_limit": None,
            "source": None,
        },
        {
            "name": GEMM,
            "calls": 2,
            "total_ns": 30,
            "mean_ns": 15,
            "min_ns": 10,
            "max_ns": 20,
            "share_pct": 30.0,
            "kind": "gemm",
            "op": "aten::mm",
            "grid": "[8, 1, 1]",
            "block": "[256, 1, 1]",
            "blocks_per_sm": 3.0,
            "occupancy_pct": 70.0,
            "registers": 64,
            "shared_bytes": 1024,
            "tensor_core": True,
            "estimated_occupancy_pct": 70.0,
            "occupancy_limit": None,
            "source": None,
        },
    ]


def test_the_mean_is_rounded_half_to_even(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, kernel("a", 0, 2), kernel("a", 10, 13), kernel("b", 20, 21), kernel("b", 30, 32), kernel("c", 40, 41)
    )
    assert rows(profile.show("kernels"), "name", "total_ns", "mean_ns") == [("a", 5, 2), ("b", 3, 2), ("c", 1, 1)]


def test_the_operator_is_the_one_with_most_of_the_kernels_time(tmp_path: Path) -> None:
    """`aten::conv2d` has 20 of 35 ns in two launch configurations, each of which is shorter than that of `aten::mm`."""
    profile = opened(
        tmp_path,
        operator("aten::conv2d", 0, 100),
        operator("aten::mm", 100, 200),
        launched(kernel("a", 200, 210, 1, **configured(1, 32)), at=10),
        launched(kernel("a", 210, 220, 2, **configured(2, 32)), at=20),
        launched(kernel("a", 220, 235, 3, **configured(3, 32)), at=110),
    )
    assert rows(profile.show("kernels"), "total_ns", "op", "grid") == [(35, "aten::conv2d", "[3, 1, 1]")]


def test_the_grid_is_the_one_with_most_of_the_kernels_time(tmp_path: Path) -> None:
    """The grid of 1 has 20 of 35 ns under two operators."""
    profile = opened(
        tmp_path,
        operator("aten::conv2d", 0, 100),
        operator("aten::mm", 100, 200),
        launched(kernel("a", 200, 210, 1, **configured(1, 32)), at=10),
        launched(kernel("a", 210, 220, 2, **configured(1, 32)), at=110),
        launched(kernel("a", 220, 235, 3, **configured(3, 64)), at=120),
    )
    assert rows(profile.show("kernels"), "total_ns", "op", "grid", "block") == [
        (35, "aten::mm", "[1, 1, 1]", "[32, 1, 1]")
    ]


def test_grid_block_registers_and_shared_memory_are_of_one_launch(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        kernel("a", 0, 10, **configured(1, 32, **{"registers per thread": 99, "shared memory": 1})),
        kernel("a", 10, 30, **configured(2, 64, **{"registers per thread": 16, "shared memory": 2})),
        kernel("a", 30, 40, **configured(1, 32, **{"registers per thread": 99, "shared memory": 1})),
        kernel("a", 40, 45, **configured(2, 64, **{"registers per thread": 16, "shared memory": 2})),
    )
    assert rows(profile.show("kernels"), "grid", "block", "registers", "shared_bytes") == [
        ("[2, 1, 1]", "[64, 1, 1]", 16, 2)
    ]


def test_by_launch_has_a_row_for_each_configuration(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        kernel("a", 0, 10, **configured(1, 32)),
        kernel("a", 10, 30, **configured(2, 32)),
        kernel("a", 30, 45, **configured(1, 32)),
        kernel("b", 50, 55),
    )
    assert rows(profile.show("kernels", by="launch"), "name", "grid", "calls", "total_ns", "share_pct") == [
        ("a", "[1, 1, 1]", 2, 25, 50.0),
        ("a", "[2, 1, 1]", 1, 20, 40.0),
        ("b", None, 1, 5, 10.0),
    ]


def test_by_op_has_a_row_for_each_operator(tmp_path: Path) -> None:
    """The last call was launched outside any operator."""
    profile = opened(
        tmp_path,
        operator("aten::add", 0, 100),
        operator("aten::add_", 100, 200),
        launched(kernel("a", 200, 210, 1), at=10),
        launched(kernel("a", 210, 240, 2), at=110),
        launched(kernel("a", 240, 245, 3), at=210),
    )
    assert rows(profile.show("kernels", by="op"), "name", "op", "calls", "total_ns") == [
        ("a", "aten::add_", 1, 30),
        ("a", "aten::add", 1, 10),
        ("a", None, 1, 5),
    ]


def test_means_leave_out_calls_without_the_value(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        kernel("a", 0, 10, **{"blocks per SM": 2.0, "est. achieved occupancy %": 30}),
        kernel("a", 10, 100),
    )
    assert rows(profile.show("kernels"), "blocks_per_sm", "occupancy_pct") == [(2.0, 30.0)]


def test_kernels_without_length_are_calls(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 5, 5, **{"blocks per SM": 2.0}))
    assert rows(profile.show("kernels"), "calls", "total_ns", "share_pct", "blocks_per_sm") == [(1, 0, 0.0, None)]


def test_copies_and_fills_are_no_kernels(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 10), memcpy(10, 90))
    assert rows(profile.show("kernels"), "name", "share_pct") == [("a", 100.0)]


def test_concurrent_kernels_count_twice(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 10), kernel("a", 0, 10, stream=8))
    assert rows(profile.show("kernels"), "calls", "total_ns") == [(2, 20)]


def test_ranks_are_summed_by_name(tmp_path: Path) -> None:
    write(tmp_path / "rank0.json", kernel("b", 0, 10), kernel("a", 10, 30))
    write(tmp_path / "rank1.json", kernel("a", 0, 20), kernel("c", 0, 50))
    profile = stepscope.open(str(tmp_path))
    columns = ("name", "calls", "total_ns", "share_pct")
    assert rows(profile.show("kernels"), *columns) == [("c", 1, 50, 50.0), ("a", 2, 40, 40.0), ("b", 1, 10, 10.0)]
    assert rows(profile.show("kernels", rank=0), "name", "total_ns") == [("a", 20), ("b", 10)]


def test_a_selected_step_shows_the_kernels_launched_in_it(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        step(2, 100, 200),
        launched(kernel("a", 120, 130, 1), at=90),
        launched(kernel("b", 130, 140, 2), at=110),
    )
    assert rows(profile.show("kernels", step=1), "name", "share_pct") == [("a", 100.0)]


def test_where_the_profiler_estimated_no_occupancy_it_is_estimated_again(tmp_path: Path) -> None:
    """100 KiB of shared memory and 5,376 registers a warp: three warps in each quarter of the registers."""
    h100 = {
        "id": 0,
        "computeMajor": 9,
        "computeMinor": 0,
        "warpSize": 32,
        "regsPerMultiprocessor": 65536,
        "sharedMemPerMultiprocessor": 233472,
        "maxThreadsPerMultiprocessor": 2048,
    }
    args = configured(1056, 384, **{"registers per thread": 168, "shared memory": 100 << 10})
    estimates = {"blocks per SM": 8.0, "est. achieved occupancy %": 0}
    profile = opened(tmp_path, kernel(GEMM, 0, 10, **args, **estimates), deviceProperties=[h100])
    columns = ("occupancy_pct", "estimated_occupancy_pct", "occupancy_limit")
    assert rows(profile.show("kernels"), *columns) == [(0.0, 18.75, "registers")]
    assert profile.notes("kernels") == []


def test_the_operator_tells_the_kind_where_the_name_does_not(tmp_path: Path) -> None:
    """The same for all rows of a name, however they are grouped: by the operator with most of its time."""
    profile = opened(
        tmp_path,
        operator("aten::bmm", 0, 100),
        operator("aten::sum", 100, 200),
        launched(kernel("my_kernel", 200, 240, 1), at=10),
        launched(kernel("my_kernel", 240, 250, 2), at=110),
        kernel("k", 300, 350),
    )
    assert rows(profile.show("kernels"), "name", "kind") == [("k", "other"), ("my_kernel", "gemm")]
    assert rows(profile.show("kernels", by="op"), "op", "kind") == [
        (None, "other"),
        ("aten::bmm", "gemm"),
        ("aten::sum", "gemm"),
    ]
    assert profile.notes("kernels") == ["50.0 % of kernel time is of kind other: 1 kernel name that no rule matches"]
