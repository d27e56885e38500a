"""Where compiled kernels come from: the stacks that Inductor's trace handler writes, and generated files."""

from __future__ import annotations

from pathlib import Path

from building import kernel, launched, opened, operator, rows

NAME = "triton_poi_fused_add_relu_0"
FILE = "/tmp/torchinductor/ab/cab.py"
STACKS = [
    'File "train.py", line 80, in step\n    loss = model(x)\n  File "model.py", line 12, in forward\n    x + y',
    'File "train.py", line 80, in step\n    loss = model(x)\n  File "model.py", line 41, in forward\n    relu(x)',
]


def triton(start: int, number: int, **args: object) -> list[object]:
    """A launch as Inductor's wrapper makes it: an operator of the kernel's name with what is known of its code."""
    known = {"kernel_backend": "triton", "kernel_file": FILE, "kernel_kwargs": "XBLOCK=1024"}
    made = kernel(NAME, start + 100, start + 110, number, **args)
    return [operator(NAME, start, start + 20, **known), launched(made, start + 5)]


def test_a_triton_kernel_names_its_generated_file(tmp_path: Path) -> None:
    profile = opened(tmp_path, triton(0, 1), launched(kernel("gemm", 200, 230, 2), 150))
    assert rows(profile.show("kernels"), "name", "source") == [("gemm", None), (NAME, FILE)]


def test_recorded_stacks_name_the_line_of_the_model(tmp_path: Path) -> None:
    profile = opened(tmp_path, triton(0, 1, stack=STACKS))
    assert rows(profile.show("kernels"), "source") == ["model.py:41"]


def test_of_several_sources_the_one_with_most_time_is_shown(tmp_path: Path) -> None:
    profile = opened(
        tmp_path, triton(0, 1, stack=STACKS), triton(200, 2, stack=STACKS[:1]), triton(400, 3, stack=STACKS)
    )
    assert rows(profile.show("kernels"), "source") == ["model.py:41"]


def test_what_is_no_traceback_says_nothing(tmp_path: Path) -> None:
    """Inductor writes None for values that hold a quote."""
    named = operator(NAME, 0, 20, kernel_file="None")
    profile = opened(tmp_path, named, launched(kernel(NAME, 100, 110, 1, stack=["add", "relu"]), 5))
    assert rows(profile.show("kernels"), "source") == [None]
