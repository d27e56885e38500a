"""What the verdict claims, and what it does not where the recording does not tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, annotation, call, check, kernel, launched, memcpy, opened, operator, step, timed
from stepscope.api import OpenProfile
from stepscope.findings.verdict import Verdict, verdict
from stepscope.findings.verdict_messages import NO_GPU, NO_HOST
from stepscope.messages import Message
from stepscope.messages.rendering import render


def words(found: Verdict) -> str:
    return " ".join(map(render, found.sentences))


def judged(profile: OpenProfile) -> Verdict:
    return verdict(profile.profile.ranks[0])


def test_without_host_events_the_host_is_not_blamed(tmp_path: Path) -> None:
    found = judged(opened(tmp_path, kernel("a", 0, 1_000), kernel("b", 9_000, 10_000)))
    assert (found.bound, found.sentences[0]) == ("unknown", NO_HOST)


def test_copies_of_annotations_on_the_gpu_are_no_host_events(tmp_path: Path) -> None:
    twin = timed("gpu_user_annotation", "forward", 0, 10_000, process=0, thread=7)
    found = judged(opened(tmp_path, kernel("a", 0, 1_000), kernel("b", 9_000, 10_000), twin))
    assert (found.bound, found.sentences[0]) == ("unknown", NO_HOST)


@pytest.mark.long
def test_a_gpu_that_is_full_is_the_limit_without_host_events_too(tmp_path: Path) -> None:
    assert judged(opened(tmp_path, kernel("a", 0, 5_000), kernel("b", 5_000, 10_000))).bound == "gpu"


@pytest.mark.long
def test_of_a_step_without_length_no_shares_are_given(tmp_path: Path) -> None:
    found = judged(opened(tmp_path, kernel("a", 5, 5)))
    assert (found.bound, found.gpu_busy_pct) == ("unknown", None)
    assert found.sentences == (Message("verdict-no-length", unit="trace"),)
    assert words(found) == "The recorded trace has no duration, so shares of it are undefined."


def test_of_a_host_step_without_length_no_shares_are_given(tmp_path: Path) -> None:
    found = judged(opened(tmp_path, step(1, 5, 5), operator("aten::mm", 10, 20)))
    assert (found.bound, found.sentences) == ("unknown", (NO_GPU,))


@pytest.mark.long
def test_a_gpu_that_waits_for_launches_is_host_bound(tmp_path: Path) -> None:
    work = [launched(kernel("k", at + 10, at + 100, at), at) for at in range(1_000, 10_000, 1_000)]
    found = judged(opened(tmp_path, operator("aten::mm", 0, 10_000), *work))
    assert found.bound == "host"


@pytest.mark.long
def test_work_queued_long_before_is_not_blamed_on_the_host(tmp_path: Path) -> None:
    """Everything is launched in the first 10 us; the GPU begins each of it 100 us after the one before."""
    calls = [call(i * 1_000, i * 1_000 + 500, i) for i in range(10)]
    work = [kernel("k", at, at + 10_000, i) for i, at in enumerate(range(20_000, 1_020_000, 100_000))]
    found = judged(opened(tmp_path, operator("aten::mm", 0, 10_000), *calls, *work))
    assert found.bound == "unknown"
    assert words(found).startswith(
        "Bottleneck unclear: the GPU idles although work is queued. 98 % of its idle time lies before activities"
    )
    assert "ost-bound" not in words(found)


@pytest.mark.long
def test_work_that_waits_for_an_event_is_not_blamed_on_the_host(tmp_path: Path) -> None:
    """The wait for the event was queued before the kernel; the launch had returned when the gap began."""
    events = [
        *(call(i * 1_000, i * 1_000 + 500, i) for i in range(1, 4)),
        call(2_600, 2_700, 9, name="cudaStreamWaitEvent"),
        kernel("a", 5_000, 10_000, 1),
        kernel("b", 10_000, 15_000, 2),
        kernel("c", 200_000, 210_000, 3),
    ]
    found = judged(opened(tmp_path, operator("aten::mm", 0, 10_000), *events))
    assert found.bound == "unknown"
    assert found.sentences[0].id == "verdict-unclear-queued"
    assert "stream" not in words(found), "there is one stream only"


def late_batches(late: int) -> list[list[Event]]:
    """Steps of 1 ms of GPU work, launched in 100 us; the batch of every other one comes ``late`` ns late."""
    found = []
    at = 0
    for number in range(8):
        wait = late if number % 2 else 0
        loader = annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, at + wait)
        begin = at + wait
        work = [launched(kernel("k", begin + 20_000, begin + 1_020_000, 100 + number), begin + 10_000)]
        end = begin + (1_100_000 if number % 2 == 0 else 100_000)
        found.append([step(number, at, end), loader, operator("aten::mm", begin, begin + 90_000), *work])
        at = end
    return found


@pytest.mark.long
def test_the_cpu_that_runs_ahead_does_not_make_a_step_gpu_bound(tmp_path: Path) -> None:
    """A third of the steps' time went into waiting for the loader, yet the GPU was called the limit."""
    found = judged(opened(tmp_path, *late_batches(9_000_000)))
    assert found.bound == "data loading"
    assert found.sentences[0].id == "verdict-input-bound"


