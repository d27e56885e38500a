"""Each detector sees its bottleneck on made steps, with the saving that calculation by hand gives, and not its fix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from building import Event, Events, annotation, call, kernel, memcpy, memset, opened, operator, step, timed
from made_steps import examined
from stepscope.analyses.simulation.ranges import Range
from stepscope.findings.detectors.small_batch import growth
from stepscope.findings.examination import Examination, examine
from stepscope.findings.findings import confidence, confidence_reason, findings
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.reporters.sections.findings import saving

STEP = 1_000_000
STEPS = 3


def frame(name: str, start: int, end: int) -> Event:
    return timed("python_function", name, start, end, process=1, thread=1)


def ids(found: Examination, *, worth: bool = True) -> list[str]:
    return [one.cause.id for one in found.findings if one.worth == worth]


def saving_pct(found: Examination, name: str) -> float:
    return next(one.saving_pct.best for one in found.findings if one.cause.id == name)


def work(at: int, number: int, name: str = "k") -> list[Events]:
    """Some operator with a kernel, 0.7 ms into the step."""
    return [
        operator("aten::mm", at + 700_000, at + 800_000),
        call(at + 710_000, at + 715_000, number),
        kernel(name, at + 720_000, at + 820_000, number),
    ]


def test_loading_in_the_main_process(tmp_path: Path) -> None:
    loading = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    found = examined(tmp_path, lambda at, n: [annotation(loading, at, at + 600_000), *work(at, n)])
    assert ids(found) == ["data-loading"]
    (one,) = found.findings
    assert render(one.cause.title) == (
        "The step waits 600 us for its batch, which is loaded in the training process (num_workers=0)"
    )
    # 450 of 600 us, without the 8 us that the profiler adds to the stretch, of what is left of the step.
    assert one.saving_pct.best == pytest.approx(45.7, abs=0.5)


def test_the_part_of_the_data_set_in_a_batch(tmp_path: Path) -> None:
    """The loader's own frames are looked through; with 70 % in the samples, the collate function is not named."""
    loading = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"

    def each(at: int, n: int) -> list[Events]:
        return [
            annotation(loading, at, at + 600_000),
            frame("torch/utils/data/dataloader.py(799): _next_data", at + 1_000, at + 599_000),
            frame("torch/utils/data/_utils/fetch.py(49): fetch", at + 2_000, at + 598_000),
            frame("data.py(73): __getitem__", at + 10_000, at + 220_000),
            frame("data.py(73): __getitem__", at + 230_000, at + 440_000),
            frame("torch/utils/data/_utils/collate.py(340): default_collate", at + 450_000, at + 590_000),
            *work(at, n),
        ]

    (title,) = [render(one.cause.title) for one in examined(tmp_path, each).findings if one.worth]
    assert title.endswith("in the training process (num_workers=0), 70 % of it in __getitem__ (data.py:73)")


def test_batches_that_are_ready_are_no_bottleneck(tmp_path: Path) -> None:
    loading = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    found = examined(tmp_path, lambda at, n: [annotation(loading, at, at + 140_000), *work(at, n)])
    assert ids(found) == []


def item(at: int, number: int) -> list[Events]:
    """A value read back from behind a kernel of 300 us."""
    return [
        call(at + 100_000, at + 105_000, number),
        kernel("long", at + 110_000, at + 410_000, number),
        operator("aten::item", at + 150_000, at + 430_000),
        operator("aten::_local_scalar_dense", at + 151_000, at + 429_000),
        call(at + 160_000, at + 165_000, number + 1, name="cudaMemcpyAsync"),
        memcpy(at + 411_000, at + 413_000, number + 1, name="Memcpy DtoH (Device -> Pinned)"),
        call(at + 170_000, at + 420_000, number + 2, name="cudaStreamSynchronize"),
    ]


def test_values_read_back(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: [*item(at, n), *work(at, n + 10)])
    assert ids(found) == ["host-synchronisation"]
    assert found.findings[0].cause.count == 1
    assert 25 < saving_pct(found, "host-synchronisation") < 32


