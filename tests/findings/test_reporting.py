"""Printing and logging in the step: seen by the frames of the libraries that do it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from building import Event, Events, call, kernel, memcpy, opened, operator, step, timed
from stepscope.findings.examination import Examination, examine
from stepscope.messages.rendering import render

STEP = 10_000_000


def frame(name: str, start: int, end: int) -> Event:
    return timed("python_function", name, start, end, process=1, thread=1)


def examined(folder: Path, each: Callable[[int, int], list[Events]]) -> Examination:
    """Three steps of 10 ms."""
    events = [[step(n, n * STEP, (n + 1) * STEP), *each(n * STEP, 100 * n + 1)] for n in range(3)]
    profile = opened(folder, *events).profile
    found = examine(profile, profile.ranks[0])
    assert found is not None
    return found


def ids(found: Examination) -> list[str]:
    return [one.cause.id for one in found.findings]


def reading(at: int, number: int) -> list[Events]:
    """A kernel of 2 ms, and 2.5 ms in which its value is waited for."""
    return [
        call(at + 10_000, at + 15_000, number),
        kernel("k", at + 20_000, at + 2_020_000, number),
        operator("aten::item", at + 100_000, at + 2_600_000),
        operator("aten::_local_scalar_dense", at + 101_000, at + 2_599_000),
        call(at + 110_000, at + 120_000, number + 1, name="cudaMemcpyAsync"),
        memcpy(at + 2_021_000, at + 2_022_000, number + 1, name="Memcpy DtoH (Device -> Pinned)", bytes=4),
        call(at + 130_000, at + 2_040_000, number + 2, name="cudaStreamSynchronize"),
    ]


def inside(name: str) -> Callable[[int, int], list[Events]]:
    """A frame of 3 ms in which a value is read."""
    return lambda at, n: [
        frame("train.py(1): main", at, at + STEP),
        frame(name, at + 1_000_000, at + 4_000_000),
        reading(at + 1_100_000, n),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch/_tensor.py(568): __repr__", "tensor-printing"),
        ("torch/_tensor.py(1110): __format__", "tensor-printing"),
        ("torch/_tensor_str.py(690): _str", "tensor-printing"),
        ("torch/utils/tensorboard/writer.py(330): add_scalar", "logging"),
        ("wandb/sdk/wandb_run.py(1620): log", "logging"),
        ("logging/__init__.py(1467): info", "logging"),
        ("transformers/trainer.py(3750): log", "logging"),
        ("loguru/_logger.py(2078): info", "logging"),
        ("tqdm/std.py(1402): set_postfix", "logging"),
        ("<built-in function print>", "logging"),
    ],
)
def test_what_waits_in_a_call_that_reports_is_the_reports(tmp_path: Path, name: str, expected: str) -> None:
    found = examined(tmp_path, inside(name))
    assert ids(found)[0] == expected
    assert "host-synchronisation" not in ids(found)
    assert render(found.findings[0].cause.title).endswith("inside the step: 3.00 ms a step")


@pytest.mark.parametrize("name", ["train.py(40): log_items", "tqdm/std.py(1160): __iter__", "catalogue.py(3): info"])
def test_other_frames_do_not_own_what_waits_in_them(tmp_path: Path, name: str) -> None:
    assert "host-synchronisation" in ids(examined(tmp_path, inside(name)))
    assert not {"logging", "tensor-printing"} & set(ids(examined(tmp_path, inside(name))))


def test_a_tensor_that_is_printed_is_no_other_logging(tmp_path: Path) -> None:
    """A logger was given a tensor; making it into text is what takes its time, or half of it."""
    printing = lambda at, n: [  # noqa: E731
        frame("logging/__init__.py(1467): info", at + 500_000, at + 6_500_000),
        *inside("torch/_tensor.py(568): __repr__")(at, n),
    ]
    assert ids(examined(tmp_path, printing)) == ["tensor-printing"]


def test_what_a_checkpoint_prints_is_the_checkpoints(tmp_path: Path) -> None:
    saving = lambda at, n: [  # noqa: E731
        frame("torch/serialization.py(900): save", at + 900_000, at + 5_000_000),
        *inside("<built-in function print>")(at, n),
    ]
    assert ids(examined(tmp_path, saving)) == ["checkpoint"]


def test_garbage_that_python_collects_by_itself(tmp_path: Path) -> None:
    """As torch records it when asked to."""
    found = examined(
        tmp_path, lambda at, n: [frame("Python GC", at + 1_000_000, at + 4_000_000), reading(at + 6_000_000, n)]
    )
    assert ids(found)[0] == "garbage-collection"
