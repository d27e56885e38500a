"""Runs with several recordings: spans of one process, and what another recorder wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from building import kernel, launched, step, write
from readers.csv_kernels import EXAMPLE, KernelCsv
from served import Client, get, opened
from stepscope.readers import registry

Serve = Callable[..., Client]


@pytest.fixture(autouse=True)
def csv_reader() -> Iterator[None]:
    with registry.added(KernelCsv()):
        yield


def a_trace(path: Path, begin: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, step(1, begin, begin + 100), launched(kernel("gemm", begin + 20, begin + 60, 1), begin + 10))


def listed(client: Client) -> list[tuple[Any, ...]]:
    runs = get(client, "runs")["runs"]
    return sorted((run["id"], run["name"], run["recorder"], run["ranks"], run["span"]) for run in runs)


def test_a_file_of_a_second_reader_is_a_run(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "kernels.csv").write_text(EXAMPLE)
    (tmp_path / "prices.csv").write_text("name,price\n")
    client = serve()
    assert listed(client) == [("kernels.csv", "kernels.csv", "KernelCsv", 1, None)]
    assert opened(client, "kernels.csv")["state"] == "ready"
    table = get(client, "table", run="kernels.csv", table="recordings")
    assert table["data"]["recorder"] == ["KernelCsv"]
    assert table["data"]["start_ns"] == [0]


def test_what_another_recorder_wrote_belongs_to_the_run_of_its_folder(serve: Serve, tmp_path: Path) -> None:
    a_trace(tmp_path / "job" / "rank0.json")
    (tmp_path / "job" / "kernels_rank0.csv").write_text(EXAMPLE)
    client = serve()
    assert listed(client) == [("job", "job", "Kineto", 1, None)]
    table = get(client, "table", run="job", table="recordings")["data"]
    assert (table["recorder"], table["used"]) == (["Kineto", "KernelCsv"], [True, False])


def test_spans_of_one_worker_are_entries_that_say_so(serve: Serve, tmp_path: Path) -> None:
    """They were runs with numbers for names, which nothing connected."""
    names = [f"node1_40.17000000000000000{cycle:02}.pt.trace.json" for cycle in range(2)]
    for cycle, name in enumerate(names):
        a_trace(tmp_path / "log" / name, 1_000 * cycle)
    assert listed(serve()) == [
        (f"log/{names[0]}", "node1_40, span 1 of 2", "Kineto", 1, [1, 2]),
        (f"log/{names[1]}", "node1_40, span 2 of 2", "Kineto", 1, [2, 2]),
    ]