def copying(copied_ns: int, computed_ns: int) -> list[list[Event]]:
    """Steps that copy, compute and wait for both."""
    found = []
    length = 20_000 + copied_ns + computed_ns
    for number in range(6):
        at = number * (length + 5_000)
        copied = at + 20_000 + copied_ns
        copy = launched(memcpy(at + 20_000, copied, 3 * number + 1), at + 10_000)
        work = launched(kernel("k", copied, copied + computed_ns, 3 * number + 2), at + 14_000)
        wait = call(at + 18_000, at + length + 2_000, 3 * number + 3, name="cudaDeviceSynchronize")
        found.append([step(number, at, at + length + 5_000), operator("aten::mm", at, at + 17_000), copy, work, wait])
    return found


@pytest.mark.long
def test_a_step_that_copies_longer_than_it_computes_is_bound_by_memcpys(tmp_path: Path) -> None:
    """Seen with dit_train of Nsight Systems: "GPU-bound, but not only" of steps in which kernels take 8 % and memcpys
    from pageable memory 68 %, because both are the GPU's work."""
    found = judged(opened(tmp_path, *copying(700_000, 100_000)))
    assert found.bound == "copies"
    assert render(found.sentences[0]) == (
        "Memcpy-bound: memcpys and memsets that no kernel overlaps take 85 % of the step (GPU busy 97.0 %)."
    )
    assert [one.id for one in found.sentences].count("verdict-exposed-memory") == 0
    assert judged(opened(tmp_path, *copying(100_000, 700_000))).bound == "gpu"


@pytest.mark.long
def test_python_before_the_first_launch_is_the_bottleneck_not_the_gaps_between_kernels(tmp_path: Path) -> None:
    """Of a single step only the gaps between activities were looked at: microseconds, all between queued work."""
    calls = [call(800_000 + 1_000 * i, 800_500 + 1_000 * i, i + 1) for i in range(10)]
    work = [kernel("k", 820_000 + 15_000 * i, 830_000 + 15_000 * i, i + 1) for i in range(10)]
    found = judged(opened(tmp_path, step(1, 0, 975_000), operator("aten::mm", 799_000, 812_000), *calls, *work))
    assert (found.bound, found.sentences[0].id) == ("host", "verdict-host-bound")


@pytest.mark.long
def test_a_single_step_that_works_on_after_its_gpu_is_not_gpu_bound(tmp_path: Path) -> None:
    """ "Takes 8.00 ms; on the GPU's own clock 2.08 ms, of which it works 96 %": the clock stopped with the GPU."""
    work = [operator("aten::mm", 0, 8_000_000), launched(kernel("k", 80_000, 2_080_000, 1), 10_000)]
    found = judged(opened(tmp_path, step(1, 0, 8_000_000), *work))
    assert found.bound == "host"
    assert found.gpu_busy_pct == 25.0
    assert "verdict-gpu-clock" not in [sentence.id for sentence in found.sentences]


TENSOR = "verdict-tensor-cores"


@pytest.mark.long
def test_a_full_gpu_that_leaves_its_tensor_cores_idle_says_so(tmp_path: Path) -> None:
    rank = opened(tmp_path, kernel("a", 0, 10_000)).profile.ranks[0]
    said = verdict(rank, {"tensor_core_eligible_pct": 92.0, "tensor_core_pct": 7.6}).sentences[2]
    assert render(said).startswith("92 % of kernel time could run on tensor cores, 8 % does: enable TF32")
    for could, does in ((92.0, 62.0), (None, None), (50.0, None)):
        row = {"tensor_core_eligible_pct": could, "tensor_core_pct": does}
        assert TENSOR not in [one.id for one in verdict(rank, row).sentences]


def test_of_a_gpu_that_waits_tensor_cores_are_not_the_subject(tmp_path: Path) -> None:
    rank = opened(tmp_path, kernel("a", 0, 1_000), kernel("b", 9_000, 10_000)).profile.ranks[0]
    row = {"tensor_core_eligible_pct": 92.0, "tensor_core_pct": 7.6}
    assert TENSOR not in [one.id for one in verdict(rank, row).sentences]


def test_gpus_without_tf32_are_told_of_half_precision(tmp_path: Path) -> None:
    """TF32 was recommended for a Tesla T4, which has none."""
    rank = opened(tmp_path, kernel("a", 0, 10_000)).profile.ranks[0]
    row = {"tensor_core_eligible_pct": 87.0, "tensor_core_pct": 0.0, "compute_capability": "7.5"}
    said = render(verdict(rank, row).sentences[2])
    assert said.endswith("enable autocast with float16.")
    assert "TF32" in render(verdict(rank, row | {"compute_capability": "8.0"}).sentences[2])


