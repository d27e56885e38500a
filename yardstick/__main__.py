"""python -m yardstick: record pairs, score tools on pairs. See README.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yardstick.asking import Asked, installed
from yardstick.bound import bound
from yardstick.page import PAGE, Scored, page
from yardstick.pairs import Pair, Side
from yardstick.scoring import Answered
from yardstick.sets import Set
from yardstick.tools import TOOLS

EXAMPLES = Set("Examples of the repository, NVIDIA H200", (Path(__file__).with_name("examples"),))


def main() -> None:
    """Parse the command line; write the page or print it."""
    parser = argparse.ArgumentParser(prog="python -m yardstick", description=__doc__)
    parser.add_argument("--set", nargs="+", action="append", default=[], metavar=("TITLE", "FOLDER"))
    parser.add_argument("--light-set", nargs="+", action="append", default=[], metavar=("TITLE", "FOLDER"))
    parser.add_argument("--tools", default=",".join(TOOLS), help="some of them, separated by commas (default: all)")
    parser.add_argument("--python", action="append", default=[], metavar="TOOL=PATH", help="one that has the tool")
    parser.add_argument("--keep", type=Path, help="folder of the tools' environments and answers, used again")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} instead of printing it")
    options = parser.parse_args()
    names = options.tools.split(",")
    if unknown := [name for name in names if name not in TOOLS]:
        parser.error(f"no such tools: {', '.join(unknown)}")
    pythons = dict(each.split("=", 1) for each in options.python)
    sets = [EXAMPLES, *_sets(options.set, light=False), *_sets(options.light_set, light=True)]
    with _kept(options.keep) as folder:
        asked = [_asked(name, pythons.get(name), folder) for name in names]
        said = [_scored(one, asked) for one in sets]
    text = page(said)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _sets(given: list[list[str]], *, light: bool) -> list[Set]:
    return [Set(title, tuple(map(Path, folders)), light) for title, *folders in given]


@contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    if folder:
        yield folder.resolve()
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


def _asked(name: str, python: str | None, folder: Path) -> Asked:
    return Asked(name, Path(python) if python else installed(name, folder / "environments"), folder / "answers")


def _scored(one: Set, tools: list[Asked]) -> Scored:
    bounds = {pair.name: (_bound(pair.slow), _bound(pair.fixed)) for pair in one.pairs}
    comparing = [tool for tool in tools if TOOLS[tool.name].compares]
    return Scored(
        one.title,
        {tool.name: [_answered(tool, pair, bounds[pair.name]) for pair in one.pairs] for tool in tools},
        {tool.name: [tool.about(pair.slow.path, pair.fixed.path) for pair in one.pairs] for tool in comparing},
        {tool.name: [tool.about(*two) for two in one.again] for tool in comparing if one.again},
    )


def _bound(side: Side) -> str:
    return bound(side.path, side.step_ms)


def _answered(tool: Asked, pair: Pair, bounds: tuple[str, str]) -> Answered:
    return Answered(pair, tool.of(pair.slow.path), tool.of(pair.fixed.path), bounds)


if __name__ == "__main__":
    main()
