"""The command lines of nsys, literally, for several of its versions."""

from __future__ import annotations

import shlex

import pytest

from fake_nsight import NSYS_HELP
from stepscope.capture.nsight.nsys import (
    CannotStayAlive,
    NsysPlan,
    ProfilerCalls,
    Range,
    Seconds,
    Whole,
    export,
    profile,
)
from stepscope.capture.nsight.tool import NSYS, Tool

FIXED = "--force-overwrite=false --kill=none --wait=primary --stats=false"
QUIET = "--sample=none --cpuctxsw=none"
TRACE = "--trace=cuda,nvtx,osrt --cuda-graph-trace=node"


def tool(version: str) -> Tool:
    options = frozenset(option.rstrip("=") for option in NSYS_HELP[version])
    return Tool(NSYS, "nsys", tuple(map(int, version.split("."))), options)


def line(version: str, plan: NsysPlan, command: str = "python train.py") -> str:
    return shlex.join(profile(tool(version), plan, shlex.split(command)).argv)


def test_a_window_of_steps_leaves_the_job_running() -> None:
    assert line("2025.3", NsysPlan("out")) == (
        f"nsys profile --output=out/%h_%p {FIXED} --capture-range=cudaProfilerApi --capture-range-end=stop"
        f" {TRACE} {QUIET} python train.py"
    )


def test_a_window_of_time() -> None:
    assert line("2022.4", NsysPlan("out", Seconds(30, 15))) == (
        f"nsys profile --output=out/%h_%p {FIXED} --delay=30 --duration=15 {TRACE} {QUIET} python train.py"
    )


def test_a_range_of_nvtx_needs_no_registered_name() -> None:
    """PyTorch's ranges have none: without the variable no report is made, and nothing says why."""
    assert line("2023.4", NsysPlan("out", Range("step@*", 3))) == (
        f"nsys profile --output=out/%h_%p {FIXED} --capture-range=nvtx '--nvtx-capture=step@*'"
        f" --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 --capture-range-end=repeat:3 {TRACE} {QUIET} python train.py"
    )


@pytest.mark.parametrize("window", [ProfilerCalls(), Range("step")])
def test_a_version_that_ends_the_job_with_the_range_is_refused(window: ProfilerCalls | Range) -> None:
    with pytest.raises(CannotStayAlive):
        profile(tool("2021.1"), NsysPlan("out", window), ["python", "train.py"])


def test_all_of_a_job_in_a_version_without_graph_nodes() -> None:
    assert line("2021.1", NsysPlan("out", Whole(), ("cuda", "nvtx"))) == (
        f"nsys profile --output=out/%h_%p {FIXED} --trace=cuda,nvtx {QUIET} python train.py"
    )


def test_options_are_spelled_as_the_version_does() -> None:
    plan = NsysPlan("out", Whole(), records=("gpu-metrics", "memory"))
    assert line("2022.4", plan) == (
        f"nsys profile --output=out/%h_%p {FIXED} {TRACE} {QUIET} --cuda-memory-usage=true"
        " --gpu-metrics-device=all --gpu-metrics-frequency=10000 python train.py"
    )
    assert "--gpu-metrics-devices=all " in line("2025.3", plan)


def test_what_a_version_cannot_record_is_left_out_and_named() -> None:
    plan = NsysPlan("out", records=("python", "autograd", "cpu"))
    older, old, new = (profile(tool(version), plan, ["x"]) for version in ("2022.4", "2023.4", "2025.3"))
    assert [built.left_out for built in (older, old, new)] == [("python", "autograd"), ("autograd",), ()]
    samples = ["--sample=process-tree", "--cpuctxsw=process-tree"]
    python = ["--python-sampling=true", "--python-sampling-frequency=200"]
    assert list(older.argv[-3:]) == [*samples, "x"]
    assert list(old.argv[-5:]) == [*samples, *python, "x"]
    assert list(new.argv[-6:]) == [*samples, *python, "--pytorch=autograd-nvtx", "x"]


def test_each_rank_of_a_torchrun_is_recorded_by_itself() -> None:
    """Around torchrun, workers that the elastic agent kills leave no report."""
    assert line("2025.3", NsysPlan("out", Whole()), "/env/bin/torchrun --nproc-per-node 8 -m train --lr 1") == (
        "/env/bin/torchrun --nproc-per-node 8 --no-python nsys profile '--output=out/%h_rank%q{RANK}_%p'"
        f" {FIXED} {TRACE} {QUIET} /env/bin/python -u -m train --lr 1"
    )


def test_some_ranks_are_recorded_and_one_reads_metrics_of_the_gpu() -> None:
    plan = NsysPlan("out", Whole(), ranks=(0, 7), records=("gpu-metrics",))
    *head, script, name, _python, unbuffered, program = profile(
        tool("2025.3"), plan, ["torchrun", "--standalone", "train.py"]
    ).argv
    assert head == ["torchrun", "--standalone", "--no-python", "sh", "-c"]
    assert (name, unbuffered, program) == ("sh", "-u", "train.py")
    assert script == (
        """case "$RANK" in 0|7) [ "$LOCAL_RANK" = 0 ] && set -- --gpu-metrics-devices=all"""
        """ --gpu-metrics-frequency=10000 "$@"; exec nsys profile '--output=out/%h_rank%q{RANK}_%p' """
        f"""{FIXED} {TRACE} {QUIET} "$@";; esac; exec "$@\""""
    )


def test_a_rank_that_was_started_by_another_launcher_is_in_the_name() -> None:
    assert profile(tool("2025.3"), NsysPlan("50%", rank=3), ["x"]).argv[2] == "--output=50%%/%h_rank3_%p"


def test_the_export_is_quiet() -> None:
    assert shlex.join(export(tool("2025.3"), "a b.nsys-rep", "a b.sqlite")) == (
        "nsys export --type=sqlite -q true '--output=a b.sqlite' 'a b.nsys-rep'"
    )
