"""Samples of the CPU, context switches, page faults, MPI and metrics of the network in exports of Nsight Systems."""

from __future__ import annotations

import itertools
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import stepscope
from readers.nsys_building import AUTOGRAD, MAIN, PROCESS, Export, thread, training
from stepscope.analyses import make_table
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile

LIBRARY = "/home/somebody/env/lib/libtorch_cpu.so"


def opened(made: Export, folder: Path) -> Profile:
    return open_profile(str(made.write(folder / "export.sqlite")))


def sample(
    made: Export, number: int, at: int, *stack: tuple[str, str] | None, tid: int = MAIN, pid: int = PROCESS
) -> None:
    """A sample of some functions, innermost first, each with its file; None for one without symbols."""
    made.add("COMPOSITE_EVENTS", number, at, 3, 1, thread(tid, pid), 1)
    for depth, known in enumerate(stack):
        symbol = made.text("0x77fd20490319") if known is None else made.text(known[0])
        module = made.text(LIBRARY if known is None else known[1])
        made.add("SAMPLING_CALLCHAINS", number, symbol, module, 0, int(known is None), 0, depth)


def test_samples_count_for_the_innermost_function_and_once_for_each_around_it(tmp_path: Path) -> None:
    made = training(2)
    sample(made, 1, 5_000, ("gemm", LIBRARY), ("linear", LIBRARY), ("main", "/usr/bin/python"))
    sample(made, 2, 6_000, ("linear", LIBRARY), ("linear", LIBRARY), ("main", "/usr/bin/python"))
    sample(made, 3, 7_000, None, ("main", "/usr/bin/python"))
    sample(made, 4, 8_000)
    table = make_table(opened(made, tmp_path), "cpu_samples")
    assert table.rows() == [
        ("linear", "libtorch_cpu.so", 1, 25.0, 2, 50.0),
        ("(unattributed)", None, 1, 25.0, 1, 25.0),
        ("(unresolved)", "libtorch_cpu.so", 1, 25.0, 1, 25.0),
        ("gemm", "libtorch_cpu.so", 1, 25.0, 1, 25.0),
        ("main", "python", 0, 0.0, 3, 75.0),
    ]


def test_samples_by_thread_add_up_to_those_of_all(tmp_path: Path) -> None:
    dice = random.Random(3)
    made = training(3)
    made.add("ThreadNames", made.text("pt_autograd_0"), 0, thread(AUTOGRAD))
    for number in range(1, 40):
        functions = [(dice.choice("abcd"), LIBRARY) for _ in range(dice.randrange(4))]
        sample(made, number, dice.randrange(290_000), *functions, tid=dice.choice((MAIN, AUTOGRAD)))
    profile = opened(made, tmp_path)
    whole, threads = make_table(profile, "cpu_samples"), make_table(profile, "cpu_samples", by="thread")
    assert whole["samples"].sum() == threads["samples"].sum() == 39
    assert whole["share_pct"].sum() == pytest.approx(100)
    assert threads.filter(threads["thread"] == str(AUTOGRAD))["thread_name"].unique().to_list() == ["pt_autograd_0"]
    steps = [make_table(profile.select(steps=(step, step)), "cpu_samples")["samples"].sum() for step in range(3)]
    assert 0 < sum(steps) <= 39


def switches(made: Export, *rows: tuple[int, int, int], tid: int = MAIN, pid: int = PROCESS) -> None:
    """Switches of a thread: moment, CPU, whether it comes to it."""
    for at, cpu, comes in rows:
        made.add("SCHED_EVENTS", at, cpu, comes, thread(tid, pid))


def row_of(profile: Profile, tid: int = MAIN) -> dict[str, Any]:
    table = make_table(profile, "thread_scheduling")
    return table.filter(table["thread"] == str(tid)).row(0, named=True)


def test_a_thread_is_on_a_cpu_off_it_or_unknown(tmp_path: Path) -> None:
    """100 running, 40 off, 60 running, then a switch is missing for 200, 10 running on another CPU."""
    made = training(2)
    switches(made, (0, 1, 1), (100, 1, 0), (140, 1, 1), (200, 1, 0), (400, 2, 0), (500, 2, 1), (510, 2, 0))
    row = row_of(opened(made, tmp_path))
    assert (row["running_ns"], row["off_cpu_ns"], row["unknown_ns"]) == (170, 140, 200)
    assert (row["switches"], row["migrations"], row["longest_off_cpu_ns"]) == (4, 1, 100)
    assert row["running_pct"] == 100 * 170 / 510


