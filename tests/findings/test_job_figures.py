"""The figures of a job, and the verdict on a rank among others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stepscope
from made_ranks import Layout, MadeRanks, data_parallel
from stepscope.analyses.simulation.changes import parse_change
from stepscope.api import OpenProfile
from stepscope.findings.findings import findings
from stepscope.findings.job_figures import JobFigures, job_figures
from stepscope.findings.job_messages import job_sentences
from stepscope.findings.kept_tables import made_figures, made_verdicts
from stepscope.findings.report import make_report
from stepscope.findings.what_if_job import what_if_job
from stepscope.reporters.json_report import report_json
from stepscope.reporters.sections.opening import verdict
from stepscope.store.profile import Profile


@pytest.fixture(scope="module")
def late(examples: Path) -> OpenProfile:
    return stepscope.open(examples / "ddp4_straggler")


def figures_of(profile: Profile) -> JobFigures:
    found = job_figures(profile)
    assert found is not None
    return found


def test_the_straggler_comes_first_and_the_others_wait_for_it(late: OpenProfile) -> None:
    found = figures_of(late.profile)
    assert [one.rank for one in found.ranks] == [2, 0, 1, 3]
    assert [one.waits_for for one in found.ranks] == [None, 2, 2, 2]
    assert found.ranks[0].delays_ns == found.delay_ns
    assert [one.delays_ns for one in found.ranks[1:]] == [0, 0, 0]


def test_the_figures_are_those_of_the_tables(late: OpenProfile) -> None:
    """Oracle: means of the table ``rank_matrix``, in plain Python."""
    found = figures_of(late.profile)
    rows = [row for row in late.show("rank_matrix").rows(named=True) if not row["cut"]]
    for one in found.ranks:
        mine = [row for row in rows if row["rank"] == one.rank]
        assert one.step_ns == pytest.approx(sum(row["duration_ns"] for row in mine) / len(mine), abs=1)
        later = [row for row in mine if row["step"] != min(row["step"] for row in mine)]
        computing = 100 * sum(row["compute_ns"] for row in later) / sum(row["duration_ns"] for row in later)
        assert one.computing_pct == pytest.approx(computing)
    assert found.step_ns == late.show("job")["duration_ns"][0]
    mean = sum(one.computing_pct for one in found.ranks) / len(found.ranks)
    assert found.computing_pct == pytest.approx(mean)


def test_its_step_without_the_straggler_is_that_of_what_if(late: OpenProfile) -> None:
    answer = what_if_job(late.profile, [parse_change("no-straggler:2")], [])
    assert answer is not None
    after = answer.together.after
    assert figures_of(late.profile).without_ns == tuple(map(round, (after.low, after.best, after.high)))


@pytest.mark.long
def test_a_rank_that_waits_is_not_bound_by_itself(late: OpenProfile) -> None:
    verdicts = made_verdicts(late.profile, lambda: late.show("utilization"))
    assert [one.bound for one in verdicts] == ["waiting", "waiting", "straggler", "waiting"]
    headlines = [one.sentences[0].id for one in verdicts]
    assert headlines == ["verdict-waits-for", "verdict-waits-for", "verdict-straggler", "verdict-waits-for"]
    alone = late.profile.select([3])
    assert [one.bound for one in made_verdicts(alone, lambda: late.show("utilization"))] == ["waiting"]


@pytest.mark.long
def test_equal_ranks_have_no_straggler_and_their_own_bottlenecks(tmp_path: Path) -> None:
    even = MadeRanks(data_parallel(Layout(dp=4)), 4, jitter_ns=0).open(tmp_path / "run")
    found = figures_of(even.profile)
    assert (found.straggler, found.delay_ns, found.without_ns) == (None, None, None)
    assert [one.rank for one in found.ranks] == [0, 1, 2, 3]
    assert {one.bound for one in made_verdicts(even.profile, lambda: even.show("utilization"))}.isdisjoint(
        {"waiting", "straggler"}
    )


def test_one_rank_is_no_job(late: OpenProfile, tmp_path: Path) -> None:
    one = MadeRanks(data_parallel(Layout(dp=4)), 4, jitter_ns=0).open(tmp_path / "one", [2])
    assert job_figures(one.profile) is None


def test_of_one_step_headline_figures_and_recommendation_agree(late: OpenProfile) -> None:
    """Seen in the app with one step selected: verdict, cards and the table of ranks gave the delay of all steps, 117
    ms, beside a recommendation of that step's, 112 ms."""
    step = late.profile.select(steps=(3, 3))
    found, of_all = figures_of(step), figures_of(late.profile)
    row = findings(step).filter(id="straggler").row(0, named=True)
    said = job_sentences(step)[0]
    assert found.delay_ns == row["saving_ns"] == said["lateness_ns"] != of_all.delay_ns
    assert found.step_ns == said["step_ns"] == late.show("job").filter(step=3)["duration_ns"][0]
    assert (said["late_steps"], said["steps"]) == (1, 1)
    assert figures_of(step.select([2])) == found


def test_they_are_kept(late: OpenProfile, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made_figures(late.profile)
    monkeypatch.setattr("stepscope.findings.kept_tables.job_figures", None)
    assert made_figures(late.profile) == first


@pytest.mark.long
def test_the_report_says_them_in_the_same_order(late: OpenProfile) -> None:
    report = make_report(late.profile)
    of_ranks = [line.text.strip() for line in verdict(report, 100) if line.text.startswith(("  rank ", "  ranks "))]
    assert [text.partition(" · ")[0] for text in of_ranks if " · " in text] == ["rank 2", "ranks 0-1, 3, e.g. rank 0"]
    document = json.loads(report_json(report))
    assert JobFigures.of_json(document["job_figures"]) == job_figures(late.profile)
