"""A part of a snapshot's history, and two snapshots compared, as the page asks for them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import kernel, operator, write
from building.snapshots import MadeSnapshot, random_history, small_training
from served import Client, error, get
from stepscope.commands import main

Serve = Callable[..., Client]
WHAT_GOES_ON = ("memory_events", "memory_peak", "memory_timeline", "memory_categories", "memory_alive", "memory_ranks")


@pytest.fixture
def rows_of(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """``rows_of(command)``: how many rows a command prints."""

    def told(command: str) -> int:
        monkeypatch.setattr("sys.argv", [*shlex.split(command), "--format", "csv"])
        capsys.readouterr()
        with pytest.raises(SystemExit):
            main()
        return len(capsys.readouterr().out.splitlines()) - 1

    return told


@pytest.mark.parametrize("seed", range(3))
def test_a_selected_part_says_what_a_part_that_was_read_says(
    serve: Serve, tmp_path: Path, rows_of: Callable[[str], int], seed: int
) -> None:
    path = random_history(seed, 800).write(tmp_path / "memory.pickle")
    client = serve()
    end = max(get(client, "table", run=path.name, table="memory_timeline")["data"]["at_ns"])
    part = f"{end // 3}:{2 * end // 3}"
    for table in WHAT_GOES_ON:
        answer = get(client, "table", run=path.name, table=table, between=part)
        assert "--between" in answer["command"]
        assert rows_of(answer["command"]) == answer["total"], table
    peak = get(client, "table", run=path.name, table="memory_peak", between=part)["data"]
    levels = get(client, "table", run=path.name, table="memory_timeline", between=part)["data"]
    assert sum(peak["alive_bytes"]) == max(levels["allocated_bytes"])
    assert levels["at_ns"][0] == end // 3
    assert levels["at_ns"][-1] < 2 * end // 3


def test_a_part_is_told_and_leaves_nothing_kept(serve: Serve, tmp_path: Path) -> None:
    made = MadeSnapshot()
    large = made.segment(64 << 20)
    for size in (1000, 2000, 3000):
        made.free(made.alloc(large, size, f"train.py:{size} main"))
    made.write(tmp_path / "memory.pickle")
    client = serve()
    # Nine entries after that of the segment, each a microsecond behind the last.
    asked = {"run": "memory.pickle", "table": "memory_events"}
    first = get(client, "table", **asked, between="0:2000")
    assert first["data"]["bytes"] == [1000]
    assert first["notes"][0]["text"]["en"] == (
        "of memory.pickle only what was alive at 0 ns to 2.00 us of its history is shown"
    )
    assert get(client, "table", **asked)["data"]["bytes"] == [3000, 2000, 1000]
    again = serve()
    assert get(again, "table", **asked)["data"]["bytes"] == [3000, 2000, 1000]
    assert get(again, "table", **asked, between="7000:99000")["data"]["bytes"] == [3000]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"between": "5"}, "the parameter between is not two whole numbers of ns, FROM:TO, the smaller one first"),
        ({"between": "9:5"}, "the parameter between is not two whole numbers of ns, FROM:TO, the smaller one first"),
        ({"between": "0:5", "table": "memory_segments"}, "memory_segments does not show a part of the history"),
    ],
)
def test_what_is_no_part_is_refused(serve: Serve, tmp_path: Path, asked: dict[str, Any], found: str) -> None:
    small_training().write(tmp_path / "memory.pickle")
    assert error(serve(), "table", 400, **{"run": "memory.pickle", "table": "memory_peak"} | asked) == found


def test_what_is_no_part_is_refused_with_an_example(serve: Serve, tmp_path: Path) -> None:
    """The example was not printed: "For example: between=LABEL()"."""
    small_training().write(tmp_path / "memory.pickle")
    answer = get(serve(), "table", 400, run="memory.pickle", table="memory_peak", between="5")
    assert answer["error"]["advice"] == "For example: between=0:5000000"


def test_a_part_of_what_has_no_times_is_refused(serve: Serve, tmp_path: Path) -> None:
    random_history(1, 50, timed=False).write(tmp_path / "one" / "untimed.pickle")
    write(tmp_path / "trace.json", operator("aten::mm", 0, 10), kernel("gemm", 5, 9, 1))
    client = serve()
    for run in ("one/untimed.pickle", "trace.json"):
        found = error(client, "table", 400, run=run, table="memory_peak", between="0:5")
        assert found == ("there is no memory snapshot that says when things happened")


def test_a_part_is_of_one_rank(serve: Serve, tmp_path: Path) -> None:
    for rank in (0, 1):
        random_history(rank, 60).write(tmp_path / "job" / f"rank{rank}_snapshot.pickle")
    client = serve()
    answer = get(client, "table", 400, run="job", table="memory_peak", between="0:5000")
    assert answer["error"]["found"] == "a part is of one rank's history, and several ranks are chosen"
    answer = get(client, "table", run="job", table="memory_peak", between="0:5000", rank=1)
    assert set(answer["data"]["rank"]) == {1}


def test_two_snapshots_of_a_folder_are_compared(serve: Serve, tmp_path: Path, rows_of: Callable[[str], int]) -> None:
    before, after = (small_training(steps).write(tmp_path / f"{name}.pickle") for name, steps in (("a", 3), ("b", 5)))
    client = serve()
    listed = {run["id"]: run["snapshot"] for run in get(client, "runs")["runs"]}
    assert listed == {"a.pickle": True, "b.pickle": True}
    answer = get(client, "table", run="b.pickle", table="memory_diff", base="a.pickle")
    assert answer["command"] == f"stepscope show memory_diff {after} --base {before}"
    assert rows_of(answer["command"]) == answer["total"] > 0
    other = get(client, "table", run="b.pickle", table="memory_diff", base="b.pickle")
    assert set(other["data"]["status"]) == {"same"}
    alone = get(client, "table", run="b.pickle", table="memory_diff")
    assert (alone["total"], alone["notes"][0]["id"]) == (0, "note-memory-diff-no-base")


def test_only_what_compares_takes_another_run(serve: Serve, tmp_path: Path) -> None:
    for name in ("a", "b"):
        small_training().write(tmp_path / f"{name}.pickle")
    client = serve()
    answer = get(client, "table", 400, run="a.pickle", table="memory_peak", base="b.pickle")
    assert answer["error"]["tried"] == "cannot compare memory_peak with another recording"
    answer = get(client, "table", 404, run="a.pickle", table="memory_diff", base="../b.pickle")
    assert answer["error"]["found"] == "there is no run of this name"


def test_segments_of_an_earlier_entry(serve: Serve, tmp_path: Path, rows_of: Callable[[str], int]) -> None:
    path = random_history(2, 200, whole=True).write(tmp_path / "memory.pickle")
    client = serve()
    asked = {"run": "memory.pickle", "table": "memory_blocks"}
    answer = get(client, "table", **asked, event=20)
    assert answer["command"] == f"stepscope show memory_blocks {path} --event 20"
    assert rows_of(answer["command"]) == answer["total"]
    assert sum(answer["data"]["bytes"]) == 4000 << 20
    assert get(client, "table", **asked)["total"] != answer["total"]
    assert error(client, "table", 400, run="memory.pickle", table="memory_peak", event=20) == (
        "memory_peak is not of an entry of the history"
    )
    assert error(client, "table", 400, **asked, event=999) == "the history has no such entry"
