"""``stepscope diff``: what it prints and refuses, and that JSON and Markdown hold the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from building import kernel, launched, operator, step, write
from command_line import Run

SLOW, FIXED = (f"examples/launch_bound_decode.{side}.pt.trace.json.gz" for side in ("slow", "fixed"))


def made(path: Path, *, steps: int = 3, name: str = "aten::mm", length: int = 400_000, gemm: int = 100_000) -> str:
    events = [
        [
            step(n, 1_000_000 * n, 1_000_000 * (n + 1)),
            operator(name, 1_000_000 * n + 1_000, 1_000_000 * n + 1_000 + length),
            launched(
                kernel("gemm", 1_000_000 * n + 500_000, 1_000_000 * n + 500_000 + gemm, n + 1), 1_000_000 * n + 2_000
            ),
        ]
        for n in range(steps)
    ]
    return str(write(path, *events))


def test_a_recording_and_itself(run: Run, tmp_path: Path) -> None:
    path = made(tmp_path / "one.json")
    lines = run("diff", path, path).out.splitlines()
    assert lines[-1] == "No differences: both sides are the same recording, or equal to the nanosecond."


@pytest.mark.long
def test_json_has_what_the_text_says(run: Run) -> None:
    document = json.loads(run("diff", SLOW, FIXED, "--format", "json").out)
    step_, rows = document["step"], document["rows"]
    assert set(step_) >= {"base_ns", "new_ns", "delta_ns", "low_ns", "high_ns", "smallest_ns", "status"}
    for level in ("side", "phase"):
        assert sum(row["delta_ns"] for row in rows if row["level"] == level) == step_["delta_ns"]
    assert {row["status"] for row in rows} <= {"changed", "same", "unknown", "new", "gone"}
    assert {name for row in rows for name in row} >= {"level", "key", "base_ns", "new_ns", "delta_ns", "status"}
    text = " ".join(run("diff", SLOW, FIXED).out.split())
    for sentence in document["sentences"]:
        assert sentence["text"] in text


def test_markdown_folds_what_is_long_and_means_nothing_by_names(run: Run, tmp_path: Path) -> None:
    base = made(tmp_path / "base.json", name="aten::<b>|x", gemm=300_000)
    out = run("diff", base, made(tmp_path / "new.json", gemm=100_000), "--format", "markdown").out
    assert out.startswith("### ")
    assert out.count("<details>") == 1
    assert "aten::&#60;b&#62;&#124;x" in out.partition("<details>")[0]
    assert "<b>" not in out.partition("<details>")[0]


def test_the_answer_is_chinese_where_that_is_asked(run: Run) -> None:
    out = run("diff", SLOW, FIXED, "--lang", "zh").out
    assert re.search(r"^迭代变快 .*（.* -> .*）", out, re.M)
    assert "差异的来源  (对迭代时间的影响，由模拟得出)" in out


def test_several_recordings_of_each_side(run: Run, tmp_path: Path) -> None:
    paths = [made(tmp_path / f"{n}.json", length=400_000 + 1_000 * n) for n in range(4)]
    asked = [part for n, path in enumerate(paths) for part in (("--base", "--new")[n > 1], path)]
    document = json.loads(run("diff", *asked, "--format", "json").out)
    assert [len(document[side]) for side in ("base", "new")] == [2, 2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.json"], "one side has no recording: write stepscope diff BASE NEW"),
        (["--base", "a.json"], "one side has no recording: write stepscope diff BASE NEW"),
        (["a.json", "b.json", "--base", "c.json"], "recordings are named both as arguments and by --base or --new"),
    ],
)
def test_sides_that_are_not_clear_are_refused(run: Run, arguments: list[str], said: str) -> None:
    outcome = run("diff", *arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_recordings_of_other_kinds_are_refused_in_a_sentence(run: Run) -> None:
    path = "tests/readers/recorded_dumps/left"
    outcome = run("diff", path, path)
    assert (outcome.code, outcome.out) == (2, "")
    assert (
        "it is no trace. Name traces, or a table that both recordings hold: stepscope diff BASE NEW --table"
        in outcome.err
    )


def test_reports_of_kernels_are_compared_by_their_table(run: Run) -> None:
    """Before: "it is no trace", with the option to add."""
    path = "tests/recordings/ncu_range.ncu-rep.gz"
    outcome = run("diff", path, path)
    assert (outcome.code, outcome.out.split("\n")[:2]) == (
        0,
        [
            "Reports of Nsight Compute have no steps: compared as with --table kernel_reports.",
            "kernel_reports: 2 rows in the base, 2 in the new recording",
        ],
    )
    assert json.loads(run("diff", path, path, "--format", "json").out)["table"] == "kernel_reports"


def test_ranks_that_no_side_shares_are_refused(run: Run) -> None:
    outcome = run("diff", "examples/ddp4_straggler", "examples/ddp4_straggler", "--rank", "9")
    assert outcome.code == 2
    assert "the profile has 0-3" in outcome.err
