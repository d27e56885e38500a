"""``stepscope ncu`` with a program named ncu that notes how it is called."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from building import kernel, step, write
from command_line import Run
from fake_nsight import calls, make_tool
from stepscope.capture.doctor import counters
from stepscope.capture.doctor.state import Finding
from stepscope.capture.nsight.tool import NCU, PLACES


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("RANK", raising=False)
    monkeypatch.setitem(PLACES, NCU, ("/nowhere/ncu",))
    return folder


@pytest.fixture
def trace(tmp_path: Path) -> str:
    """Three functions, one of them of communication."""
    gemms = [kernel("void gemm<128>(Params)", at, at + 4000) for at in range(0, 40_000, 10_000)]
    norm = kernel("void at::native::norm<float>(float*)", 50_000, 51_000)
    reduction = kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)", 60_000, 90_000)
    return str(write(tmp_path / "trace.json", step(1, 0, 100_000), *gemms, norm, reduction))


def job(code: int = 0) -> list[str]:
    return [sys.executable, "-c", f"print('of the job'); raise SystemExit({code})"]


SAID = """\
stepscope: gemm: 34 % of the kernels' time, 4 launches of 4.00 us
stepscope: norm: 2 % of the kernels' time, 1 launch of 1.00 us
stepscope: ncclDevKernel_AllReduce_Sum_f32_RING_LL is left out: a kernel of communication waits for other ranks, and \
when it is replayed these do not run it again: the job would hang
stepscope: up to 3 launches are replayed 10 times each: at least 90.0 us of GPU time. Before each replay ncu restores \
all memory that the kernel has written, and flushes the caches: with gigabytes written that takes longer than the kernel
"""


def test_the_command_is_shown_and_what_it_costs(tools: Path, trace: str, run: Run) -> None:
    make_tool(tools, "ncu", "2025.3")
    done = run("ncu", "--print", "--out", "/runs", trace, "--", "python", "train.py", "--top", "3")
    assert done == (
        0,
        (
            "mkdir -p /runs && ncu --export /runs/%h_%p --target-processes all --set basic --clock-control none"
            " --kernel-name-base function --kernel-id '::regex:^(gemm|norm)$:21|22' --launch-count 3 python train.py"
            " --top 3\n"
        ),
        SAID,
    )


def test_a_job_keeps_its_output_and_exit_code(tools: Path, trace: str, tmp_path: Path, run: Run) -> None:
    log = make_tool(tools, "ncu", "2022.3")
    out = tmp_path / "out"
    done = run("ncu", "--out", str(out), "--top", "1", "--skip", "0", trace, "--", *job(7))
    assert (done.code, done.out) == (7, "of the job\n")
    assert done.err.splitlines()[-1] == (
        f"stepscope: 1 report of Nsight Compute: {out}. To read it: stepscope report {out}"
    )
    (call,) = calls(log, "--export")
    assert call[2:6] == ["--target-processes", "all", "--set", "default"]
    assert call[call.index("--kernel-id") + 1] == "::regex:^(gemm)$:1|2"


def test_nothing_examined_and_why(tools: Path, tmp_path: Path, run: Run) -> None:
    make_tool(tools, "ncu", "2025.3", ending="")
    done = run("ncu", "--out", str(tmp_path / "out"), "--kernel", "gemm", "--", *job(0))
    assert done.code == 0
    assert done.err.splitlines()[-1] == (
        "stepscope: Nsight Compute examined nothing: did any function that matches run more than 20 times? --skip says"
        " how many launches of each are passed over; stepscope doctor --for ncu checks what it needs"
    )


def test_of_a_torchrun_one_rank_is_examined_and_the_others_wait(tools: Path, run: Run) -> None:
    make_tool(tools, "ncu", "2025.3")
    done = run("ncu", "--print", "--kernel", "gemm", "--", "torchrun", "train.py")
    assert 'case "$RANK" in 0)' in done.out
    assert done.err.splitlines()[-1] == (
        "stepscope: of a torchrun rank 0 is examined; the others wait for it in their collectives, which end a job"
        " after their timeout (10 minutes by default)"
    )


@pytest.mark.parametrize("pattern", ["nccl", ".*"])
def test_kernels_of_communication_are_refused(tools: Path, run: Run, pattern: str) -> None:
    log = make_tool(tools, "ncu", "2025.3")
    done = run("ncu", "--kernel", pattern, "--", "true")
    assert (done.code, done.out, log.exists()) == (2, "", False)
    assert done.err == (
        f"stepscope: {pattern} matches kernels of communication: replayed, they wait for other ranks for ever. Name"
        " others with --kernel, or give a trace\n"
    )


def test_a_set_that_the_version_does_not_have(tools: Path, run: Run) -> None:
    make_tool(tools, "ncu", "2022.3")
    done = run("ncu", "--set", "nvlink", "--kernel", "gemm", "--", "true")
    assert (done.code, done.err) == (
        2,
        'stepscope: this version has no set "nvlink": it has default, detailed, full, roofline\n',
    )


def test_a_trace_without_kernels(tools: Path, tmp_path: Path, run: Run) -> None:
    make_tool(tools, "ncu", "2025.3")
    path = write(tmp_path / "trace.json", step(1, 0, 100))
    done = run("ncu", str(path), "--", "true")
    assert (done.code, done.err) == (2, "stepscope: the trace has no kernels that ncu can examine\n")


def test_without_ncu(tools: Path, run: Run) -> None:
    done = run("ncu", "--kernel", "gemm", "--", "true")
    assert done.code == 2
    assert done.err == (
        "stepscope: there is no ncu on PATH or where the installer puts it (/nowhere): install Nsight Compute 2022.3 or"
        " newer, or name it with --ncu PATH\n"
    )


NEITHER = (
    "give either a TRACE, of which the heaviest kernels are examined (stepscope record makes one), or --kernel REGEX"
)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kernel", "x"], "what to run stands behind --: stepscope ncu TRACE -- python train.py"),
        (["--kernel", "x", "--"], "what to run stands behind --: stepscope ncu TRACE -- python train.py"),
        (["--", "true"], NEITHER),
        (["trace.json", "--kernel", "x", "--", "true"], NEITHER),
        (["--kernel", "(", "--", "true"], "--kernel takes a regular expression of function names"),
        (["--kernel", "x", "--ranks", "all", "--", "true"], "--ranks takes numbers, separated by commas, as in 0,7"),
    ],
)
def test_bad_input(tools: Path, run: Run, arguments: list[str], said: str) -> None:
    done = run("ncu", *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"stepscope: {said}. Try: stepscope ncu --help\n")


def test_without_permission_for_counters_the_job_is_not_started(
    tools: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ncu would end it with ERR_NVGPUCTRPERM at its first kernel."""
    restricted = Finding("restricted-kubernetes")
    check = replace(counters.CHECK, examine=lambda *_: restricted)
    monkeypatch.setattr(counters, "CHECK", check)
    log = make_tool(tools, "ncu", "2025.3")
    done = run("ncu", "--kernel", "gemm", "--out", str(tmp_path / "out"), "--", *job())
    assert (done.code, done.out, calls(log, "--export")) == (2, "", [])
    assert done.err.splitlines()[-2].endswith("(ERR_NVGPUCTRPERM): ncu does not work, nsys records no GPU metrics")
    assert done.err.splitlines()[-1].startswith("stepscope: Fix: Give the container securityContext.capabilities.add")