def test_parts_of_scheduling_add_up_whatever_the_order_of_the_rows(tmp_path: Path) -> None:
    dice = random.Random(5)
    rows = [(at, dice.randrange(4), dice.randrange(2)) for at in sorted(dice.sample(range(300_000), 60))]
    tables = []
    for turn in range(2):
        made = training(3)
        switches(made, *dice.sample(rows, len(rows)))
        profile = open_profile(str(made.write(tmp_path / f"{turn}.sqlite")))
        tables.append(make_table(profile, "thread_scheduling"))
    assert tables[0].equals(tables[1])
    row = tables[0].row(0, named=True)
    assert row["running_ns"] + row["off_cpu_ns"] + row["unknown_ns"] == rows[-1][0] - rows[0][0]
    running = sum(b[0] - a[0] for a, b in itertools.pairwise(rows) if (a[2], b[2]) == (1, 0))
    assert row["running_ns"] == running


def test_steps_cut_the_time_on_a_cpu(tmp_path: Path) -> None:
    """Step 1 is 100,000 to 190,000."""
    made = training(3)
    switches(made, (50_000, 1, 1), (110_000, 1, 0), (180_000, 1, 1), (250_000, 1, 0))
    row = row_of(opened(made, tmp_path).select(steps=(1, 1)))
    assert (row["running_ns"], row["off_cpu_ns"], row["unknown_ns"]) == (20_000, 70_000, 0)
    assert row["switches"] == 1


def test_other_programs_are_counted_and_left_out(tmp_path: Path) -> None:
    made = training(2)
    sample(made, 1, 5_000, ("secret function", "/home/other/secret.so"), tid=77, pid=77)
    switches(made, (0, 1, 1), (10, 1, 0), tid=77, pid=77)
    profile = opened(made, tmp_path)
    assert len(make_table(profile, "thread_scheduling")) == len(make_table(profile, "cpu_samples")) == 0
    assert not profile.ranks[0].trace.texts.str.contains("secret").any()
    health = {row["check"]: row for row in make_table(profile, "health").rows(named=True)}
    assert "3" in str(health["other_programs"]["value"])


def test_page_faults_by_side_and_access(tmp_path: Path) -> None:
    made = training(2)
    for at in (100, 200):
        made.add("CUDA_UM_CPU_PAGE_FAULT_EVENTS", at, thread(0), 4096)
        made.add("CUDA_UM_GPU_PAGE_FAULT_EVENTS", at, at + 50, thread(0), 0, 4096, 7, 2)
    made.add("CUDA_UM_GPU_PAGE_FAULT_EVENTS", 300, 310, thread(0), 0, 4096, 1, 1)
    assert make_table(opened(made, tmp_path), "page_faults").rows() == [
        ("gpu", 0, "write", 2, 14, 100),
        ("cpu", None, "", 2, 2, None),
        ("gpu", 0, "read", 1, 1, 10),
    ]


def test_copies_of_unified_memory_are_managed(tmp_path: Path) -> None:
    """Seen in a public export of schema 2.9: their kinds of memory are unknown, and no call copies them."""
    made = training(1)
    made.add("CUPTI_ACTIVITY_KIND_MEMCPY", 70_000, 70_100, 0, 1, 7, 0, thread(0), 65_536, 11, 7, 7)
    table = make_table(opened(made, tmp_path), "memcpy")
    assert sorted(table.select("kind", "pinned", "bytes").rows()) == [
        ("HtoD", "managed", 65_536),
        ("HtoD", "pageable", 4_096),
    ]


def test_memsets_by_kind_of_memory(tmp_path: Path) -> None:
    made = training(1)
    for at, kind in ((81_000, 2), (82_000, 2), (83_000, 4)):
        made.add("CUPTI_ACTIVITY_KIND_MEMSET", at, at + 100, 0, 1, 7, 50 + at, thread(0), 1_000, kind)
    assert make_table(opened(made, tmp_path), "memset").rows() == [
        ("Device", 2, 2_000, 200, 10.0),
        ("Managed", 1, 1_000, 100, 10.0),
    ]


def test_calls_of_mpi_are_annotations_and_no_steps(tmp_path: Path) -> None:
    made = training(1)
    for at in (0, 200_000):
        made.add("MPI_COLLECTIVES_EVENTS", at, at + 190_000, thread(900), made.text("MPI_Allreduce"), 1024)
    profile = opened(made, tmp_path)
    rows = {row["name"]: row for row in make_table(profile, "annotations").rows(named=True)}
    assert (rows["MPI_Allreduce"]["calls"], rows["MPI_Allreduce"]["domain"]) == (2, "MPI")
    assert profile.ranks[0].all_steps.name != "MPI_Allreduce"


def test_metrics_of_the_network_are_counters(tmp_path: Path) -> None:
    made = training(2)
    made.add("TARGET_INFO_NETWORK_METRICS", 5, 0, "Bytes sent", "", "Bytes/s")
    for at in range(5):
        made.add("NET_NIC_METRIC", 10_000 * at, 10_000 * at + 9_000, 0xABCDEF, 5, 0, 1_000 * at)
    table = make_table(opened(made, tmp_path), "telemetry")
    assert table.select("gpu", "process", "counter", "unit", "max").rows() == [
        (None, "NIC 0", "Bytes sent", "B/s", 4_000.0)
    ]


