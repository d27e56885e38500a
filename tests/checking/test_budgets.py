"""Budgets: figures against a plain computation, what cannot be told, and each error of a file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import stepscope
from checking.made_runs import made
from command_line import Run

FIGURES = {
    "sum": lambda values: sum(values),
    "max": lambda values: max(values),
    "min": lambda values: min(values),
    "mean": lambda values: sum(values) / len(values),
}


def budget(path: Path, **entry: object) -> str:
    """A file with one entry."""
    written = [f"{key} = {value!r}" for key, value in entry.items()]
    path.write_text("\n".join(["[[budget]]", *written]) + "\n")
    return str(path)


@pytest.mark.long
@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("per", ["", "step"])
def test_a_figure_is_that_of_the_table(run: Run, tmp_path: Path, figure: str, per: str) -> None:
    path = made(tmp_path / "a.json", waits=3)
    table = stepscope.open(path).show("kernels")
    values = table.filter(pl.col("calls") > 0)["total_ns"].to_list()
    wanted = FIGURES[figure](values) / (6 if per else 1)
    for limit, code in ((wanted + 1, 0), (wanted - 1, 1)):
        asked = budget(
            tmp_path / "b.toml",
            table="kernels",
            column="total_ns",
            figure=figure,
            per=per,
            most=limit,
            where="calls > 0",
        )
        assert run("check", path, "--budget", asked).code == code


@pytest.mark.long
@pytest.mark.parametrize(
    ("value", "code"), [("5 ms", 0), ("4100 us", 1), ("0.0043 s", 0), ("4300000 ns", 0), ("4200000", 0)]
)
def test_limits_have_units(run: Run, tmp_path: Path, value: str, code: int) -> None:
    path = made(tmp_path / "a.json")  # 6 times 700 us
    asked = budget(tmp_path / "b.toml", table="kernels", column="total_ns", most=value)
    assert run("check", path, "--budget", asked).code == code


def test_an_exceeded_budget_is_named(run: Run, tmp_path: Path) -> None:
    path = made(tmp_path / "a.json")
    asked = budget(tmp_path / "b.toml", name="GEMM", table="kernels", column="total_ns", per="step", most="600 us")
    assert run("check", path, "--budget", asked).out.splitlines()[2:] == [
        "Regression: GEMM: 700 us, at most 600 us allowed (exceeded).",
        "",
        "What was checked  (a step; counts are exact)",
        "  check     new      limit  outcome",
        "  -----  ------  ---------  ---------",
        "  GEMM   700 us  <= 600 us  regressed",
    ]


@pytest.mark.long
def test_a_figure_without_data_cannot_be_told(run: Run, tmp_path: Path) -> None:
    path = made(tmp_path / "a.json")
    for entry in (
        {"table": "communication", "column": "exposed_ns", "figure": "max"},
        {"table": "kernels", "column": "total_ns", "where": "name = 'no such kernel'"},
        {"table": "modules", "figure": "count"},
    ):
        outcome = run("check", path, "--budget", budget(tmp_path / "b.toml", **entry, most=1))
        assert outcome.code == 3, outcome.out
        assert outcome.out.splitlines()[2].startswith("Inconclusive: ")


def test_recordings_that_disagree_cannot_be_told(run: Run, tmp_path: Path) -> None:
    paths = made(tmp_path / "a.json"), made(tmp_path / "b.json", gemm=800_000)
    asked = budget(tmp_path / "b.toml", table="kernels", column="total_ns", per="step", most="750 us")
    outcome = run("check", *paths, "--budget", asked)
    assert (outcome.code, "kept by 1 of 2 recordings" in outcome.out) == (3, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[[budget]", "it is no TOML"),
        ("\xff", "it is no TOML"),
        ("", "it holds other things than [[budget]] entries"),
        ("budget = 3", "it holds other things than [[budget]] entries"),
        ("[[budget]]\nmost = 1", "there is no table"),
        ("[[budget]]\ntable = 3", "table is no text"),
        ("[[budget]]\ntable = 'kernel'", "there is no table kernel"),
        ("[[budget]]\ntable = 'kernels'\ncolum = 'x'", "there is no key colum. Keys: name, table, by"),
        ("[[budget]]\ntable = 'kernels'\ncolumn = 'x'", "table kernels has no numbers in a column x"),
        ("[[budget]]\ntable = 'kernels'\ncolumn = 'name'", "table kernels has no numbers in a column name"),
        ("[[budget]]\ntable = 'kernels'\ncolumn = 'total_ns'", "it has neither most nor least"),
        ("[[budget]]\ntable = 'kernels'\nfigure = 'sum'\nmost = 1", "the figure needs a column"),
        ("[[budget]]\ntable = 'kernels'\nfigure = 'median'\nmost = 1", "figure or per is not known"),
        ("[[budget]]\ntable = 'kernels'\nby = 'x'\nmost = 1", "table kernels has no grouping x"),
        ("[[budget]]\ntable = 'kernels'\ncolumn = 'total_ns'\nmost = '5 GiB'", "5 GiB is no quantity of this column"),
        ("[[budget]]\ntable = 'kernels'\ncolumn = 'total_ns'\nmost = true", "True is no quantity of this column"),
        (
            "[[budget]]\ntable = 'operators'\ncolumn = 'host_total_ns'\nmost = 1",
            "overlap: their sum counts time more than once",
        ),
        (
            "[[budget]]\ntable = 'kernels'\nwhere = 'nope > 1'\nmost = 1",
            "cannot check the budget rows of kernels where nope > 1: ",
        ),
    ],
)
def test_errors_of_a_file_are_said(run: Run, tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "b.toml").write_bytes(content.encode("latin-1"))
    outcome = run("check", made(tmp_path / "a.json"), "--budget", str(tmp_path / "b.toml"))
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err
