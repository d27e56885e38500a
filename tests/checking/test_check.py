"""``stepscope check``: what it prints, its exit codes, its documents, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from building.compiling import MadeLog
from checking.made_runs import made
from command_line import Run


def lines(out: str) -> list[str]:
    """What is printed below the names of the files."""
    return out.split("\n\n", 1)[1].splitlines()


@pytest.mark.long
def test_nothing_regressed(run: Run, tmp_path: Path) -> None:
    base, new = made(tmp_path / "base.json"), made(tmp_path / "new.json")
    outcome = run("check", new, "--baseline", base)
    assert outcome.code == 0
    assert lines(outcome.out) == [
        "No regression: the step takes 1.00 ms (before: 1.00 ms) and no exact count grew by more than 10 %."
    ]


@pytest.mark.long
def test_an_exact_count_grew(run: Run, tmp_path: Path) -> None:
    base, new = made(tmp_path / "base.json"), made(tmp_path / "new.json", waits=2)
    outcome = run("check", new, "--baseline", base)
    assert outcome.code == 1
    assert lines(outcome.out) == [
        "Regression: API calls: 1 -> 3 (exact count) and calls that wait for the GPU: 0 -> 2 (exact count).",
        "",
        "What was checked  (a step; counts are exact)",
        "  check                        base  new   limit  outcome",
        "  ---------------------------  ----  ---  ------  ---------",
        "  API calls                       1    3  <= 1.1  regressed",
        "  calls that wait for the GPU     0    2    <= 0  regressed",
        "  3 other checks are fine: --all",
    ]


def broken(folder: Path, *reasons: str) -> str:
    """A recording with a log of torch.compile, in which graphs break."""
    log = MadeLog()
    log.compiled("0/0", "forward", 15, 9_000_000)
    for number, reason in enumerate(reasons):
        log.broken("0/0", 17 + number, reason)
    log.write(folder)
    made(folder / "trace.json")
    return str(folder)


@pytest.mark.long
def test_more_graph_breaks_are_a_regression_and_other_ones_are_none(run: Run, tmp_path: Path) -> None:
    base = broken(tmp_path / "base", "print")
    outcome = run("check", broken(tmp_path / "new", "print", "item"), "--baseline", base)
    assert outcome.code == 1
    assert lines(outcome.out)[0] == "Regression: graph breaks (of the whole run): 1 -> 2 (exact count)."
    other = run("check", broken(tmp_path / "other", "item"), "--baseline", base, "--all")
    assert other.code == 0
    rows = [row.split() for row in lines(other.out) if "functions breaking graphs" in row]
    assert [row[-3:] for row in rows] == [["1", "1", "fine"]], "which ones they are decides nothing"


@pytest.mark.long
def test_steps_of_other_work_that_were_not_compared_leave_it_open(run: Run, tmp_path: Path) -> None:
    base, new = made(tmp_path / "base.json"), made(tmp_path / "new.json", evaluates=(3,))
    outcome = run("check", new, "--baseline", base)
    assert outcome.code == 3
    assert " ".join(map(str.strip, lines(outcome.out)[:2])) == (
        "Inconclusive: step time: 1.00 ms -> 1.00 ms (steps that do other work are not compared, and with them a step "
        "takes 1.00 ms -> 1.60 ms)."
    )


def test_a_longer_step_is_named_first_with_its_cause(run: Run, tmp_path: Path) -> None:
    base = made(tmp_path / "base.json")
    new = made(tmp_path / "new.json", length=2_000_000, gemm=1_700_000)
    outcome = run("check", new, "--baseline", base)
    assert outcome.code == 1
    assert lines(outcome.out)[0].startswith("Regression: step time: 1.00 ms -> 2.00 ms (")


def test_another_setup_is_not_compared_unless_that_is_allowed(run: Run, tmp_path: Path) -> None:
    base = made(tmp_path / "base.json")
    new = made(tmp_path / "new.json", deviceProperties=[{"name": "NVIDIA A100", "id": 0}])
    outcome = run("check", new, "--baseline", base)
    assert outcome.code == 3
    assert lines(outcome.out) == [
        "Inconclusive: the baseline was not recorded in the same way.",
        "The device differs: NVIDIA H200 -> NVIDIA A100.",
        "Nothing was compared: save a baseline of this setup, or compare with --allow-other-setup.",
    ]
    assert run("check", new, "--baseline", base, "--allow-other-setup").code == 0


@pytest.mark.long
def test_documents_agree_with_each_other(run: Run, tmp_path: Path) -> None:
    base, new = made(tmp_path / "base.json"), made(tmp_path / "new.json", waits=2)
    asked = ("check", new, "--baseline", base)
    document = json.loads(run(*asked, "--format", "json").out)
    assert (document["outcome"], document["exit_code"], document["compared"]) == ("regressed", 1, True)
    failed = [check["title"] for check in document["checks"] if check["outcome"] == "regressed"]
    assert failed == ["API calls", "calls that wait for the GPU"]
    suite = ET.fromstring(run(*asked, "--format", "junit").out.encode()).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases if case.find("failure") is not None] == failed
    assert (suite.get("tests"), suite.get("failures")) == (str(len(document["checks"])), "2")
    markdown = run(*asked, "--format", "markdown").out
    assert markdown.startswith(f"### {document['sentences'][0]['text']}".replace(">", "&#62;"))
    assert markdown.count("| regressed |") == 2


def test_a_skipped_case_says_why_nothing_was_compared(run: Run, tmp_path: Path) -> None:
    base = made(tmp_path / "base.json")
    new = made(tmp_path / "new.json", deviceProperties=[{"name": "NVIDIA A100", "id": 0}])
    out = tmp_path / "result.xml"
    assert run("check", new, "--baseline", base, "-o", str(out)).code == 3
    (case,) = ET.parse(out).iter("testcase")
    assert "-> NVIDIA A100." in (case.find("skipped").get("message") or "")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["new.json"], "name a --baseline or a --budget"),
        (["new.json", "--baseline", "main"], "cannot open new.json"),
        (["new.json", "--baseline", "main", "-o", "x.pdf"], "nothing is written as .pdf"),
    ],
)
def test_what_cannot_be_checked_is_an_error(run: Run, arguments: list[str], said: str) -> None:
    outcome = run("check", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err


def test_a_name_that_is_not_saved_is_an_error(run: Run, tmp_path: Path) -> None:
    new, root = made(tmp_path / "new.json"), str(tmp_path / "kept")
    outcome = run("check", new, "--baseline", "main", "--baselines", root)
    assert outcome.code == 2
    assert outcome.err == (
        f"stepscope: cannot find the baseline main: there is neither such a file nor such a name in {root}. "
        "Save one with stepscope baseline save NAME RECORDING\n"
    )
