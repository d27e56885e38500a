"""Findings say which lines to change, and name pages of the official documentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from building import Events, annotation, call, kernel, opened, operator, step
from stepscope.findings import detectors
from stepscope.findings.findings import findings

FOLDER = Path(detectors.__file__).parent
HOSTS = {"docs.pytorch.org", "docs.nvidia.com", "docs.python.org", "docs.vllm.ai"}
LOADING = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


def texts() -> Iterator[tuple[str, str]]:
    """Every text in the sources of the detectors."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path.name, node.value


def test_every_address_is_one_of_official_documentation() -> None:
    pages = [(name, page) for name, text in texts() for page in re.findall(r"\w+://\S+", text)]
    assert len(pages) > 10
    assert [(name, page) for name, page in pages if not page.startswith("https://")] == []
    assert {urlsplit(page).hostname for _, page in pages} <= HOSTS


def test_every_cause_names_pages_and_lines() -> None:
    """Whoever adds a detector is asked what a user should write."""
    without = [
        path.name
        for path in sorted(FOLDER.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Cause"
        if not {"change", "links"} <= {keyword.arg for keyword in node.keywords}
    ]
    assert without == []


def loading_steps() -> Iterator[list[Events]]:
    for number in range(1, 4):
        at = 1_000_000 * number
        yield [
            step(number, at, at + 1_000_000),
            annotation(LOADING, at, at + 600_000),
            operator("aten::mm", at + 700_000, at + 800_000),
            call(at + 710_000, at + 715_000, number),
            kernel("k", at + 720_000, at + 820_000, number),
        ]


@pytest.mark.parametrize(
    ("facts", "workers"),
    [
        ({"cores": 2}, 2),
        ({"cores": 64}, 8),
        ({"cores": 64, "local_ranks": 16}, 4),
        ({"cores": 2, "local_ranks": 4}, 1),
    ],
)
def test_no_more_workers_are_advised_than_the_recorded_machine_has_cores(
    tmp_path: Path, facts: dict[str, int], workers: int
) -> None:
    profile = opened(tmp_path, *loading_steps(), stepscopeRecording=facts).profile
    [row] = findings(profile).to_dicts()
    assert row["change"] == f"loader = DataLoader(data, num_workers={workers}, pin_memory=True)  # was: num_workers=0"


def test_a_finding_carries_its_lines_and_its_pages(tmp_path: Path) -> None:
    profile = opened(tmp_path, *loading_steps()).profile
    [row] = findings(profile).to_dicts()
    assert (row["change"], row["links"]) == (
        "loader = DataLoader(data, num_workers=min(8, os.cpu_count()), pin_memory=True)  # was: num_workers=0",
        (
            "https://docs.pytorch.org/docs/stable/data.html "
            "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html"
        ),
    )