def test_values_read_for_the_splits_of_an_all_to_all(tmp_path: Path) -> None:
    """TorchRec cannot keep these on the GPU; it can read them while the batch before is computed."""
    splits = "## SplitsAllToAllAwaitable wait() ##"
    found = examined(
        tmp_path, lambda at, n: [annotation(splits, at + 140_000, at + 440_000), *item(at, n), *work(at, n + 10)]
    )
    assert ids(found) == ["input-splits"]
    assert "TrainPipelineSparseDist" in found.findings[0].cause.change


def test_a_pipeline_reads_the_splits_of_the_next_batch(tmp_path: Path) -> None:
    """It was advised to do what it does."""
    splits, ahead = "## SplitsAllToAllAwaitable wait() ##", "## wait_sparse_data_dist 5 ##"

    def each(at: int, n: int) -> list[Events]:
        waits = annotation(splits, at + 140_000, at + 440_000)
        return [annotation(ahead, at, at + 20_000), waits, *item(at, n), *work(at, n + 10)]

    assert ids(examined(tmp_path, each)) == []


@pytest.mark.parametrize("name", ["## all2all_tw_data:init ##", "## all2all_data:lengths_wait ##"])
def test_splits_of_earlier_versions_are_no_values_to_keep_on_the_gpu(tmp_path: Path, name: str) -> None:
    """They were taken for `loss.item()`; a read of the program beside them is still one."""

    def each(at: int, n: int) -> list[Events]:
        exchange = annotation(name, at + 140_000, at + 440_000)
        return [exchange, *item(at, n), *work(at, n + 10)]

    assert ids(examined(tmp_path, each)) == ["input-splits"]

    def ahead(at: int, n: int) -> list[Events]:
        return [annotation("## sparse_data_dist ##", at + 130_000, at + 450_000), *each(at, n)]

    assert ids(examined(tmp_path, ahead)) == []

    def with_a_loss(at: int, n: int) -> list[Events]:
        exchange = annotation(name, at + 10_000, at + 130_000)
        return [exchange, operator("aten::item", at + 20_000, at + 30_000), *item(at, n), *work(at, n + 10)]

    assert "host-synchronisation" in ids(examined(tmp_path, with_a_loss))


def test_the_evidence_is_the_longest_range(tmp_path: Path) -> None:
    """The first of several waits was shown, however short."""
    events = [[step(n, n * STEP, (n + 1) * STEP), *work(n * STEP, 10 * n)] for n in range(3)]
    profile = opened(tmp_path, *events, *item(0, 100), *item(STEP, 200), operator("aten::item", 2_000, 3_000)).profile
    [row] = [one for one in findings(profile).to_dicts() if one["id"] == "host-synchronisation"]
    assert (row["start_ns"], row["end_ns"]) == (150_000, 430_000)
    assert render(Message.decoded(row["evidence"])).endswith("longest at 0.150 ms to 0.430 ms")


def test_small_tensors_that_are_copied_to_the_host(tmp_path: Path) -> None:
    """`.cpu()` waits as `.item()` does, which was nobody's finding."""

    def each(at: int, n: int) -> list[Events]:
        return [
            call(at + 100_000, at + 105_000, n),
            kernel("long", at + 110_000, at + 410_000, n),
            operator("aten::to", at + 150_000, at + 430_000),
            operator("aten::copy_", at + 151_000, at + 429_000),
            call(at + 160_000, at + 165_000, n + 1, name="cudaMemcpyAsync"),
            memcpy(at + 411_000, at + 413_000, n + 1, name="Memcpy DtoH (Device -> Pageable)", bytes=4_096),
            call(at + 170_000, at + 420_000, n + 2, name="cudaStreamSynchronize"),
            *work(at, n + 10),
        ]

    found = examined(tmp_path, each)
    assert ids(found) == ["host-synchronisation"]
    assert 25 < saving_pct(found, "host-synchronisation") < 32


def test_a_synchronisation_that_waits_for_nothing_is_no_finding(tmp_path: Path) -> None:
    """Counts mean nothing: twenty calls, each when the GPU is done."""
    calls = lambda at, n: [  # noqa: E731
        call(at + 10_000 + 1_000 * i, at + 10_300 + 1_000 * i, n + 20 + i, name="cudaStreamSynchronize")
        for i in range(20)
    ]
    found = examined(tmp_path, lambda at, n: [*calls(at, n), *work(at, n)])
    assert ids(found) == []


