"""Histories and ledgers over HTTP: what the commands kept in the folder served, and nothing from outside it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from building.results import checked, kept, predicted
from checking.made_runs import made
from command_line import Run
from served import Client, error, get

Serve = Callable[..., Client]


def test_nothing_kept_names_the_commands_that_begin_it(serve: Serve, tmp_path: Path) -> None:
    history, ledger = get(serve(), "history"), get(serve(), "ledger")
    assert (history["history"], ledger["ledger"], history["files"], ledger["files"]) == (None, None, [], [])
    assert history["commands"][1].startswith("stepscope check NEW --baseline main --history ")
    assert f"{tmp_path}/.stepscope/history.jsonl" in history["commands"][1]
    assert ledger["commands"] == [
        f"stepscope prove BEFORE AFTER --finding ID --ledger {tmp_path}/.stepscope/ledger.jsonl"
    ]


def test_the_command_of_an_empty_page_fills_it(run: Run, serve: Serve, tmp_path: Path) -> None:
    new = made(tmp_path / "new.json")
    words = get(serve(), "history")["commands"][1].split()[1:]
    assert run(*(new if word in ("NEW", "main") else word for word in words)).code == 0
    history = get(serve(), "history")["history"]
    (row,) = history["runs"]
    assert (row["label"], row["outcome"], row["value"], row["range"]) == ("COMMIT", "fine", 1e6, [1e6, 1e6])
    assert (row["figure_outcome"] is not None, row["limit"]) == (True, 1.05e6)
    assert row["recordings"] == [{"name": "new.json", "path": new, "run": "new.json", "state": "here"}]


@pytest.mark.long
def test_a_change_is_found_in_one_setup_and_never_across_two(serve: Serve, tmp_path: Path) -> None:
    lines = [checked(n, 1e7 if n < 12 else 1.3e7) for n in range(24)]
    kept(tmp_path, "history.jsonl", [*lines, *(checked(n, 9e7, setup={"device": "H100"}) for n in range(7))])
    one, other = get(serve(), "history")["history"]["setups"]
    assert [(change["run"], change["before"], change["after"]) for change in one["changes"]] == [(12, 1e7, 1.3e7)]
    assert (other["runs"], other["changes"]) == (7, [])


def test_a_figure_is_chosen_and_runs_without_it_have_no_value(serve: Serve, tmp_path: Path) -> None:
    kept(tmp_path, "history.jsonl", [checked(0), checked(1, figures={}, units={})])
    history = get(serve(), "history", figure="count:kernels")["history"]
    assert [row["value"] for row in history["runs"]] == [3.0, None]
    assert (history["setups"][0]["runs"], history["setups"][0]["with_figure"]) == (2, 1)
    assert get(serve(), "history", figure="nonsense")["history"]["figure"] == "step"


def test_the_ledger_counts_as_the_command_does(run: Run, serve: Serve, tmp_path: Path) -> None:
    came = [[12, 21, 28], [30, 40, 50], [-5, 2, 9], [15, 25, 35]]
    lines = [predicted(*one) for one in zip(("inside", "more", "unclear", "inside"), came, strict=True)]
    path = kept(tmp_path, "ledger.jsonl", lines)
    ledger = get(serve(), "ledger")["ledger"]
    printed = json.loads(run("ledger", str(path), "--format", "json").out)["coverage"][-1]
    assert {name: ledger["all"][name] for name in ("count", "inside", "error_pct")} == {
        name: printed[name] for name in ("count", "inside", "error_pct")
    }
    assert (ledger["all"]["unclear"], ledger["all"]["largest_pct"], ledger["aimed_pct"]) == (1, 20, 80)
    assert [one["from_zero"] for one in ledger["predictions"]] == [True, True, False, True]


def test_a_recording_made_anew_since_is_no_link(serve: Serve, tmp_path: Path) -> None:
    made(tmp_path / "b.json")
    kept(tmp_path, "ledger.jsonl", [predicted("inside", [1, 2, 3]), predicted("inside", [1, 2, 3], at_s=time.time())])
    now, old = get(serve(), "ledger")["ledger"]["predictions"]
    assert [(one["after"]["run"], one["after"]["state"]) for one in (now, old)] == [
        ("b.json", "here"),
        (None, "replaced"),
    ]
    assert (now["before"]["run"], now["before"]["state"]) == (None, "elsewhere")


@pytest.mark.parametrize("address", ["history", "ledger"])
def test_no_path_leads_out_of_the_folder(serve: Serve, tmp_path: Path, address: str) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "served"
    outside.mkdir()
    inside.mkdir()
    secret = kept(outside, f"{address}.jsonl", [checked(0) if address == "history" else predicted("inside", [1, 2, 3])])
    (inside / f"{address}.jsonl").symlink_to(secret)
    os.symlink(secret.parent, inside / ".stepscope")
    client = serve(inside)
    assert get(client, address)["files"] == []
    for name in (str(secret), f"../outside/.stepscope/{address}.jsonl", f"{address}.jsonl"):
        error(client, address, 404, file=name)


def test_beside_a_single_file_nothing_is_shown(serve: Serve, tmp_path: Path) -> None:
    made(tmp_path / "new.json")
    kept(tmp_path, "history.jsonl", [checked(0)])
    answer = get(serve(only="new.json"), "history")
    assert (answer["single"], answer["files"], answer["history"]) == (True, [], None)


def test_a_file_may_hold_anything(serve: Serve, tmp_path: Path) -> None:
    path = kept(tmp_path, "history.jsonl", [checked(n, at_s=1e30) for n in range(24)])
    bad = ["nothing", "[" * 5000, json.dumps(checked(0, limits=3)), json.dumps(checked(0, step_range_ns=[1]))]
    path.write_text(path.read_text() + "\n".join([*bad, json.dumps(checked(0, outcome=[1] * 3))]) + "\n")
    answer = get(serve(), "history")
    assert answer["broken"] == 4
    assert [one["outcome"] for one in answer["history"]["runs"]] == ["fine"] * 24 + ["unknown"]
