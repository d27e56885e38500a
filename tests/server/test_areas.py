"""A part of the time of a trace, and the instances of one name, as the pages about stacks ask for them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from building import flat, kernel, launched, operator, step, write
from served import Client, error, get
from stepscope.commands import main

Serve = Callable[..., Client]


@pytest.fixture
def client(serve: Serve, tmp_path: Path) -> Client:
    """Four calls of mm with a kernel each, two in each of two steps."""
    events = [step(i + 1, 1000 + 400 * i, 1400 + 400 * i) for i in range(2)]
    for i in range(4):
        at = 1000 + 200 * i
        events += [operator("aten::mm", at, at + 100), *launched(kernel("gemm", at + 50, at + 150, i + 1), at + 10)]
    write(tmp_path / "trace.json", *flat(events))
    return serve()


@pytest.fixture
def rows_of(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """``rows_of(command)``: the rows that a command prints."""

    def printed(command: str) -> list[str]:
        monkeypatch.setattr("sys.argv", [*shlex.split(command), "--format", "csv"])
        capsys.readouterr()
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out.splitlines()[1:]

    return printed


@pytest.mark.parametrize("table", ["flame_graph", "instances", "durations"])
def test_the_command_of_an_area_prints_its_rows(
    client: Client, rows_of: Callable[[str], list[str]], table: str
) -> None:
    answer = get(client, "table", run="trace.json", table=table, between="0:250")
    assert "--between 0ns:250ns" in answer["command"]
    assert len(rows_of(answer["command"])) == answer["total"] > 0
    whole = get(client, "table", run="trace.json", table=table)
    assert "--between" not in whole["command"]
    assert whole["data"] != answer["data"], "an area leaves nothing behind"


def test_an_area_counts_from_the_first_event(client: Client) -> None:
    data = get(client, "table", run="trace.json", table="instances", between="0:250", name="aten::mm")["data"]
    assert sorted(data["start_ns"]) == [0, 200]
    frames = get(client, "table", run="trace.json", table="flame_graph", between="0:250")["data"]
    assert dict(zip(frames["name"], frames["host_self_ns"], strict=True)) == {"aten::mm": 150}
    assert dict(zip(frames["name"], frames["device_self_ns"], strict=True)) == {"aten::mm": 100}


def test_a_name_limits_its_tables(client: Client, rows_of: Callable[[str], list[str]]) -> None:
    answer = get(client, "table", run="trace.json", table="instances", name="gemm")
    assert answer["data"]["name"] == ["gemm"] * 4
    assert len(rows_of(answer["command"])) == 4
    found = error(client, "table", 400, run="trace.json", table="kernels", name="gemm")
    assert found == "its rows are no instances of a name"


def test_an_instance_is_found_by_its_start(client: Client) -> None:
    data = get(client, "table", run="trace.json", table="instances", name="aten::mm", limit=1)["data"]
    at = data["start_ns"][0]
    found = get(client, "timeline/places", run="trace.json", kind="operator", name="aten::mm", at=at)
    assert [(one["start"], one["name"]) for one in found["places"]] == [(at, "aten::mm")]
    assert get(client, "timeline/places", run="trace.json", kind="operator", name="aten::mm", at=at + 1)["total"] == 0