def test_the_result_of_a_single_step_has_to_be_fetched(tmp_path: Path) -> None:
    """The `.cpu()` at the end of an inference was to be left out for a third of the step, with high confidence."""
    events = [
        step(1, 0, 1_000_000),
        *work(-600_000, 1),
        call(200_000, 205_000, 5),
        kernel("long", 210_000, 900_000, 5),
        operator("aten::to", 250_000, 930_000),
        operator("aten::copy_", 251_000, 929_000),
        call(260_000, 265_000, 6, name="cudaMemcpyAsync"),
        memcpy(901_000, 903_000, 6, name="Memcpy DtoH (Device -> Pageable)", bytes=4_096),
        call(270_000, 920_000, 7, name="cudaStreamSynchronize"),
    ]
    profile = opened(tmp_path, *events).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    assert "host-synchronisation" not in ids(found)


@pytest.mark.long
def test_a_long_wait_in_which_nothing_recorded_runs_is_not_to_be_saved(tmp_path: Path) -> None:
    """A decode's wait for the prefill batch, which another recording holds, was to save 98 % of the step."""

    events: list[Events] = []
    for n in range(STEPS):
        at = 6 * STEP * n
        wait = call(at + 10_000, at + 5_000_000, 20 * n + 1, name="cudaDeviceSynchronize")
        events += [step(n, at, at + 6 * STEP), wait, *work(at + 5_000_000, 20 * n + 10)]
    profile = opened(tmp_path, *events).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    assert "synchronize" not in ids(found)


@pytest.mark.long
def test_what_was_seen_in_one_step_is_not_sure(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: [*item(at, n), *work(at, n + 10)])
    (finding,) = found.findings
    finding = replace(finding, saving_pct=Range(20.0, 30.0, 40.0))
    assert (confidence(finding), confidence(replace(finding, steps=1))) == ("high", "medium")
    assert confidence_reason(replace(finding, steps=1)).id == "confidence-single-step"


