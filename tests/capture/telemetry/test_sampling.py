"""The loop: what it writes and when, what it may cost, and how its process ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from capture.telemetry.fake_nvml import Device, FakeNvml
from capture.telemetry.machines import HandClock, plain_machine, process
from capture.telemetry.test_gpus import FIELDS, NUMBERS
from stepscope.analyses import make_table
from stepscope.capture.telemetry import __main__ as program
from stepscope.capture.telemetry.lines import Lines
from stepscope.capture.telemetry.nvml import Nvml
from stepscope.capture.telemetry.process import start
from stepscope.capture.telemetry.readings import Refused
from stepscope.capture.telemetry.sampling import Pace, Sampler, Wanted
from stepscope.store.opening import open_profile

PROGRAM = str(Path(program.__file__))
BARE = [sys.executable, "-I", "-S", PROGRAM, "--hz", "100"]


def run(folder: Path, library: FakeNvml, ticks: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of so many ticks, a tenth of a second apart, of a made machine."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    root, path, clock = folder / "root", folder / "made.telemetry.jsonl", HandClock()
    plain_machine(root)
    process(root, 10, 1, 0)
    with path.open("wb") as file:
        sampler = Sampler(Wanted(10, 10, root=str(root)), Lines(file.fileno()), clock, Nvml(library))
        sampler.begin()
        for _ in range(ticks):
            sampler.sample()
            clock.pass_seconds(0.1)
        sampler.close("SIGTERM", 10)
    return path


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_stands_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = FakeNvml(Device(numbers=dict(NUMBERS), fields=dict(FIELDS)))
    header, *rest = lines(run(tmp_path, library, 21, monkeypatch))
    assert {name: header[name] for name in ("stepscope_telemetry", "pid", "hz", "driver", "gpus_on_host")} == {
        "stepscope_telemetry": 1,
        "pid": 10,
        "hz": 10,
        "driver": "570.1",
        "gpus_on_host": 1,
    }
    assert list(header["groups"]) == ["gpu", "gpu_slow", "pcie", "cpu", "host"]
    samples = [line for line in rest if isinstance(line, list)]
    assert {name: sum(line[0] == name for line in samples) for name in header["groups"]} == {
        "gpu": 21,
        "gpu_slow": 2,
        "pcie": 20,
        "cpu": 20,
        "host": 2,
    }
    assert all(len(line) == 3 + len(header["groups"][line[0]]) for line in samples)
    assert samples[0][:3] == ["gpu", 1_790_001_000 * 10**9, 1000 * 10**9]
    assert [line for line in rest if "refused" in line] == [rest[0]]
    assert sum("values" in line for line in rest) == 3
    assert {key: rest[-1][key] for key in ("end", "samples")} == {"end": "SIGTERM", "samples": 21}


def test_what_was_sampled_is_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the names that findings know: power, energy, clocks, throttling, the limit, memory, PCIe, NVLink."""
    library = FakeNvml(Device(numbers=dict(NUMBERS), fields=dict(FIELDS)))
    profile = open_profile(str(run(tmp_path, library, 21, monkeypatch)))
    table = make_table(profile, "telemetry")
    found = {row["metric"]: row["mean"] for row in table.rows(named=True) if row["gpu"] == 0 and row["metric"]}
    assert found == {
        "power": 312_000,
        "energy": 5_000_000,
        "sm_clock": 1980,
        "temperature": 54,
        "utilization": 97,
        "throttle_reasons": 4,
        "memory_used": 7 << 30,
        "memory_utilization": 41,
        "pcie_tx": 0,
        "pcie_rx": 0,
        "nvlink": 0,
        "power_limit": 700_000,
        "pcie_generation": 5,
        "pcie_lanes": 16,
    }
    (row,) = make_table(profile, "hardware").rows(named=True)
    assert (row["power_w"], row["power_limit_w"], row["reason"], row["throttled_pct"]) == (312, 700, "power-cap", 100)
    (recording,) = make_table(profile, "recordings").rows(named=True)
    assert (recording["kind"], recording["recorder"], recording["clock"]) == ("telemetry", "stepscope", "epoch")


