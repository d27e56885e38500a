"""Baselines: kept with their recordings, found by setup; names and files on disk are not trusted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from checking.made_runs import made
from command_line import Run

A100 = [{"name": "NVIDIA A100", "id": 0}]


@pytest.mark.long
def test_the_setup_of_the_recording_is_compared_with(run: Run, tmp_path: Path) -> None:
    root = str(tmp_path / "kept")
    for name, device in (("h.json", {}), ("a.json", {"deviceProperties": A100})):
        path = made(tmp_path / name, **device)
        outcome = run("baseline", "save", "main", path, "--baselines", root)
        assert outcome.code == 0, outcome.err
        assert outcome.err.startswith("saved baseline main: one recording, ")
        Path(path).unlink()  # a copy was kept
    for name, device in (("h2.json", {}), ("a2.json", {"deviceProperties": A100})):
        assert run("check", made(tmp_path / name, **device), "--baseline", "main", "--baselines", root).code == 0
    listed = run("baseline", "list", "--baselines", root).out
    assert [line.split()[0] for line in listed.splitlines()[2:]] == ["main", "main"]
    assert run("baseline", "remove", "main", "--baselines", root).err == "removed 2 setups of baseline main\n"
    assert run("baseline", "list", "--baselines", root).out == f"no baselines in {root}\n"


@pytest.mark.long
def test_saving_again_replaces_that_setup(run: Run, tmp_path: Path) -> None:
    root = tmp_path / "kept"
    paths = [made(tmp_path / f"{n}.json") for n in range(3)]
    run("baseline", "save", "main", *paths[:2], "--baselines", str(root))
    assert (
        "replaced baseline main: one recording"
        in run("baseline", "save", "main", paths[2], "--baselines", str(root)).err
    )
    (file,) = root.glob("*/*/baseline.json")
    assert json.loads(file.read_text())["recordings"] == 1
    assert len([path for path in file.parent.rglob("*.json") if path.name != "baseline.json"]) == 1


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "a\x00b", "x" * 65, "naïve", "-x"])
def test_a_name_is_no_path(run: Run, tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "a.json")
    for asked in (("save", "--baselines", str(tmp_path / "kept"), "--", name, path), ("remove", "--", name)):
        outcome = run("baseline", *asked)
        assert outcome.code == 2
        assert "cannot name a baseline" in outcome.err
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.json"]


@pytest.mark.long
def test_recordings_of_several_setups_are_not_one_baseline(run: Run, tmp_path: Path) -> None:
    paths = made(tmp_path / "h.json"), made(tmp_path / "a.json", deviceProperties=A100)
    outcome = run("baseline", "save", "main", *paths, "--baselines", str(tmp_path / "kept"))
    assert (outcome.code, "differ in device, versions" in outcome.err) == (2, True)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"setup": {}, "recordings": 1e999, "saved_s": 0}',
        '{"setup": [], "recordings": 1, "saved_s": 0}',
    ],
)
def test_a_damaged_baseline_is_none(run: Run, tmp_path: Path, content: str) -> None:
    root, path = tmp_path / "kept", made(tmp_path / "a.json")
    run("baseline", "save", "main", path, "--baselines", str(root))
    (file,) = root.glob("*/*/baseline.json")
    file.write_text(content)
    assert run("check", path, "--baseline", "main", "--baselines", str(root)).code == 2


def test_recordings_that_a_link_leads_to_are_not_read(run: Run, tmp_path: Path) -> None:
    root, path = tmp_path / "kept", made(tmp_path / "a.json")
    run("baseline", "save", "main", path, "--baselines", str(root))
    (folder,) = root.glob("*/*/recordings/0")
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder, elsewhere)
    folder.symlink_to(elsewhere)
    assert run("check", path, "--baseline", "main", "--baselines", str(root)).code == 2
