"""Comparisons over HTTP: the answers of the command line, and what a page draws beside them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from building import kernel, launched, operator, step, write
from served import Client, error, get
from stepscope.commands import main
from stepscope.comparison.compare import Comparison

Serve = Callable[..., Client]


def recorded(path: Path, gemm: int, steps: int = 4) -> None:
    events = [
        [
            step(n, 1_000_000 * n, 1_000_000 * (n + 1)),
            operator("aten::mm", 1_000_000 * n + 1_000, 1_000_000 * n + 401_000),
            launched(
                kernel("gemm", 1_000_000 * n + 500_000, 1_000_000 * n + 500_000 + gemm, n + 1), 1_000_000 * n + 2_000
            ),
        ]
        for n in range(steps)
    ]
    write(path, *events)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    recorded(tmp_path / "base.json", 300_000)
    recorded(tmp_path / "new.json", 100_000)
    return tmp_path


@pytest.mark.long
def test_the_answer_is_that_of_the_command_line(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = get(serve(folder), "compare", base="base.json", run="new.json")
    words = shlex.split(answer["command"])
    assert words[:2] == ["stepscope", "diff"]
    monkeypatch.setattr("sys.argv", [*words, "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    printed = json.loads(capsys.readouterr().out)
    assert {name: answer[name] for name in ("step", "rows", "counts", "aligned", "ranks", "host")} == {
        name: printed[name] for name in ("step", "rows", "counts", "aligned", "ranks", "host")
    }
    english = [one["text"]["en"] for one in answer["sentences"]]
    assert english == [one["text"] for one in printed["sentences"]]
    assert all(one["text"]["zh"] for one in answer["sentences"])


@pytest.mark.long
def test_several_recordings_of_a_side_are_those_of_the_command_line(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(folder / "again.json", 310_000)
    recorded(folder / "later.json", 110_000)
    answer = get(serve(folder), "compare", base="base.json", more_base="again.json", run="new.json", more="later.json")
    words = shlex.split(answer["command"])
    assert [words[at] for at in (2, 4, 6, 8)] == ["--base", "--base", "--new", "--new"]
    monkeypatch.setattr("sys.argv", [*words, "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    printed = json.loads(capsys.readouterr().out)
    assert [one["path"] for side in ("base", "new") for one in printed[side]] == [words[at] for at in (3, 5, 7, 9)]
    assert {name: answer[name] for name in ("step", "rows", "counts")} == {
        name: printed[name] for name in ("step", "rows", "counts")
    }


def test_a_typical_step_of_each_side_is_drawn_with_its_names(serve: Serve, folder: Path) -> None:
    answer = get(serve(folder), "compare", base="base.json", run="new.json")
    for side, length in (("base", 300_000), ("new", 100_000)):
        host, gpu = answer["typical"][side]["lanes"]
        assert [(answer["names"][name], long) for name, long in zip(host["names"], host["durations"], strict=True)] == [
            ("aten::mm", 400_000)
        ]
        assert (gpu["kind"], gpu["name"], gpu["starts"], gpu["durations"]) == ("gpu", "7", [500_000], [length])
    assert {f"part-{row['key']}" for row in answer["rows"] if row["level"] == "side"} <= answer["labels"].keys()


def test_a_comparison_is_made_once(serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepscope.server import compare

    made: list[Comparison] = []
    page = compare.comparison_page
    monkeypatch.setattr(compare, "comparison_page", lambda found: made.append(found) or page(found))
    client = serve(folder)
    for _ in range(2):
        get(client, "compare", base="base.json", run="new.json")
    get(client, "compare", base="new.json", run="base.json")
    assert len(made) == 2


def test_what_cannot_be_compared_is_refused_in_a_sentence(serve: Serve, folder: Path) -> None:
    write(folder / "none.json", operator("aten::mm", 0, 10))
    client = serve(folder)
    assert "base" in error(client, "compare", 400, run="new.json")
    error(client, "compare", 404, base="nothing.json", run="new.json")