def test_a_machine_without_a_gpu_is_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Nvml:
        raise Refused("no libnvidia-ml.so.1")

    monkeypatch.setattr(Nvml, "load", none)
    plain_machine(tmp_path)
    path = tmp_path / "made.telemetry.jsonl"
    with path.open("wb") as file:
        sampler = Sampler(Wanted(root=str(tmp_path)), Lines(file.fileno()), HandClock())
        sampler.begin()
        sampler.sample()
    header, refused, *_ = lines(path)
    assert (header["gpus"], list(header["groups"])) == ([], ["cpu", "host"])
    assert refused["refused"]["gpu"] == "no libnvidia-ml.so.1"


def test_samples_are_on_time_and_missed_ones_are_left_out() -> None:
    pace = Pace(10, 0, 0)
    assert pace.wait_ns(30_000_000) == 70_000_000
    assert pace.wait_ns(450_000_000) == 50_000_000
    assert pace.wait_ns(500_000_000) == 100_000_000


def test_samples_that_cost_too_much_become_fewer() -> None:
    """At 10 a second, 2 ms each are 2 % of a core: 5 a second are 1 %."""
    pace = Pace(10, 0, 0)
    assert [pace.is_too_dear(2_000_000 * at) for at in range(1, 51)] == [False] * 49 + [True]
    assert pace.hz == 5
    assert not any(pace.is_too_dear(100_000_000 + 2_000_000 * at) for at in range(1, 51))


def test_it_ends_when_its_parent_has_ended() -> None:
    """The parent starts it and leaves; the pipe closes when the sampler has, too."""
    starter = (
        "import os, subprocess, sys; "
        "subprocess.Popen([*sys.argv[1:], '--parent', str(os.getpid()), '--output', '/dev/fd/1'])"
    )
    done = subprocess.run([sys.executable, "-c", starter, *BARE], stdout=subprocess.PIPE, timeout=30, check=True)
    assert json.loads(done.stdout.splitlines()[-1])["end"] == "parent ended"


def test_a_signal_ends_it_between_two_lines() -> None:
    with subprocess.Popen([*BARE, "--output", "/dev/fd/1"], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        running.terminate()
        rest = running.stdout.read().splitlines()
    assert "stepscope_telemetry" in json.loads(first)
    assert all(json.loads(line) for line in rest)
    assert json.loads(rest[-1])["end"] == "SIGTERM"
    assert running.returncode == 0


def test_it_ends_with_the_process_that_it_watches() -> None:
    """A process that waits for the end of its input, so that it has ended when the test says so."""
    waiting = [sys.executable, "-S", "-c", "input()"]
    watched = subprocess.Popen(waiting, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    command = [*BARE, "--pid", str(watched.pid), "--output", "/dev/fd/1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as sampler:
        assert sampler.stdout is not None
        sampler.stdout.readline()
        watched.communicate(b"\n")
        rest = sampler.stdout.read().splitlines()
    assert json.loads(rest[-1])["end"] == "process ended"


def test_a_module_of_the_job_that_is_named_like_one_of_python_is_not_imported(tmp_path: Path) -> None:
    for name in ("json", "signal", "stepscope"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)")
    done = subprocess.run(
        [*BARE, "--duration", "0.02", "--output", "one.jsonl"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=30,
    )
    assert done.returncode == 0
    assert lines(tmp_path / "one.jsonl")[-1]["end"] == "duration"


def test_a_handle_is_stopped_more_than_once(tmp_path: Path) -> None:
    handle = start(str(tmp_path / "one.telemetry.jsonl"), 100)
    assert (handle.stop(), handle.stop(), handle.is_running) == ("", "", False)
    first, *_, last = lines(tmp_path / "one.telemetry.jsonl")
    assert (first["pid"], last["end"]) == (os.getpid(), "SIGTERM")


def test_a_file_that_cannot_be_written_is_said_by_the_handle(tmp_path: Path) -> None:
    handle = start(str(tmp_path / "missing" / "one.telemetry.jsonl"), 10)
    handle._process.wait(30)
    assert handle.stop().endswith("No such file or directory")
