"""How tables fit a terminal: what is wrapped, what gives way, and that different rows look different."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import Run
from stepscope.reporters.table import TextColumn, render_table
from stepscope.reporters.truncation import distinct_cuts

SLOW = "examples/batch_size.slow.pt.trace.json.gz"
DECODE = "examples/launch_bound_decode.fixed.pt.trace.json.gz"


def test_prose_wraps_and_is_never_cut(run: Run) -> None:
    out = run("show", "health", DECODE).out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 100
    csv = run("show", "health", DECODE, "--format", "csv").out
    assert "(period_ns), not its CPU duration" in csv
    assert "(period_ns), not its CPU duration" in "".join(line[45:].strip() for line in out.splitlines())


def test_lists_of_tables_and_changes_are_wrapped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 60 columns each name of a table was lost between lines that the terminal had broken."""
    monkeypatch.setenv("COLUMNS", "60")
    for command in ("show", "what-if"):
        lines = run(command, "--list").out.splitlines()
        assert max(map(len, lines)) <= 60
        named = [line.split()[0] for line in lines if not line.startswith(" ")]
        assert len(named) < len(lines)
        assert named == list(dict.fromkeys(named)), "no name twice"


def test_empty_columns_give_way_first() -> None:
    columns = [
        TextColumn("name", ["a" * 20], False, True, key=True, name="name"),
        TextColumn("nothing", ["-"], True, name="nothing_ns"),
        TextColumn("first", ["1,000,000"], True, name="first_ns"),
        TextColumn("second", ["2,000,000"], True, name="second_ns"),
    ]
    assert len(render_table(columns, 60)) == 3
    assert render_table(columns, 45)[-1] == "empty, left out: nothing_ns"
    assert render_table(columns, 36, hint="elsewhere")[-2:] == [
        "no room for: second_ns; empty, left",
        "out: nothing_ns (elsewhere)",
    ]


def test_columns_that_tell_rows_apart_always_fit() -> None:
    columns = [
        TextColumn("name", ["a" * 40], False, True, key=True),
        TextColumn("calls", ["1,000"], True),
        TextColumn("shape", ["b" * 40], False, True, key=True),
    ]
    assert render_table(columns, 24)[0].split() == ["name", "shape"]


def test_names_are_cut_before_the_first_figure_gives_way() -> None:
    """In 60 columns tables of sequences, of the roofline and of the critical path had names, and not one figure."""
    columns = [
        TextColumn("name", ["a" * 40], False, True, key=True),
        TextColumn("calls", ["1,000"], True),
        TextColumn("shape", ["b" * 40], False, True, key=True),
    ]
    assert render_table(columns, 30)[0].split() == ["name", "calls", "shape"]


@pytest.mark.parametrize("table", ["roofline", "sequences", "fusion", "critical_path", "memory_events"])
def test_tables_have_a_figure_in_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    figures = {
        "roofline": "GPU time",
        "sequences": "total",
        "fusion": "saving %",
        "critical_path": "duration",
        "memory_events": "size",
    }
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("show", table, SLOW, "--limit", "3").out.splitlines()
    assert figures[table] in lines[0]
    assert max(map(len, lines)) <= 60


def test_a_title_wider_than_its_texts_may_be_fits() -> None:
    columns = [
        TextColumn("operator", ["a" * 40], False, True, key=True),
        TextColumn("data type", ["floating point"], False, True, key=True),
    ]
    assert [len(line) for line in render_table(columns, 20)] == [20, 20, 20]


def test_help_is_whole_in_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert "..." not in run("cache").out.partition("Commands:")[2]


def test_grouping_stands_behind_the_name(run: Run) -> None:
    assert run("show", "kernels", SLOW, "--by", "launch", "--limit", "2").out.split()[:4] == [
        "kernel",
        "grid",
        "block",
        "calls",
    ]
    assert run("show", "kernels", SLOW, "--by", "op", "--limit", "2").out.split()[:3] == ["kernel", "operator", "calls"]