@pytest.mark.long
def test_calls_that_gave_a_gpu_work_are_said_where_it_was_not_recorded(tmp_path: Path) -> None:
    calls = [call(10, 20, 1), call(30, 40, 2, name="cudaMemcpyAsync"), call(50, 60, 3, name="cudaGetDeviceCount")]
    found = judged(opened(tmp_path, operator("aten::mm", 0, 100), *calls))
    assert found.sentences[0] == Message("verdict-no-gpu-launched", launches=2)
    profile = opened(tmp_path, operator("aten::mm", 0, 100), calls[2])
    assert judged(profile).sentences[0] == NO_GPU
    status, _, _ = check(profile, "gpu_activity") or ("", "", "")
    assert status == "warning", "asking for the devices is not using one"


@pytest.mark.long
@pytest.mark.parametrize(("wait", "bound"), [(700, "data loading"), (400, "unknown")])
def test_a_cpu_that_waits_for_its_loader_is_input_bound(tmp_path: Path, wait: int, bound: str) -> None:
    """The headline of a recording without a GPU was that it has none, whatever its steps wait for."""
    loads = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    steps = [step(number, number * 1_000, (number + 1) * 1_000) for number in range(3)]
    waits = [annotation(loads, number * 1_000, number * 1_000 + wait) for number in range(3)]
    work = [operator("aten::mm", number * 1_000 + wait, (number + 1) * 1_000) for number in range(3)]
    found = judged(opened(tmp_path, *steps, *waits, *work))
    assert found.bound == bound
    headline = render(found.sentences[0])
    if bound == "unknown":
        assert headline == "No GPU activity was recorded."
    else:
        assert headline == (
            "Input-bound: the CPU waits for the data loader during 70 % of the step (no GPU activity was recorded)."
        )


def test_a_program_that_ran_on_the_cpu_hears_first_what_its_step_is(tmp_path: Path) -> None:
    """ "No GPU activity was recorded" headed programs that use none, and those whose GPU was left out."""
    events = [(step(n, n * 1_000, (n + 1) * 1_000), operator("aten::mm", n * 1_000, n * 1_000 + 700)) for n in range(3)]
    headlines = [
        render(judged(opened(tmp_path, *(one for pair in events for one in pair), **head)).sentences[0])
        for head in ({"deviceProperties": []}, {"deviceProperties": [{"id": 0, "name": "NVIDIA H200"}]})
    ]
    assert headlines == [
        "CPU only: the step spends 70 % in operators and what they call.",
        "No GPU activity was recorded.",
    ]


@pytest.mark.long
def test_without_operators_the_rest_is_not_called_python(tmp_path: Path) -> None:
    work = [launched(kernel("k", at + 10, at + 100, at), at) for at in range(1_000, 10_000, 1_000)]
    found = judged(opened(tmp_path, annotation("run", 0, 10_000), *work))
    assert "operators were not recorded" in words(found)
    assert "Python" not in words(found)


def test_a_chrome_trace_of_another_tool_is_no_torch_trace(tmp_path: Path) -> None:
    found = judged(opened(tmp_path, {"ph": "X", "name": "cuMemAlloc_v2", "pid": 1, "tid": 1, "ts": 1, "dur": 2}))
    assert [one.id for one in found.sentences] == ["verdict-foreign"]


@pytest.mark.long
def test_two_bottlenecks_that_bind_alike_are_both_named(tmp_path: Path) -> None:
    """ "Communication-bound" at 51 % and nothing of the 46 % that the CPU took."""
    events: list[list[Event]] = []
    for number in range(4):
        at = number * 2_000_000
        work = launched(kernel("k", at + 1_000_000, at + 1_990_000, number + 1), at + 990_000)
        events.append([step(number, at, at + 2_000_000), operator("aten::mm", at, at + 995_000), *work])
        events.append([call(at + 996_000, at + 1_990_000, 100 + number, name="cudaDeviceSynchronize")])
    found = judged(opened(tmp_path, *events))
    assert found.sentences[0].id == "verdict-two-bounds", words(found)


def test_a_wait_for_work_that_was_not_recorded(tmp_path: Path) -> None:
    """A batch of another recording is waited for: nothing of this one is its cause."""
    copy = [
        launched(kernel("k", 60_000, 80_000, 90), 50_000),
        call(100_000, 9_000_000, 1, name="hipMemcpyWithStream"),
        memcpy(8_995_000, 8_999_000, 1, name="Memcpy DtoH (Device -> Host)"),
    ]
    after = [launched(kernel("k", at + 5_000, at + 9_000, at), at) for at in range(9_050_000, 9_150_000, 10_000)]
    found = judged(opened(tmp_path, step(0, 0, 9_200_000), operator("aten::item", 0, 9_010_000), *copy, *after))
    assert found.sentences[0] == Message("verdict-unclear-unrecorded", call="hipMemcpyWithStream", wait_ns=8_900_000)
