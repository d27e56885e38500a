"""Lines of source files: only those that stack frames name, and of these only source files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from building import operator, step, timed, write
from served import Client, error, get

Serve = Callable[..., Client]


def frame(name: str) -> dict[str, object]:
    return timed("python_function", name, 0, 10, process=1, thread=1)


def client_of(serve: Serve, folder: Path, *files: str, name: str = "a.json") -> Client:
    """A server over a trace whose frames name some files."""
    write(folder / name, step(1, 0, 10), *(frame(f"{file}(3): train") for file in files))
    return serve(folder)


def test_a_line_is_shown_with_its_neighbours(serve: Serve, tmp_path: Path) -> None:
    script = tmp_path / "my train.py"
    script.write_text("".join(f"line {number}\r\n" for number in range(1, 501)))
    os.utime(script, (1, 1))
    answer = get(client_of(serve, tmp_path, str(script)), "source", run="a.json", file=str(script), line=300)
    assert answer | {"lines": []} == {
        "file": str(script),
        "line": 300,
        "first": 100,
        "lines": [],
        "path": str(script),
        "href": f"vscode://file{tmp_path}/my%20train.py:300",
        "newer": False,
    }
    assert answer["lines"][0] == "line 100"
    assert len(answer["lines"]) == 401


def test_a_file_changed_since_the_recording_is_called_newer(serve: Serve, tmp_path: Path) -> None:
    client = client_of(serve, tmp_path, "train.py")
    script = tmp_path / "train.py"
    script.write_text("x\n")
    os.utime(script, (2e9, 2e9))
    assert get(client, "source", run="a.json", file="train.py", line=1)["newer"] is True


def test_a_relative_name_is_found_beside_the_trace_and_above_it(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "logs" / "today").mkdir(parents=True)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "net.py").write_text("import torch\n")
    write(tmp_path / "logs" / "today" / "a.json", step(1, 0, 10), frame("model/net.py(1): forward"))
    answer = get(serve(), "source", run="logs/today/a.json", file="model/net.py", line=1)
    assert answer["path"] == str(tmp_path / "model" / "net.py")
    assert answer["lines"] == ["import torch", ""]


def test_frames_of_old_call_stacks_count(serve: Serve, tmp_path: Path) -> None:
    """torch up to 1.13 writes stacks as a text of each operator."""
    (tmp_path / "train.py").write_text("one\n")
    stack = "torch/nn/modules.py(7): call;train.py(1): main"
    write(tmp_path / "a.json", step(1, 0, 10), operator("aten::mm", 0, 5, **{"Call stack": stack}))
    assert get(serve(), "source", run="a.json", file="train.py", line=1)["lines"] == ["one", ""]


def test_a_file_that_no_frame_names_is_not_shown(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("x")
    client = client_of(serve, tmp_path, "train.py")
    for file in ("other.py", str(tmp_path / "other.py"), "train.py(3): train", "/etc/passwd", "TRAIN.PY", "./train.py"):
        assert error(client, "source", 200, run="a.json", file=file, line=1) == "no stack frame of this run names it"


@pytest.fixture
def hostile(tmp_path: Path) -> dict[str, str]:
    """Files that a trace would like to have shown, by what is wrong with them."""
    folder = tmp_path / "machine"
    folder.mkdir()
    (folder / "key").write_text("secret")
    (folder / "link.py").symlink_to(folder / "key")
    (folder / "large.py").write_bytes(b"x" * ((4 << 20) + 1))
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    found = {name: str(folder / name) for name in ("link.py", "large.py", "folder.py", "pipe.py", "missing.py")}
    return found | {"no source": str(folder / "key"), "above": f"../{folder.name}/../key.py", "stream": "C:/x.py"}


@pytest.mark.parametrize(
    "wrong", ["link.py", "large.py", "folder.py", "pipe.py", "missing.py", "no source", "above", "stream"]
)
def test_a_trace_cannot_have_anything_but_source_files_shown(
    serve: Serve, tmp_path: Path, hostile: dict[str, str], wrong: str
) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "machine" / "key.py").write_text("secret")
    client = client_of(serve, tmp_path / "runs", hostile[wrong])
    assert error(client, "source", 200, run="a.json", file=hostile[wrong], line=1)


@pytest.mark.parametrize(
    "named", ["/outside.py", "/link.py", "runs/folder/outside.py", "/runs/.hidden/a.py", "/runs2/a.py"]
)
def test_sources_are_shown_from_below_the_folder_served_only(serve: Serve, tmp_path: Path, named: str) -> None:
    """A trace could name any Python file of the machine, those with passwords too."""
    (tmp_path / "runs" / ".hidden").mkdir(parents=True)
    (tmp_path / "runs2").mkdir()
    for file in ("outside.py", "runs/.hidden/a.py", "runs2/a.py"):
        (tmp_path / file).write_text("secret")
    (tmp_path / "runs" / "link.py").symlink_to(tmp_path / "outside.py")
    (tmp_path / "runs" / "folder").symlink_to(tmp_path)
    file = str(tmp_path / "runs" / "link.py") if named == "/link.py" else named.replace("/", f"{tmp_path}/", 1)
    file = named.removeprefix("runs/") if named.startswith("runs/") else file
    client = client_of(serve, tmp_path / "runs", file)
    found = error(client, "source", 200, run="a.json", file=file, line=1)
    assert found == "it is no source file below the current folder or the folder served"


def test_installed_modules_are_not_shown(serve: Serve, tmp_path: Path) -> None:
    client = client_of(serve, tmp_path, "polars/__init__.py", json.__file__)
    for file in ("polars/__init__.py", json.__file__):
        assert error(client, "source", 200, run="a.json", file=file, line=1)


def test_a_server_started_at_the_root_shows_no_more(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "secret.py").write_text("secret")
    (tmp_path / "runs" / "train.py").write_text("one")
    client = client_of(serve, tmp_path / "runs", str(tmp_path / "secret.py"), "train.py")
    monkeypatch.chdir("/")
    assert error(client, "source", 200, run="a.json", file=str(tmp_path / "secret.py"), line=1)
    assert get(client, "source", run="a.json", file="train.py", line=1)["lines"] == ["one"]


def test_a_line_behind_the_end_is_another_version(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("one\ntwo\n")
    client = client_of(serve, tmp_path, "train.py")
    found = error(client, "source", 200, run="a.json", file="train.py", line=9)
    assert found == "it has only 3 lines: it is another version"
    assert error(client, "source", 400, run="a.json", file="train.py", line=0)


def test_bytes_that_are_no_text_are_shown_as_well_as_can_be(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes(b"caf\xe9 \x00 \x1b[31m" + b"y" * 3000)
    client = client_of(serve, tmp_path, "train.py")
    (line,) = get(client, "source", run="a.json", file="train.py", line=1)["lines"]
    assert line.startswith("caf\ufffd \0 \x1b[31myyy")
    assert len(line) == 1000
