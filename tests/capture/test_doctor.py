"""Each check of the doctor on machines that have, or lack, one thing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing

import pytest

from fake_machine import ALL_CAPABILITIES, DOCKER, FakeMachine, answering
from stepscope.capture.doctor import compile_log, counters, disk, driver, gpu_use, kernel_rights, nvtx, pytorch, tools
from stepscope.capture.doctor.examination import CHECKS, examine
from stepscope.capture.doctor.state import FAILED, NCU, NSYS, OK, PURPOSES, RECORD, WARNING, Check, Finding, Wanted
from stepscope.capture.system import Answer

MODULE = {"/proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27\nGCC\n"}
GPU = {"nvidia-smi": answering("580.65.06, NVIDIA H200\n580.65.06, NVIDIA H200\n")}
GIB = 1 << 30


def found(check: Check, machine: FakeMachine, wanted: Wanted | None = None) -> Finding:
    finding = check.examine(machine, wanted or Wanted())
    assert finding.code in check.codes
    return finding


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (FakeMachine(MODULE, GPU), Finding("ok", {"version": "580.65.06", "gpus": 2, "name": "NVIDIA H200"})),
        (FakeMachine(), Finding("absent")),
        (FakeMachine(MODULE), Finding("no-smi", {"version": "580.65.06"})),
        (FakeMachine(MODULE, {"nvidia-smi": answering("\n")}), Finding("no-gpu", {"version": "580.65.06"})),
        (
            FakeMachine(MODULE, {"nvidia-smi": answering("Failed to initialize NVML: version mismatch\n", 18)}),
            Finding("smi-failed", {"reason": "Failed to initialize NVML: version mismatch"}),
        ),
        (
            FakeMachine(MODULE, {"nvidia-smi": lambda _: None}),
            Finding("smi-failed", {"reason": "nvidia-smi does not end"}),
        ),
        (FakeMachine({}, GPU), Finding("ok", {"version": "580.65.06", "gpus": 2, "name": "NVIDIA H200"})),
    ],
    ids=["ok", "none", "no nvidia-smi", "no GPU", "mismatch", "hangs", "WSL"],
)
def test_driver(machine: FakeMachine, expected: Finding) -> None:
    assert found(driver.CHECK, machine) == expected


def test_the_open_module_of_the_driver_has_its_version_in_another_place() -> None:
    text = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build\n"
    machine = FakeMachine({"/proc/driver/nvidia/version": text})
    assert found(driver.CHECK, machine).facts == {"version": "570.124.06"}


def torch_says(err: str = "", **said: object) -> Callable[[Sequence[str]], Answer | None]:
    return answering(f"noise of an import\nstepscope-torch {json.dumps(said)}\n", 0, err)


BUILT = {"python": "3.12.1", "torch": "2.8.0", "cuda": "12.8"}


@pytest.mark.parametrize(
    ("python", "has_driver", "code"),
    [
        (torch_says(**BUILT, gpus=1), True, "ok"),
        (torch_says(**BUILT, gpus=0), True, "sees-no-gpu"),
        (torch_says(**BUILT, gpus=0), False, "cpu"),
        (torch_says(python="3.12.1", torch="2.8.0+cpu", cuda=None, gpus=0), True, "cpu-build"),
        (torch_says(error="ModuleNotFoundError: No module named 'torch'"), True, "absent"),
        (torch_says(error="OSError: libcudart.so.12: cannot open shared object file"), True, "not-imported"),
        (answering("", 1, "not an interpreter"), True, "no-python"),
    ],
)
def test_torch(python: Callable[[Sequence[str]], Answer | None], has_driver: bool, code: str) -> None:
    machine = FakeMachine(MODULE if has_driver else {}, {"python3": python, **(GPU if has_driver else {})})
    finding = found(pytorch.TORCH, machine)
    assert (finding.code, finding.facts["python"]) == (code, "python3")


def test_the_interpreter_of_the_job_can_be_named() -> None:
    machine = FakeMachine({}, {"python": answering("", 1), "/env/bin/python": torch_says(**BUILT, gpus=0)})
    assert found(pytorch.TORCH, machine, Wanted("/env/bin/python")).facts == {
        "python": "/env/bin/python",
        "version": "2.8.0",
    }
    assert found(pytorch.TORCH, machine, Wanted("/nowhere")).code == "no-python"


@pytest.mark.parametrize(
    ("python", "expected"),
    [
        (torch_says(**BUILT, gpus=1, activities=2), Finding("ok", {"activities": 2})),
        (torch_says(**BUILT, gpus=0), Finding("not-applicable")),
        (torch_says(**BUILT, gpus=1, activities=0), Finding("no-activity")),
        (
            torch_says("WARNING: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", **BUILT, gpus=1, activities=0),
            Finding("no-permission"),
        ),
        (torch_says(**BUILT, gpus=1, profiler="RuntimeError: x"), Finding("error", {"reason": "RuntimeError: x"})),
    ],
)
def test_cupti(python: Callable[[Sequence[str]], Answer | None], expected: Finding) -> None:
    assert found(pytorch.CUPTI, FakeMachine(MODULE, {**GPU, "python": python})) == expected


@pytest.mark.parametrize(
    ("files", "environment", "code"),
    [
        ({}, {}, "not-applicable"),
        ({"/proc/driver/nvidia/params": "RmProfilingAdminOnly: 0\n"}, {}, "ok"),
        ({"/proc/driver/nvidia/params": "Other: 1\n"}, {}, "unknown"),
        (
            {"/proc/driver/nvidia/params": "A: 3\nRmProfilingAdminOnly: 1\n", "/proc/self/status": ALL_CAPABILITIES},
            {},
            "ok-admin",
        ),
        ({"/proc/driver/nvidia/params": "RmProfilingAdminOnly: 1\n", "/proc/self/status": DOCKER}, {}, "restricted"),
        (
            {
                "/proc/driver/nvidia/params": "RmProfilingAdminOnly: 1\n",
                "/proc/self/status": DOCKER,
                "/.dockerenv": "",
            },
            {},
            "restricted-container",
        ),
        (
            {"/proc/driver/nvidia/params": "RmProfilingAdminOnly: 1\n", "/proc/self/status": DOCKER},
            {"KUBERNETES_SERVICE_HOST": "10.0.0.1"},
            "restricted-kubernetes",
        ),
    ],
)
def test_permission_for_counters(files: dict[str, str], environment: dict[str, str], code: str) -> None:
    assert found(counters.CHECK, FakeMachine(files, environment=environment)).code == code


@pytest.mark.parametrize(
    ("level", "status", "container", "code"),
    [
        ("-1", DOCKER, False, "ok"),
        ("2", DOCKER, False, "ok-tree"),
        ("3", DOCKER, False, "paranoid"),
        ("4", ALL_CAPABILITIES, False, "ok"),
        ("2", DOCKER, True, "filtered"),
        (None, DOCKER, False, "not-applicable"),
    ],
)
def test_samples_of_the_cpu(level: str | None, status: str, container: bool, code: str) -> None:
    files = {"/proc/self/status": status, **({"/.dockerenv": ""} if container else {})}
    if level is not None:
        files["/proc/sys/kernel/perf_event_paranoid"] = f"{level}\n"
    assert found(kernel_rights.PERF, FakeMachine(files)).code == code


@pytest.mark.parametrize(
    ("scope", "status", "code"),
    [
        (None, DOCKER, "ok"),
        ("0", DOCKER, "ok"),
        ("1", DOCKER, "children-only"),
        ("1", ALL_CAPABILITIES, "ok"),
        ("2", DOCKER, "admin-only"),
        ("3", ALL_CAPABILITIES, "never"),
    ],
)
def test_looking_into_other_processes(scope: str | None, status: str, code: str) -> None:
    files = {"/proc/self/status": status} | ({"/proc/sys/kernel/yama/ptrace_scope": f"{scope}\n"} if scope else {})
    assert found(kernel_rights.PTRACE, FakeMachine(files)).code == code


def test_capabilities_of_a_container() -> None:
    assert found(kernel_rights.CONTAINER, FakeMachine({"/proc/self/status": DOCKER})).code == "not-applicable"
    inside = {"/run/.containerenv": ""}
    assert found(kernel_rights.CONTAINER, FakeMachine({**inside, "/proc/self/status": ALL_CAPABILITIES})).code == "ok"
    assert found(kernel_rights.CONTAINER, FakeMachine({**inside, "/proc/self/status": DOCKER})) == Finding(
        "lacking", {"names": ["SYS_ADMIN", "SYS_PTRACE"], "options": "--cap-add SYS_ADMIN --cap-add SYS_PTRACE"}
    )


@pytest.mark.parametrize(("free", "temporary", "code"), [(99, 50, "ok"), (99, 5, "little"), (0, 50, "full")])
def test_disk(free: int, temporary: int, code: str) -> None:
    """The temporary folder counts, too: nsys writes there first."""
    machine = FakeMachine(free={"/out": free * GIB, "/scratch": temporary * GIB}, environment={"TMPDIR": "/scratch"})
    finding = found(disk.CHECK, machine, Wanted(folder="/out"))
    smaller = "/out" if free < temporary else "/scratch"
    assert finding == Finding(code, {"folder": smaller, "free_bytes": min(free, temporary) * GIB})


def test_disk_that_does_not_tell() -> None:
    assert found(disk.CHECK, FakeMachine()).code == "unknown"


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (tools.SYSTEMS, "NVIDIA Nsight Systems version {}.2.474-253236389321v0"),
        (tools.COMPUTE, "NVIDIA (R) Nsight Compute Command Line Profiler\nVersion {}.1.0 (build 36398880)"),
    ],
)
def test_tools(check: Check, says: str) -> None:
    name = check.name
    last = {"nsys": "2", "ncu": "1"}[name]
    assert found(check, FakeMachine()).code == "absent"
    assert found(check, FakeMachine(programs={name: answering("", 1)})).code == "broken"
    assert found(check, FakeMachine(programs={name: answering(says.format("2025.3"))})) == Finding(
        "ok", {"version": f"2025.3.{last}", "path": name}
    )
    assert found(check, FakeMachine(programs={name: answering(says.format("2021.1"))})).code == "old"
    path = {"nsys": "/opt/nvidia/nsight-systems/2025.3.2/bin/nsys", "ncu": "/opt/nvidia/nsight-compute/2025.3.1/ncu"}
    off_path = FakeMachine(programs={path[name]: answering(says.format("2025.3"))})
    assert found(check, off_path) == Finding("off-path", {"version": f"2025.3.{last}", "path": path[name]})


@pytest.mark.parametrize(("comm", "expected"), [("python", []), ("nv-hostengine", ["nv-hostengine"])])
def test_dcgm(comm: str, expected: list[str]) -> None:
    finding = found(gpu_use.DCGM, FakeMachine({**MODULE, "/proc/12/comm": f"{comm}\n"}))
    assert finding.facts.get("names", []) == expected
    assert found(gpu_use.DCGM, FakeMachine({"/proc/12/comm": comm})).code == "not-applicable"


@pytest.mark.parametrize(
    ("masks", "code", "gpus"),
    [
        (["0x0000000000000000", "0x0000000000000001"], "ok", None),
        (["0x0000000000000000", "0x0000000000000002"], "locked", ["1"]),
        (["0x0000000000000004", "0x0000000000000004"], "power-capped", ["0", "1"]),
        (["0x0000000000000080", "0x0000000000000004"], "slowed", ["0"]),
        (["0x0000000000000024", "0x0000000000000002"], "hot", ["0"]),
    ],
)
@pytest.mark.parametrize("field", ["clocks_event_reasons.active", "clocks_throttle_reasons.active"])
def test_clocks(masks: list[str], code: str, gpus: list[str] | None, field: str) -> None:
    def smi(argv: Sequence[str]) -> Answer:
        if f"--query-gpu=index,{field}" not in argv:
            return Answer(2, 'Field "clocks" is not a valid field to query.')
        return Answer(0, "".join(f"{gpu}, {mask}\n" for gpu, mask in enumerate(masks)))

    finding = found(gpu_use.CLOCKS, FakeMachine(programs={"nvidia-smi": smi}))
    assert (finding.code, finding.facts.get("gpus")) == (code, gpus)


def nsys_with(kept: Sequence[str], said: dict[str, str] | None, ending: str = ".nsys-rep") -> FakeMachine:
    """A machine with an nsys that keeps ranges of these libraries."""

    def nsys(argv: Sequence[str]) -> Answer:
        if argv[0] == "--version":
            return Answer(0, "NVIDIA Nsight Systems version 2023.4.4.54-234433681190v0\n")
        if argv[-1] == "--help":
            return Answer(0, "")
        target = next(one.partition("=")[2] for one in argv if one.startswith("--output="))
        if argv[0] == "profile":
            open(target.replace("%h", "h").replace("%p", "1") + ending, "w").close()
            return Answer(0, f"stepscope-nvtx {json.dumps(said)}\n" if said is not None else "importer crashed\n")
        with closing(sqlite3.connect(target)) as connection:
            connection.execute("CREATE TABLE StringIds (id INTEGER, value TEXT)")
            connection.execute("CREATE TABLE NVTX_EVENTS (text TEXT, textId INTEGER)")
            for number in range(3):
                if "torch" in kept:
                    connection.execute("INSERT INTO NVTX_EVENTS VALUES (?, NULL)", (f"stepscope-torch-{number}",))
                if "nvtx" in kept:
                    connection.execute("INSERT INTO StringIds VALUES (?, ?)", (number, f"stepscope-nvtx-{number}"))
                    connection.execute("INSERT INTO NVTX_EVENTS VALUES (NULL, ?)", (number,))
            connection.commit()
        return Answer(0, "")

    return FakeMachine(programs={"nsys": nsys, "python": answering("")})


BOTH = {"torch": "2.8.0", "nvtx": "0.2.17"}


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (nsys_with(["torch", "nvtx"], BOTH), Finding("ok", {"names": ["torch 2.8.0", "nvtx 0.2.17"]})),
        (nsys_with(["torch"], BOTH), Finding("lost", {"names": ["nvtx 0.2.17"], "version": "2023.4.4"})),
        (nsys_with([], {}), Finding("no-library")),
        (nsys_with([], BOTH, ".qdstrm"), Finding("no-importer")),
        (nsys_with([], None), Finding("no-report", {"reason": "importer crashed"})),
        (nsys_with([], BOTH, ".log"), Finding("no-report", {"reason": f"stepscope-nvtx {json.dumps(BOTH)}"})),
        (FakeMachine(programs={"python": answering("")}), Finding("not-applicable")),
    ],
)
def test_ranges_of_nvtx_are_read_back(machine: FakeMachine, expected: Finding) -> None:
    assert found(nvtx.CHECK, machine) == expected


def test_only_what_is_asked_for_fails() -> None:
    def status(*purposes: str) -> dict[str, str]:
        return {state.check: state.status for state in examine(FakeMachine(), Wanted(), purposes)}

    assert [status()[name] for name in ("torch", "nsys", "ncu")] == [FAILED, WARNING, WARNING]
    assert status(NSYS)["nsys"] == FAILED
    assert status(NSYS)["torch"] == WARNING
    assert "ncu" not in status(NSYS)
    assert status(RECORD, NCU)["ncu"] == FAILED
    assert list(status()) == [check.name for check in CHECKS]


def test_codes_that_are_ok_block_nothing() -> None:
    for check in CHECKS:
        assert OK in check.codes.values(), check.name
        assert set(check.blocks) <= set(check.purposes) <= set(PURPOSES), check.name
        assert FAILED not in check.codes.values() or check.blocks, (
            f"{check.name}: what does a failure keep from working?"
        )


LOG = "dedicated_log_torch_trace_rank_0_abc.log"


@pytest.mark.parametrize(
    ("files", "environment", "expected"),
    [
        ({}, {}, Finding("off", {"folder": "/out"})),
        ({}, {"TORCH_TRACE": "/logs"}, Finding("set", {"folder": "/logs"})),
        ({f"/logs/{LOG}": ""}, {"TORCH_TRACE": "/logs"}, Finding("recorded", {"logs": 1, "folder": "/logs"})),
        ({f"/out/{LOG}": "", "/out/job.log": ""}, {}, Finding("recorded", {"logs": 1, "folder": "/out"})),
        ({f"/out/{LOG}": ""}, {"TORCH_TRACE": "/logs"}, Finding("recorded", {"logs": 1, "folder": "/out"})),
    ],
)
def test_log_of_torch_compile(files: dict[str, str], environment: dict[str, str], expected: Finding) -> None:
    assert found(compile_log.CHECK, FakeMachine(files, environment=environment), Wanted(folder="/out")) == expected
