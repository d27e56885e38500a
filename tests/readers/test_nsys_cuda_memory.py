"""Memory that CUDA allocated, in exports of Nsight Systems."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest

import stepscope
from readers.nsys_building import TABLES, Export, as_folder, thread, training
from stepscope.analyses import make_table
from stepscope.readers.redaction.redacting import redact
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile

TABLE = "CUDA_GPU_MEMORY_USAGE_EVENTS"
PINNED, DEVICE, STATIC = 1, 2, 5
ALLOCATED, RELEASED = 0, 1

Change = tuple[int, int, int, int]
"""Moment, bytes, kind, operation."""


def with_memory(made: Export, *changes: Change) -> Export:
    for at, size, kind, operation in changes:
        made.add(TABLE, at, thread(0), 0, 4096, size, kind, operation, "a_variable" if kind == STATIC else None)
    return made


def opened(made: Export, folder: Path, name: str = "export") -> Profile:
    return open_profile(str(made.write(folder / f"{name}.sqlite")))


def test_memory_by_kind_with_its_peak(tmp_path: Path) -> None:
    """Of the GPU 100, then 400, then 300, then 350; of the host 8, and nothing at the end."""
    changes = [
        (0, 100, DEVICE, ALLOCATED),
        (10_000, 300, DEVICE, ALLOCATED),
        (20_000, 100, DEVICE, RELEASED),
        (30_000, 50, DEVICE, ALLOCATED),
        (15_000, 8, PINNED, ALLOCATED),
        (25_000, 8, PINNED, RELEASED),
        (0, 4, STATIC, ALLOCATED),
    ]
    profile = opened(with_memory(training(1), *changes), tmp_path)
    assert make_table(profile, "cuda_memory").rows() == [
        (0, 0, "device", 3, 1, 450, 100, 400, 350),
        (0, 0, "pinned", 1, 1, 8, 8, 8, 0),
        (0, 0, "device-static", 1, 0, 4, 0, 4, 4),
    ]
    assert not profile.ranks[0].trace.texts.str.contains("a_variable").any()


def by_hand(changes: list[Change]) -> dict[int, tuple[int, ...]]:
    """By kind: allocations, releases, their bytes, the peak between moments and what is left."""
    moments: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for at, size, kind, operation in changes:
        sums[kind][operation] += 1
        sums[kind][2 + operation] += size
        moments[kind][at] += size if operation == ALLOCATED else -size
    found = {}
    for kind, steps in moments.items():
        peak = level = 0
        for at in sorted(steps):
            level += steps[at]
            peak = max(peak, level)
        found[kind] = (*sums[kind], peak, level)
    return found


@pytest.mark.long
def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    dice = random.Random(7)
    changes = [
        (dice.randrange(0, 90_000, 3_000), dice.randrange(1_000), dice.choice((PINNED, DEVICE)), dice.randrange(2))
        for _ in range(80)
    ]
    tables = []
    for turn in range(2):
        made = with_memory(training(1), *dice.sample(changes, len(changes)))
        tables.append(make_table(opened(made, tmp_path, str(turn)), "cuda_memory"))
    assert tables[0].equals(tables[1])
    names = {PINNED: "pinned", DEVICE: "device"}
    expected = {names[kind]: row for kind, row in by_hand(changes).items()}
    assert {row[2]: row[3:] for row in tables[0].rows()} == expected


@pytest.mark.long
def test_a_step_begins_with_what_was_allocated_before_it(tmp_path: Path) -> None:
    """Step 1 is 100,000 to 190,000; 500 are there when it begins, and 200 of them when it ends."""
    changes = [
        (0, 700, DEVICE, ALLOCATED),
        (50_000, 200, DEVICE, RELEASED),
        (120_000, 300, DEVICE, RELEASED),
        (210_000, 900, DEVICE, ALLOCATED),
    ]
    profile = opened(with_memory(training(3), *changes), tmp_path)
    rows = {step: make_table(profile.select(steps=(step, step)), "cuda_memory").rows() for step in range(3)}
    assert rows == {
        0: [(0, 0, "device", 1, 1, 700, 200, 700, 500)],
        1: [(0, 0, "device", 0, 1, 0, 300, 500, 200)],
        2: [(0, 0, "device", 1, 0, 900, 0, 1_100, 1_100)],
    }


def test_a_release_of_what_came_before_the_recording_leaves_less_than_nothing(tmp_path: Path) -> None:
    profile = opened(with_memory(training(1), (5_000, 64, DEVICE, RELEASED)), tmp_path)
    assert make_table(profile, "cuda_memory").rows() == [(0, 0, "device", 0, 1, 0, 64, 0, -64)]


def test_what_cannot_be_counted_is_said(tmp_path: Path) -> None:
    changes = [(0, 100, 99, ALLOCATED), (1, 5, DEVICE, 7), (2, -5, DEVICE, ALLOCATED)]
    made = with_memory(training(1), *changes).add(TABLE, 3, thread(0), 0, 4096, None, DEVICE, 0, None)
    profile = stepscope.open(str(made.write(tmp_path / "export.sqlite")))
    assert profile.show("cuda_memory")["kind"].to_list() == ["unknown"]
    before, unread = profile.notes("cuda_memory")
    assert "from the start of the recording" in str(before)
    assert str(unread) == "3 rows are left out: neither allocation nor release, or without a size"


def test_without_the_option_the_note_names_it(tmp_path: Path) -> None:
    profile = stepscope.open(str(training(1).write(tmp_path / "export.sqlite")))
    (note,) = profile.notes("cuda_memory")
    assert "nsys profile --cuda-memory-usage=true" in str(note)


def test_columns_that_an_export_lacks(tmp_path: Path) -> None:
    """Without kind and device the sums are known; without the operation nothing is."""
    made = training(1)
    made.rows[TABLE] = [(0, 100, ALLOCATED), (5, 30, RELEASED)]
    columns = "start INTEGER, bytes INTEGER, memoryOperationType INTEGER"
    path = made.write(tmp_path / "few.sqlite", {**TABLES, TABLE: columns})
    assert make_table(open_profile(str(path)), "cuda_memory").rows() == [(0, None, "unknown", 1, 1, 100, 30, 100, 70)]
    path = made.write(tmp_path / "none.sqlite", {**TABLES, TABLE: columns.replace("memoryOperationType", "other")})
    assert len(make_table(open_profile(str(path)), "cuda_memory")) == 0


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_folders_of_tables_say_the_same(tmp_path: Path, ending: str) -> None:
    path = with_memory(training(1), (0, 100, DEVICE, ALLOCATED), (9, 40, DEVICE, RELEASED)).write(tmp_path / "e.sqlite")
    folder = as_folder(path, tmp_path / "tables", ending)
    tables = [make_table(open_profile(str(one)), "cuda_memory") for one in (path, folder)]
    assert tables[0].equals(tables[1])
    assert len(tables[0]) == 1


def test_a_copy_without_what_is_private_has_the_same_memory(tmp_path: Path) -> None:
    changes = [(0, 100, DEVICE, ALLOCATED), (9, 40, DEVICE, RELEASED), (0, 4, STATIC, ALLOCATED)]
    path = with_memory(training(1), *changes).write(tmp_path / "export.sqlite")
    redact(str(path), tmp_path / "copy.sqlite")
    tables = [make_table(open_profile(str(one)), "cuda_memory") for one in (path, tmp_path / "copy.sqlite")]
    assert tables[0].equals(tables[1])
    assert len(tables[0]) == 2