def test_synchronize_in_the_loop(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        return [
            call(at + 10_000, at + 15_000, n),
            kernel("long", at + 20_000, at + 620_000, n),
            call(at + 100_000, at + 630_000, n + 1, name="cudaDeviceSynchronize"),
            *work(at, n + 10),
        ]

    found = examined(tmp_path, each)
    assert ids(found)[0] == "synchronize"


def test_the_waits_of_capturing_a_graph_are_wanted(tmp_path: Path) -> None:
    """The advice was events in place of synchronize(), for frames of torch/cuda/graphs.py."""

    def each(at: int, n: int) -> list[Events]:
        return [
            frame("torch/cuda/graphs.py(88): __enter__", at + 99_000, at + 631_000),
            call(at + 10_000, at + 15_000, n),
            kernel("long", at + 20_000, at + 620_000, n),
            call(at + 100_000, at + 630_000, n + 1, name="cudaDeviceSynchronize"),
            *work(at, n + 10),
        ]

    assert "synchronize" not in ids(examined(tmp_path, each))


def test_memory_taken_from_the_driver_in_each_step(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        return [
            frame("torch/cuda/memory.py(222): empty_cache", at + 10_000, at + 200_000),
            call(at + 20_000, at + 190_000, n + 5, name="cudaFree"),
            call(at + 300_000, at + 500_000, n + 6, name="cudaMalloc"),
            *work(at, n),
        ]

    found = examined(tmp_path, each)
    assert ids(found) == ["allocator"]
    assert render(found.findings[0].cause.title).startswith(
        "torch.cuda.empty_cache() is called: 2 cudaMalloc and cudaFree calls a step"
    )
    assert 35 < saving_pct(found, "allocator") < 42


def test_a_caching_allocator_that_is_off(tmp_path: Path) -> None:
    """A hipMalloc and a hipFree for each tensor were "allocator retries", to be cured by a smaller batch."""

    def each(at: int, n: int) -> list[Events]:
        tensors = range(60)
        return [
            [
                operator("aten::mul", at + 16_000 * i, at + 10_000 + 16_000 * i),
                call(at + 16_000 * i + 1_000, at + 16_000 * i + 6_000, n + 100 + i, name="hipMalloc"),
                call(at + 16_000 * i + 7_000, at + 16_000 * i + 8_000, n + i, name="hipLaunchKernel"),
                kernel("k", at + 16_000 * i + 8_500, at + 16_000 * i + 9_500, n + i),
                call(at + 16_000 * i + 10_500, at + 16_000 * i + 15_000, n + 200 + i, name="hipFree"),
            ]
            for i in tensors
        ]

    found = examined(tmp_path, each)
    (one,) = [one for one in found.findings if one.cause.id == "allocator"]
    assert render(one.cause.title).startswith("The caching allocator is off: 120 cudaMalloc and cudaFree calls a step")
    assert "PYTORCH_NO_CUDA_MEMORY_CACHING" in render(one.cause.advice)
    assert saving_pct(found, "allocator") > 50
    assert [note.id for note in found.notes if note.id.startswith("allocator")] == []


def test_memory_given_back_in_each_step_without_stacks(tmp_path: Path) -> None:
    """It was told to set expandable_segments, which does nothing against empty_cache()."""

    def each(at: int, n: int) -> list[Events]:
        calls = [("cudaFree", at + 20_000), ("cudaMalloc", at + 300_000)]
        return [*(call(begin, begin + 200_000, n + 5, name=name) for name, begin in calls), *work(at, n)]

    (found,) = examined(tmp_path, each).findings
    assert render(found.cause.title).startswith(
        "Cached memory is freed in every step, as torch.cuda.empty_cache() does: 2 "
    )
    assert found.cause.change == "train_step(batch)  # was: followed by torch.cuda.empty_cache()"


def test_growth_in_the_first_step_is_no_bottleneck(tmp_path: Path) -> None:
    first = lambda at, n: [call(at + 1_000, at + 300_000, n + 5, name="cudaMalloc")] if at == 0 else []  # noqa: E731
    assert ids(examined(tmp_path, lambda at, n: [*first(at, n), *work(at, n)])) == []


PAGEABLE, PINNED = "Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pinned -> Device)"


def copied(at: int, number: int, name: str, until: int) -> list[Events]:
    copy = memcpy(at + 20_000, at + 500_000, number, name=name, bytes=5_000_000)
    return [call(at + 10_000, at + until, number, name="cudaMemcpyAsync"), copy]


def test_copies_through_pageable_memory(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: [*copied(at, n, PAGEABLE, 505_000), *work(at, n + 10)])
    assert ids(found) == ["pageable-copies"]
    assert (
        render(found.findings[0].cause.title)
        == "4.77 MiB a step are copied through pageable memory, which blocks the host for 495 us"
    )


def test_batches_made_in_the_training_process_are_copied_from_pinned_memory_too(tmp_path: Path) -> None:
    """Its advice is to pin memory: with that left out, the saving of a loader was seen 4 points too low.

    35 of the 185 us of the fetch, which are 177 us without the profiler, and 280 of the copy's 480 us: 5 MB at 25 GB/s.
    """
    loading = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"

    def each(at: int, n: int) -> list[Events]:
        return [annotation(loading, at, at + 185_000), *copied(at + 190_000, n, PAGEABLE, 505_000), *work(at, n + 10)]

    found = examined(tmp_path, each)
    one = next(one for one in found.findings if one.cause.id == "data-loading")
    assert one.saving_ns.best == pytest.approx(35 / 185 * 177_000 + 280_000, abs=2_000)


def test_copies_from_pinned_memory_are_no_bottleneck(tmp_path: Path) -> None:
    assert ids(examined(tmp_path, lambda at, n: [*copied(at, n, PINNED, 15_000), *work(at, n + 10)])) == []


def blocking(at: int, number: int, name: str, size: int, function: str = "cudaMemcpy") -> list[Events]:
    """A call that returns when its copy of 480 us is done."""
    copy = memcpy(at + 20_000, at + 500_000, number, name=name, bytes=size)
    return [call(at + 10_000, at + 505_000, number, name=function), copy]


def test_copies_by_calls_that_are_not_asynchronous(tmp_path: Path) -> None:
    """Without the wait the copy still ends after 0.5 ms, and the kernel behind it after 0.6 ms, which ends the step."""
    found = examined(tmp_path, lambda at, n: [*blocking(at, n, PINNED, 5_000_000), *work(at, n + 10)])
    assert ids(found) == ["blocking-calls"]
    (one,) = found.findings
    assert render(one.cause.title) == ("1 call that copies or sets memory blocks the host for 495 us a step (4.77 MiB)")
    assert one.saving_ns.best == pytest.approx(400_000, rel=0.02)


def test_unknown_sizes_are_not_0_bytes(tmp_path: Path) -> None:
    """ROCm's memcpys have none: "(0 B)"."""

    def each(at: int, n: int) -> list[Events]:
        copy = memcpy(at + 20_000, at + 500_000, n, name=PINNED)
        return [call(at + 10_000, at + 505_000, n, name="hipMemcpyWithStream"), copy, *work(at, n + 10)]

    (one,) = examined(tmp_path, each).findings
    assert render(one.cause.title) == "1 call that copies or sets memory blocks the host for 495 us a step"


@pytest.mark.parametrize(
    ("name", "size", "function"),
    [
        (PINNED, 64_000, "cudaMemcpy"),
        ("Memcpy DtoD (Device -> Device)", 5_000_000, "cudaMemcpy"),
        (PINNED, 5_000_000, "cudaMemcpyAsync"),
    ],
)
def test_calls_that_have_nothing_to_wait_for(tmp_path: Path, name: str, size: int, function: str) -> None:
    found = examined(tmp_path, lambda at, n: [*blocking(at, n, name, size, function), *work(at, n + 10)])
    assert "blocking-calls" not in ids(found) + ids(found, worth=False)


def test_memsets_of_device_memory_return_at_once(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        return [call(at + 10_000, at + 505_000, n, name="cudaMemset"), memset(at + 20_000, at + 500_000, n)]

    found = examined(tmp_path, lambda at, n: [*each(at, n), *work(at, n + 10)])
    assert "blocking-calls" not in ids(found) + ids(found, worth=False)


def test_large_copies_through_pageable_memory_are_one_finding(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: [*blocking(at, n, PAGEABLE, 5_000_000), *work(at, n + 10)])
    assert ids(found) == ["pageable-copies"]


def test_tensors_that_go_out_and_come_back(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        events: list[Events] = []
        for i, (name, start) in enumerate((("DtoH", 50), ("DtoH", 200), ("HtoD", 350), ("HtoD", 500))):
            where = "Device -> Pageable" if name == "DtoH" else "Pageable -> Device"
            begin = at + 1_000 * start
            events += [
                call(begin, begin + 140_000, n + i, name="cudaMemcpyAsync"),
                memcpy(begin + 10_000, begin + 135_000, n + i, name=f"Memcpy {name} ({where})", bytes=2_000_000),
            ]
        return [*events, *work(at, n + 10)]

    found = examined(tmp_path, each)
    assert ids(found) == ["offloading"], "the copies are the offloading's, not pageable copies of their own"
    assert render(found.findings[0].cause.title) == "2 tensors a step are copied to the host and back, 7.63 MiB"


def optimizer(at: int, number: int, launches: int) -> list[Events]:
    """Ten parameters get gradients; then the optimizer's step."""
    gradients = [operator("torch::autograd::AccumulateGrad", at + 1_000 * i, at + 1_000 * i + 500) for i in range(10)]
    every = 600_000 // launches
    calls = [
        [
            operator("aten::add_", begin, begin + every - 1_000),
            call(begin + 1_000, begin + 3_000, number + i),
            kernel("add", begin + 8_000, begin + 10_000, number + i),
        ]
        for i, begin in enumerate(range(at + 100_000, at + 100_000 + launches * every, every))
    ]
    return [*gradients, annotation("Optimizer.step#AdamW.step", at + 99_000, at + 701_000), *calls]


def test_an_optimizer_that_goes_through_the_parameters(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: optimizer(at, n, 40))
    assert "optimizer-loop" in ids(found) + ids(found, worth=False)
    cause = next(one.cause for one in found.findings if one.cause.id == "optimizer-loop")
    assert render(cause.title) == "The optimizer makes 40 kernel launches a step for about 10 parameters"


def test_a_fused_optimizer_is_none(tmp_path: Path) -> None:
    found = examined(tmp_path, lambda at, n: optimizer(at, n, 4))
    assert "optimizer-loop" not in ids(found) + ids(found, worth=False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch/serialization.py(900): save", "checkpoint"),
        ("<built-in function collect>", "garbage-collection"),
        ("<built-in method write of _io.TextIOWrapper object at 0x7f>", "file-io"),
        ("train.py(12): tokenize", "python-work"),
    ],
)
def test_python_that_works_while_nothing_is_launched(tmp_path: Path, name: str, expected: str) -> None:
    """Frames of 1 ms and more: the steps here are ten times as long."""
    events = [
        [
            step(n, 10 * n * STEP, 10 * (n + 1) * STEP),
            frame("train.py(1): main", 10 * n * STEP, 10 * (n + 1) * STEP),
            frame(name, 10 * n * STEP + 1_000_000, 10 * n * STEP + 4_000_000),
            *work(10 * n * STEP + 5_000_000, n + 1),
        ]
        for n in range(STEPS)
    ]
    profile = opened(tmp_path, *events).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    assert ids(found) == [expected]
    assert saving_pct(found, expected) == pytest.approx(30, abs=0.5)


def test_a_frame_that_only_waits_is_no_python_work(tmp_path: Path) -> None:
    """The loop waits for a queue that another thread fills."""
    events = [
        [
            step(n, 10 * n * STEP, 10 * (n + 1) * STEP),
            frame("queue.py(171): get", 10 * n * STEP + 1_000_000, 10 * n * STEP + 4_000_000),
            frame("threading.py(320): wait", 10 * n * STEP + 1_001_000, 10 * n * STEP + 3_999_000),
            *work(10 * n * STEP + 5_000_000, n + 1),
        ]
        for n in range(STEPS)
    ]
    profile = opened(tmp_path, *events).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    assert ids(found) == []


def test_blocks_of_a_larger_batch_run_in_waves() -> None:
    blocks = np.array([0.0, 0.5, 1.0, 3.0])
    assert growth(blocks, np.full(4, 4)).tolist() == [8, 1, 2, 6]
    assert growth(blocks, np.full(4, 1)).tolist() == [8, 4, 8, 8]


def test_conversions_of_layout(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        return [
            operator("aten::convolution", at + 10_000, at + 40_000),
            call(at + 15_000, at + 16_000, n),
            kernel("void cudnn::ops::nchwToNhwcKernel<float>", at + 20_000, at + 520_000, n),
            call(at + 20_000, at + 21_000, n + 1),
            kernel("conv", at + 521_000, at + 1_400_000, n + 1),
        ]

    found = examined(tmp_path, each)
    assert ids(found) == ["layout-conversions"]
    assert found.findings[0].cause.varies


def test_no_saving_is_that_much_or_more_beside_a_range_that_begins_below(tmp_path: Path) -> None:
    def each(at: int, n: int) -> list[Events]:
        conversion = kernel("void cudnn::ops::nchwToNhwcKernel<float>", at + 20_000, at + 520_000, n)
        return [call(at + 15_000, at + 16_000, n), conversion]

    events = [[step(n, n * STEP, (n + 1) * STEP), *each(n * STEP, n + 1)] for n in range(STEPS)]
    profile = opened(tmp_path, *events).profile
    row = findings(profile).filter(id="layout-conversions").row(0, named=True)
    assert row["saving_low_pct"] < row["saving_pct"]
    assert "or more" not in render(saving(row, profile))


def test_where_no_step_is_marked_nothing_is_saved_a_step(tmp_path: Path) -> None:
    """The verdict named the duration of the trace, and recommendations below it what they save "a step"."""
    sure = {"confidence": "high", "saving_pct": 20.0, "saving_low_pct": 15.0, "saving_high_pct": 25.0}
    row = {**sure, "saving_ns": 2_000, "per_sample": False}
    (tmp_path / "marked").mkdir()
    marked = opened(tmp_path / "marked", step(1, 0, 10_000), *work(0, 1)).profile
    assert "saves ~2.00 us a step, 20 %" in render(saving(row, marked))
    unmarked = opened(tmp_path, *work(0, 1)).profile
    assert "saves ~2.00 us, 20 %" in render(saving(row, unmarked))


def test_nothing_is_said_of_a_host_that_is_not_recorded(tmp_path: Path) -> None:
    profile = opened(tmp_path, kernel("k", 0, 10)).profile
    assert examine(profile, profile.ranks[0]) is None
