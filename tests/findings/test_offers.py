"""What is offered to be changed, on steps small enough to add up by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import annotation, call, kernel, opened, operator, step
from stepscope.findings.what_if_options import Offers, offers
from stepscope.messages import Message
from stepscope.messages.rendering import render

STEP = 1_000_000


def offered(tmp_path: Path) -> Offers:
    """Two steps: a launches 0.6 ms, b launches 0.2 ms and 0.001 ms; a range around both."""
    events = []
    for n in range(2):
        at, number = n * STEP, 10 * n
        events += [
            step(n, at, at + STEP),
            annotation("work", at + 1_000, at + 501_000),
            operator("a", at + 2_000, at + 102_000),
            call(at + 5_000, at + 9_000, number + 1),
            kernel("long", at + 10_000, at + 610_000, number + 1),
            operator("b", at + 200_000, at + 400_000),
            call(at + 205_000, at + 209_000, number + 2),
            kernel("short", at + 610_000, at + 810_000, number + 2),
            call(at + 215_000, at + 219_000, number + 3),
            kernel("tiny", at + 810_000, at + 811_000, number + 3),
        ]
    return offers(opened(tmp_path, *events).profile)


def test_the_names_with_most_time_are_offered_with_what_they_affect(tmp_path: Path) -> None:
    found = offered(tmp_path)
    gpu = [(one.kind, one.name, round(one.gpu_ns)) for one in found.named]
    # 0.001 ms is less than 1 % of the step.
    assert gpu == [
        ("kernel", "long", 600_000),
        ("kernel", "short", 200_000),
        ("op", "a", 600_000),
        ("op", "b", 201_000),
        ("host", "work", 0),
    ]


def test_host_time_is_without_the_profiler(tmp_path: Path) -> None:
    host = {one.name: one.host_ns for one in offered(tmp_path).named}
    assert 0 < host["a"] < 100_000
    assert 0 < host["b"] < 200_000
    assert host["a"] + host["b"] < host["work"] < 500_000


def test_what_the_steps_do_not_have_is_said(tmp_path: Path) -> None:
    found = {one.word: (one.affected, one.lack) for one in offered(tmp_path).kinds}
    assert found["overlap-communication"] == (None, Message("change-nothing-such"))
    assert found["tensor-cores"] == (None, Message("change-unknown-tensor-core-peaks"))
    assert found["gpu"] == (None, Message("change-unknown-peaks"))
    assert found["no-sync"] == (None, Message("change-nothing-such"))
    assert found["no-data-wait"] == (None, Message("change-nothing-such"))
    assert found["kernel"] == (None, None)


@pytest.mark.parametrize(
    ("names", "lack"),
    [
        (["my_kernel"], "these steps have none"),
        (["nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_NNT", "my_kernel"], "all run on Tensor Cores already"),
        (
            ["nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_NNT", "ampere_sgemm_128x64_nn"],
            "no GEMM that runs without them is known to gain",
        ),
    ],
)
def test_why_tensor_cores_change_nothing(tmp_path: Path, names: list[str], lack: str) -> None:
    """Steps full of GEMMs on Tensor Cores were said to have none."""
    events = []
    for n in range(2):
        events.append(step(n, n * STEP, (n + 1) * STEP))
        for i, name in enumerate(names):
            at, number = n * STEP + 100_000 * (i + 1), 10 * n + i + 1
            events += [call(at, at + 4_000, number), kernel(name, at + 10_000, at + 90_000, number)]
    profile = opened(tmp_path, *events, deviceProperties=[{"id": 0, "name": "NVIDIA H200"}]).profile
    (found,) = [one for one in offers(profile).kinds if one.word == "tensor-cores"]
    assert found.lack is not None
    assert render(found.lack) == lack


def test_no_device_is_offered_beside_an_unknown_one(tmp_path: Path) -> None:
    assert offered(tmp_path).devices == ()


@pytest.mark.long
def test_kernels_of_every_rank_are_offered(examples: Path) -> None:
    """Only those of rank 0 were: the straggler's own kernel, the longest of the job, was not to be chosen."""
    profile = stepscope.open(examples / "ddp4_straggler").profile
    found = offers(profile)
    assert found.ranks == (0, 1, 2, 3)
    kernels = [(one.name, round(one.gpu_ns / 1e6)) for one in found.named if one.kind == "kernel"]
    assert kernels[:2] == [
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 332),
        ("nvjet_sm90_tst_320x128_64x3_1x2_h_bz_coopB_NNT", 119),
    ]
    alone = offers(profile.select([2]))
    assert alone.ranks == (2,)
    assert kernels[1] in [(one.name, round(one.gpu_ns / 1e6)) for one in alone.named]
    assert kernels[1] not in [(one.name, round(one.gpu_ns / 1e6)) for one in offers(profile.select([0])).named]
