"""Activation checkpointing is a finding where the memory that it saves is free."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, Events, call, kernel, microseconds, operator
from building.autograd import ENGINE, backward, forward
from made_steps import examined, named
from stepscope.findings.examination import Finding
from stepscope.messages.rendering import render

GIB = 1 << 30


def card(gib: int) -> Event:
    return {"deviceProperties": [{"id": 0, "name": "NVIDIA H200", "totalGlobalMem": gib * GIB}]}


def memory(at: int, size: int, total: int, *, thread: int = 1) -> Event:
    args = {
        "Bytes": size,
        "Device Type": 1,
        "Device Id": 0,
        "Addr": at,
        "Total Allocated": total,
        "Total Reserved": total,
    }
    head = {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "ts": microseconds(at)}
    return head | {"pid": 1, "tid": thread, "args": args}


def launch(at: int, number: int, begin: int, length: int, *, thread: int = 1) -> list[Event]:
    return [call(at, at + 2_000, number, thread=thread), kernel("k", begin, begin + length, number)]


def checkpointed(at: int, n: int) -> list[Events]:
    """A forward operator of 200 us on the GPU, run again for 200 us inside a backward pass of 300 us."""
    return [
        forward("aten::relu", at + 10_000, at + 30_000, n),
        launch(at + 12_000, n, at + 20_000, 200_000),
        backward("ReluBackward0", at + 100_000, at + 800_000, n),
        forward("aten::linear", at + 110_000, at + 140_000, n + 1, thread=ENGINE),
        launch(at + 112_000, n + 1, at + 220_000, 200_000, thread=ENGINE),
        operator("aten::threshold_backward", at + 150_000, at + 180_000, thread=ENGINE),
        launch(at + 152_000, n + 2, at + 420_000, 300_000, thread=ENGINE),
        operator("aten::item", at + 190_000, at + 725_000, thread=ENGINE),
        call(at + 195_000, at + 722_000, n + 3, name="cudaStreamSynchronize", thread=ENGINE),
    ]


def with_memory(at: int, n: int, peak: int) -> list[Events]:
    """2 GiB stay of what is run again."""
    inside = memory(at + 120_000, 2 * GIB, peak, thread=ENGINE)
    return [
        memory(at + 5_000, GIB, peak - 2 * GIB),
        inside,
        memory(at + 700_000, -3 * GIB, peak - 3 * GIB, thread=ENGINE),
    ]


def found_with(folder: Path, *, peak: int, size: int) -> Finding | None:
    each = lambda at, n: [*checkpointed(at, n), *with_memory(at, n, peak * GIB)]  # noqa: E731
    return named(examined(folder, each, **card(size)), "recomputation")


def test_with_memory_free_nothing_need_be_run_again(tmp_path: Path) -> None:
    one = found_with(tmp_path, peak=10, size=40)
    assert one is not None
    assert render(one.cause.title) == (
        "The backward pass recomputes 200 us of the forward pass a step, while 30.0 GiB of 40.0 GiB are "
        "free at the memory peak"
    )
    assert (
        render(one.cause.advice) == "Checkpoint no blocks, or fewer: keeping all activations takes up to 2.00 GiB more."
    )
    # 200 us of a step that the GPU, and the host waiting for it, make 1 ms long, and what leads to the launches.
    assert one.saving_pct.best == pytest.approx(40, abs=4)


def test_with_little_memory_free_checkpointing_is_needed(tmp_path: Path) -> None:
    assert found_with(tmp_path, peak=36, size=40) is None


def test_where_part_of_it_fits_part_is_promised(tmp_path: Path) -> None:
    """35 of 40 GiB: one of the two that would be kept fits below nine tenths."""
    one = found_with(tmp_path, peak=35, size=40)
    assert one is not None
    assert render(one.cause.advice) == (
        "Checkpoint fewer blocks: keeping all activations takes up to 2.00 GiB; 50 % of the blocks fit."
    )
    assert one.cause.count == pytest.approx(1 / 3), "one of three steps stands for half of each"


def test_without_a_recording_of_memory_it_is_a_question(tmp_path: Path) -> None:
    one = named(examined(tmp_path, checkpointed), "recomputation")
    assert one is not None
    assert one.cause.general
    assert render(one.cause.unknown) == "how much memory is free (profile_memory=True)"


def test_a_backward_pass_that_runs_nothing_again(tmp_path: Path) -> None:
    each = lambda at, n: [one for one in checkpointed(at, n) if "linear" not in str(one)]  # noqa: E731
    assert named(examined(tmp_path, each), "recomputation") is None
