"""Cores, memory, waiting, and the limits of a container, of made machines."""

from __future__ import annotations

from pathlib import Path

from capture.telemetry.machines import SECOND, HandClock, cores, plain_machine, put
from stepscope.capture.telemetry.cgroups import Cgroup
from stepscope.capture.telemetry.host import groups
from stepscope.capture.telemetry.readings import Group, Reading


def test_cores_are_busy_for_what_they_did_since_the_last_time(tmp_path: Path) -> None:
    """Of 100 ticks of a core: 30 of a user, 10 nice, 20 of the kernel, 10 waiting for I/O, 10 stolen, the rest idle."""
    cores(tmp_path, (0, 0, 0, 0, 0, 0, 0, 0), (5, 0, 5, 90, 0, 0, 0, 0))
    clock, refused = HandClock(), dict[str, str]()
    cpu, _ = groups(str(tmp_path), clock.monotonic, [], refused)
    cores(tmp_path, (30, 10, 15, 20, 10, 3, 2, 10), (5, 0, 5, 190, 0, 0, 0, 0))
    names = ("cpu.busy_pct", "cpu.system_pct", "cpu.iowait_pct", "cpu.steal_pct", "cpu0.busy_pct", "cpu1.busy_pct")
    assert cpu.columns == names
    assert cpu.read({}) == [35.0, 10.0, 5.0, 5.0, 70.0, 0.0]


def test_a_core_that_was_switched_off_has_no_share(tmp_path: Path) -> None:
    cores(tmp_path, (0,) * 8, (0,) * 8)
    cpu, _ = groups(str(tmp_path), HandClock().monotonic, [], {})
    cores(tmp_path, (50, 0, 0, 50, 0, 0, 0, 0))
    assert cpu.read({})[4:] == [50.0, None]


def test_memory_and_waiting(tmp_path: Path) -> None:
    """0.25 s in 1 s are 25 %; what the machine does not count is refused once, each with the reason."""
    plain_machine(tmp_path)
    clock, refused = HandClock(), dict[str, str]()
    _, host = groups(str(tmp_path), clock.monotonic, [], refused)
    clock.pass_seconds(1)
    put(tmp_path, proc__pressure__cpu="some avg10=0.00 avg60=0.00 avg300=0.00 total=5250000\n")
    assert dict(zip(host.columns, host.read({}), strict=True)) == {
        "host.memory_used_bytes": 60 << 10,
        "host.memory_available_bytes": 40 << 10,
        "host.swap_used_bytes": 6 << 10,
        "pressure.cpu_some_pct": 25.0,
    }
    assert refused == {
        f"pressure.{of}_{kind}_pct": "No such file or directory" for of in ("memory", "io") for kind in ("some", "full")
    }


def test_without_proc_everything_is_refused_and_nothing_fails(tmp_path: Path) -> None:
    refused: dict[str, str] = {}
    assert [group.columns for group in groups(str(tmp_path), HandClock().monotonic, [], refused)] == [()]
    assert refused["cpu.busy_pct"] == refused["host.memory_used_bytes"] == "No such file or directory"


def test_a_group_is_due_when_its_interval_has_passed() -> None:
    group = Group("host", SECOND, [Reading(["a"], lambda: [1])])
    group.probe({})
    group.wait(0)
    assert [group.is_due(tenth * SECOND // 10) for tenth in (5, 10, 11, 19, 20)] == [False, True, False, False, True]


def test_limits_and_throttling_of_version_2(tmp_path: Path) -> None:
    """The parent allows 2.5 cores, the own group 4: 2.5 hold. 0.3 s throttled in 2 s are 15 %."""
    put(tmp_path, proc__7__cgroup="0::/kube/pod\n")
    below = "sys__fs__cgroup__kube"
    put(tmp_path, **{f"{below}__cpu.max": "250000 100000\n", f"{below}__pod__cpu.max": "400000 100000\n"})
    put(tmp_path, **{f"{below}__cpu.stat": "usage_usec 9\nnr_throttled 4\nthrottled_usec 100000\n"})
    put(tmp_path, **{f"{below}__pod__memory.max": "max\n", f"{below}__memory.max": "4096\n"})
    put(tmp_path, **{f"{below}__pod__memory.current": "1024\n"})
    group, clock = Cgroup(str(tmp_path), 7), HandClock()
    assert group.limits() == {"cpu_limit_cores": 2.5, "memory_limit_bytes": 4096}
    memory, throttled = group.readings(clock.monotonic)
    throttled.values({})
    clock.pass_seconds(2)
    put(tmp_path, **{f"{below}__cpu.stat": "usage_usec 9\nnr_throttled 10\nthrottled_usec 400000\n"})
    assert memory.values({}) == [1024]
    assert throttled.values({}) == [3.0, 15.0]
    assert throttled.names == ("cgroup.throttled_periods_per_s", "cgroup.throttled_pct")


def test_limits_and_throttling_of_version_1(tmp_path: Path) -> None:
    put(tmp_path, proc__7__cgroup="4:memory:/job\n3:cpu,cpuacct:/job\n0::/\n")
    cpu, memory = "sys__fs__cgroup__cpu__job", "sys__fs__cgroup__memory__job"
    put(tmp_path, **{f"{cpu}__cpu.cfs_quota_us": "50000\n", f"{cpu}__cpu.cfs_period_us": "100000\n"})
    put(tmp_path, **{f"{cpu}__cpu.stat": "nr_periods 8\nnr_throttled 0\nthrottled_time 0\n"})
    put(
        tmp_path, **{f"{memory}__memory.limit_in_bytes": str((1 << 63) - 4096), f"{memory}__memory.usage_in_bytes": "9"}
    )
    group, clock = Cgroup(str(tmp_path), 7), HandClock()
    assert group.limits() == {"cpu_limit_cores": 0.5}
    used, throttled = group.readings(clock.monotonic)
    throttled.values({})
    clock.pass_seconds(1)
    put(tmp_path, **{f"{cpu}__cpu.stat": "nr_periods 8\nnr_throttled 5\nthrottled_time 500000000\n"})
    assert (used.values({}), throttled.values({})) == ([9], [5.0, 50.0])


def test_a_container_that_sees_only_the_top_and_no_limit(tmp_path: Path) -> None:
    put(tmp_path, proc__7__cgroup="0::/../../elsewhere\n", **{"sys__fs__cgroup__cpu.max": "max 100000\n"})
    group = Cgroup(str(tmp_path), 7)
    assert group.limits() == {}
    assert [reading.names for reading in group.readings(HandClock().monotonic)] == [("cgroup.memory_used_bytes",)]
