"""The line that ran, from the program's own source."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Events, call, kernel, opened, operator, step
from building.autograd import frame
from stepscope.analyses.host.source import operator_sources
from stepscope.findings.code_lines import calling_line

SOURCE = """import time

def train(loader):
    for batch in loader:
        def helper():
            time.sleep(1)
        time.sleep(0.05)
        model(batch); model(batch)
        step()
        step()

@decorated
def step():
    optimizer.step()
"""


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "t12.py").write_text(SOURCE)
    (tmp_path / "outside.py").write_text(SOURCE)
    monkeypatch.chdir(folder)
    from stepscope.findings import code_lines

    code_lines._tree.cache_clear()
    return folder


@pytest.mark.parametrize(
    ("caller", "ran_before", "callee", "line"),
    [
        ("t12.py(9): train", True, "<built-in function sleep>", "t12.py:7"),
        ("t12.py(3): train", False, "<built-in function sleep>", "t12.py:7"),
        ("t12.py(4): train", False, "<built-in function sleep>", None),  # the source is another one
        ("t12.py(40): train", True, "<built-in function sleep>", None),
        ("t12.py(3): train", False, "model.py(1): model", "t12.py:8"),  # twice, in one line
        ("t12.py(3): train", False, "t12.py(12): step", None),  # called in two lines
        ("t12.py(12): step", False, "torch/optim/adam.py(9): step", "t12.py:14"),
        ("t12.py(1): <module>", True, "<built-in function sleep>", None),
        ("../outside.py(3): train", False, "<built-in function sleep>", None),
        ("gone.py(3): train", False, "<built-in function sleep>", None),
        ("t12.py(3): train", False, "nn.Module: Linear_0", None),
        ("<built-in function sleep>", False, "<built-in function sleep>", None),
    ],
)
def test_the_line_of_a_call(caller: str, ran_before: bool, callee: str, line: str | None) -> None:
    assert calling_line(caller, ran_before, callee) == line


def test_what_is_no_python_says_nothing(program: Path) -> None:
    (program / "bad.py").write_text("def (:")
    (program / "bytes.py").write_bytes(b"\xff\xfe\x00")
    for name in ("bad.py", "bytes.py"):
        assert calling_line(f"{name}(1): f", False, "<built-in function sleep>") is None


def recording(*, began: bool) -> list[Events]:
    """A function that ran when the recording began, and one that is called later; the profiler starts inside both."""
    start = [
        frame("torch/profiler/profiler.py(9): start_trace", 20, 60),
        frame("<built-in function perf_counter_ns>", 30, 40),
    ]
    return [
        frame("t12.py(9): train", 10, 1_000),
        *(start if began else []),
        frame("data.py(3): load", 100, 200),
        operator("aten::cat", 150, 160),
        operator("aten::mm", 300, 400),
        step(1, 90, 900),
        call(310, 320, 1),
        kernel("gemm", 320, 500, 1),
    ]


@pytest.mark.parametrize(("began", "train"), [(True, "t12.py in train()"), (False, "t12.py:9")])
def test_a_frame_that_was_open_when_the_recording_began_has_no_line(tmp_path: Path, began: bool, train: str) -> None:
    """``t12.py:11`` was the line of ``profiler.step()``, for every operator of the training loop."""
    rank = opened(tmp_path, *recording(began=began)).profile.ranks[0]
    assert operator_sources(rank).to_list() == ["data.py:3", train]
