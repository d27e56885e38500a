"""``stepscope doctor`` on machines that are made up."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from command_line import Outcome, Run
from fake_machine import DOCKER, FakeMachine, answering
from stepscope.capture.doctor.examination import CHECKS
from stepscope.capture.doctor.state import NOT_APPLICABLE, OK
from stepscope.messages.language import LANGUAGES
from stepscope.messages.rendering import ids

GIB = 1 << 30
TORCH = answering('stepscope-torch {"torch": "2.8.0", "cuda": "12.8", "gpus": 1, "activities": 2}\n')
RENTED = FakeMachine(
    {
        "/proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06\n",
        "/proc/driver/nvidia/params": "RmProfilingAdminOnly: 1\n",
        "/proc/self/status": DOCKER,
        "/proc/sys/kernel/perf_event_paranoid": "4\n",
        "/proc/7/comm": "dcgm-exporter\n",
    },
    {
        "python": TORCH,
        "nvidia-smi": answering("580.65.06, NVIDIA H200\n"),
        "ncu": answering("Version 2025.3.1.0 (build 1)"),
    },
    {"/runs": 4 * GIB, "/tmp": 80 * GIB},
)
Doctor = Callable[..., Outcome]


@pytest.fixture
def doctor(run: Run, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """``doctor(machine, "--for", "ncu")``."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(machine: FakeMachine, *arguments: str, columns: int = 100) -> Outcome:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr("stepscope.commands.doctor.ThisMachine", lambda: machine)
        return run("doctor", "--out", "/runs", *arguments)

    return call


def test_a_rented_machine_where_ncu_will_not_work(doctor: Doctor) -> None:
    done = doctor(RENTED, "--for", "ncu")
    assert (done.code, done.err) == (1, "")
    assert (
        done.out
        == """\
ok       driver       NVIDIA driver 580.65.06, 1 GPU (NVIDIA H200)
ok       torch        PyTorch 2.8.0 in python, 1 GPU in sight
ok       ncu          Nsight Compute 2025.3.1
failed   counters     performance counters of the GPU are for administrators (ERR_NVGPUCTRPERM): ncu
                      does not work, nsys records no GPU metrics
                      Fix: Run as root; or open them to everyone, then reboot:
                          echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf
                          sudo update-initramfs -u || sudo dracut -f
warning  dcgm         dcgm-exporter runs, and may hold the GPU's counters: then ncu and GPU metrics
                      of nsys fail as already in use
                      Fix: Pause it while recording, and resume it afterwards:
                          dcgmi profile --pause
                          dcgmi profile --resume
n/a      clocks       nvidia-smi does not say why clocks are as they are
n/a      container    this is no container
warning  disk         4.00 GiB free in /runs: enough for a short window of a few ranks
                      Fix: Name another folder with --out DIR, and another temporary folder in
                      TMPDIR.

Will not work here: ncu.
"""  # noqa: E501
    )


def test_the_same_machine_records_traces(doctor: Doctor) -> None:
    done = doctor(RENTED, "--for", "record")
    assert (done.code, done.out.splitlines()[-1]) == (0, "All that was asked for works here.")


def test_without_a_purpose_everything_is_shown_and_only_record_has_to_work(doctor: Doctor) -> None:
    done = doctor(RENTED)
    assert done.code == 0
    assert [line.split()[1] for line in done.out.splitlines() if line[:1].strip()][:-1] == [
        check.name for check in CHECKS
    ]
    assert "failed" not in done.out


def test_a_narrow_terminal_wraps_sentences_and_no_commands(doctor: Doctor) -> None:
    lines = doctor(RENTED, "--for", "nsys", columns=60).out.splitlines()
    assert [line for line in lines if len(line) > 60] == [
        " " * 26 + "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee"
        " /etc/modprobe.d/nvidia-profiling.conf",
        " " * 26 + "sudo update-initramfs -u || sudo dracut -f",
        " " * 26 + "sudo sysctl kernel.perf_event_paranoid=2",
    ]


def test_in_chinese(doctor: Doctor) -> None:
    lines = doctor(RENTED, "--lang", "zh", "--for", "attach").out.splitlines()
    assert lines[1:3] == ["正常    ptrace       可以查看运行中的进程", "不适用  container    这不是容器"]


def test_json(doctor: Doctor) -> None:
    done = doctor(RENTED, "--json", "--for", "ncu")
    written = json.loads(done.out)
    assert (done.code, written["schema_version"], written["for"], written["works"]) == (1, 1, ["ncu"], False)
    assert [one for one in written["checks"] if one["check"] in ("driver", "dcgm")] == [
        {
            "check": "driver",
            "status": "ok",
            "code": "ok",
            "text": "NVIDIA driver 580.65.06, 1 GPU (NVIDIA H200)",
            "fix": None,
            "commands": [],
            "facts": {"version": "580.65.06", "gpus": 1, "name": "NVIDIA H200"},
        },
        {
            "check": "dcgm",
            "status": "warning",
            "code": "running",
            "text": "dcgm-exporter runs, and may hold the GPU's counters: then ncu and GPU metrics of nsys fail as"
            " already in use",
            "fix": "Pause it while recording, and resume it afterwards:",
            "commands": ["dcgmi profile --pause", "dcgmi profile --resume"],
            "facts": {"names": ["dcgm-exporter"]},
        },
    ]


def test_a_purpose_that_is_none(doctor: Doctor) -> None:
    done = doctor(RENTED, "--for", "sleep")
    assert (done.code, done.out) == (2, "")
    assert "'sleep' is not one of 'record', 'nsys', 'ncu', 'attach', 'telemetry'" in done.err


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_a_check_may_find_has_its_sentence_and_what_is_wrong_a_fix(language: str) -> None:
    wanted = {f"doctor-{check.name}-{code}" for check in CHECKS for code in check.codes}
    fixes = {
        f"doctor-{check.name}-{code}-fix"
        for check in CHECKS
        for code, status in check.codes.items()
        if status not in (OK, NOT_APPLICABLE)
    }
    others = ("doctor-status", "doctor-fix", "doctor-works", "doctor-does")
    known = {name for name in ids(language) if name.startswith("doctor-") and not name.startswith(others)}
    assert known == wanted | fixes
