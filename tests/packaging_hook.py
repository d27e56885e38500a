"""The build hook as a module, and an app as it would build it; for the tests of packaging."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent


def load_hook() -> ModuleType:
    """`hatch_build.py`, which belongs to no package."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built(folder: Path, stamp: str | None = None) -> Path:
    """A built app of two pages in a folder that is not there yet, with what it was built from."""
    hook = load_hook()
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("app", encoding="utf-8")
    (folder / "report.html").write_text(hook.DATA_MARK, encoding="utf-8")
    if stamp is not None:
        (folder / hook.STAMP).write_text(f"{stamp}\n", encoding="ascii")
    return folder
