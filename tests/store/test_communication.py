"""Which kernels communicate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from building import kernel, launched, memcpy, opened, operator, rows


def communication(folder: Path, *events: Any) -> list[tuple[str, int]]:
    """Kernels of a trace that communicate, and the communication time of its summary."""
    profile = opened(folder, *events)
    names = [name for name, kind in rows(profile.show("kernels"), "name", "kind") if kind == "communication"]
    return [(name, profile.show("summary")["communication_ns"][0]) for name in names]


def test_the_collective_that_the_trace_names_decides(tmp_path: Path) -> None:
    event = kernel("my_own_ring", 0, 10, **{"Collective name": "allreduce"})
    assert communication(tmp_path, event) == [("my_own_ring", 10)]


@pytest.mark.parametrize("name", ["record_param_comms", "c10d::allreduce_", "c10d::_allgather_base_"])
def test_the_operator_that_launches_it_decides(tmp_path: Path, name: str) -> None:
    events = [operator(name, 0, 50), launched(kernel("my_own_ring", 100, 110, 1), at=10)]
    assert communication(tmp_path, *events) == [("my_own_ring", 10)]


def test_what_an_inner_operator_launches_inside_a_collective_computes(tmp_path: Path) -> None:
    """Gathering into a list of tensors ends with copies by aten::copy_; they move no data between GPUs."""
    events = [
        operator("c10d::allgather_", 0, 100),
        operator("record_param_comms", 10, 90),
        operator("aten::copy_", 20, 30),
        launched(kernel("elementwise_copy", 100, 110, 1), at=25),
        launched(kernel("ring", 110, 130, 2), at=40),
    ]
    assert communication(tmp_path, *events) == [("ring", 20)]


def test_a_copy_inside_a_collective_stays_a_copy(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        operator("record_param_comms", 0, 50),
        launched(memcpy(100, 110, 1, name="Memcpy PtoP (Device -> Device)"), at=10),
    )
    assert rows(profile.show("summary"), "communication_ns", "memory_ns", "memcpys") == [(0, 10, 1)]


@pytest.mark.parametrize(
    "name",
    [
        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)",
        "ncclAllReduceRingLLKernel_sum_f32(ncclColl)",
        "rccl_main_kernel",
        "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)",
        "void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 16, 8>(c10::BFloat16**)",
        "void (anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, 16, 8>(c10::BFloat16**)",
        "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, vllm::RankSignals)",
        "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(int)2, __nv_bfloat16>",
        "void nvshmemi_transfer_allgather_kernel(void*)",
        "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)",
        "void deep_ep::internode_ll::combine<false, 3, 7168, 9>(void*, int*)",
        "void dpsk::ep::internode::notify_dispatch<false, 8>(int const*, int*)",
        "void internode_ll::dispatch<true, false, 7168>(void*)",
        "void hybrid_ep::combine_kernel<4>(int)",
        "mori::moe::EpDispatchInterNodeV1Kernel<__hip_bfloat16>",
        "hcom_allReduce__918_0",
    ],
)
def test_names_of_collectives(tmp_path: Path, name: str) -> None:
    assert communication(tmp_path, kernel(name, 0, 10)) == [(name, 10)]


@pytest.mark.parametrize(
    "name",
    [
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(float*)",
        "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*)",
        "void at::native::_scatter_gather_elementwise_kernel<128, 8>(int)",
        "triton_poi_fused_all_gather_into_tensor_wait_tensor_3",
        "triton_red_fused_reduce_scatter_tensor_add_1",
        "void cub::DeviceReduceSingleTileKernel<cub::DeviceReducePolicy<long> >(int)",
        "nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_NNT",
        "void small_gather_all<float>(float*)",
        "void moe::dispatch_tokens<float>(float*)",
        "void at::native::EpDispatcher(int)",
    ],
)
def test_names_of_kernels_that_compute(tmp_path: Path, name: str) -> None:
    assert communication(tmp_path, kernel(name, 0, 10)) == []


def test_one_name_may_communicate_by_metadata_in_some_calls_only(tmp_path: Path) -> None:
    """The call without metadata was queued before the window; the summary counts what each call is."""
    profile = opened(
        tmp_path,
        kernel("ring", 0, 10, **{"Collective name": "broadcast"}),
        kernel("ring", 20, 25),
    )
    assert rows(profile.show("summary"), "communication_ns", "compute_ns") == [(10, 5)]
