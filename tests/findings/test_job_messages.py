"""What the ranks of a job say together, in sentences and as a finding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import stepscope
from building import kernel, launched, operator, step, write
from made_ranks import MS, Compute, Extra, Layout, MadeRanks, Parallel, data_parallel
from stepscope.findings.detailed_ranks import MANY
from stepscope.findings.job_messages import UNDETERMINED, job_sentences, sentences_of, waited_for
from stepscope.findings.report import make_report
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.reporters.report_text import report_lines
from stepscope.schema.reported import reported_of_all

REPLICAS = MadeRanks(data_parallel(Layout(dp=4)), 4, jitter_ns=0)
LATE = Extra(2, Compute(5 * MS, "gemm", range="extra_work"))

JOB = pl.DataFrame(
    {
        "duration_ns": [340_600_000],
        "best_rank": [3],
        "best_ns": [221_600_000],
        "exposed_wait_ns": [88_700_000],
        "exposed_transfer_ns": [209_700_000],
        "exposed_unmatched_ns": [0],
        "waited_for": [2],
        "waited_for_pct": [88.1],
    }
)
LATEST = {
    "rank": 2,
    "lateness_ns": 118_000_000,
    "lateness_pct": 34.6,
    "late_steps": 3,
    "steps": 3,
    "verdict": "straggler",
    "cause": "compute",
    "detail": Message("text-plain", text="aten::mm (gemm) under extra_work").encoded(),
    "uncertainty_ns": 6_690_000,
}


def words(said: tuple[Message, ...]) -> list[str]:
    return [render(one) for one in said]


def test_the_late_rank_is_named_with_its_cause_and_its_cost() -> None:
    said = sentences_of(JOB, pl.DataFrame([LATEST]))
    assert words(said) == [
        (
            "Rank 2 is a straggler: it delays the other ranks by 118 ms a step (35 % of the job's step of 341 ms), "
            "in 3 of 3 steps."
        ),
        "Cause: compute, aten::mm (gemm) under extra_work.",
        "Without the straggler a step of the job would take ~223 ms (216 ms to 229 ms).",
        (
            "Exposed communication of the job's step: 26 % waiting for another rank, 62 % transfer (mean over ranks); "
            "88 % of the waiting ends when rank 2 arrives."
        ),
    ]
    assert waited_for(said) == said[0]


def test_several_late_ranks_are_named() -> None:
    second = LATEST | {"rank": 4, "lateness_ns": 50_000_000, "cause": "host", "detail": ""}
    assert words(sentences_of(JOB, pl.DataFrame([LATEST, second])))[1:4] == [
        "Another straggler: rank 4 by 50.0 ms.",
        "Cause on rank 2: compute, aten::mm (gemm) under extra_work.",
        "Cause on rank 4: CPU work.",
    ]
    many = [LATEST | {"rank": rank, "cause": "", "detail": ""} for rank in range(6)]
    said = words(sentences_of(JOB, pl.DataFrame(many)))
    assert said[1] == "More stragglers: rank 1 by 118 ms and rank 2 by 118 ms and 3 more."


@pytest.mark.parametrize(
    ("late", "told"),
    [
        (
            {"lateness_ns": 300_000, "lateness_pct": 0.1},
            "No straggler: the latest rank, 2, is late by 300 us a step (0.1 %), less than 2 %.",
        ),
        (
            {"lateness_ns": 9_370_000, "lateness_pct": 3.9},
            (
                "Rank 2 may be a straggler, late by 9.37 ms a step (3.9 %): "
                "too close to chance variation (6.69 ms) to be sure."
            ),
        ),
        (
            {"lateness_ns": 33_300_000, "lateness_pct": 12.9, "late_steps": 1},
            (
                "Rank 2 is late in only 1 of 3 steps, by 33.3 ms a step on average (12.9 %): not a straggler, "
                "but inspect those steps."
            ),
        ),
    ],
)
def test_it_says_why_nobody_is_accused(late: dict[str, Any], told: str) -> None:
    sentences = sentences_of(JOB, pl.DataFrame([LATEST | {"verdict": "", "cause": "", "detail": ""} | late]))
    assert render(sentences[0]) == told
    assert waited_for(sentences) is None


def test_one_rank_and_unmatched_ones_say_nothing_together(tmp_path: Path) -> None:
    assert job_sentences(REPLICAS.open(tmp_path / "one", [2]).profile) == ()
    nobody = pl.DataFrame([LATEST]).clear()
    assert sentences_of(JOB.clear(), nobody) == ()
    assert sentences_of(JOB, nobody)[0] == UNDETERMINED
    assert sentences_of(JOB.with_columns(pl.selectors.starts_with("exposed_") * 0), nobody) == ()
    assert waited_for(()) is None


def test_a_rank_that_is_waited_for_is_not_called_innocent() -> None:
    """Own work before collectives that cannot be compared shows nowhere but in the waiting."""
    innocent = LATEST | {"verdict": "", "cause": "", "detail": "", "lateness_ns": 0, "lateness_pct": 0.0}
    told = sentences_of(JOB, pl.DataFrame([innocent]))
    assert told[-1] == Message("job-doubt", rank=2)
    little = JOB.with_columns(pl.col("exposed_wait_ns") // 10)
    assert len(sentences_of(little, pl.DataFrame([innocent]))) == len(told) - 1


def test_ranks_that_could_not_be_judged_are_named(tmp_path: Path) -> None:
    """Both groups of ranks 1 and 2 need rank 0, whose file is missing."""
    layout = Layout(dp=2, tp=2)
    opened = MadeRanks(Parallel(layout), 4, extras=(replace(LATE, rank=1),)).open(tmp_path / "run", [1, 2, 3])
    assert opened.show("stragglers")["rank"].to_list() == [3]
    told = job_sentences(opened.profile)
    assert Message("job-ranks-undetermined", count=2, ranks="1-2") in told
    assert not any(one.startswith("No rank is late") for one in words(told)), "most of them were not judged"


@pytest.mark.long
def test_a_stage_of_a_pipeline_may_have_time_to_be_late(tmp_path: Path) -> None:
    made = MadeRanks(Parallel(Layout(dp=2, pp=2)), 4, extras=(replace(LATE, rank=3),))
    opened = made.open(tmp_path / "run")
    (row,) = opened.show("findings").filter(pl.col("id") == "straggler").rows(named=True)
    assert (row["saving_low_ns"], row["confidence"]) == (0, "medium")
    assert row["confidence_reason"] == "only as far as the job does not wait for other pipeline stages then"
    (without,) = [one for one in job_sentences(opened.profile) if one.id == "job-without"]
    assert without["at_best"] is True
    assert render(without).endswith(" at best, as far as it is not waiting for other pipeline stages then.")


@pytest.mark.long
def test_a_late_rank_is_a_finding_with_its_saving(tmp_path: Path) -> None:
    opened = replace(REPLICAS, extras=(LATE,)).open(tmp_path / "run")
    row = opened.show("findings").row(0, named=True)
    late = opened.show("stragglers").row(0, named=True)
    assert (row["rank"], row["id"], row["severity"], row["confidence"]) == (2, "straggler", "high", "high")
    assert row["title"].startswith("Rank 2 is a straggler: it delays the other ranks by ")
    assert (row["saving_ns"], row["saving_pct"]) == (late["lateness_ns"], late["lateness_pct"])
    assert row["saving_low_ns"] <= row["saving_ns"] <= row["saving_high_ns"]
    assert row["evidence"].endswith("; late in 2 of 2 steps, at 6 of 6 collectives")
    assert "straggler" not in REPLICAS.open(tmp_path / "alike").show("findings")["id"].to_list()


@pytest.mark.long
def test_of_several_late_ranks_one_alone_may_save_nothing(tmp_path: Path) -> None:
    made = MadeRanks(data_parallel(Layout(dp=8)), 8, extras=(LATE, replace(LATE, rank=5)))
    rows = made.open(tmp_path / "run").show("findings").filter(pl.col("id") == "straggler")
    assert sorted(rows["rank"]) == [2, 5]
    assert (rows["saving_low_pct"] < 1).all()
    assert rows["confidence"].to_list() == ["low", "low"]
    assert set(rows["confidence_reason"]) == {
        f"only if rank {rank}, another straggler, is fixed as well" for rank in (2, 5)
    }


@pytest.mark.long
def test_a_report_of_many_ranks_tells_details_of_a_few(tmp_path: Path) -> None:
    made = MadeRanks(data_parallel(Layout(dp=MANY + 2)), MANY + 2, jitter_ns=0, extras=(replace(LATE, rank=5),))
    report = make_report(made.open(tmp_path / "run").profile)
    assert 5 in report.detailed
    assert 0 in report.detailed
    assert len(report.detailed) <= 4
    assert (report.job[0].id, report.job[0]["rank"]) == ("job-straggler", 5)
    for name in reported_of_all():
        ranks = report.tables[name]["rank"].drop_nulls() if "rank" in report.tables[name].columns else None
        if name in ("summary", "stragglers", "rank_matrix", "utilization", "clocks"):
            assert ranks is not None
            assert ranks.n_unique() == MANY + 2, name
    assert set(report.tables["idle"]["rank"]) <= set(report.detailed)
    text = [line.text for line in report_lines(report)]
    numbers = ", ".join(map(str, report.detailed))
    said = f"  details below are of ranks {numbers} only (the latest, the fastest, the first); others: --rank N"
    assert said in text
    assert [line for line in text[1:-1] if len(line) > 100] == []


def late_start(rank: int, begin: int) -> list[Any]:
    """One recorded step of a rank, whose first collective ends at 20 ms on all."""
    group = {"Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Group size": 2, "Rank": rank}
    call = group | {"Collective name": "allreduce", "In msg nelems": 1024, "dtype": "Float"}
    return [
        step(1, begin, 24 * MS),
        operator("record_param_comms", begin + MS, begin + MS + 50_000, external_id=1, **call),
        launched(
            kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL()", begin + 2 * MS, 20 * MS, 1, **call), begin + MS + 10_000
        ),
        launched(kernel("gemm", 20 * MS, 24 * MS, 2), begin + MS + 70_000),
    ]


@pytest.mark.parametrize(("begin", "said"), [(8 * MS, True), (MS // 2, False)])
def test_the_profilers_start_on_each_rank_is_not_the_jobs_waiting(tmp_path: Path, begin: int, said: bool) -> None:
    """Seen in a recording of DLRM on 8 GPUs: 7.5 ms of a step of 18.6 ms."""
    for rank, start in enumerate((0, begin)):
        write(
            tmp_path / f"rank{rank}.json",
            *late_start(rank, start),
            distributedInfo={"rank": rank, "world_size": 2, "backend": "nccl"},
        )
    found = job_sentences(stepscope.open(str(tmp_path)).profile)
    assert (Message("job-start-skew", spread_ns=begin, rank=1) in found) is said