def test_a_card_has_the_name_that_its_driver_gives_it(tmp_path: Path) -> None:
    """Names that are nobody's driver's stay out, and so do those that two cards share."""
    made = training(2).add("TARGET_INFO_NETWORK_METRICS", 5, 0, "Bytes sent", "", "Bytes/s")
    for number, name in enumerate(("mlx5_0", "alices-card", "mlx5_2", "mlx5_2")):
        made.add("TARGET_INFO_NIC_INFO", 77, "up", number, name)
        made.add("NIC_ID_MAP", number, 0xA0 + number)
    for card in range(5):
        made.add("NET_NIC_METRIC", 10_000, 19_000, 0xA0 + card, 5, 0, card)
    table = make_table(opened(made, tmp_path), "telemetry")
    assert table["process"].to_list() == ["NIC 1", "NIC 2", "NIC 3", "NIC 4", "NIC mlx5_0"]


def test_metrics_of_schema_2_are_counters(tmp_path: Path) -> None:
    """A JSON object for each moment; other sources, damaged objects and metrics without a number."""
    made = training(2)
    made.add("GENERIC_EVENT_SOURCES", 1, '{"Name": "GpuMetrics"}').add("GENERIC_EVENT_SOURCES", 2, '{"Name": "other"}')
    made.add("GENERIC_EVENT_TYPES", 0x1000000000001, 1, "{}").add("GENERIC_EVENT_TYPES", 9, 2, "{}")
    for at in range(4):
        data = f'{{"SM Active": {10 * at}, "GPC Clock Frequency": "1980"}}'
        made.add("GENERIC_EVENTS", 10_000 * at, 10_000 * at, 0x1000000000001, data)
    made.add("GENERIC_EVENTS", 50_000, 50_000, 0x1000000000001, '{"SM Active": nonsense')
    made.add("GENERIC_EVENTS", 50_000, 50_000, 9, '{"SM Active": 99}')
    table = make_table(opened(made, tmp_path), "telemetry")
    assert table.select("gpu", "counter", "unit", "samples", "missing", "max").rows() == [
        (1, "GPC Clock Frequency", None, 4, 0, 1_980.0),
        (1, "SM Active", "%", 4, 1, 30.0),
    ]


def test_overhead_of_newer_exports_is_counted(tmp_path: Path) -> None:
    """Schema 3.25 has a table of its own for what CUPTI says (seen in a public export)."""
    made = training(2)
    made.add("CUPTI_ACTIVITY_KIND_OVERHEAD", 5, 9, 103, thread(), 1, made.text("Activity Buffer Request"), 8)
    health = {row["check"]: row for row in make_table(opened(made, tmp_path), "health").rows(named=True)}
    assert "profiler_overhead" in health


def test_a_list_of_tables_longer_than_the_first_64_kib(tmp_path: Path) -> None:
    """Seen in a public export: its list of tables begins behind the bytes that are looked at first."""
    path = training(2).write(tmp_path / "export.sqlite")
    with sqlite3.connect(tmp_path / "long.sqlite") as made:
        made.execute("PRAGMA page_size = 4096")
        for number in range(300):
            made.execute(f"CREATE TABLE plain{number} ({', '.join(f'column_{one} INTEGER' for one in range(40))})")
        made.execute("ATTACH ? AS good", [str(path)])
        for name, ddl in made.execute("SELECT name, sql FROM good.sqlite_master WHERE type = 'table'").fetchall():
            made.execute(ddl)
            made.execute(f"INSERT INTO main.{name} SELECT * FROM good.{name}")
    made.close()
    profile = open_profile(str(tmp_path / "long.sqlite"))
    assert len(make_table(profile, "kernels")) == 2


@pytest.mark.long
def test_nothing_is_blamed_on_an_overhead_that_is_not_known(tmp_path: Path) -> None:
    """Seen in public exports: "only because of profiler overhead", though none was taken away."""
    said = stepscope.open(str(training(5).write(tmp_path / "export.sqlite"))).verdict
    assert "bound" in str(said)
    assert "profiler" not in str(said)


def test_an_export_of_the_host_alone_is_no_foreign_trace(tmp_path: Path) -> None:
    """Seen in public exports with calls of the C library alone: taken for a Chrome trace of another tool."""
    made = Export().add("OSRT_API", 5, 50, 27, thread(), 1, 0)
    said = stepscope.open(str(made.write(tmp_path / "export.sqlite"))).verdict
    assert "Chrome" not in str(said)
    assert "no GPU activity" in str(said)
