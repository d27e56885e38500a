"""Every command answers bad input with exit code 2 and one line that says what was found and what to do."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from building.snapshots import small_training
from command_line import Run

SLOW = "examples/batch_size.slow.pt.trace.json.gz"
GARBAGE = {
    "empty.json": b"",
    "noise.json": bytes(range(256)) * 16,
    "words.json": b"this is not a trace, it is prose\n" * 9,
    "snapshot.pickle.json": pickle.dumps({"segments": []}, protocol=4),
    "execution.json": b'{"schema": "1.0.2-chakra.0.0.4", "pid": 1, "nodes": []}',
    "rocprof.json": b'{"rocprofiler-sdk-tool": [{"metadata": {}}]}',
    "list.json": b"[[1, 2, 3], [4, 5, 6]]",
    "other.json": b'{"some": 1, "thing": 2}',
    "no_events.json": b'{"traceEvents": []}',
    "cut.json.gz": gzip.compress(b'{"traceEvents": [', mtime=0)[:12],
    "nothing.json.gz": gzip.compress(b"", mtime=0),
}
COMMANDS = [["report"], ["show", "summary"], ["show", "health"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", GARBAGE)
def test_what_is_no_trace_is_named(run: Run, tmp_path: Path, command: list[str], name: str) -> None:
    path = tmp_path / name
    path.write_bytes(GARBAGE[name])
    outcome = run(*command, str(path))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"stepscope: cannot read {path}: ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_missing_file_is_named(run: Run, command: list[str]) -> None:
    outcome = run(*command, "nowhere.json")
    assert outcome == (2, "", "stepscope: cannot open nowhere.json: there is no such file or folder. Check the path.\n")


def test_a_folder_without_traces_is_named(run: Run, tmp_path: Path) -> None:
    outcome = run("report", str(tmp_path))
    assert outcome.err == (
        f"stepscope: cannot open {tmp_path}: the folder holds no recording that stepscope reads. "
        "Name a recording, or the folder that a profiler wrote to.\n"
    )


def test_a_folder_of_other_json_says_what_was_found(run: Run, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"lr": 0.1}')
    assert run("report", str(tmp_path)).err == (
        f"stepscope: cannot open {tmp_path}: its only file that may be a recording cannot be read "
        "(config.json: it is JSON without traceEvents (its keys are lr)). "
        "Name a recording, or the folder that a profiler wrote to.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "kernel", SLOW], "cannot show kernel: there is no such table. Did you mean kernels? Tables: "),
        (["show", "kernels", SLOW, "--by", "shape"], "cannot show kernels by shape: it offers launch, op."),
        (["show", "kernels", SLOW, "--rank", "7"], "cannot show rank 7: the profile has 0."),
        (["show", "kernels", SLOW, "--step", "9"], "cannot show step 9: the profile has steps 3-5."),
        (["show", "kernels", SLOW, "--step", "x"], "cannot read --step x: it is neither a step nor FIRST:LAST."),
        (["show", "kernels", SLOW, "--step", "5:3"], "cannot read --step 5:3: the last step comes before the first."),
        (["show", "kernels", SLOW, "--sort", "speed"], "cannot sort by speed: there is no such column."),
        (
            ["show", "kernels", SLOW, "--where", "speed > 3"],
            'cannot use --where speed > 3: there is no column "speed".',
        ),
        (["show", "kernels", SLOW, "--where", "calls >"], "cannot use --where calls >: "),
        (["show", "kernels", SLOW, "--where", "'; drop table"], "cannot use --where '; drop table: "),
        (["report", SLOW, "-o", SLOW], f"cannot write {SLOW}: it is the input. Name another file for the report."),
        (["report", SLOW, "--max-size", "huge"], "cannot read --max-size huge: it is not a valid size."),
        (["repotr", SLOW], "there is no command 'repotr'; did you mean report? commands: record, attach, nsys"),
        (["report"], "Missing argument 'PATH...'."),
        (["report", SLOW, "-o", "/nowhere/report.txt"], "cannot write /nowhere/report.txt: No such file or directory."),
    ],
)
def test_a_question_that_cannot_be_answered_is_explained(run: Run, arguments: list[str], said: str) -> None:
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"stepscope: {said}")
    assert outcome.err.count("\n") == 1


def test_a_defect_of_stepscope_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.delenv("STEPSCOPE_DEBUG")
    monkeypatch.setattr("stepscope.analyses.make_table", broken)
    outcome = run("show", "kernels", SLOW)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "stepscope: a defect of stepscope, not of your trace: ZeroDivisionError. "
        "STEPSCOPE_DEBUG=1 shows where; please report it\n"
    )


def test_text_of_a_trace_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text('[{"ph":"X","cat":"cpu_op","name":"\\u001b[31mred\\u0007","pid":1,"tid":1,"ts":1,"dur":1}]')
    out = run("report", str(path)).out
    assert "?[31mred?" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("text", ["5", ":", "a:b", "2:1", "-1:2", "1h:2h", "1:2:3"])
def test_a_range_of_time_is_from_and_to(run: Run, tmp_path: Path, text: str) -> None:
    snapshot = small_training().write(tmp_path / "snapshot.pickle")
    outcome = run("show", "memory_peak", str(snapshot), "--between", text)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"stepscope: cannot read --between {text}: ")


def test_a_range_of_time_with_units(run: Run, tmp_path: Path) -> None:
    show = ("show", "memory_timeline", str(small_training().write(tmp_path / "snapshot.pickle")), "--between")
    first, same, longer = (run(*show, text).out for text in ("4us:0.006ms", "4000ns: 6us", "0.000004:"))
    assert first == same
    assert len(longer.splitlines()) > len(first.splitlines()) > 3


def test_an_option_that_names_a_format_is_answered_with_the_option_for_it(run: Run) -> None:
    """Before: "Did you mean '--span'?"."""
    outcome = run("report", "--json", SLOW)
    assert (outcome.code, outcome.err) == (
        2,
        "stepscope: No such option '--json'. Did you mean '--format json'? Try: stepscope report --help\n",
    )


def test_a_folder_of_several_runs_of_mindspore_lists_them(run: Run, tmp_path: Path) -> None:
    """Before, the folders of MindData and the inner ones of the runs."""
    for name in ("first", "second"):
        (tmp_path / name / "minddata").mkdir(parents=True)
        (tmp_path / name / "minddata" / "pipeline_profiling_0.json").write_text("{}")
        view = tmp_path / name / "vm_1_20260101000000000_ascend_ms" / "ASCEND_PROFILER_OUTPUT"
        view.mkdir(parents=True)
        (view / "trace_view.json").write_text("[]")
    outcome = run("report", str(tmp_path))
    assert "Name a folder below it (first, second), or see all of them" in outcome.err
