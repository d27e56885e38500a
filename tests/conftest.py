"""What every test gets: a cache of its own, compiled code that fits the sources, and paths to traces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
NUMERIC = REPOSITORY / "src" / "stepscope" / "numeric"

# The first call of a compiled function takes seconds, whatever the example.
hypothesis.settings.register_profile("stepscope", deadline=None)
hypothesis.settings.load_profile("stepscope")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once, before any worker of pytest-xdist starts
        delete_stale_code(NUMERIC)


def delete_stale_code(folder: Path) -> list[Path]:
    """Delete what numba compiled from a folder if any of its sources changed since; returns what was deleted.

    numba itself looks only at the file of the function that was called, not at those of the functions inlined into it.
    """
    compiled = sorted((folder / "__pycache__").glob("*.nb?"))
    if not compiled:
        return []
    changed = max(source.stat().st_mtime_ns for source in folder.glob("*.py"))
    if changed <= min(file.stat().st_mtime_ns for file in compiled):
        return []
    for file in compiled:
        file.unlink()
    return compiled


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty cache for the session, so that tests neither see nor fill the user's."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPSCOPE_CACHE", str(folder))
        patch.delenv("STEPSCOPE_CACHE_LIMIT", raising=False)
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
