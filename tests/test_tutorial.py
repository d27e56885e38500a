"""What the tutorial shows is what the commands print today, on the recordings that ship with it."""

from __future__ import annotations

import csv
import gzip
import re
import shlex
from pathlib import Path

import click
import pytest

from stepscope.analyses.registry import TABLES as ANALYSED
from stepscope.commands import cli
from test_readme import parts, position, printed
from test_words import ROOT

FOLDER = ROOT / "docs" / "tutorial"
PAGES = sorted(FOLDER.glob("*.md"))
BLOCK = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)
OURS = re.compile(r"^(?:    (?:\$ )?|.*?`)(stepscope [a-z][^`]*)", re.MULTILINE)
PLACEHOLDERS = {"TRACE", "."}


def outputs(page: Path) -> list[tuple[str, list[str]]]:
    """Commands on recordings that ship with stepscope, each with the lines that the page shows of its output."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in (text[4:] for text in block.rstrip("\n").split("\n")):
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and (line or found[-1][1]):
                found[-1][1].append(line)
    return found
