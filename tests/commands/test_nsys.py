"""``stepscope nsys`` with a program named nsys that notes how it is called."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from command_line import Run
from fake_machine import DOCKER
from fake_nsight import calls, make_tool
from stepscope.answers.machine_checks import OPEN_COUNTERS
from stepscope.capture.nsight.tool import NSYS, PLACES
from stepscope.capture.system import ThisMachine
from stepscope.commands import below


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is alone on PATH, and no launcher around the tests."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for name in ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(PLACES, NSYS, ("/nowhere/bin/nsys",))
    return folder


def job(code: int = 0) -> list[str]:
    return [sys.executable, "-c", f"print('of the job'); raise SystemExit({code})"]


def test_the_command_is_shown_and_nothing_is_run(tools: Path, run: Run) -> None:
    log = make_tool(tools, "nsys", "2025.3")
    done = run("nsys", "--print", "--out", "/runs/a b", "--after", "30", "--duration", "15", "--", "python", "train.py")
    assert done == (
        0,
        (
            "mkdir -p '/runs/a b' && nsys profile '--output=/runs/a b/%h_%p' --force-overwrite=false --kill=none"
            " --wait=primary --stats=false --delay=30 --duration=15 --trace=cuda,nvtx,osrt --cuda-graph-trace=node"
            " --sample=none --cpuctxsw=none python train.py\n"
        ),
        "",
    )
    assert len(calls(log, "profile")) == 1, "its help"


def test_a_printed_command_with_steps_says_what_it_does_without_stepscope(tools: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2025.3")
    done = run("nsys", "--print", "--", "python", "train.py")
    assert "--capture-range=cudaProfilerApi --capture-range-end=stop" in done.out
    assert done.err == (
        "stepscope: the command above records between the script's own calls of torch.cuda.profiler.start and stop;"
        " run without --print, stepscope makes these calls at the steps\n"
    )


def test_a_job_keeps_its_output_and_exit_code_and_its_report_is_exported(tools: Path, tmp_path: Path, run: Run) -> None:
    log = make_tool(tools, "nsys", "2025.3")
    out = tmp_path / "out"
    done = run("nsys", "--whole", "--no-report", "--out", str(out), "--", *job(5))
    assert (done.code, done.out) == (5, "of the job\n")
    assert done.err == f"stepscope: 1 report of Nsight Systems recorded and exported: {out}\n"
    assert sorted(path.name for path in out.iterdir()) == ["node_7.nsys-rep", "node_7.sqlite"]
    assert calls(log, "profile")[-1][-3:] == job(5)
    assert calls(log, "export") == [
        ["export", "--type=sqlite", "-q", "true", f"--output={out}/node_7.sqlite", f"{out}/node_7.nsys-rep"]
    ]


def test_a_report_that_cannot_be_read_does_not_change_the_exit_code(tools: Path, tmp_path: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2025.3")
    done = run("nsys", "--whole", "--out", str(tmp_path / "out"), "--", *job(0))
    assert done.code == 0
    assert done.err.splitlines()[1].startswith("stepscope: cannot read")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ["--range", "step"],
            'no NVTX range "step" was opened: a name without @DOMAIN means the default domain, NAME@* any',
        ),
        (["--profiler-calls"], "the script made no call of torch.cuda.profiler.start, or used no CUDA"),
        (["--after", "30", "--duration", "5"], "did the job end within 30 s? --after says when recording begins"),
        (
            ["--steps", "3:5"],
            (
                "no steps were found in the job: say with --step-on what ends one, or record a window of time with"
                " --after and --duration"
            ),
        ),
    ],
)
def test_no_report_and_why(tools: Path, tmp_path: Path, run: Run, options: list[str], why: str) -> None:
    make_tool(tools, "nsys", "2025.3", ending="")
    done = run("nsys", *options, "--out", str(tmp_path / "out"), "--", *job(3))
    assert done.code == 3
    assert set(done.err.splitlines()) == {"stepscope: Nsight Systems recorded nothing", f"stepscope: {why}"}


def test_a_recording_without_a_report_says_how_to_make_one(tools: Path, tmp_path: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2025.3", ending=".qdstrm")
    out = tmp_path / "out"
    done = run("nsys", "--whole", "--out", str(out), "--", *job())
    assert done.err == (
        f"stepscope: {out}/node_7.qdstrm was recorded, and made into no report: the importer is missing or failed. On"
        f" an installation that has it: QdstrmImporter -i {out}/node_7.qdstrm -o {out}/node_7.nsys-rep\n"
    )


def test_an_export_that_fails_says_why(tools: Path, tmp_path: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2025.3", fails="export")
    out = tmp_path / "out"
    done = run("nsys", "--whole", "--out", str(out), "--", *job())
    assert done.err == (
        f"stepscope: {out}/node_7.nsys-rep was recorded, and nsys export failed: the report is newer than this"
        " version\n"
    )


def test_without_nsys(tools: Path, run: Run) -> None:
    done = run("nsys", "--", "true")
    assert (done.code, done.err) == (
        2,
        (
            "stepscope: there is no nsys on PATH or where the installer puts it (/nowhere/bin): install Nsight Systems"
            " 2022.4 or newer, or name it with --nsys PATH\n"
        ),
    )


def test_an_nsys_that_only_looks_for_one(tools: Path, run: Run) -> None:
    """The one of the CUDA toolkit is a script, which is there without Nsight Systems."""
    (tools / "nsys").write_text("#!/bin/sh\necho 'not installed' >&2\nexit 1\n")
    (tools / "nsys").chmod(0o755)
    done = run("nsys", "--", "true")
    assert (done.code, done.err) == (
        2,
        (
            "stepscope: nsys does not answer as Nsight Systems: it is missing, or only looks for an installation;"
            " install Nsight Systems, or name it with --nsys PATH\n"
        ),
    )


def test_the_newest_of_several_that_are_not_on_path(
    tools: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("2025.3", "2023.4"):
        make_tool(tmp_path / version / "bin", "nsys", version)
    monkeypatch.setitem(PLACES, NSYS, (f"{tmp_path}/*/bin/nsys",))
    done = run("nsys", "--print", "--whole", "--out", "/o", "--", "true")
    assert shlex.split(done.out)[4] == f"{tmp_path}/2025.3/bin/nsys"


def test_an_old_version_is_named_and_refused_where_it_would_end_the_job(tools: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2021.1")
    done = run("nsys", "--", "true")
    assert done.code == 2
    assert done.err == (
        "stepscope: Nsight Systems 2021.1.2 is older than 2022.4, the oldest version that was tried\n"
        "stepscope: Nsight Systems 2021.1.2 ends the job together with the window: use a newer version, or --after"
        " and --duration\n"
    )


def test_what_a_version_lacks_is_said(tools: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2022.4")
    done = run("nsys", "--print", "--whole", "--with", "python", "--", "true")
    assert done.err == 'stepscope: Nsight Systems 2022.4.2 cannot record "python": it is left out\n'


def test_an_nsys_that_cannot_be_started_has_the_exit_code_of_a_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        below.run(["/nowhere/nsys", "profile"], str(tmp_path), (".nsys-rep",), None)
    assert exit_.value.code == 127
    assert capsys.readouterr().err == "stepscope: /nowhere/nsys could not be started: No such file or directory\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--after", "3"], "--after needs --duration: how many seconds to record"),
        (["--whole", "--range", "x"], "--after/--duration, --range, --profiler-calls and --whole exclude each other"),
        (["--whole", "--steps", "1:2"], "--steps and --step-on exclude the other windows"),
        (["--steps", "0:2"], "--steps begins with 1 at the earliest: step 0 ends where recording can begin"),
        (["--whole", "--times", "2"], "--times belongs to --range or --profiler-calls"),
        (["--whole", "--ranks", "a"], "--ranks takes numbers, separated by commas, as in 0,7"),
        (
            ["--whole", "--ranks", "0"],
            "--ranks needs a COMMAND that is torchrun; under srun or mpirun put stepscope nsys behind it",
        ),
        (
            ["--trace", "cuda,vulkan"],
            "--trace takes cuda, nvtx, osrt, cudnn, cublas, mpi, ucx, nccl, separated by commas",
        ),
        (
            ["--step-on", "epoch"],
            "--step-on takes optimizer[:CLASS], data, forward[:CLASS], call:MODULE:FUNCTION or range:NAME",
        ),
    ],
)
def test_bad_input(tools: Path, run: Run, options: list[str], said: str) -> None:
    make_tool(tools, "nsys", "2025.3")
    done = run("nsys", *options, "--", "true")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"stepscope: {said}. Try: stepscope nsys --help\n"


def test_what_the_machine_refuses_is_left_out_with_the_fix(
    tools: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """nsys would fail over it, and the job not start."""

    class Restricted(ThisMachine):
        def read(self, path: str) -> str | None:
            return {
                "/proc/driver/nvidia/params": "RmProfilingAdminOnly: 1\n",
                "/proc/self/status": DOCKER,
                "/proc/sys/kernel/perf_event_paranoid": "4\n",
            }.get(path)

        def glob(self, pattern: str) -> list[str]:
            return []

    monkeypatch.setattr("stepscope.commands.nsys.ThisMachine", Restricted)
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    make_tool(tools, "nsys", "2025.3")
    done = run("nsys", "--print", "--whole", "--with", "cpu,gpu-metrics,memory", "--", "true")
    assert "--sample=none --cpuctxsw=none --cuda-memory-usage=true true" in done.out
    lines = done.err.splitlines()
    assert [line.partition(":")[2].strip()[:40] for line in lines if line.startswith("stepscope")][:4] == [
        "the CPU may not be sampled (perf_event_p",
        "Fix: Allow it until the next boot:",
        "performance counters of the GPU are for ",
        "Fix: Run as root; or open them to everyo",
    ]
    assert [line for line in lines if not line.startswith("stepscope")] == [
        "    sudo sysctl kernel.perf_event_paranoid=2",
        *(f"    {command}" for command in OPEN_COUNTERS),
    ]
    assert lines[-2:] == [
        'stepscope: "cpu" is left out',
        'stepscope: "gpu-metrics" is left out',
    ]


@pytest.mark.long
def test_a_launcher_whose_ranks_would_not_be_seen(tools: Path, run: Run) -> None:
    make_tool(tools, "nsys", "2025.3")
    done = run("nsys", "--print", "--whole", "--", "srun", "-n", "8", "python", "train.py")
    assert done.err == (
        "stepscope: srun starts ranks that a profiler around it does not see: put stepscope behind it, as in srun"
        " stepscope nsys -- python train.py\n"
    )
    other = run("nsys", "--print", "--whole", "--", "python", "srun")
    assert other.err == ""


def test_a_rank_below_another_launcher_has_its_number_in_the_name(
    tools: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tool(tools, "nsys", "2025.3")
    monkeypatch.setenv("SLURM_PROCID", "5")
    done = run("nsys", "--print", "--whole", "--out", "/runs", "--", "python", "train.py")
    assert "--output=/runs/%h_rank5_%p" in done.out
