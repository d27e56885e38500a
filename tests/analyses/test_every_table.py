"""Every table in every grouping, on every kind of trace: the columns it promises, and a reason where it has no rows."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from building import opened, write
from building.snapshots import START_US, small_training
from meagre_traces import KINDS
from readers.nsys_building import PROCESS, everything_beside, training
from readers.test_nsys_processes import two_ranks
from stepscope.analyses import make_table, table_notes
from stepscope.findings.report import make_report
from stepscope.reporters.json_report import report_json
from stepscope.reporters.markdown_report import report_markdown
from stepscope.reporters.report_text import report_lines
from stepscope.schema import TABLES
from stepscope.store.opening import open_profile
from stepscope.store.profile import Profile

_REQUESTS = [
    (name, by, source)
    for name, table in TABLES.items()
    for by in ("", *table.by)
    for source in ((False, True) if table.source else (False,))
]


def assert_tables(profile: Profile) -> None:
    """Every table of a profile, and its report in every form."""
    for name, by, source in _REQUESTS:
        frame = make_table(profile, name, by, source)
        promised, described = TABLES[name].schema, TABLES[name].described(by)
        assert {column: dtype for column, dtype in frame.schema.items() if described[column].dtype != dtype} == {}
        key = list(TABLES[name].key_of(by, source))
        assert frame.select(key).is_unique().all(), f"{name} by {by}: {key} name no row"
        assert {column: dtype for column, dtype in frame.schema.items() if column in promised} == promised, (name, by)
        assert len(frame) or table_notes(profile, name, frame), f"{name} by {by}: nothing, and no word why"
    report = make_report(profile)
    # A command to be copied is not broken into lines.
    lines = [line.text for line in report_lines(report, 100) if not line.text.startswith("Next: ")]
    assert [line for line in lines if len(line) > 100] == []
    assert report_json(report)
    assert report_markdown(report)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_made_traces(tmp_path: Path, kind: str) -> None:
    assert_tables(opened(tmp_path, *KINDS[kind]).profile)


@pytest.mark.long
def test_a_made_snapshot(tmp_path: Path) -> None:
    profile = small_training(steps=5).opened(tmp_path).profile
    assert_tables(profile)
    assert_tables(profile.select(None, (2, 3)))


@pytest.mark.long
def test_an_export_of_nsight_systems(tmp_path: Path) -> None:
    assert_tables(open_profile(str(everything_beside(training(), PROCESS).write(tmp_path / "export.sqlite"))))


@pytest.mark.long
def test_several_ranks_in_an_export(tmp_path: Path) -> None:
    profile = open_profile(str(everything_beside(two_ranks(20, 30)).write(tmp_path / "export.sqlite")))
    assert_tables(profile)
    assert_tables(profile.select([1]))


@pytest.mark.long
def test_a_snapshot_without_history(tmp_path: Path) -> None:
    made = small_training()
    made.history.clear()
    made.annotations.clear()
    assert_tables(made.opened(tmp_path).profile)


@pytest.mark.long
def test_a_snapshot_beside_a_trace(tmp_path: Path) -> None:
    made = small_training(steps=5)
    made.write(tmp_path / "rank0_snapshot.pickle")
    write(tmp_path / "rank0.json", *KINDS[next(iter(KINDS))], baseTimeNanoseconds=START_US * 1000)
    assert_tables(stepscope.open(tmp_path).profile)


@pytest.mark.long
@pytest.mark.parametrize("step_", [2, 3])
def test_examples(examples: Path, step_: int) -> None:
    profile = stepscope.open(examples / "ddp4_straggler").profile
    assert_tables(profile.select([0, 2], (step_, step_)))


@pytest.mark.long
def test_selected_step_of_an_example(examples: Path) -> None:
    assert_tables(stepscope.open(examples / "batch_size.slow.pt.trace.json.gz").profile.select(None, (4, 4)))


def _recordings() -> list[str]:
    folder = Path(__file__).resolve().parents[3] / "shared" / "data"
    found = [*folder.glob("h200/*/*.json.gz"), *folder.glob("h200/ranks/*/*.json.gz"), *folder.glob("cpu/*.json")]
    found += folder.glob("h200/memory/*.pickle.gz")
    found += [path for path in folder.glob("public/**/*.json.gz") if "memory_timeline" not in path.name]
    return sorted(path.relative_to(folder).as_posix() for path in found)


@pytest.mark.slow
@pytest.mark.real_trace
@pytest.mark.parametrize("name", _recordings())
def test_recordings(shared_data: Path, name: str) -> None:
    assert_tables(stepscope.open(shared_data / name).profile)
