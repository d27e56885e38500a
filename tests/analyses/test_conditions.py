"""Conditions of ``--where`` and of the API: what they give, and that they can do nothing else."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import polars as pl
import pytest

from stepscope.analyses.filtering import filtered
from stepscope.errors import BadRequest
from stepscope.messages.rendering import render

FRAME = pl.DataFrame(
    {
        "name": ["aten::mm", "nccl (sum)", "50%_off", None],
        "calls": [1, 20, 3, 4],
        "share": [1.5, 2.0, None, 4.0],
        "cut": [True, False, None, True],
    }
)


@pytest.mark.parametrize(
    ("where", "calls"),
    [
        ("calls > 10", [20]),
        ("calls >= 3 AND calls <> 20", [3, 4]),
        ("NOT calls = 1 AND (calls = 3 OR calls = 20)", [20, 3]),
        ("calls IN (1, 4)", [1, 4]),
        ("calls NOT IN (1, 4)", [20, 3]),
        ("calls BETWEEN 2 AND 4", [3, 4]),
        ("-calls < -3", [20, 4]),
        ("calls * 2 + 1 = 7", [3]),
        ("calls / 2 > 1.6", [20, 4]),
        ("calls % 2 = 1", [1, 3]),
        ("name LIKE 'aten::%'", [1]),
        ("name LIKE '___::mm'", []),
        ("name LIKE '____::__'", [1]),
        ("name LIKE 'nccl (%'", [20]),
        ("name NOT LIKE 'aten%'", [20, 3]),
        ("name ILIKE '%NCCL%'", [20]),
        ("name ~ '^[an].*[m)]$'", [1, 20]),
        ("name ~* 'OFF'", [3]),
        ("name = 'it''s' OR calls = 1", [1]),
        ('name = "aten::mm"', [1]),
        ('name IN ("aten::mm", "50%_off")', [1, 3]),
        ('name LIKE "aten::%"', [1]),
        ('calls >= "share" AND "share" > 1.6', [20, 4]),
        ("name IS NULL", [4]),
        ("name IS NOT NULL", [1, 20, 3]),
        ("cut", [1, 4]),
        ("cut IS NOT TRUE", [20, 3]),
        ("NOT COALESCE(name ILIKE '%nccl%', FALSE)", [1, 3, 4]),
        ("LOWER(name) = 'aten::mm' OR UPPER(name) = 'NCCL (SUM)'", [1, 20]),
        ("LENGTH(name) = 8", [1]),
        ("ABS(calls - 3) <= 1", [3, 4]),
        ("ROUND(share, 0) = 2", [1, 20]),
        ("STARTS_WITH(name, '50')", [3]),
        ("CAST(\"calls\" AS VARCHAR) ILIKE '%0%'", [20]),
        ("(\"calls\" - CASE WHEN calls = 20 THEN 19 ELSE 0 END) = 1", [1, 20]),
        ("TRUE", [1, 20, 3, 4]),
        ("FALSE", []),
        ("", [1, 20, 3, 4]),
        (" OR ".join(["calls = 3"] * 800), [3]),
    ],
)  # fmt: skip
def test_a_condition_chooses_rows(where: str, calls: list[int]) -> None:
    assert filtered(FRAME, where, None)["calls"].to_list() == calls


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("calls", "it is a value, not a condition"),
        ("calls >", "it is not a complete SQL condition"),
        ("'; drop table", "it is not a complete SQL condition"),
        ("calls = 1; DROP TABLE x", "it is not a complete SQL condition"),
        ("(" * 2000 + "calls" + ")" * 2000, "it is not a complete SQL condition"),
        ("NOT " * 70 + "cut", "it is nested more than 60 deep"),
        ("calls = 1" + " " * 20_000, "it is longer than 20,000 characters"),
        ("callz > 3", 'there is no column "callz" (did you mean calls?)'),
        ("speed > 3", 'there is no column "speed"'),
        ('"callz" > 3', 'there is no column "callz" (did you mean calls?)'),
        ('NOT "callz"', 'there is no column "callz" (did you mean calls?)'),
        ('calls = "a"', "it combines values of different types, or holds an invalid regular expression"),
        ("t.calls > 3", "this form of COLUMN is not supported in a condition"),
        ("lpad(name, 100000000) = ''", "PAD is not supported in a condition"),
        ("repeat(name, 100000000) = ''", "REPEAT is not supported in a condition"),
        ("replace(name, 'a', 'aaaa') = ''", "REPLACE is not supported in a condition"),
        ("name || name = ''", "DPIPE is not supported in a condition"),
        ("anything(name)", "a function of that name is not supported in a condition"),
        ("name LIKE name", "LIKE takes a quoted text"),
        ("name ~ '('", "it combines values of different types, or holds an invalid regular expression"),
        ("calls = 'a'", "it combines values of different types, or holds an invalid regular expression"),
        ("CAST(name AS INTEGER) = 1", "CAST makes texts only: CAST(x AS VARCHAR)"),
        ("name = E'a\\''", "BYTE STRING is not supported in a condition"),
        ("name IN (SELECT name)", "this form of IN is not supported in a condition"),
        ("CASE calls WHEN 1 THEN TRUE END", "this form of CASE is not supported in a condition"),
        ("EXISTS (SELECT 1)", "EXISTS is not supported in a condition"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(where: str, found: str) -> None:
    with pytest.raises(BadRequest) as error:
        filtered(FRAME, where, None)
    assert render(error.value.found) == found


@pytest.mark.parametrize(
    "where",
    [
        "name IN (SELECT * FROM read_csv('{0}'))",
        "name IN (FROM read_csv('{0}'))",
        "name IN (SELECT * FROM \"read_csv\"('{0}'))",
        "name = ANY(SELECT * FROM read_json('{0}'))",
        "name = (SELECT a FROM read_parquet('{0}') AS t(a))",
        "name IN (VALUES ('x')) OR name IN (TABLE x)",
        "name IN (WITH t AS (SELECT * FROM read_ndjson('{0}')) SELECT * FROM t)",
        "calls > 1 UNION SELECT * FROM read_ipc('{0}')",
        "read_csv('{0}')",
    ],
)
def test_a_condition_opens_no_file_and_no_address(where: str, tmp_path: Path) -> None:
    """Polars' SQL resolved `read_csv` while it parsed: it told the first line of any file, sent requests to any
    address, and with a FIFO or an address that nobody answers the server never came back."""
    pipe, secret = tmp_path / "pipe", tmp_path / "token"
    os.mkfifo(pipe)
    secret.write_text("hf_secret\n")
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.setblocking(False)
        address = f"http://127.0.0.1:{door.getsockname()[1]}/x"
        for path in (pipe, secret, address):
            with pytest.raises(BadRequest) as error:
                filtered(FRAME, where.format(path), None)
            assert "secret" not in str(error.value)
        with pytest.raises(BlockingIOError):
            door.accept()
