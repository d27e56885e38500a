"""Command lines of torchrun, taken apart."""

from __future__ import annotations

import shlex

import pytest

from stepscope.capture.nsight.ranks import torchrun


@pytest.mark.parametrize(
    ("command", "launcher", "program"),
    [
        ("torchrun train.py", "torchrun", "python -u train.py"),
        (
            "torchrun --nnodes=2 --nproc_per_node 4 --master-addr h train.py --standalone",
            "torchrun --nnodes=2 --nproc_per_node 4 --master-addr h",
            "python -u train.py --standalone",
        ),
        ("torchrun --standalone -r 3 train.py", "torchrun --standalone -r 3", "python -u train.py"),
        ("torchrun --no-python bash run.sh", "torchrun", "bash run.sh"),
        ("torchrun --no_python --standalone ./train", "torchrun --standalone", "./train"),
        (
            "python3.12 -m torch.distributed.run -m pkg.train x",
            "python3.12 -m torch.distributed.run",
            "python3.12 -u -m pkg.train x",
        ),
    ],
)
def test_what_each_rank_runs(command: str, launcher: str, program: str) -> None:
    job = torchrun(shlex.split(command))
    assert job is not None
    assert (shlex.join(job.launcher), shlex.join(job.program)) == (launcher, program)


@pytest.mark.parametrize(
    "command",
    [
        "python train.py",
        "accelerate launch x.py",
        "torchrun",
        "torchrun --nnodes 2",
        "torchrun --run-path x.py",
        "python -m torch.distributed.launch x.py",
    ],
)
def test_what_is_no_torchrun_with_a_script(command: str) -> None:
    assert torchrun(shlex.split(command)) is None
