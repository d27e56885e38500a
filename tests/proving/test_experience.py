"""What tested predictions make of later ranges: by how much, of which recordings, and in everything that shows one."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building.results import kept, predicted
from command_line import Run
from served import Client, get, until
from stepscope.analyses.ranks.without_straggler import without_stragglers
from stepscope.findings.job_messages import job_sentences
from stepscope.proving.experience import LEAST, experience, ledgers
from stepscope.proving.ledger import Entry, read_ledger
from stepscope.proving.proof import INSIDE, LESS, MORE, Span, recording
from stepscope.server.app import make_app
from stepscope.server.summary_process import summary_of

SLOW, FIXED = (f"launch_bound_decode.{side}.pt.trace.json.gz" for side in ("slow", "fixed"))
DEVICE = "NVIDIA H200"
ENDS = ("saving_low_pct", "saving_pct", "saving_high_pct")


def promised(came: float, n: int, **others: Any) -> Entry:
    """Promised 20 %, 10 to 40."""
    given = {"device": "", "wide": 1, "promised": Span(10, 20, 40), "factor": 1.0} | others
    names = given.get("before", f"a{n}"), given.get("after", f"b{n}")
    spans = given["promised"], Span(came - given["wide"], came, came + given["wide"])
    return Entry(float(n), given.get("finding", "x"), "high", *spans, INSIDE, given["device"], *names, given["factor"])


def factor_of(came: list[float], **others: Any) -> float | None:
    (found,) = experience([promised(one, n, **others) for n, one in enumerate(came)])
    return found.tested and found.tested.factor


def test_four_tests_are_needed() -> None:
    assert factor_of([30, 30, 30]) is None
    assert factor_of([30, 30, 30, 30]) == 1 / 2


@pytest.mark.parametrize("count", [4, 7, 9, 14, 30])
def test_the_factor_is_the_score_at_its_place(count: int) -> None:
    came = [random.Random(count).uniform(-15, 75) for _ in range(count)]
    scores = sorted((one - 20) / 20 if one > 20 else (20 - one) / 10 for one in came)
    place = next(n for n in range(count) if (n + 1) >= 0.8 * (count + 1))
    assert factor_of(came) == pytest.approx(max(scores[place], 0.5))


def test_four_of_five_later_ranges_hold_what_comes() -> None:
    """Whatever the ranges are like: here they are three times too narrow."""
    made, held, trials = random.Random(1), 0, 3000
    for _ in range(trials):
        came = [20 + made.gauss(0, 30) for _ in range(10)]
        factor = factor_of(came[:9]) or 0.0
        held += 20 - 10 * factor <= came[9] <= 20 + 20 * factor
    assert 0.77 < held / trials < 0.83


def test_ranges_that_are_too_wide_become_narrower_but_no_narrower_than_half() -> None:
    assert factor_of([20, 20, 20, 20]) == 0.5
    assert factor_of([-1000, -1000, -1000, -1000]) == 10


def test_a_range_that_was_changed_counts_as_it_was_before() -> None:
    plain = factor_of([0, 5, 50, 70])
    assert factor_of([0, 5, 50, 70], promised=Span(0, 20, 60), factor=2.0) == plain


def test_what_is_not_known_well_is_left_out_wherever_it_lies() -> None:
    """Where only what lay outside were left out, or inside, later ranges would come out too narrow or too wide."""
    unsure = [promised(one, n, wide=40) for n, one in enumerate([20, -10, 48, 25])]
    (found,) = experience(unsure)
    assert (found.known, found.tested) == (0, None)
    outside = [promised(90, n, wide=40) for n in range(4)]
    assert experience(outside)[0].known == 4


def test_devices_and_findings_are_apart_and_the_later_test_counts() -> None:
    entries = [promised(20, n, device="A" if n % 2 else "B") for n in range(8)]
    entries += [promised(25, n, finding="y") for n in range(3)] + [
        promised(30, 2, finding="y", after="b0", before="a0")
    ]
    found = [(one.finding, one.device, one.known) for one in experience(entries)]
    assert found == [("x", "A", 4), ("x", "B", 4), ("y", "", 3)]


def lines(came: list[float], **others: Any) -> list[dict[str, Any]]:
    """Tests of promises of 82 %, 72 to 92."""
    given = {"promised_pct": [72, 82, 92], "setup": {"device": DEVICE}} | others
    each = [[one - 1, one, one + 1] for one in came]
    return [predicted(LESS, one, before=f"a{n}", after=f"b{n}", **given) for n, one in enumerate(each)]


@pytest.fixture
def folder(tmp_path: Path, examples: Path) -> Path:
    """A recording whose finding `launch-bound` may save 82 %."""
    shutil.copy(examples / SLOW, tmp_path / SLOW)
    return tmp_path


def shown(run: Run, path: Path) -> dict[str, Any]:
    rows = json.loads(run("show", "findings", str(path), "--format", "json").out)["rows"]
    (row,) = [row for row in rows if row["id"] == "launch-bound"]
    return dict(row)


def sent(client: Client) -> dict[str, Any]:
    """The same as the server sends it."""
    data = get(client, "table", run=SLOW, table="findings")["data"]
    at = data["id"].index("launch-bound")
    return {name: values[at] for name, values in data.items()}


@pytest.mark.long
def test_everything_that_shows_the_saving_follows_the_ledger(run: Run, folder: Path) -> None:
    """And what was kept on disk from the time before does not come back, nor stay when the ledger is gone."""
    path = folder / SLOW
    before = shown(run, path)
    run("report", str(path))
    ledger = kept(folder, "ledger.jsonl", lines([62, 62, 67, 62]))
    after = shown(run, path)
    best = before["saving_pct"]
    assert after["saving_pct"] == best
    assert after["saving_low_pct"] == pytest.approx(best - 2 * (best - before["saving_low_pct"]))
    # It ends where the GPU's own work would remain, however wide it is.
    assert after["saving_high_pct"] == pytest.approx(before["saving_high_pct"])
    assert after["confidence_reason"].endswith("; 4 earlier fixes of this kind set its width")
    low, high = (f"{after[end]:.0f} %" for end in (ENDS[0], ENDS[2]))
    said = " ".join(run("report", str(path)).out.split())
    assert f"({low} to {high})" in said
    assert "4 earlier fixes of this kind set its width" in said
    answer = json.loads(run("what-if", str(path), "--change", "fix:launch-bound", "--format", "json").out)
    assert [round(answer["ranks"][0]["changes"][0][end], 6) for end in ENDS] == [round(after[end], 6) for end in ENDS]
    row = stepscope.open(path).findings.filter(id="launch-bound").row(0, named=True)
    assert [row[end] for end in ENDS] == [after[end] for end in ENDS]
    ledger.unlink()
    assert shown(run, path) == before


@pytest.mark.long
def test_the_app_follows_it_too_and_again_when_it_grows(run: Run, folder: Path) -> None:
    class Here:
        """Makes summaries in this process."""

        def summary(self, paths: tuple[str, ...]) -> Any:
            return summary_of(paths, str(folder))

        def interrupt(self) -> None:
            """It goes on to its end."""

        def rest(self) -> None:
            """Nothing was started."""

    client = Client(make_app(str(folder), web=folder / "none", summariser=Here()))

    def figures() -> tuple[list[float], list[float]]:
        row = sent(client)
        until(lambda: get(client, "runs", read=1)["runs"][0]["summary"] is not None)
        saving = get(client, "runs")["runs"][0]["summary"]["saving"]
        return [row[end] for end in ENDS], [saving[end] for end in ENDS]

    for came in ([62, 62, 62, 62], [52, 52, 52, 52]):
        kept(folder, "ledger.jsonl", lines(came))  # type: ignore[arg-type]
        wanted = [shown(run, folder / SLOW)[end] for end in ENDS]
        until(lambda wanted=wanted: figures() == (wanted, wanted))  # type: ignore[misc]


@pytest.mark.long
def test_the_server_follows_no_ledger_outside_its_folder(folder: Path, run: Run) -> None:
    inner = folder / "runs"
    inner.mkdir()
    shutil.move(folder / SLOW, inner / SLOW)
    before = shown(run, inner / SLOW)
    kept(folder, "ledger.jsonl", lines([62, 62, 62, 62]))
    assert len(ledgers([str(inner / SLOW)])) == 1
    assert ledgers([str(inner / SLOW)], str(inner)) == []
    row = sent(Client(make_app(str(inner), web=inner / "none")))
    assert [row[end] for end in ENDS] == [before[end] for end in ENDS]
    assert shown(run, inner / SLOW)[ENDS[0]] < before[ENDS[0]]


@pytest.mark.long
@pytest.mark.parametrize(
    "others",
    [
        {"setup": {"device": "NVIDIA H100"}},
        {"finding": "allocator"},
        {"promised_pct": [1, 2, 3], "came_pct": [-500, 2, 500]},
        {"factor": 0},
        {"factor": "wide"},
        {"recorded": [[1, 2]] * 9 + [3]},
        {"recorded": 7},
        {"recorded": [[float("inf"), 1], [1, 2]]},
    ],
)
def test_other_tests_leave_the_range(run: Run, folder: Path, others: dict[str, Any]) -> None:
    before = shown(run, folder / SLOW)
    kept(folder, "ledger.jsonl", [one | others for one in lines([62, 62, 62, 62])])
    assert shown(run, folder / SLOW) == before


@pytest.mark.long
def test_a_recording_is_not_judged_by_its_own_test(run: Run, folder: Path) -> None:
    before = shown(run, folder / SLOW)
    recorded = [recording(stepscope.open(folder / SLOW).profile), [1, 2]]
    for own in ({"before": str(folder / SLOW)}, {"before": "copied.json", "recorded": recorded}):
        kept(folder, "ledger.jsonl", [one | own for one in lines([62, 62, 62, 62])])
        assert shown(run, folder / SLOW) == before
    of_another = {"before": str(folder / SLOW), "recorded": [[3, 4], [1, 2]]}  # which lay there under the same name
    kept(folder, "ledger.jsonl", [one | of_another for one in lines([62, 62, 62, 62])])
    assert shown(run, folder / SLOW) != before


@pytest.mark.long
def test_a_proof_keeps_the_factor_that_its_range_was_stated_with(run: Run, folder: Path, examples: Path) -> None:
    shutil.copy(examples / FIXED, folder / FIXED)
    path = kept(folder, "ledger.jsonl", lines([62, 62, 62, 62]))
    asked = ("prove", str(folder / SLOW), str(folder / FIXED), "--finding", "launch-bound", "--ledger", str(path))
    assert [run(*asked, "--label", "4f2a9c").code for _ in range(2)] == [0, 0]
    assert "4f2a9c" in run("ledger", str(path)).out
    row, (*_, one, again) = shown(run, folder / SLOW), read_ledger(str(path))[0]
    assert one.factor == again.factor == 2
    assert one.promised_pct == again.promised_pct
    assert one.promised_pct.low == pytest.approx(row["saving_low_pct"], abs=0.001)
    (found,) = experience(read_ledger(str(path))[0])
    assert found.known == LEAST + 1


@pytest.mark.long
@pytest.mark.parametrize("came", [[1e308, 1e308, 1e308], [-1e308, -1e308, 1e308]])
def test_figures_without_measure_widen_no_more_than_tenfold(run: Run, folder: Path, came: list[float]) -> None:
    before = shown(run, folder / SLOW)
    kept(folder, "ledger.jsonl", [one | {"came_pct": came} for one in lines([0, 0, 0, 0])])
    after = shown(run, folder / SLOW)
    best = before["saving_pct"]
    assert best - after["saving_low_pct"] <= 10 * (best - before["saving_low_pct"]) * (1 + 1e-9)


@pytest.mark.long
def test_the_range_without_a_straggler_follows_too(examples: Path, tmp_path: Path) -> None:
    shutil.copytree(examples / "ddp4_straggler", tmp_path / "job")
    plain = stepscope.open(tmp_path / "job")
    of = {"finding": "straggler", "promised_pct": [0, 49, 74], "setup": {"device": DEVICE}}
    kept(tmp_path, "ledger.jsonl", [predicted(MORE, [99, 99, 99], before=f"a{n}", **of) for n in range(4)])
    wider = stepscope.open(tmp_path / "job")
    (one,), (other,) = (without_stragglers(one.profile) for one in (plain, wider))
    assert other.saving_ns.best == one.saving_ns.best
    assert other.saving_ns.high - one.saving_ns.best == pytest.approx(
        2 * (one.saving_ns.high - one.saving_ns.best), 1e-6
    )
    assert other.after_ns.low < one.after_ns.low
    (said,) = [said for said in job_sentences(wider.profile) if said.id == "job-without"]
    assert dict(said.params)["low_ns"] == round(other.after_ns.low)


def test_a_url_has_no_folder(tmp_path: Path) -> None:
    assert ledgers(["https://example.com/a/trace.json"], str(tmp_path)) == []


def test_the_command_says_how_wide_later_ranges_are(run: Run, tmp_path: Path) -> None:
    few = [one | {"finding": "allocator", "setup": {}} for one in lines([62, 62, 62])]
    path = kept(tmp_path, "ledger.jsonl", lines([62, 62, 53, 53]) + few)
    out = run("ledger", str(path)).out
    assert out.split("\n\n")[2] == (
        "Ranges of later predictions\n"
        "  finding       device       conclusive                    width\n"
        "  ------------  -----------  ----------  -----------------------\n"
        "  launch-bound  NVIDIA H200           4                     x2.9\n"
        "  allocator     -                     3  unchanged: fewer than 4"
    )
    document = json.loads(run("ledger", str(path), "--format", "json").out)["experience"]
    assert document[0]["tested"] == {"factor": 2.9, "count": 4}
    assert document[1]["tested"] is None
