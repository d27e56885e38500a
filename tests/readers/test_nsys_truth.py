"""Tables of a real export against the reports that nsys itself made of it."""

from __future__ import annotations

import csv
import re
import sqlite3
from pathlib import Path

import pytest

from stepscope.analyses import make_table
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile

pytestmark = pytest.mark.real_trace

_VERSION = re.compile(r"_v\d+$")


@pytest.fixture(scope="module")
def nsys(shared_data: Path) -> Path:
    return shared_data / "h200" / "nsys"


@pytest.fixture(scope="module")
def profile(nsys: Path) -> Profile:
    return open_profile(str(nsys / "dit_train.sqlite"))


def report(nsys: Path, name: str) -> list[dict[str, str]]:
    """The rows of one of nsys's reports."""
    with (nsys / f"dit_train.{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def by_function(rows: list[dict[str, str]]) -> dict[str, tuple[int, ...]]:
    """Calls, total, median, shortest, longest, standard deviation; the rounded ones to 1 ns."""
    columns = ("Num Calls", "Total Time (ns)", "Min (ns)", "Max (ns)")
    return {_VERSION.sub("", row["Name"]): tuple(int(row[name]) for name in columns) for row in rows}


@pytest.mark.parametrize(("table", "name"), [("api_calls", "cuda_api_sum"), ("os_runtime", "osrt_sum")])
def test_calls_by_function_are_those_of_nsys(profile: Profile, nsys: Path, table: str, name: str) -> None:
    found = make_table(profile, table)
    rows = {row["name"]: row for row in found.rows(named=True) if row["name"] != "[Unknown]"}
    expected = report(nsys, name)
    exact = {key: (row["calls"], row["total_ns"], row["min_ns"], row["max_ns"]) for key, row in rows.items()}
    assert exact == by_function(expected)
    for row in expected:
        ours = rows[_VERSION.sub("", row["Name"])]
        assert abs(ours["mean_ns"] - float(row["Avg (ns)"])) <= 1
        assert abs(ours["median_ns"] - float(row["Med (ns)"])) <= 1
        # nsys writes 0 for the deviation of one call.
        assert abs((ours["stddev_ns"] or 0) - float(row["StdDev (ns)"])) <= 1


def test_copies_are_those_of_nsys(profile: Profile, nsys: Path) -> None:
    rows = {row["Operation"]: row for row in report(nsys, "cuda_gpu_mem_time_sum")}
    sizes = {row["Operation"]: row for row in report(nsys, "cuda_gpu_mem_size_sum")}
    names = {"HtoD": "[CUDA memcpy Host-to-Device]", "DtoH": "[CUDA memcpy Device-to-Host]"}
    for row in make_table(profile, "memcpy").rows(named=True):
        name = names[row["kind"]]
        assert (row["calls"], row["total_ns"]) == (int(rows[name]["Count"]), int(rows[name]["Total Time (ns)"]))
        assert round(row["bytes"] / 1e6, 3) == float(sizes[name]["Total (MB)"])


def test_ranges_are_those_of_nsys(profile: Profile, nsys: Path) -> None:
    found = {row["name"]: row for row in make_table(profile, "annotations").rows(named=True)}
    for row in report(nsys, "nvtx_pushpop_sum"):
        ours = found[row["Range"].removeprefix(":")]
        assert (ours["calls"], ours["host_total_ns"]) == (int(row["Instances"]), int(row["Total Time (ns)"]))


def test_ranges_have_what_their_own_thread_launched_and_what_autograd_did(profile: Profile, nsys: Path) -> None:
    """nsys projects what a range's own thread launched; a query over the database counts what all threads did."""
    found = {row["name"]: row for row in make_table(profile, "annotations").rows(named=True)}
    projected = {row["Range"].removeprefix(":"): row for row in report(nsys, "nvtx_gpu_proj_sum")}
    own = int(projected["train"]["Total GPU Ops"])
    with sqlite3.connect(f"file:{nsys / 'dit_train.sqlite'}?mode=ro&immutable=1", uri=True) as database:
        every, mine, engine = database.execute(
            "SELECT count(*), sum(r.globalTid = n.globalTid), sum((r.globalTid != n.globalTid) * (k.end - k.start)) "
            "FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) "
            "JOIN NVTX_EVENTS n ON n.text = 'train' AND r.start >= n.start AND r.start < n.end"
        ).fetchone()
    database.close()
    assert (every, mine) == (1700, 755)
    assert own - mine == 40  # copies and memsets
    assert (found["train"]["kernels"], found["train"]["engine_ns"]) == (every, engine + memsets_of(nsys))


def memsets_of(nsys: Path) -> int:
    """GPU time of copies and memsets that the engine launched inside ``train``."""
    total = 0
    with sqlite3.connect(f"file:{nsys / 'dit_train.sqlite'}?mode=ro&immutable=1", uri=True) as database:
        for kind in ("MEMCPY", "MEMSET"):
            total += (
                database.execute(
                    f"SELECT sum(k.end - k.start) FROM CUPTI_ACTIVITY_KIND_{kind} k "
                    "JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) JOIN NVTX_EVENTS n ON n.text = 'train' "
                    "AND r.start >= n.start AND r.start < n.end AND r.globalTid != n.globalTid"
                ).fetchone()[0]
                or 0
            )
    database.close()
    return total


def test_memory_of_cuda_is_what_it_allocated_before_and_in_the_recording(profile: Profile) -> None:
    """Two segments of 256 MiB and a pinned buffer came within it; sums are those of a query over the database."""
    assert make_table(profile, "cuda_memory").rows() == [
        (0, 0, "device", 71, 0, 1_839_517_192, 0, 1_839_517_192, 1_839_517_192),
        (0, 0, "device-static", 2_153, 0, 453_873, 0, 453_873, 453_873),
        (0, 0, "pinned", 3, 0, 12, 0, 12, 12),
    ]


def test_metrics_of_the_gpu_are_counters(profile: Profile) -> None:
    table = make_table(profile, "telemetry")
    assert len(table) == 22
    assert table["samples"].max() == 3220
    clock = table.filter(table["counter"] == "GPC Clock Frequency").row(0, named=True)
    assert (clock["unit"], clock["gpu"]) == ("Hz", 0)
    assert 1.9e9 < clock["mean"] < 2.0e9


def test_operators_of_autograd_nvtx_have_their_backward(nsys: Path) -> None:
    profile = open_profile(str(nsys / "autograd.sqlite"))
    trace = profile.ranks[0].trace
    with sqlite3.connect(f"file:{nsys / 'autograd.sqlite'}?mode=ro&immutable=1", uri=True) as database:
        (operators,) = database.execute("SELECT count(*) FROM NVTX_EVENTS WHERE text LIKE '%, op_id = %'").fetchone()
    database.close()
    assert trace.rows("operator") == operators
    rows = make_table(profile, "operators")
    assert rows.filter(rows["name"] == "aten::linear")["backward_device_ns"].item() > 0


def test_nothing_of_the_host_is_in_the_store(profile: Profile) -> None:
    """The shared export is clean already; what it still holds of the machine stays out."""
    texts = profile.ranks[0].trace.texts
    assert not texts.str.contains("/opt/|/home/|/root/").any()
