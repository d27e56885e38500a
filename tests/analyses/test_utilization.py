"""How well the GPU is used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stepscope
from building import Event, call, kernel, launched, memcpy, memset, opened, operator, rows, step, write
from oracles import general as oracle
from oracles import utilization as utilization_oracle
from stepscope.analyses.gpu.tensor_cores import eligible_calls
from stepscope.api import OpenProfile
from stepscope.store.step_detection import WHOLE

GEMM = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_tn"
NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)"
SHARES = [
    "gpu_util_pct",
    "sm_efficiency_pct",
    "occupancy_pct",
    "tensor_core_pct",
    "tensor_core_eligible_pct",
    "compute_pct",
    "communication_pct",
    "memory_pct",
    "sm_coverage_pct",
    "occupancy_coverage_pct",
]
H100 = {"id": 0, "name": "NVIDIA H100", "numSms": 132, "totalGlobalMem": 1 << 36, "computeMajor": 9, "computeMinor": 0}


def detailed(name: str, start: int, end: int, blocks: float, occupancy: int | None = None, **more: Any) -> Event:
    """A kernel with the profiler's estimates."""
    args: Event = {"blocks per SM": blocks}
    if occupancy is not None:
        args["est. achieved occupancy %"] = occupancy
    return kernel(name, start, end, **more, **args)


def shares(profile: OpenProfile, **options: Any) -> list[dict[str, Any]]:
    """The table's rows without the facts of the device."""
    return profile.show("utilization", **options).select(*SHARES, "time_ns").to_dicts()


