"""What-if over HTTP: what can be changed, and the answers of the command line."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from building import kernel, launched, operator, step, write
from served import Client, error, get
from stepscope.analyses.simulation.changes import KINDS, usage
from stepscope.commands import main

Serve = Callable[..., Client]

SLOW = "batch_size.slow.pt.trace.json.gz"


def command_line(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> dict:
    monkeypatch.setattr("sys.argv", [*words, "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    answer: dict = orjson.loads(capsys.readouterr().out)
    return answer


@pytest.mark.long
@pytest.mark.parametrize(
    ("run", "selection", "changes"),
    [
        (SLOW, {}, ["host:/Optimizer.step/ x0.5", "kernel:/gemm/ x0.5"]),
        ("ddp4_straggler", {"rank": "0,2", "step": "2:3"}, ["overlap-communication"]),
    ],
)
def test_the_answer_is_that_of_the_command_line(
    serve: Serve,
    examples: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    run: str,
    selection: dict[str, str],
    changes: list[str],
) -> None:
    answer = get(serve(examples), "what-if", run=run, change=changes, **selection)
    words = shlex.split(answer.pop("command"))
    assert words[:2] == ["stepscope", "what-if"]
    assert [words[i + 1] for i, word in enumerate(words) if word == "--change"] == changes
    printed = command_line(words, monkeypatch, capsys)
    # The server opened the files of the run, the command names them; the server says it in every language.
    assert english({**answer, "profile": None}) == {**printed, "profile": None}


def english(value: Any) -> Any:
    """JSON values with messages in English only."""
    if isinstance(value, dict) and isinstance(value.get("text"), dict):
        return {**value, "text": value["text"]["en"], "params": english(value["params"])}
    if isinstance(value, dict):
        return {key: english(one) for key, one in value.items()}
    return [english(one) for one in value] if isinstance(value, list) else value


def test_what_can_be_changed_is_what_the_command_lists(serve: Serve, examples: Path) -> None:
    answer = get(serve(examples), "changes", run=SLOW)
    assert [kind["kind"] for kind in answer["kinds"]] == list(KINDS)
    assert [kind["written"] for kind in answer["kinds"]] == usage()
    assert all(kind["description"] for kind in answer["kinds"])
    assert [kind["kind"] for kind in answer["kinds"] if kind["factor"]] == ["op", "kernel", "host"]
    lacks = {kind["kind"]: kind["lack"]["text"]["en"] for kind in answer["kinds"] if kind["lack"]}
    nothing = "these steps have none"
    assert lacks == {"no-sync": nothing, "no-data-wait": nothing, "overlap-communication": nothing}
    assert "H100" in answer["devices"]
    assert len(set(answer["devices"])) == len(answer["devices"])


@pytest.mark.long
def test_everything_offered_can_be_asked(serve: Serve, examples: Path) -> None:
    client = serve(examples)
    offered = get(client, "changes", run=SLOW)
    assert {one["kind"] for one in offered["named"]} == {"fix", "kernel", "op", "host", "no-python"}
    factors = {kind["kind"]: " x0.5" if kind["factor"] else "" for kind in offered["kinds"]}
    texts = [f"{one['kind']}:{one['name']}{factors[one['kind']]}" for one in offered["named"]]
    texts += [kind["kind"] for kind in offered["kinds"] if not kind["of"] and not kind["lack"]]
    (rank,) = get(client, "what-if", run=SLOW, change=[*texts, "gpu:H100"])["ranks"]
    assert [one["change"] for one in rank["changes"]] == [*texts, "gpu:H100"]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([], "the parameter change is missing"),
        (["faster"], "there is no such change"),
        (["kernel:nothing x0.5"], "no kernel, memcpy or memset of the steps has this name"),
        (["no-sync", "\0"], "the parameter change holds a NUL character (%00)"),
        (["kernel:" + "a" * 4000], "the parameter change is longer than 4,000 characters"),
        (["no-sync"] * 40, "its parameters are not UTF-8, or too many"),
    ],
)
def test_what_cannot_be_answered_is_refused(serve: Serve, examples: Path, changes: list[str], found: str) -> None:
    assert error(serve(examples), "what-if", 400, run=SLOW, change=changes) == found


def test_other_parameters_are_still_given_once(serve: Serve, examples: Path) -> None:
    assert error(serve(examples), "what-if", 400, run=[SLOW, SLOW], change="no-sync") == "a parameter is given twice"


def test_a_recording_without_host_events_says_so(serve: Serve, tmp_path: Path) -> None:
    write(tmp_path / "gpu.json", kernel("gemm", 0, 10))
    assert error(serve(), "changes", 400, run="gpu.json") == "no CPU activity was recorded in complete steps"


def test_names_that_no_change_can_hold_are_not_offered(serve: Serve, tmp_path: Path) -> None:
    """A line break, slashes around it, and thousands of characters: the command could not name them again."""
    events = []
    for number, name in enumerate(["two\nlines", "/slashes/", "k" * 3000, "gemm"]):
        begin = number * 1000
        events += [
            step(number + 1, begin, begin + 1000),
            operator("aten::mm", begin, begin + 100),
            launched(kernel(name, begin + 100, begin + 900, number + 1), begin + 10),
        ]
    write(tmp_path / "odd.json", *events)
    offered = get(serve(), "changes", run="odd.json")["named"]
    assert [one["name"] for one in offered if one["kind"] == "kernel"] == ["gemm"]
