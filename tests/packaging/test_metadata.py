"""What pyproject.toml, the Makefile and the lock file promise about building the web app."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomllib", reason="needs Python 3.11")

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_built_app_is_packed_although_git_ignores_it() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "/src/stepscope/web" in wheel["artifacts"]
    assert "custom" in wheel["hooks"]


def test_hook_and_tests_use_the_same_node() -> None:
    hook = (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    wanted = re.search(r'^NODE = "(.+)"$', hook, re.MULTILINE)
    assert wanted is not None
    assert wanted.group(1) in PROJECT["project"]["optional-dependencies"]["test"]


def test_the_lock_file_names_no_registry() -> None:
    """A registry's address in it would make every installation go there, past the user's own mirror."""
    text = (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert not [name for name, package in packages.items() if name and "integrity" not in package]
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web" / ".npmrc").read_text(encoding="utf-8")


def test_the_lock_file_knows_the_builder_of_every_platform() -> None:
    """npm writes only those of its own machine when the lock file is made from what is installed."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    platforms = {name.rpartition("binding-")[2] for name in packages if "@rolldown/binding-" in name}
    assert {"linux-x64-gnu", "linux-arm64-gnu", "linux-x64-musl", "darwin-arm64", "win32-x64-msvc"} <= platforms


def test_what_the_app_is_built_with_is_no_development_dependency() -> None:
    """The hook installs without those, so that checkers and their types are not downloaded by users."""
    package = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    assert {"vite", "svelte", "@sveltejs/vite-plugin-svelte", "vite-plugin-singlefile"} <= set(package["dependencies"])
    assert {"typescript", "svelte-check", "prettier"} <= set(package["devDependencies"])


@pytest.mark.parametrize("target", ["test", "check", "web", "bench"])
def test_make_builds_a_changed_app_before(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    rule = re.search(rf"^{target}:(.*?)(##.*)?$", makefile, re.MULTILINE)
    assert rule is not None
    assert ".venv/.web" in rule.group(1)


def test_make_demo_needs_no_node() -> None:
    """It prints text. Where an app is there, as in a source archive, it stays."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^demo: \.venv/\.ready ##", makefile, re.MULTILINE)
    assert "@STEPSCOPE_SKIP_WEB=$$(test -d src/stepscope/web || echo 1) $(PIP) --editable ." in makefile
