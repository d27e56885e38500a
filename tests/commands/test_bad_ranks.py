"""Folders of ranks as they are found in practice: each fault is named, and the rest is analysed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import annotation, check, rows, write
from command_line import Run
from made_ranks import MS, Clock, Extra, HostWork, Layout, MadeRanks, data_parallel

HOUR = 3_600 * 10**9


def made(**more: object) -> MadeRanks:
    return MadeRanks(data_parallel(Layout(dp=4)), world=4, **more)


def missing(folder: Path) -> None:
    made().write(folder, [0, 2])


def duplicated(folder: Path) -> None:
    made().write(folder)
    shutil.copy(folder / "rank1.json", folder / "again.json")


def another_run(folder: Path) -> None:
    """Rank 3 is of a job of eight ranks that ran later."""
    made().write(folder, [0, 1, 2])
    later = MadeRanks(data_parallel(Layout(dp=8)), world=8, begins_ns=5 * HOUR)
    later.write(folder, [3])


def fewer_steps(folder: Path) -> None:
    made(windows={2: (1, 2)}).write(folder)


def cut(folder: Path) -> None:
    made().write(folder)
    path = folder / "rank3.json"
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


def empty(folder: Path) -> None:
    made().write(folder)
    (folder / "rank1.json").write_bytes(b"")


def unnamed(folder: Path) -> None:
    """A rank says nothing of itself, not even in its name."""
    made().write(folder)
    path = folder / "rank2.json"
    path.write_text(path.read_text().replace("distributedInfo", "distributedNothing"))
    path.rename(folder / "lost.json")


FAULTS: dict[str, tuple[Callable[[Path], None], str, tuple[str, str, str], list[int]]] = {
    "missing": (
        missing,
        "ranks",
        (
            "warning",
            "2 of 4",
            "the files of ranks 1, 3 are missing: waiting for them cannot be separated from transfer",
        ),
        [0, 2],
    ),
    "duplicated": (
        duplicated,
        "skipped_files",
        ("warning", "1", "not read: rank1.json (rank 1 is also in again.json, which comes first by name)"),
        [0, 1, 2, 3],
    ),
    "another run": (
        another_run,
        "one_run",
        (
            "warning",
            "doubtful",
            (
                "the files do not look like one run: world size 4 on ranks 0-2 and 8 on rank 3 and by their clocks "
                "rank 3 begins 5.0 h after ranks 0-2 ended; open each run alone"
            ),
        ),
        [0, 1, 2, 3],
    ),
    "fewer steps": (
        fewer_steps,
        "same_steps",
        (
            "warning",
            "1 of 4 ranks differ",
            "most ranks have steps 0-2; rank 2 has 1-2; a step is compared across the ranks that have it",
        ),
        [0, 1, 2, 3],
    ),
    "empty": (empty, "skipped_files", ("warning", "1", "not read: rank1.json (the file is empty)"), [0, 2, 3]),
    "unnamed": (
        unnamed,
        "rank_numbers",
        (
            "warning",
            "1 of 4 numbered by order",
            (
                "these files name no rank or one that is taken: are they ranks of one run? Compare runs one by one; "
                "numbered were lost.json (2)"
            ),
        ),
        [0, 1, 2, 3],
    ),
}


@pytest.mark.parametrize(("spoil", "name", "expected", "ranks"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_and_the_rest_analysed(
    spoil: Callable[[Path], None], name: str, expected: tuple[str, str, str], ranks: list[int], tmp_path: Path
) -> None:
    spoil(tmp_path)
    profile = stepscope.open(str(tmp_path))
    assert check(profile, name) == expected
    summary = profile.show("summary")
    assert summary["rank"].to_list() == ranks
    assert summary["busy_ns"].min() > 0


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (missing, "ranks: 2 of 4, the files of ranks 1, 3 are missing"),
        (duplicated, "rank1.json (rank 1 is also in again.json"),
        (another_run, "the files do not look like one run"),
        (fewer_steps, "same steps: 1 of 4 ranks differ"),
        (cut, "complete: rank 3: cut off"),
        (empty, "rank1.json (the file is empty)"),
        (unnamed, "numbered were lost.json (2)"),
    ],
)
@pytest.mark.long
def test_a_report_says_it(spoil: Callable[[Path], None], said: str, tmp_path: Path, run: Run) -> None:
    spoil(tmp_path)
    done = run("report", str(tmp_path))
    assert done.code == 0
    section = done.out.partition("Health of the recording")[2].partition("\n\n")[0]
    assert said in " ".join(section.split())


def test_a_cut_rank_keeps_what_was_read(tmp_path: Path) -> None:
    cut(tmp_path)
    profile = stepscope.open(str(tmp_path))
    assert rows(profile.show("health").filter(pl.col("check") == "complete"), "rank", "status") == [
        (0, "ok"),
        (1, "ok"),
        (2, "ok"),
        (3, "error"),
    ]
    events = profile.show("summary")["events"].to_list()
    assert 0.5 < events[3] / events[0] < 1


def test_a_rank_cut_before_its_gpu_events_is_not_said_to_wait_for_its_host(tmp_path: Path) -> None:
    """PyTorch writes the GPU's events last: what is left of a cut file looks as if the host did it all alone."""
    made(extras=(Extra(3, HostWork(30 * MS)),)).write(tmp_path)
    path = tmp_path / "rank3.json"
    path.write_bytes(path.read_bytes().partition(b'{"ph": "X", "cat": "kernel"')[0])
    profile = stepscope.open(str(tmp_path))
    health = profile.show("health").filter(pl.col("rank") == 3)
    assert rows(health.filter(pl.col("check") == "gpu_activity"), "status", "detail") == [
        ("error", "the file is cut off before any GPU event: what the GPU did is unknown")
    ]
    assert 3 not in profile.show("findings")["rank"].to_list()


