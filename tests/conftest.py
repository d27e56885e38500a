"""What every test gets: a cache of its own and paths to traces."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import doctest_files
from command_line import Outcome, Run
from stepscope.commands import main

REPOSITORY = Path(__file__).resolve().parent.parent
BROWSER = REPOSITORY / "tests" / "browser"

# The first call of a compiled function takes seconds, whatever the example.
hypothesis.settings.register_profile("stepscope", deadline=None)
hypothesis.settings.load_profile("stepscope")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty cache for the session, so that tests neither see nor fill the user's."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPSCOPE_CACHE", str(folder))
        patch.setenv("STEPSCOPE_DEBUG", "1")  # a defect fails its test, where a user would miss one table
        for name in ("STEPSCOPE_CACHE_LIMIT", "COLUMNS"):
            patch.delenv(name, raising=False)
        # readline, which pytest imports outside of workers, sets it behind the back of os.environ: 80 for all commands.
        os.unsetenv("COLUMNS")
        yield folder


@pytest.fixture(scope="session")
def examples() -> Path:
    """Folder of the traces that belong to the repository."""
    return REPOSITORY / "examples"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the recordings beside the repository; tests that need them are skipped without it."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the recordings in ../shared/data, which are not part of the repository")
    return folder


def pytest_configure(config: pytest.Config) -> None:
    """What looks for tests in the package too."""
    config.pluginmanager.register(doctest_files)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that drive a browser are marked as such, by their folder."""
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker("browser")


def pytest_collection_finish() -> None:
    """What was imported and collected lives to the end: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Run:
    """``run("show", "kernels", PATH)`` from the repository's root; stdout and stderr are no terminals."""
    monkeypatch.chdir(request.config.rootpath)

    def call(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["stepscope", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        sys.stdout.flush()
        captured = capfd.readouterr()
        return Outcome(int(exit_.value.code or 0), captured.out, captured.err)

    return call
