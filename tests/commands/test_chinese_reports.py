"""The whole Chinese report is Chinese: names and identifiers may stay, no sentence may."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import Run

_SENTENCE = re.compile(r"\b[a-z]+(?:,? [a-z]+){3,}\b")
"""Four English words in a row."""

_CODE = re.compile(r"stepscope .*|#.*|\w+\(.*\)|\([a-z ]+\)")
"""Commands, lines to change, and what stands for a missing name, the same in every language."""


@pytest.mark.long
@pytest.mark.parametrize(
    "example", ["batch_size.slow.pt.trace.json.gz", "launch_bound_decode.fixed.pt.trace.json.gz", "ddp4_straggler"]
)
def test_no_sentence_is_english(run: Run, examples: Path, example: str) -> None:
    lines = run("report", f"{examples}/{example}", "--lang", "zh").out.splitlines()
    assert run("--lang", "zh", "report", f"{examples}/{example}").out.splitlines() == lines
    assert len(lines) > 50
    assert [line for line in lines if _SENTENCE.search(_CODE.sub("", line))] == []