def test_every_share_of_one_step(tmp_path: Path) -> None:
    """The step takes 0 to 200. 40 ns half filled, 20 ns where two kernels fill 0.5 + 0.75, 20 ns three quarters."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        call(10, 12, 1),
        detailed(GEMM, 100, 160, 0.5, 20, correlation=1),
        call(14, 16, 2),
        detailed("elementwise_kernel", 140, 180, 0.75, 80, correlation=2, stream=8),
        call(18, 20, 3),
        memcpy(190, 200, 3),
        deviceProperties=[H100],
    )
    [row] = profile.show("utilization").to_dicts()
    assert row == {
        "rank": 0,
        "gpu_util_pct": 45.0,
        "sm_efficiency_pct": pytest.approx(100 * (40 * 0.5 + 20 * 1 + 20 * 0.75) / 200),
        "occupancy_pct": pytest.approx((60 * 20 + 40 * 80) / 100),
        "tensor_core_pct": pytest.approx(60.0),
        "tensor_core_eligible_pct": pytest.approx(60.0),
        "compute_pct": 40.0,
        "communication_pct": 0.0,
        "memory_pct": 5.0,
        "time_ns": 200,
        "sm_coverage_pct": 100.0,
        "occupancy_coverage_pct": 100.0,
        "device": "NVIDIA H100",
        "sms": 132,
        "device_memory_bytes": 1 << 36,
        "compute_capability": "9.0",
    }


def test_communication_is_never_useful_computing(tmp_path: Path) -> None:
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        detailed(GEMM, 0, 20, 1.0, 30),
        detailed(NCCL, 20, 100, 5.0, 90),
    )
    [row] = shares(profile)
    assert (row["gpu_util_pct"], row["communication_pct"], row["compute_pct"]) == (100.0, 80.0, 20.0)
    assert (row["sm_efficiency_pct"], row["tensor_core_pct"]) == (20.0, 100.0)
    assert row["occupancy_pct"] == pytest.approx(30.0)


def test_products_without_tensor_cores_are_named(tmp_path: Path) -> None:
    """30 ns on tensor cores, 50 ns of a product in single precision, 20 ns that no tensor core could help."""
    profile = opened(
        tmp_path,
        step(1, 0, 100),
        operator("aten::mm", 0, 10, **{"Input Dims": [[64, 64], [64, 64]], "Input type": ["float", "float"]}),
        operator("aten::add", 10, 20),
        launched(kernel(GEMM, 0, 30, 3), at=0),
        launched(kernel("ampere_sgemm_32x32_nn", 30, 80, 1), at=5),
        launched(kernel("elementwise_kernel", 80, 100, 2), at=15),
    )
    [row] = shares(profile)
    assert (row["tensor_core_pct"], row["tensor_core_eligible_pct"]) == (30.0, 80.0)


def two_steps() -> list[Any]:
    """Steps whose work ends at 100, 200 and 400; what runs from 200 to 250 was launched by the second."""
    return [
        step(1, 0, 50),
        step(2, 50, 100),
        step(3, 100, 150),
        launched(detailed(GEMM, 60, 100, 1.0, correlation=1), at=10),
        launched(detailed(GEMM, 150, 200, 1.0, correlation=2), at=60),
        launched(detailed("elementwise_kernel", 250, 400, 0.5, correlation=3), at=110),
        detailed("elementwise_kernel", 220, 230, 1.0, stream=8),
    ]


def test_the_time_is_that_of_the_steps_on_the_gpus_clock(tmp_path: Path) -> None:
    """From 100 to 200 and from 200 to 400; the first step began nobody knows when."""
    [row] = shares(opened(tmp_path, *two_steps()))
    assert row["time_ns"] == 300
    assert row["gpu_util_pct"] == pytest.approx(100 * (50 + 10 + 150) / 300)
    assert row["sm_efficiency_pct"] == pytest.approx(100 * (50 + 10 + 75) / 300)


def test_by_step_has_a_row_for_each_and_nulls_where_there_is_no_time(tmp_path: Path) -> None:
    table = opened(tmp_path, *two_steps()).show("utilization", by="step")
    assert rows(table, "step", "time_ns", "gpu_util_pct") == [(1, None, None), (2, 100, 50.0), (3, 200, 80.0)]


def test_a_selected_step_has_the_shares_it_has_by_step(tmp_path: Path) -> None:
    """What another step launched works all the same."""
    profile = opened(tmp_path, *two_steps())
    assert shares(profile, step=3) == shares(profile, by="step")[2:]


def test_without_steps_the_time_is_the_whole_trace(tmp_path: Path) -> None:
    profile = opened(tmp_path, operator("aten::mm", 0, 50), launched(kernel(GEMM, 60, 100, 1), at=10))
    [row] = shares(profile)
    assert (row["time_ns"], row["gpu_util_pct"]) == (100, 40.0)
    assert profile.notes("utilization")[0].startswith("no steps in the recording")


def test_kernels_without_details_leave_the_estimates_empty(tmp_path: Path) -> None:
    """As ROCm records them."""
    profile = opened(tmp_path, step(1, 0, 100), kernel("Cijk_Ailk_Bljk_MT64_MI16x16x1_SN", 0, 50))
    [row] = shares(profile)
    assert (row["sm_efficiency_pct"], row["occupancy_pct"], row["sm_coverage_pct"]) == (None, None, 0.0)
    assert (row["gpu_util_pct"], row["tensor_core_pct"]) == (50.0, 100.0)
    [note] = profile.notes("utilization")
    assert note.startswith("no SM efficiency and no occupancy")


def test_an_occupancy_is_not_denied_where_only_blocks_are_missing(tmp_path: Path) -> None:
    """As Nsight Systems records them."""
    occupied = kernel("b", 0, 50, **{"est. achieved occupancy %": 40})
    profile = opened(tmp_path, step(1, 0, 100), occupied)
    [row] = shares(profile)
    assert (row["sm_efficiency_pct"], row["occupancy_pct"], row["sm_coverage_pct"]) == (None, 40.0, 0.0)
    [note] = profile.notes("utilization")
    assert note.startswith("no SM efficiency: the kernels carry no blocks per SM")


def test_what_few_kernels_lack_is_said(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, step(1, 0, 100), detailed("a", 0, 20, 1.0, 40), detailed("a", 20, 30, 1.0), kernel("b", 30, 40)
    )
    [row] = shares(profile)
    assert (row["sm_efficiency_pct"], row["sm_coverage_pct"]) == (30.0, 75.0)
    assert (row["occupancy_pct"], row["occupancy_coverage_pct"]) == (40.0, 50.0)
    assert [note.split(":")[0] for note in profile.notes("utilization")] == [
        "up to 25.0 % of compute kernel time lacks blocks per SM and counts as zero in sm_efficiency",
        "up to 50.0 % of compute kernel time lacks an estimated occupancy and is excluded from its mean",
    ]


def test_copies_alone_fill_no_sm(tmp_path: Path) -> None:
    [row] = shares(opened(tmp_path, step(1, 0, 100), memcpy(0, 30), memset(50, 60)))
    assert (row["gpu_util_pct"], row["memory_pct"], row["sm_efficiency_pct"]) == (40.0, 40.0, 0.0)
    assert (row["occupancy_pct"], row["tensor_core_pct"], row["sm_coverage_pct"]) == (None, None, None)


def test_shares_of_several_gpus_are_their_mean(tmp_path: Path) -> None:
    """One process that feeds two GPUs: the first works all the time, the second half of it."""
    second = detailed(GEMM, 0, 50, 1.0) | {"pid": 1}
    second["args"]["device"] = 1
    profile = opened(tmp_path, step(1, 0, 100), detailed("elementwise_kernel", 0, 100, 0.5), second)
    [row] = shares(profile)
    assert (row["gpu_util_pct"], row["sm_efficiency_pct"], row["time_ns"]) == (75.0, 50.0, 100)
    assert row["tensor_core_pct"] == pytest.approx(100 * 50 / 150)


def test_nothing_without_gpu(tmp_path: Path) -> None:
    profile = opened(tmp_path, step(1, 0, 100), operator("aten::mm", 0, 50))
    assert shares(profile) == []
    assert profile.notes("utilization")[0].startswith("no rows: the recording has no GPU activity")


def test_activity_without_length_is_no_time(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 5, 5))
    [row] = profile.show("utilization").to_dicts()
    assert (row["rank"], row["gpu_util_pct"], row["time_ns"]) == (0, None, None)


def test_facts_that_are_no_numbers_or_missing_are_empty(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("a", 0, 10), deviceProperties=[{"id": 0, "numSms": "many"}, "text"])
    [row] = profile.show("utilization").to_dicts()
    assert (row["device"], row["sms"], row["device_memory_bytes"], row["compute_capability"]) == ("", None, None, None)


def test_ranks_have_rows_of_their_own(tmp_path: Path) -> None:
    write(tmp_path / "rank0.json", step(1, 0, 100), kernel("a", 0, 50))
    write(tmp_path / "rank1.json", step(1, 0, 100), kernel("a", 0, 25))
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("utilization"), "rank", "gpu_util_pct") == [(0, 50.0), (1, 25.0)]


moments = st.integers(0, 40)


@st.composite
def activities(draw: st.DrawFn) -> list[Event]:
    found: list[Event] = []
    for number in range(draw(st.integers(1, 7))):
        start, end = sorted((draw(moments), draw(moments)))
        kind = draw(st.sampled_from(["kernel", "kernel", "kernel", "nccl", "memcpy"]))
        more: Event = {"stream": draw(st.integers(7, 9))}
        if kind == "memcpy":
            event = memcpy(start, end, number + 1)
        else:
            args = draw(st.sampled_from([{}, {"blocks per SM": 0.3}, {"blocks per SM": 2.5}]))
            estimate = draw(st.sampled_from([{}, {"est. achieved occupancy %": 37}]))
            name = NCCL if kind == "nccl" else draw(st.sampled_from([GEMM, "elementwise_kernel"]))
            event = kernel(name, start, end, number + 1, **more, **args, **estimate)
        found += launched(event, at=draw(st.integers(0, 30))) if draw(st.booleans()) else [event]
    return found


def wanted(events: oracle.Events, profile: OpenProfile) -> tuple[dict[int, Any], dict[str, Any]]:
    """What the oracle says for each step, and for the rank."""
    table = profile.show("steps").to_dicts()
    ranges = [(row["step"], row["start_ns"], row["start_ns"] + row["duration_ns"]) for row in table]
    kernels = profile.show("kernels")
    devices = {device["id"]: device for device in profile.profile.ranks[0].trace.head.get("deviceProperties", [])}
    tensor = set(kernels.filter("tensor_core")["name"].to_list())
    asked = profile.profile.ranks[0].trace.frame("operator", ["event"])["event"]
    could = dict(zip(asked, eligible_calls(profile.profile.ranks[0]), strict=True))
    facts = (tensor.__contains__, devices, lambda owner: could[owner.number] is True)
    whole = profile.profile.ranks[0].all_steps.source == WHOLE
    each = {
        number: utilization_oracle.utilization(events, [window], *facts)
        for number, window in utilization_oracle.clock_windows(events, ranges, set(), whole).items()
    }
    whole = list(
        utilization_oracle.clock_windows(events, ranges, {row["step"] for row in table if row["cut"]}, whole).values()
    )
    return each, utilization_oracle.utilization(events, whole, *facts)


def near(expected: dict[str, Any]) -> dict[str, Any]:
    """All shares as expected up to rounding; those not expected are null."""
    known = {name: pytest.approx(value, rel=1e-9, abs=1e-9) for name, value in expected.items() if value is not None}
    return dict.fromkeys(SHARES) | known


def assert_as_the_oracle_says(events: oracle.Events, profile: OpenProfile) -> None:
    each, rank = wanted(events, profile)
    assert profile.show("utilization").select(SHARES).to_dicts() == [near(rank)]
    by_step = profile.show("utilization", by="step")
    expected = [near(each.get(number, {})) for number in by_step["step"]]
    assert by_step.select(SHARES).to_dicts() == expected


@pytest.mark.long
@settings(max_examples=25)
@given(events=activities(), steps=st.lists(st.integers(1, 20), min_size=0, max_size=3))
def test_shares_are_those_of_the_oracle(tmp_path_factory: Any, events: list[Event], steps: list[int]) -> None:
    at = 0
    for number, length in enumerate(steps):
        events = [*events, step(number, at, at + length)]
        at += length
    assert_as_the_oracle_says(oracle.Events(events), opened(tmp_path_factory.mktemp("t"), *events))


@pytest.mark.long
@settings(max_examples=12)
@given(data=st.data(), events=activities())
def test_the_order_of_events_changes_nothing(tmp_path_factory: Any, data: st.DataObject, events: list[Event]) -> None:
    folder = tmp_path_factory.mktemp("t")
    shuffled = data.draw(st.permutations(events))
    assert shares(opened(folder, *events)) == shares(opened(folder, *shuffled))


RECORDINGS = [
    "h200/diverse/streams_sync_events.pt.trace.json.gz",
    "h200/ranks/collectives4/rank0.json.gz",
    "h200/ranks/ddp4/rank1.json.gz",
    "h200/train/cnn.step12.pt.trace.json.gz",
    "public/tracelens/b200__eager_trace.json.gz",
    "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
]


@pytest.mark.real_trace
@pytest.mark.parametrize("name", RECORDINGS)
def test_shares_of_recordings_are_those_of_the_oracle(shared_data: Path, name: str) -> None:
    path = shared_data / name
    assert_as_the_oracle_says(oracle.read(path), stepscope.open(str(path)))


@pytest.mark.parametrize("name", ["batch_size.slow.pt.trace.json.gz", "launch_bound_decode.fixed.pt.trace.json.gz"])
def test_the_verdict_gives_the_same_share(examples: Path, name: str) -> None:
    from stepscope.findings.verdict import verdict

    profile = stepscope.open(str(examples / name))
    [row] = profile.show("utilization").to_dicts()
    assert verdict(profile.profile.ranks[0]).gpu_busy_pct == pytest.approx(row["gpu_util_pct"])
