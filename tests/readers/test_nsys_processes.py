"""Several processes in one export of Nsight Systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from readers.nsys_building import BASE_NS, Export, thread, training
from stepscope.analyses import make_table
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.store import cache
from stepscope.store.linking import links
from stepscope.store.opening import open_profile
from stepscope.store.profile import FROM_MPI, FROM_PROCESS, Profile


def two_ranks(*pids: int) -> Export:
    """A kernel of each process under two steps, all launched under the same number, on GPU 0 as each sees it."""
    made = Export().add("TARGET_INFO_SESSION_START_TIME", BASE_NS, "", "")
    for place, pid in enumerate(pids):
        for step in range(2):
            at = 1_000 * step + 10 * place
            made.range(f"step {step}", at, at + 900, tid=pid, pid=pid)
            made.call("cudaLaunchKernel_v7000", at + 10, at + 20, step + 1, tid=pid, pid=pid)
            made.kernel(f"kernel of {pid}", at + 100, at + 100 + pid, step + 1, pid=pid)
    return made


def opened(made: Export, folder: Path, name: str = "export.sqlite") -> Profile:
    return open_profile(str(made.write(folder / name)))


def said(note: str | None) -> str:
    return render(Message.decoded(note), "en") if note else ""


def recordings(profile: Profile) -> list[tuple[Any, ...]]:
    """Rank, events, whether it is shown, and the note in words."""
    rows = make_table(profile, "recordings").rows(named=True)
    return [(row["rank"], row["events"], row["used"], said(row["note"])) for row in rows]


def test_processes_with_kernels_are_ranks_in_order_of_their_numbers(tmp_path: Path) -> None:
    """The one that comes first in the file has the greater number."""
    profile = opened(two_ranks(30, 20), tmp_path)
    assert [(rank.number, rank.origin) for rank in profile.ranks] == [(0, FROM_PROCESS), (1, FROM_PROCESS)]
    kernels = {rank.number: make_table(profile.select([rank.number]), "kernels") for rank in profile.ranks}
    assert kernels[0].select("name", "calls", "total_ns").rows() == [("kernel of 20", 2, 40)]
    assert kernels[1].select("name", "calls", "total_ns").rows() == [("kernel of 30", 2, 60)]
    assert [links(rank.trace)["launch"].to_list() for rank in profile.ranks] == [[0, 1], [0, 1]]
    assert [len(rank.all_steps.ranges) for rank in profile.ranks] == [2, 2]


def test_mpi_says_the_ranks(tmp_path: Path) -> None:
    made = two_ranks(20, 30)
    made.add("MPI_RANKS", thread(20, 20), 5).add("MPI_RANKS", thread(30, 30), 4)
    profile = opened(made, tmp_path)
    assert [(rank.number, rank.origin) for rank in profile.ranks] == [(4, FROM_MPI), (5, FROM_MPI)]
    assert make_table(profile.select([4]), "kernels")["name"].to_list() == ["kernel of 30"]


def test_a_worker_of_the_only_rank_is_shown_with_it_and_listed(tmp_path: Path) -> None:
    made = two_ranks(20).range("collate", 50, 60, tid=21, pid=21)
    profile = opened(made, tmp_path)
    assert "collate" in make_table(profile, "annotations")["name"].to_list()
    assert recordings(profile) == [
        (0, 7, True, ""),
        (0, None, True, "process 21 did no work on a GPU (1 events): shown with rank 0"),
    ]


def test_a_worker_beside_several_ranks_is_listed_and_not_shown(tmp_path: Path) -> None:
    made = two_ranks(20, 30).range("collate", 50, 60, tid=21, pid=21)
    profile = opened(made, tmp_path)
    assert "collate" not in make_table(profile, "annotations")["name"].to_list()
    assert recordings(profile) == [
        (0, 6, True, "process 20, one of 2 ranks in this file"),
        (1, 6, True, "process 30, one of 2 ranks in this file"),
        (
            None,
            1,
            False,
            "process 21 did no work on a GPU (1 events), and nothing says which rank it helps: not shown",
        ),
    ]
    health = {row["check"]: row for row in make_table(profile, "health").rows(named=True)}
    assert (health["processes"]["status"], health["rank_numbers"]["status"]) == ("warning", "warning")


def test_processes_that_only_copy_are_no_ranks(tmp_path: Path) -> None:
    made = two_ranks(20)
    made.add("CUPTI_ACTIVITY_KIND_MEMCPY", 70, 80, 0, 1, 7, 1, thread(0, 21), 4096, 1, 0, 2)
    profile = opened(made, tmp_path)
    assert len(profile.ranks) == 1
    assert make_table(profile, "memcpy")["bytes"].to_list() == [4096]


def test_without_work_of_a_gpu_all_processes_are_one_rank(tmp_path: Path) -> None:
    made = Export().range("a", 0, 10, tid=5, pid=5).range("b", 5, 15, tid=4, pid=4).range("c", 20, 30, tid=4, pid=4)
    profile = opened(made, tmp_path)
    assert sorted(make_table(profile, "annotations")["name"]) == ["a", "b", "c"]
    assert [row[:3] for row in recordings(profile)] == [(0, 3, True), (0, None, True)]


def test_the_name_of_the_file_says_no_rank_of_several(tmp_path: Path) -> None:
    profile = opened(two_ranks(20, 30), tmp_path, "rank7.sqlite")
    assert [rank.number for rank in profile.ranks] == [0, 1]
    alone = opened(two_ranks(20), tmp_path, "rank8.sqlite")
    assert [rank.number for rank in alone.ranks] == [8]


def test_files_of_two_machines_are_numbered_one_after_the_other(tmp_path: Path) -> None:
    two_ranks(20, 30).write(tmp_path / "node0.sqlite")
    two_ranks(40, 50).write(tmp_path / "node1.sqlite")
    profile = open_profile(str(tmp_path))
    names = [make_table(profile.select([rank.number]), "kernels")["name"][0] for rank in profile.ranks]
    assert names == ["kernel of 20", "kernel of 30", "kernel of 40", "kernel of 50"]


def test_metrics_of_a_gpu_are_of_the_process_that_used_it(tmp_path: Path) -> None:
    """Each process sees one GPU, and calls it 0."""
    made = two_ranks(20, 30)
    for gpu, pid in ((0, 20), (1, 30)):
        made.add("TARGET_INFO_CUDA_DEVICE", gpu, 0, pid, "", 132)
        made.add("TARGET_INFO_GPU", 0, gpu, f"NVIDIA H{gpu}", 1 << 30, 132, 64, 32, 9, 0)
        made.add("TARGET_INFO_GPU_METRICS", (1 << 48) + gpu, 1, "", 0, "SMs Active [Throughput %]")
        made.add("GPU_METRICS", 0, 500, (1 << 48) + gpu, 0, 40 + gpu)
    table = make_table(opened(made, tmp_path), "telemetry")
    assert table.select("rank", "gpu", "mean").rows() == [(0, 0, 40.0), (1, 0, 41.0)]
    devices = [rank.trace.head["deviceProperties"] for rank in opened(made, tmp_path).ranks]
    assert [[(one["id"], one["name"]) for one in listed] for listed in devices] == [
        [(0, "NVIDIA H0")],
        [(0, "NVIDIA H1")],
    ]


def test_names_of_threads_of_other_programs_stay_out(tmp_path: Path) -> None:
    """Seen in a public export: system-wide recording lists the threads of every program of the machine."""
    made = training(2)
    made.add("ThreadNames", made.text("trainer"), 0, thread())
    made.add("ThreadNames", made.text("secret editor"), 0, thread(77, 77))
    trace = opened(made, tmp_path).ranks[0].trace
    assert "trainer" in trace.texts.to_list()
    assert not trace.texts.str.contains("secret").any()


@pytest.mark.parametrize("part", [0, 1])
def test_a_store_of_a_process_that_is_lost_has_all_read_anew(tmp_path: Path, part: int) -> None:
    path = two_ranks(20, 30).write(tmp_path / "export.sqlite")
    folder = open_profile(str(path)).ranks[part].trace.folder
    for file in folder.iterdir():
        file.unlink()
    assert not cache.is_sound(folder)
    again = open_profile(str(path))
    assert [make_table(again.select([one]), "kernels")["name"][0] for one in (0, 1)] == ["kernel of 20", "kernel of 30"]


def test_a_part_that_is_damaged_while_it_is_open_is_read_anew(tmp_path: Path) -> None:
    path = two_ranks(20, 30).write(tmp_path / "export.sqlite")
    profile = open_profile(str(path))
    (file,) = profile.ranks[1].trace.folder.glob("activity.0.parquet")
    file.write_bytes(b"x" * file.stat().st_size)
    assert make_table(profile.select([1]), "kernels")["name"].to_list() == ["kernel of 30"]


def test_python_sees_the_ranks(tmp_path: Path) -> None:
    profile = stepscope.open(str(two_ranks(20, 30).write(tmp_path / "export.sqlite")))
    assert profile.show("summary")["rank"].to_list() == [0, 1]


def test_metrics_of_the_network_are_of_every_rank_of_the_machine(tmp_path: Path) -> None:
    """Once they stood with the first rank alone, as if no other used the card."""
    made = two_ranks(20, 30).add("TARGET_INFO_NETWORK_METRICS", 5, 0, "Bytes sent", "", "Bytes/s")
    for at in range(5):
        made.add("NET_NIC_METRIC", 300 * at, 300 * at + 290, 0xABCDEF, 5, 0, 100 * at)
    made.range("collate", 50, 60, tid=40, pid=40)
    profile = opened(made, tmp_path)
    table = make_table(profile, "telemetry").select("rank", "gpu", "process", "counter", "samples", "max")
    assert table.rows() == [(rank, None, "NIC 0", "Bytes sent", 5, 400.0) for rank in (0, 1)]
    assert [rank.trace.rows("counter") for rank in profile.ranks] == [0, 0]
    of_machine = "of the machine, and so of each of its ranks: network cards and switches (5 samples)"
    assert [row for row in recordings(profile) if row[3] == of_machine] == [(None, 5, True, of_machine)]
    values = [row["value"] for row in make_table(profile, "health").rows(named=True) if row["check"] == "processes"]
    assert [said(value) for value in values] == ["3 in one file"]
    kinds = make_table(profile, "recordings").filter(pl.col("events") == 5)
    assert kinds.select("kind", "joined").rows() == [("telemetry", "clock")]
    assert make_table(profile.select(steps=(1, 1)), "telemetry", by="step").select(
        "rank", "step", "samples"
    ).rows() == [(rank, 1, 1) for rank in (0, 1)]
