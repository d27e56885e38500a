"""What the changes of `stepscope what-if` say is said in Chinese, too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import stepscope
from stepscope.analyses.simulation.changes import KINDS, parse_change
from stepscope.findings.what_if import what_if
from stepscope.findings.what_if_options import offers
from stepscope.reporters.what_if_text import what_if_document

SLOW = "batch_size.slow.pt.trace.json.gz"
CHANGES = ["op:aten::mm x0.5", "kernel:/gemm/ x0.5", "host:aten::mm x0.5", "no-sync", "no-data-wait", "cuda-graph"]


def test_changes_are_described_in_chinese(evaluated: Callable[[str], Any], examples: Path) -> None:
    profile = stepscope.open(examples / SLOW).profile
    answer = what_if_document(profile, what_if(profile, [parse_change(text) for text in CHANGES]))
    texts = [answer["method"], *answer["ranks"][0]["together"]["touched"]]
    texts += [text for kind in KINDS.values() for text in (kind.description, kind.unknown)]
    texts += [text for one in offers(profile).kinds for text in (one.touched, one.lack) if text]
    said = evaluated(
        "import { noteInChinese } from './src/i18n/told.zh.ts'\n"
        f"console.log(JSON.stringify({json.dumps(texts)}.map(noteInChinese)))"
    )
    assert [text for text, one in zip(texts, said, strict=True) if not re.search("[\u4e00-\u9fff]", one)] == []
