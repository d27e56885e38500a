"""What checks of several ranks say is said in Chinese, too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import stepscope
from building import kernel, write
from made_ranks import Layout, MadeRanks, data_parallel

_TRANSLATE = """
import {{ noteInChinese }} from './src/i18n/told.zh.ts'
console.log(JSON.stringify({texts}.map(noteInChinese)))
"""


def test_every_fault_of_ranks_is_said_in_chinese(evaluated: Callable[[str], Any], tmp_path: Path) -> None:
    layout = Layout(dp=2)
    MadeRanks(data_parallel(layout), world=2, windows={1: (1, 2)}).write(tmp_path / "a")
    MadeRanks(data_parallel(Layout(dp=6)), world=6, begins_ns=10**14).write(tmp_path / "a", [4])
    (tmp_path / "a" / "rank3.json").write_bytes(b"")
    (tmp_path / "a" / "rank5.json").write_bytes(b"")
    write(tmp_path / "a" / "named.json", kernel("a", 0, 10), distributedInfo={"rank": 1, "nccl_version": "2.1"})
    write(tmp_path / "a" / "other.json", kernel("a", 0, 10))
    MadeRanks(data_parallel(layout), world=2).write(tmp_path / "b")
    texts = set()
    for opened in (stepscope.open([str(tmp_path / "a"), str(tmp_path / "b")]), stepscope.open(str(tmp_path / "b"))):
        health = opened.show("health").filter(pl.col("rank").is_null())
        texts |= {text for name in ("value", "detail") for text in health[name] if re.search("[a-z]{3}", text)}
    english = sorted(texts)
    assert {"doubtful", "yes"} < texts
    chinese = evaluated(_TRANSLATE.format(texts=json.dumps(english)))
    left = [text for text in chinese if re.search(r"(?:\b[a-z]{2,}\b ){2}", text) or not re.search("[一-鿿]", text)]
    assert left == []
