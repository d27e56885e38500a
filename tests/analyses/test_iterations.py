"""Iterations of an inference server."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from building import Event, Events, annotation, call, kernel, launched, opened, operator, rows
from stepscope.store.serving import iterations

MS = 1_000_000


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("execute_context_2(512)_generation_0(0)", ("prefill", 2, 512)),
        ("execute_context_2(512)_generation_30(30)", ("mixed", 32, 542)),
        ("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk550)", ("decode", 32, 32)),
        ("execute_8192_context_9(sq8155sk8430)_generation_37(sq37sk34489)", ("mixed", 46, 8192)),
        ("step[EXTEND bs=15 toks=15360]", ("prefill", 15, 15360)),
        ("step[DECODE bs=32]", ("decode", 32, 32)),
        ("step[TARGET_VERIFY bs=4]", ("target_verify", 4, None)),
        ("step[IDLE]", ("idle", None, None)),
        ("forward", (None, None, None)),
    ],
)
def test_what_the_name_of_an_iteration_says(name: str, said: tuple[str | None, int | None, int | None]) -> None:
    assert iterations(pl.Series([name])).row(0) == said


def decoding(number: int, at: int, start: int, end: int) -> list[Events]:
    """An iteration of 1 ms on the host, and its kernel."""
    return [
        annotation(f"step[DECODE bs={4 * number}]", at, at + MS),
        launched(kernel("k", start, end, number), at + 1_000),
    ]


def test_phases_and_the_time_for_a_token(tmp_path: Path) -> None:
    """The end of one iteration's work to the end of the next one's: 8 ms for 8 tokens, 12 ms for 12."""
    profile = opened(
        tmp_path,
        decoding(1, 0, 2_000, 10 * MS),
        decoding(2, 2 * MS, 10 * MS, 18 * MS),
        decoding(3, 4 * MS, 18 * MS, 30 * MS),
    )
    columns = ("phase", "steps", "requests", "tokens", "batch", "duration_ns", "per_token_ns", "busy_pct")
    assert rows(profile.show("iterations"), *columns) == [("decode", 3, 24, 24, 8.0, 20 * MS, MS, 100.0)]
    assert rows(profile.show("iterations", by="step"), "step", "tokens", "duration_ns", "per_token_ns") == [
        (0, 4, None, None),
        (1, 8, 8 * MS, MS),
        (2, 12, 12 * MS, MS),
    ]


def test_a_single_iteration_begins_when_the_gpu_has_done_what_came_before(tmp_path: Path) -> None:
    """vLLM: the first kernel began 7.8 ms after its launch, behind the iteration before the recording."""
    profile = opened(tmp_path, decoding(8, 0, 12 * MS, 18 * MS))
    assert rows(profile.show("iterations"), "tokens", "duration_ns", "busy_pct") == [(32, 6 * MS, 100.0)]
    assert profile.notes("iterations") == []


def test_a_wait_for_another_file_leaves_the_time_unknown(tmp_path: Path) -> None:
    """SGLang: a decode waited 463 ms for the prefill before it, whose kernels are in a file of their own."""
    events: list[Event | list[Event]] = [
        annotation("step[DECODE bs=32]", 0, 490 * MS),
        launched(kernel("prompt", 10_000, 20_000, 1), 1_000),
        call(30_000, 31_000, 9, name="hipStreamWaitEvent"),
        launched(kernel("decode", 480 * MS, 489 * MS, 2), 40_000),
    ]
    profile = opened(tmp_path, *events)
    assert rows(profile.show("iterations"), "phase", "tokens", "duration_ns", "per_token_ns") == [
        ("decode", 32, None, None)
    ]
    assert profile.notes("iterations") == [
        "the time of 1 iteration is unknown: in it the GPU waits for work that is not in this file"
    ]


def test_a_training_run_has_none(tmp_path: Path) -> None:
    profile = opened(tmp_path, annotation("ProfilerStep#1", 0, 100), operator("aten::mm", 0, 50))
    assert len(profile.show("iterations")) == 0
    assert profile.notes("iterations")[0].startswith("no rows: no inference server")
