"""The command lines of a run, which its recordings do not hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from building import step, write
from served import Client, get

Serve = Callable[..., Client]


def said(folder: Path, name: str, argv: list[str], executable: str = "/usr/bin/python3") -> Path:
    (folder / "processes").mkdir(parents=True, exist_ok=True)
    file = folder / "processes" / f"{name}.json"
    file.write_text(json.dumps({"argv": argv, "executable": executable}))
    return file


def commands(client: Client, run: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = get(client, "commands", run=run)["commands"]
    return found


def test_each_command_line_once(serve: Serve, tmp_path: Path) -> None:
    for rank in range(2):
        said(tmp_path / "a", f"host_{rank + 7}_rank{rank}", ["train.py", "--name", "it's"])
        of_rank = {"distributedInfo": {"rank": rank, "world_size": 2}}
        write(tmp_path / f"a/host_{rank + 7}_rank{rank}.1795604234978483385.pt.trace.json", step(1, 0, 10), **of_rank)
    assert commands(serve(), "a") == [{"command": "python3 train.py --name 'it'\"'\"'s'", "files": 2}]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"argv": 3, "executable": ""}'])
def test_what_is_not_known_is_not_said(serve: Serve, tmp_path: Path, text: str) -> None:
    write(tmp_path / "host_7.1795604234978483385.pt.trace.json", step(1, 0, 10))
    client = serve()
    assert commands(client, "host_7.1795604234978483385.pt.trace.json") == []
    said(tmp_path, "host_7", []).write_text(text)
    assert commands(client, "host_7.1795604234978483385.pt.trace.json") == []


def test_nothing_outside_of_the_folder_is_read(serve: Serve, tmp_path: Path) -> None:
    file = said(tmp_path / "elsewhere", "host_7", ["secret"])
    (tmp_path / "served/processes").mkdir(parents=True)
    write(tmp_path / "served/host_7.1795604234978483385.pt.trace.json", step(1, 0, 10))
    (tmp_path / "served/processes/host_7.json").symlink_to(file)
    assert commands(serve(tmp_path / "served"), "host_7.1795604234978483385.pt.trace.json") == []
