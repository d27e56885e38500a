"""The command lines of ncu, literally, which kernels it examines, and what that costs."""

from __future__ import annotations

import re
import shlex

import pytest

from fake_machine import FakeMachine, answering
from fake_nsight import NCU_HELP
from stepscope.capture.nsight.kernels import Kernel, Target, function_name, heaviest, may_deadlock, pattern_of
from stepscope.capture.nsight.ncu import Cost, NcuPlan, checked_set, cost, profile, sets_of
from stepscope.capture.nsight.tool import NCU, Tool


def tool(version: str = "2022.3", *more: str) -> Tool:
    return Tool(NCU, "ncu", tuple(map(int, version.split("."))), frozenset([*NCU_HELP[version], *more]))


def line(plan: NcuPlan, command: str = "python train.py", *more: str) -> str:
    return shlex.join(profile(tool("2022.3", *more), plan, shlex.split(command)))


FIXED = "--kernel-name-base function --kernel-id"


def test_launches_are_numbered_for_each_function_by_itself() -> None:
    """Of a number of launches of all functions together the most frequent one would take them all."""
    plan = NcuPlan("out", "^(gemm|norm)$", 20, 3, 6, "basic", ("WarpStateStats",))
    assert line(plan) == (
        "ncu --export out/%h_%p --target-processes all --set basic --section WarpStateStats --clock-control none"
        f" {FIXED} '::regex:^(gemm|norm)$:21|22|23' --launch-count 6 python train.py"
    )


def test_clocks_are_locked_and_sources_imported_where_that_can_be() -> None:
    plan = NcuPlan("out", "gemm", 0, 1, None, "full", locks_clocks=True, rank=3)
    assert line(plan, "python train.py", "--import-source") == (
        "ncu --export out/%h_rank3_%p --target-processes all --set full --clock-control base"
        f" {FIXED} ::regex:gemm:1 --import-source yes python train.py"
    )


def test_of_a_torchrun_one_rank_is_examined() -> None:
    plan = NcuPlan("out", "^(gemm)$", 0, 1, None, "basic")
    *head, script, name, python, _, program = profile(tool(), plan, ["torchrun", "--nproc-per-node", "8", "train.py"])
    assert [*head, name, python, program] == [
        *("torchrun", "--nproc-per-node", "8", "--no-python", "sh", "-c"),
        *("sh", "python", "train.py"),
    ]
    assert script == (
        """case "$RANK" in 0) exec ncu --export 'out/%h_rank%q{RANK}_%p' --target-processes all --set basic"""
        f""" --clock-control none {FIXED} '::regex:^(gemm)$:1' "$@";; esac; exec "$@\""""
    )


LISTED = """\
Identifier Enabled Sections Metrics
---------- ------- -------- -------
{} yes LaunchStats 45
full no all 229
"""


@pytest.mark.parametrize(
    ("smallest", "asked", "expected"),
    [
        ("default", None, "default"),
        ("default", "basic", "default"),
        ("basic", "default", "basic"),
        ("basic", "full", "full"),
        ("basic", "nvlink", None),
    ],
)
def test_sets_have_the_name_that_the_version_gives_them(smallest: str, asked: str | None, expected: str | None) -> None:
    machine = FakeMachine(programs={"ncu": answering(LISTED.format(smallest))})
    known = sets_of(tool(), machine)
    assert known == [smallest, "full"]
    assert checked_set(asked, known) == expected


def test_a_version_that_lists_no_sets_is_believed() -> None:
    assert sets_of(tool(), FakeMachine()) == []
    assert [checked_set(asked, []) for asked in (None, "roofline")] == ["basic", "roofline"]


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("saxpy(int, float, const float *, float *)", "saxpy"),
        (
            "void at::native::vectorized_elementwise_kernel<4, at::F<float>, std::array<char*, 1ul> >(int)",
            "vectorized_elementwise_kernel",
        ),
        ("void at::native::(anonymous namespace)::cat<(bool)1>(int*)", "cat"),
        ("void f<std::enable_if<((8)>(0)), int>::type>(int)", "f"),
        ("std::enable_if<!(false), void>::type internal::gemv::kernel<int, float>(float)", "kernel"),
        ("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>(Params)", "Kernel2"),
        (
            "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize32x32x8_cublas",
            "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize32x32x8_cublas",
        ),
        ("aiter::norm_kernel<256, true>", "norm_kernel"),
        ("", ""),
        ("(((", ""),
    ],
)
def test_the_bare_name_of_a_kernel(name: str, function: str) -> None:
    assert function_name(name) == function


def test_the_heaviest_functions_without_those_that_wait_for_other_ranks() -> None:
    kernels = [
        Kernel("void norm<float>(float*)", 10, 100, False),
        Kernel("void norm<half>(half*)", 20, 110, False),
        Kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)", 5, 900, False),
        Kernel("deep_ep::dispatch<8>(int)", 5, 800, True),
        Kernel("gemm", 4, 400, False),
        Kernel("fill", 3, 3, False),
        Kernel("ncclDevKernel_Broadcast", 1, 1, True),
    ]
    targets = [Target("gemm", 1, 4, 400), Target("norm", 2, 30, 210)]
    assert heaviest(kernels, 2) == (targets, ["ncclDevKernel_AllReduce_Sum_f32_RING_LL", "dispatch"])
    assert heaviest(reversed(kernels), 2) == heaviest(kernels, 2)
    assert heaviest(kernels[2:4], 2)[0] == []
    assert [target.mean_ns for target in targets] == [100, 7]


@pytest.mark.parametrize("pattern", ["nccl", ".*", "AllReduce", "^ncclDevKernel", "gemm|multimem"])
def test_patterns_that_match_kernels_of_communication(pattern: str) -> None:
    assert may_deadlock(pattern)


@pytest.mark.parametrize("pattern", ["gemm", "^elementwise_kernel$", "flash"])
def test_patterns_that_do_not(pattern: str) -> None:
    assert not may_deadlock(pattern)


def test_a_function_is_matched_whole() -> None:
    pattern = pattern_of(["gemm", "a$b"])
    assert [bool(re.search(pattern, name)) for name in ("gemm", "a$b", "gemm2", "a")] == [True, True, False, False]


def test_the_cost_is_launches_times_passes_times_their_time() -> None:
    """Ten passes for the smallest set: what the recorded reports of an H200 say."""
    targets = [Target("gemm", 1, 4, 400), Target("norm", 3, 30, 300), Target("rare", 1, 1, 50)]
    assert cost(targets, 2, "basic") == Cost(2 + 6 + 1, (10, 10), 10 * (2 * 100 + 6 * 10 + 50))
    assert cost(targets, 2, "full") == Cost(9, (38, 38), 38 * 310)
    assert cost(targets, 2, "detailed").passes == (10, 38)
