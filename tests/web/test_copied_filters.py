"""The command that a table's page copies gives the rows that its filter shows, those without a text too."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from stepscope.analyses.filtering import filtered
from stepscope.answers.columns import encoded_columns

NAMES = [
    "aten::mm",
    "Aten::MM",
    "ncclKernel_AllReduce",
    "ncclKernelXAllReduce",
    "50%_of(it",
    "it's a\\b.c",
    "é\nnccl",
    "",
]
FRAME = pl.DataFrame(
    {
        "name": [NAMES[row % len(NAMES)] for row in range(27)],
        "op": [None if row % 3 == 0 else NAMES[(row * 5) % len(NAMES)] for row in range(27)],
        "kind": [("gemm", "copy", None)[row % 3] for row in range(27)],
        "waits_for": [("stream 7", "device", "stream 12")[row % 3] for row in range(27)],
        "calls": [None if row % 4 == 0 else row % 7 for row in range(27)],
        "graphed": [(True, False, None)[row % 3] for row in range(27)],
        "bytes": pl.Series([None if row % 5 == 0 else 2**60 + row for row in range(27)], dtype=pl.Int64),
    }
)
TYPES = {
    "name": "text",
    "op": "text",
    "kind": "text",
    "waits_for": "text",
    "calls": "int",
    "graphed": "bool",
    "bytes": "bigint",
}
SAID = {"kind": {"gemm": "矩阵乘", "copy": "拷贝"}, "waits_for": {"stream #": "流 #"}}
PIECES = [
    "-nccl", "nccl", "op!=aten::mm", "op=ATEN::mm", "op=''", "op!=''", "op:''", "op:kernel_", "-of(", "-50%", "-a\\b.c",
    "it's",
    "calls>2", "calls!=3", "calls<=4", "graphed=yes", "graphed!=no", f"bytes={2**60 + 7}", f"bytes!={2**60 + 8}",
    "bytes:68", "kind=矩阵乘", "kind!=矩阵乘", "-拷贝", "kind:矩", "-é", "kind!=GEMM", "-_", "-流", "waits_for='流 7'",
]  # fmt: skip


@pytest.fixture
def answered(tmp_path: Path, modules: Path, evaluated: Callable[[str], Any]) -> Callable[[list[str]], Any]:
    """For each filter the rows that the page shows and the command that it copies."""

    def ask(filters: list[str]) -> Any:
        assert modules.is_dir()
        columns = [{"name": name, "type": one, "moment": False, "description": ""} for name, one in TYPES.items()]
        data = json.loads(encoded_columns(FRAME))
        table = {"table": "kernels", "columns": columns, "data": data, "origin_ns": "0", "command": "show", "total": 27}
        file = tmp_path / "filters.json"
        file.write_text(json.dumps({"table": table, "said": SAID, "filters": filters}), encoding="utf-8")
        return evaluated(
            "import { readFileSync } from 'node:fs'\n"
            "import { commandOf } from './src/model/copies.ts'\n"
            "import { parseFilter, rowsMatching } from './src/model/filtering.ts'\n"
            f"const {{ table, said, filters }} = JSON.parse(readFileSync({json.dumps(str(file))}, 'utf-8'))\n"
            "const named = table.columns.map((one) => ({ ...one, title: one.name }))\n"
            "const all = named.map((one) => one.name)\n"
            "console.log(JSON.stringify(filters.map((text) => {\n"
            "  const filter = parseFilter(text, named)\n"
            "  return [[...rowsMatching(table, filter, said)], commandOf(table, [], filter, all, '', said)]\n"
            "})))"
        )

    return ask


def test_a_copied_command_gives_the_rows_that_the_filter_shows(answered: Callable[[list[str]], Any]) -> None:
    # `-nccl` and `op != ...` left out every row whose column held nothing: SQL says of null neither yes nor no.
    chance = random.Random(6)
    filters = PIECES + [" ".join(chance.sample(PIECES, 2)) for _ in range(150)]
    for text, (shown, command) in zip(filters, answered(filters), strict=True):
        condition = shlex.split(command)[2]
        found = filtered(FRAME.with_row_index("row"), condition, None)["row"].to_list()
        assert found == shown, f"{text}: {condition}"


def test_rows_without_a_text_are_among_those_without_a_word(answered: Callable[[list[str]], Any]) -> None:
    [(shown, _)] = answered(["op!=aten::mm"])
    without = FRAME.with_row_index("row").filter(pl.col("op").is_null())["row"].to_list()
    assert len(without) == 9
    assert set(without) <= set(shown)
