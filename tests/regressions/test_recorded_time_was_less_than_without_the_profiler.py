"""The verdict gave a recorded step less time than it was to take without the profiler.

Seen in a recording on a CPU with steps of 377, 56 and 82 ms: "a step takes 82.5 ms (median of 3), without the profiler
about 166 ms". The one was a median of single steps, the other a mean of all. In public/hta/a100-triton-cuda_driver,
13 s of the host and 1.36 ms of the GPU, the one was the GPU's time and the other the host's.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Event, kernel, launched, opened, operator, step
from stepscope.findings.verdict import Verdict, verdict
from stepscope.messages import Message
from stepscope.messages.rendering import render

MS = 1_000_000


def hosted(*lengths: int) -> list[Event]:
    """Steps of these lengths in ms, one after another, each filled by an operator."""
    ends = [sum(lengths[: i + 1]) * MS for i in range(len(lengths))]
    starts = [0, *ends[:-1]]
    spans = list(enumerate(zip(starts, ends, strict=True)))
    return [event for i, span in spans for event in (step(i, *span), operator("aten::mm", *span))]


def agrees(said: Verdict, recorded_ns: int) -> bool:
    """Whether the recorded time is the one given, and no less than without the profiler."""
    return said.step_ns == recorded_ns and said.unprofiled_ns is not None and said.unprofiled_ns[1] <= recorded_ns


def test_of_irregular_steps_the_mean_is_told_and_the_median(tmp_path: Path) -> None:
    said = verdict(opened(tmp_path, *hosted(400, 50, 90)).profile.ranks[0])
    assert agrees(said, 180_000_000)
    assert (said.steps, said.averaged, said.median_ns) == (3, "mean", 90_000_000)
    assert render(said.sentences[1]).startswith("Step time: 180 ms recorded (mean of 3, median 90.0 ms), about the ")
    assert render(said.sentences[2]) == "CPU time of it: 100 % in operators and what they call."


def test_of_regular_steps_and_of_two_the_mean_is_enough(tmp_path: Path) -> None:
    even = verdict(opened(tmp_path, *hosted(60, 50, 70)).profile.ranks[0])
    two = verdict(opened(tmp_path, *hosted(300, 50)).profile.ranks[0])
    assert render(even.sentences[1]).startswith("Step time: 60.0 ms recorded (mean of 3), ")
    assert render(two.sentences[1]).startswith("Step time: 175 ms recorded (mean of 2), ")
    assert (even.median_ns, two.median_ns) == (None, None)


def test_a_first_step_without_a_length_on_the_gpu_is_in_the_mean(tmp_path: Path) -> None:
    """The GPU's periods are 10 ms each; the first step, whose is not known, took the host 100 ms."""
    spans = [(0, 100), (100, 110), (110, 120), (120, 130)]
    work = [
        launched(kernel("k", (end - 2) * MS, (end - 1) * MS, i), (end - 3) * MS) for i, (_, end) in enumerate(spans)
    ]
    steps = [step(i, start * MS, end * MS) for i, (start, end) in enumerate(spans)]
    said = verdict(opened(tmp_path, *steps, operator("aten::mm", 0, 130 * MS), *work).profile.ranks[0])
    assert agrees(said, 32_500_000)
    assert render(said.sentences[1]).startswith("Step time: 32.5 ms recorded (mean of 4, median 10.0 ms), ~")
    assert said.sentences[2] == Message("verdict-gpu-clock", gpu_ns=10_000_000)
    assert said.gpu_busy_pct == pytest.approx(10.0)


def test_without_the_host_it_is_the_median(tmp_path: Path) -> None:
    said = verdict(opened(tmp_path, kernel("a", 0, 1_000), kernel("b", 9_000, 10_000)).profile.ranks[0])
    assert (said.step_ns, said.averaged, said.unprofiled_ns) == (10_000, "median", None)