def test_launches_show_waiting_before_percentiles(run: Run) -> None:
    header = run("show", "launches", SLOW).out.splitlines()[0]
    for title in ("short kernels", "launch latency p50", "queueing p50", "host wait"):
        assert title in header


def test_operators_by_shape_show_the_gpu(run: Run) -> None:
    header = run("show", "operators", SLOW, "--by", "shape", "--limit", "2").out.splitlines()[0]
    assert "GPU self" in header
    assert "GPU total" in header


def test_columns_are_chosen_by_name(run: Run) -> None:
    lines = run("show", "kernels", SLOW, "--columns", "registers,name", "--limit", "2").out.splitlines()
    assert lines[0].split() == ["registers", "kernel"]
    assert run("show", "kernels", SLOW, "--columns", "calls, name", "--format", "csv").out.startswith("calls,name\n")


def test_columns_are_chosen_by_their_headings_too(run: Run) -> None:
    lines = run("show", "kernels", SLOW, "--columns", "Shared memory,Kernel", "--sort", "mean", "--limit", "2").out
    assert lines.split()[:3] == ["shared", "memory", "kernel"]
    twice = run("show", "kernels", SLOW, "--columns", "name,Kernel,calls", "--format", "csv").out
    assert twice.startswith("name,calls\n")


def test_a_column_nearly_named_is_suggested(run: Run) -> None:
    assert "Did you mean total_ns?" in run("show", "kernels", SLOW, "--sort", "totl").err
    assert "Did you mean shared_bytes?" in run("show", "kernels", SLOW, "--columns", "shared mem").err


def test_names_are_shorter_before_a_column_is_left_out() -> None:
    columns = [
        TextColumn("name", ["a" * 40], False, True),
        TextColumn("calls", ["1,000"], True),
        TextColumn("source", ["b" * 40], False, True),
    ]
    assert render_table(columns, 48)[0].split() == ["name", "calls", "source"]
    assert render_table(columns, 40)[-1] == "no room for: source"


def test_unknown_column_names_the_known_ones(run: Run) -> None:
    outcome = run("show", "kernels", SLOW, "--columns", "name,speed")
    assert outcome.code != 0
    assert "speed" in outcome.err
    assert "occupancy_limit" in outcome.err


def test_two_savings_have_two_headings(run: Run) -> None:
    out = run("show", "fusion", SLOW, "--columns", "op,saving_ns,saving_pct", "--limit", "1").out
    assert out.splitlines()[0].split()[-3:] == ["saving", "saving", "%"]


def test_equal_cuts_keep_what_differs() -> None:
    texts = [f"{'a' * 30}{i:02}{'b' * 30}" for i in range(30)]
    cuts = distinct_cuts(texts, 24)
    assert len(set(cuts)) == 30
    assert all(str(i).zfill(2) in cut for i, cut in enumerate(cuts))


@given(st.lists(st.text("ab", min_size=10, max_size=30), max_size=20), st.integers(14, 24))
def test_different_texts_stay_different(texts: list[str], width: int) -> None:
    cuts = distinct_cuts(texts, width)
    assert all(len(cut) <= width for cut in cuts)
    assert len(set(cuts)) == len(set(texts))


def test_a_wide_key_has_the_room_of_two_before_other_columns() -> None:
    """Names of metrics were cut to 24 letters, and a rank and a file stood beside them."""
    columns = [
        TextColumn("kernel", ["k" * 40], False, True, key=True, name="kernel"),
        TextColumn("metric", ["m" * 60], False, True, key=True, name="metric", wide=True),
        TextColumn("value", ["1"], True, name="value"),
        TextColumn("file", ["f" * 30], False, True, name="file"),
        TextColumn("folder", ["o" * 30], False, True, name="folder"),
    ]
    lines = render_table(columns, 90)
    assert max(len(part) for part in lines[1].split()) >= 48
    assert lines[-1] == "no room for: file, folder"
