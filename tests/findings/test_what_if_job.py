"""What-if of a job: a straggler that works like the others, and changes of one rank or all."""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from made_ranks import MS, Compute, Extra, Layout, MadeRanks, data_parallel
from stepscope.analyses.simulation.changes import parse_change
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.findings.findings import findings
from stepscope.findings.job_messages import job_sentences
from stepscope.findings.what_if import WhatIf, what_if
from stepscope.findings.what_if_job import JobWhatIf, what_if_job
from stepscope.findings.what_if_options import offers
from stepscope.messages.rendering import render

REPLICAS = MadeRanks(data_parallel(Layout(dp=4)), 4, jitter_ns=0)
LATE = Extra(2, Compute(5 * MS, "gemm", range="extra_work"))


def asked(profile: OpenProfile, *texts: str) -> tuple[list[WhatIf], JobWhatIf]:
    changes = [parse_change(text) for text in texts]
    ranks = what_if(profile.profile, changes)
    job = what_if_job(profile.profile, changes, ranks)
    assert job is not None
    return ranks, job


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> OpenProfile:
    made = MadeRanks(data_parallel(Layout(dp=4)), 4, jitter_ns=0, extras=(LATE,))
    return made.open(tmp_path_factory.mktemp("late") / "run")


@pytest.fixture(scope="module")
def recorded(examples: Path) -> OpenProfile:
    return stepscope.open(examples / "ddp4_straggler")


def test_without_its_extra_work_the_job_takes_what_it_takes_without(late: OpenProfile, tmp_path: Path) -> None:
    """The oracle is the same job made without the extra work."""
    ranks, job = asked(late, "no-straggler:2")
    truth = REPLICAS.open(tmp_path / "even").show("job")["duration_ns"][0]
    assert ranks == [], "no step is simulated"
    assert job.together.after.best == pytest.approx(truth, rel=0.02)


@pytest.mark.long
def test_card_verdict_and_what_if_have_one_figure(recorded: OpenProfile) -> None:
    row = recorded.show("findings").filter(id="straggler").row(0, named=True)
    answer = asked(recorded, row["what_if"])[1].together
    saved, share = answer.saving_ns, answer.saving_pct
    assert [row[f"saving_{end}pct"] for end in ("low_", "", "high_")] == [share.low, share.best, share.high]
    assert [row[f"saving_{end}ns"] for end in ("low_", "", "high_")] == pytest.approx(
        [saved.low, saved.best, saved.high], rel=1e-3
    )
    (said,) = (one for one in job_sentences(recorded.profile) if one.id == "job-without")
    assert said["step_ns"] == round(answer.after.best)
    assert render(said) == "Without the straggler a step of the job would take ~224 ms (205 ms to 242 ms)."


def test_the_finding_of_a_straggler_has_its_time_and_its_pages(recorded: OpenProfile) -> None:
    row = recorded.show("findings").filter(id="straggler").row(0, named=True)
    assert row["end_ns"] - row["start_ns"] == pytest.approx(row["saving_ns"], rel=0.2)
    assert row["links"].startswith("https://")


@pytest.mark.long
def test_what_one_rank_saves_the_job_saves_only_where_no_other_is_longer(recorded: OpenProfile) -> None:
    ranks, job = asked(recorded, "kernel:/nccl/ x0.5 on rank 1")
    assert [one.changes for one in ranks] == [(), ("kernel:/nccl/ x0.5 on rank 1",), (), ()]
    assert ranks[1].together.saving_pct.best > 20
    assert ranks[0].together.saving_pct.best == 0
    assert job.together.saving_pct.best == pytest.approx(0, abs=0.5)
    ranks, job = asked(recorded, "kernel:/nccl/ x0.5")
    least = min(one.together.saving_pct.best for one in ranks)
    assert job.together.saving_pct.best == pytest.approx(least, abs=0.5)


@pytest.mark.long
def test_a_range_of_one_rank_can_be_changed(recorded: OpenProfile) -> None:
    """No other rank runs it, so they stay as they are."""
    ranks, _ = asked(recorded, "host:extra_work x0")
    assert [len(one.changes) for one in ranks] == [0, 0, 1, 0]
    with pytest.raises(BadRequest, match="has this name"):
        asked(recorded, "host:nothing x0")
    with pytest.raises(BadRequest, match="not among those"):
        asked(recorded, "no-sync on rank 17")


def test_together_is_at_least_the_larger_and_less_than_the_sum(recorded: OpenProfile) -> None:
    _, job = asked(recorded, "no-straggler:2", "kernel:/nccl/ x0.5")
    one, other = (answer.saving_pct for answer in job.alone)
    both = job.together.saving_pct
    assert max(one.best, other.best) <= both.best <= one.best + other.best
    assert both.low <= both.best <= both.high < 100


@pytest.mark.parametrize("change", ["no-straggler:1", "no-straggler:x"])
def test_who_is_no_straggler_cannot_be_changed(recorded: OpenProfile, change: str) -> None:
    with pytest.raises(BadRequest, match="not a straggler"):
        asked(recorded, change)


def test_one_rank_has_no_straggler(tmp_path: Path) -> None:
    one = MadeRanks(data_parallel(Layout(dp=4)), 4, jitter_ns=0, extras=(LATE,)).open(tmp_path / "one", [2])
    with pytest.raises(BadRequest, match="several ranks"):
        what_if_job(one.profile, [parse_change("no-straggler:2")], [])


def test_a_straggler_that_is_shown_alone_keeps_its_recommendation(recorded: OpenProfile) -> None:
    """Seen with ``report ddp4_straggler --rank 2``: a straggler was looked for among the selected ranks, and the one
    that saves 34 % had no recommendation and nothing of that to ask What if."""
    alone, of_all = recorded.profile.select([2]), findings(recorded.profile).filter(id="straggler")
    assert len(of_all) == 1
    assert findings(alone).filter(id="straggler").equals(of_all)
    assert findings(recorded.profile.select([0])).filter(id="straggler").is_empty()
    assert next((one.kind, one.name) for one in offers(alone).named) == ("no-straggler", "2")
    change = parse_change("no-straggler:2")
    assert what_if_job(alone, [change], []) == what_if_job(recorded.profile, [change], [])
    with pytest.raises(BadRequest, match="not a straggler"):
        what_if_job(recorded.profile.select([0]), [change], [])


@pytest.mark.long
def test_beside_a_straggler_what_a_rank_saves_is_not_saved_by_the_job(recorded: OpenProfile) -> None:
    """What ranks do that are not shown ends the job's step all the same."""
    changes = [parse_change("kernel:/nccl/ x0.5 on rank 2"), parse_change("no-straggler:2")]
    alone = recorded.profile.select([2])
    assert what_if_job(alone, changes, what_if(alone, changes)) == what_if_job(
        recorded.profile, changes, what_if(recorded.profile, changes)
    )


@pytest.mark.parametrize("wrong", ["no-straggler", "no-straggler:2 x0.5", "no-straggler:2 on rank 1"])
def test_it_names_a_rank_and_nothing_else(wrong: str) -> None:
    with pytest.raises(BadRequest, match="incomplete"):
        parse_change(wrong)
