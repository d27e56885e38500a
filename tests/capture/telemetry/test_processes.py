"""A process and those below it, of made machines."""

from __future__ import annotations

from pathlib import Path

from capture.telemetry.machines import HandClock, process
from stepscope.capture.telemetry.processes import Tree

TRAIN = "/usr/bin/python3 train.py"


def tree(root: Path, clock: HandClock, pid: int = 10) -> Tree:
    return Tree(str(root), pid, clock.monotonic, ticks_per_s=100, page_bytes=4096)


def test_cores_and_memory_of_a_job_and_of_the_workers_that_load_its_data(tmp_path: Path) -> None:
    """In 2 s, 200 ticks a core: the job takes 150, its workers 200 and 40; a stranger and an orphan do not count."""
    clock = HandClock()
    for pid, parent, ticks, name, command in (
        (10, 1, 100, "python3", TRAIN),
        (11, 10, 0, "python3", TRAIN),
        (12, 10, 0, "pt_data_worker", "/usr/bin/python3 -c spawn_main"),
        (13, 10, 0, "sh", "/bin/sh -c nvidia-smi"),
        (20, 1, 7000, "python3", TRAIN),
    ):
        process(tmp_path, pid, parent, ticks, name, command)
    job = tree(tmp_path, clock)
    assert job.values() == {
        "tree.processes": 4,
        "tree.threads": 16,
        "tree.memory_bytes": 4 * 100 * 4096,
        "workers.processes": 2,
        "workers.memory_bytes": 2 * 100 * 4096,
    }
    clock.pass_seconds(2)
    for pid, ticks, name, command in ((10, 250, "python3", TRAIN), (11, 200, "python3", TRAIN)):
        process(tmp_path, pid, 1 if pid == 10 else 10, ticks, name, command)
    process(tmp_path, 12, 10, 40, "pt_data_worker", "/usr/bin/python3 -c spawn_main")
    found = job.values()
    assert {name: found[name] for name in found if "cpu" in name} == {
        "tree.cpu_pct": 195.0,
        "workers.cpu_pct": 120.0,
        "workers.busiest_cpu_pct": 100.0,
        "process 10 python3 cpu_pct": 75.0,
        "process 11 python3 cpu_pct": 100.0,
        "process 12 pt_data_worker cpu_pct": 20.0,
    }


def test_the_process_that_samples_is_no_part_of_the_job(tmp_path: Path) -> None:
    process(tmp_path, 10, 1, 0)
    process(tmp_path, 11, 10, 0)
    clock = HandClock()
    assert Tree(str(tmp_path), 10, clock.monotonic, without=11).values()["tree.processes"] == 1


def test_what_was_started_meanwhile_is_found_and_what_has_ended_is_gone(tmp_path: Path) -> None:
    clock = HandClock()
    process(tmp_path, 10, 1, 0)
    process(tmp_path, 11, 10, 0)
    job = tree(tmp_path, clock)
    job.values()
    for file in (tmp_path / "proc/11").iterdir():
        file.unlink()
    process(tmp_path, 12, 10, 0)
    process(tmp_path, 13, 12, 0)
    clock.pass_seconds(3)
    assert job.values()["tree.processes"] == 3


def test_names_with_brackets_and_blanks_are_read_and_not_written(tmp_path: Path) -> None:
    clock = HandClock()
    process(tmp_path, 10, 1, 0, name='a) R 1 ("b"')
    job = tree(tmp_path, clock)
    job.values()
    clock.pass_seconds(1)
    process(tmp_path, 10, 1, 50, name='a) R 1 ("b"')
    assert job.values()["process 10 a_R_1_b_ cpu_pct"] == 50.0


def test_a_process_that_ended_is_none_even_if_another_has_its_number(tmp_path: Path) -> None:
    process(tmp_path, 10, 1, 0, started=50)
    job = tree(tmp_path, HandClock())
    assert job.is_alive()
    process(tmp_path, 10, 1, 0, started=51)
    assert not job.is_alive()


def test_a_job_of_thousands_of_processes_does_not_name_all_of_them(tmp_path: Path) -> None:
    clock = HandClock()
    for pid in range(10, 110):
        process(tmp_path, pid, 1 if pid == 10 else 10, 0)
    job = tree(tmp_path, clock)
    job.values()
    clock.pass_seconds(1)
    for pid in range(10, 110):
        process(tmp_path, pid, 1 if pid == 10 else 10, 100)
    found = job.values()
    assert sum(name.endswith(" cpu_pct") for name in found) == 64
    assert found["tree.cpu_pct"] == 10_000.0