def test_ranks_of_one_run_raise_no_doubt(tmp_path: Path) -> None:
    profile = made().open(tmp_path)
    names = ("rank_numbers", "one_run", "same_steps")
    assert [check(profile, name)[:2] for name in names] == [("ok", "4 ranks"), ("ok", "yes"), ("ok", "0-2")]
    assert check(profile, "ranks") is None


def test_steps_without_numbers_are_counted(tmp_path: Path) -> None:
    """Seen of ranks with 1, 15, 1 and 7 repeated ranges: "every rank has the same steps"."""
    for rank, count in enumerate((1, 3, 1, 2)):
        ranges = [annotation("train", 100 * at, 100 * at + 90) for at in range(count)]
        write(tmp_path / f"rank{rank}.json", *ranges)
    assert check(stepscope.open(str(tmp_path)), "same_steps") == (
        "warning",
        "2 of 4 ranks differ",
        "the steps have no numbers, and ranks have different counts: 1 (ranks 0, 2), 3 (rank 1), and 2 (rank 3)",
    )


def test_a_selection_of_ranks_is_not_a_lack_of_ranks(tmp_path: Path) -> None:
    made().write(tmp_path)
    health = stepscope.open(str(tmp_path)).show("health", rank=1)
    assert rows(health.filter(pl.col("check") == "one_run"), "status") == ["ok"]
    assert rows(health.filter(pl.col("check") == "ranks"), "status") == []


def test_one_rank_alone_is_a_choice(tmp_path: Path) -> None:
    (path,) = made().write(tmp_path, [2])
    found = check(stepscope.open(str(path)), "ranks")
    assert found is not None
    assert found[:2] == ("ok", "1 of 4")


def test_a_world_of_any_size_is_told_in_a_line(tmp_path: Path) -> None:
    made().write(tmp_path, [0, 2])
    for path in tmp_path.iterdir():
        path.write_text(path.read_text().replace('"world_size": 4', '"world_size": 999999999999'))
    found = check(stepscope.open(str(tmp_path)), "ranks")
    assert found is not None
    assert found[2].startswith("the files of ranks 1, 3-999999999998 are missing: ")


def test_a_clock_that_is_far_off_may_be_another_run(tmp_path: Path) -> None:
    profile = made(clocks={3: Clock(offset_ns=2 * HOUR)}).open(tmp_path)
    found = check(profile, "one_run")
    assert found is not None
    assert found[2] == (
        "the files do not look like one run: by their clocks rank 3 begins 120 min after ranks 0-2 ended; "
        "either they are two runs, or a clock is off"
    )


def test_recordings_a_moment_apart_are_doubted_only_with_other_groups(tmp_path: Path) -> None:
    """Windows need not overlap; another layout of the ranks, and another time, are another run."""
    made(windows={3: (0, 0), 0: (2, 2), 1: (2, 2), 2: (2, 2)}).write(tmp_path / "windows")
    assert check(stepscope.open(str(tmp_path / "windows")), "one_run")[:2] == ("ok", "yes")
    made().write(tmp_path / "layouts", [0, 1, 2])
    other = MadeRanks(data_parallel(Layout(dp=2, tp=2)), world=4, begins_ns=10**10)
    other.write(tmp_path / "layouts", [3])
    found = check(stepscope.open(str(tmp_path / "layouts")), "one_run")
    assert found is not None
    assert "by their clocks rank 3 begins 9." in found[2]
