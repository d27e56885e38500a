"""Every occurrence of a finding: those that detectors found, named, numbered, in their steps."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from made_ranks import MS, Compute, Extra, Layout, MadeRanks, data_parallel
from stepscope.analyses import make_table, table_notes
from stepscope.findings import occurrences
from stepscope.findings.examination import examine
from stepscope.store.profile import Profile

RUNS = ("loader_in_the_main_process", "loader_slow_workers", "loader_slow_workers_stacks")


@pytest.fixture(scope="module", params=RUNS)
def profile(request: pytest.FixtureRequest) -> Profile:
    return stepscope.open(Path(__file__).parents[1] / "recordings" / f"{request.param}.json.gz").profile


def test_they_are_the_ranges_of_the_findings(profile: Profile) -> None:
    table = make_table(profile, "occurrences")
    found = examine(profile, profile.ranks[0])
    assert found is not None
    seen = [*(one.cause for one in found.findings), *found.notes]
    for one in seen:
        mine = table.filter(id=one.id)
        if len(one.claims.start) == 0 and one not in found.notes:
            assert mine["start_ns"].to_list() == profile.ranks[0].steps["start_ns"].to_list()
            continue
        expected = sorted(zip(one.claims.start.tolist(), (one.claims.end - one.claims.start).tolist(), strict=True))
        assert mine.select("start_ns", "duration_ns").rows() == expected
        assert mine["occurrence"].to_list() == list(range(1, len(expected) + 1))
        assert mine["of"].unique().to_list() == ([len(expected)] if expected else [])
    assert set(table["id"]) <= {one.id for one in seen}
    findings = make_table(profile, "findings").filter(pl.col("start_ns").is_not_null())
    assert set(findings["id"]) == set(table["id"])


def test_each_lies_in_its_step_and_a_named_one_is_that_event(profile: Profile) -> None:
    table = make_table(profile, "occurrences")
    steps = profile.ranks[0].all_steps.ranges
    for row in table.iter_rows(named=True):
        begun = steps.filter(pl.col("start_ns") <= row["start_ns"])["step"].to_list()
        assert row["step"] == (begun[-1] if begun else None)
    named = table.drop_nulls("name").head(50)
    trace = profile.ranks[0].trace
    events = pl.concat(
        trace.frame(name, ["name", "start_ns", "duration_ns"]).with_columns(
            trace.text(trace.frame(name, ["name"])["name"])
        )
        for name in ("operator", "runtime", "annotation", "python")
        if trace.rows(name)
    )
    key = ["start_ns", "duration_ns", "name"]
    assert len(named.select(key).unique().join(events.select(key).unique(), key, "anti")) == 0


def test_of_very_many_the_longest_are_listed_and_the_rest_is_said(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make_table(profile, "occurrences")
    assert whole["occurrence"].max() > 1  # type: ignore[operator]
    monkeypatch.setattr(occurrences, "MOST", 1)
    table = make_table(profile, "occurrences")
    longest = whole.group_by("id").agg(pl.col("duration_ns").max(), pl.len().alias("of"))
    assert table.sort("id").select("id", "duration_ns").rows() == longest.sort("id").select("id", "duration_ns").rows()
    assert dict(table.select("id", "of").rows()) == dict(longest.select("id", "of").rows())
    said = {
        dict(note.params).get("finding"): dict(note.params).get("occurrences")
        for note in table_notes(profile, "occurrences", table)
    }
    assert {key: value for key, value in said.items() if key} == {
        k: n for k, n in longest.select("id", "of").rows() if n > 1
    }


@pytest.mark.long
def test_a_straggler_is_late_before_collectives(tmp_path: Path) -> None:
    late = (Extra(3, Compute(4 * MS, range="extra_work")),)
    made = MadeRanks(data_parallel(Layout(dp=4)), world=4, extras=late)
    profile = made.open(tmp_path).profile
    table = make_table(profile, "occurrences").filter(id="straggler")
    assert set(table["rank"]) == {3}
    assert table["step"].n_unique() == len(profile.ranks[3].steps)
    assert table["duration_ns"].to_list() == pytest.approx([4 * MS] * len(table), rel=0.1)
    finding = make_table(profile, "findings").filter(id="straggler").row(0, named=True)
    longest = table.sort("duration_ns").tail(1)
    assert finding["end_ns"] - finding["start_ns"] == longest["duration_ns"].item()


def test_without_findings_it_is_said(tmp_path: Path) -> None:
    from building import opened, operator, step

    profile = opened(tmp_path, step(1, 0, 900), operator("aten::mm", 100, 800)).profile
    table = make_table(profile, "occurrences")
    assert len(table) == 0
    assert [note.id for note in table_notes(profile, "occurrences", table)] == ["finding-no-occurrence"]
