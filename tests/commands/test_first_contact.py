"""What users meet first: help, suggestions, formats by name, pipes, narrow terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Run
from stepscope.reporters.display_width import width_of
from stepscope.reporters.markdown_report import plain

RANKS = "examples/ddp4_straggler"
SLOW = "examples/batch_size.slow.pt.trace.json.gz"


@pytest.mark.parametrize("arguments", [[], ["cache"]])
def test_a_command_alone_shows_its_help(run: Run, arguments: list[str]) -> None:
    """It was squeezed into one line behind "stepscope:", as an error."""
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    assert "\n\nCommands:\n" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reprot", SLOW], "there is no command 'reprot'; did you mean report? commands:"),
        (["findings", SLOW], "there is no command 'findings'; did you mean show findings? commands:"),
        (["queue-depth", SLOW], "there is no command 'queue-depth'; did you mean show queue_depth? commands:"),
        (["report", SLOW, "--formt", "json"], "No such option '--formt'. Did you mean '--format'? Try:"),
        (["show", "kernls", SLOW], "Did you mean kernels? Tables:"),
        (["show", "kernels", SLOW, "--where", "totl > 5"], 'no column "totl" (did you mean total_ns?). Columns:'),
        (["report", SLOW, "--step", "5:3"], "the last step comes before the first. For example: --step 3:5"),
        (["report", SLOW, "-o", "report.pdf"], "nothing is written as .pdf. Name a file that ends in one of: .txt,"),
        (["show", "kernels", SLOW, "-o", "k.html"], "nothing is written as .html. Name a file that ends in one of:"),
    ],
)
def test_what_was_meant_is_suggested(run: Run, arguments: list[str], said: str) -> None:
    outcome = run(*arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_conditions_take_headings(run: Run) -> None:
    by_name = run("show", "kernels", RANKS, "--where", "total_ns > 5000000 AND calls < 60")
    assert by_name == run("show", "kernels", RANKS, "--where", "Total > 5000000 AND calls < 60")
    assert by_name.code == 0


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet", "md", "txt"])
def test_a_table_is_written_in_the_format_of_its_name(run: Run, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"kernels.{suffix}"
    outcome = run("show", "kernels", SLOW, "--limit", "2", "-o", str(file))
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith(f"wrote {file}\n")
    begin = {"csv": b"name,", "json": b'{"schema_version"', "parquet": b"PAR1", "md": b"| kernel |", "txt": b"kernel "}
    content = file.read_bytes()
    assert content.startswith(begin[suffix])


def test_show_never_replaces_its_input(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text('{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1}]}')
    outcome = run("show", "kernels", str(trace), "-o", str(trace))
    assert outcome.code == 2
    assert "it is the input" in outcome.err


@pytest.mark.long
def test_a_trace_from_a_pipe() -> None:
    command = [sys.executable, "-m", "stepscope", "show", "summary", "-", "--format", "csv"]
    piped = subprocess.run(command, input=Path(SLOW).read_bytes(), capture_output=True, check=True).stdout
    named = subprocess.run([*command[:-3], SLOW, *command[-2:]], capture_output=True, check=True).stdout
    assert piped == named


@pytest.mark.long
def test_a_report_for_a_pull_request(run: Run) -> None:
    """It was every table with every column; a comment is read in half a minute."""
    text = run("report", SLOW, "--format", "markdown").out
    lines = text.split("<details>")[0].splitlines()
    assert lines[0].startswith("### Host-bound")
    assert len(lines) <= 20
    assert any(line.startswith("2. **45 % of kernel time") for line in lines)
    assert text.endswith("</details>\n")
    assert text.count("```") == 2


def test_text_of_a_trace_means_nothing_in_markdown() -> None:
    assert plain("<img src=x> @team #1 [a](b) `c` *d* a_b _e_") == (
        "&#60;img src=x&#62; &#64;team &#35;1 &#91;a&#93;(b) &#96;c&#96; &#42;d&#42; a_b &#95;e&#95;"
    )


@pytest.mark.parametrize("path", [RANKS, SLOW, "examples/launch_bound_decode.fixed.pt.trace.json.gz"])
@pytest.mark.long
def test_a_report_fits_sixty_columns_but_for_its_command(run: Run, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("report", path).out.splitlines()
    assert [line for line in lines if width_of(line) > 60 and not line.startswith("Next: ")] == []


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (
            "show kern",
            [
                *("kernels", "kernel_lengths", "kernel_reports", "kernel_roofline", "kernel_memory"),
                *("kernel_occupancy", "kernel_occupancy_curve", "kernel_pipes", "kernel_stalls", "kernel_lines"),
                *("kernel_instructions", "kernel_details", "kernel_rules", "kernel_metrics"),
            ],
        ),
        ("show operators x --by s", ["shape", "stack"]),
        ("show kernels x --sort total", ["total_ns"]),
        ("show operators x --by shape --columns name,sh", ["name,shape"]),
        ("rep", ["report"]),
    ],
)
def test_a_shell_completes_tables_groupings_and_columns(words: str, offered: list[str]) -> None:
    line = f"stepscope {words}"
    environment = {
        **os.environ,
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words.split())),
        "_STEPSCOPE_COMPLETE": "bash_complete",
    }
    command = [sys.executable, "-c", "import sys; from stepscope.commands import cli; cli(prog_name='stepscope')"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout.splitlines()
    assert [item.partition(",")[2] for item in found] == offered
