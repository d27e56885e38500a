"""Tables as the page gets them: columns, moments as offsets, and the command that gives the same rows."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import orjson
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import kernel, launched, operator, step, write
from made_ranks import MS, Compute, Extra, Layout, MadeRanks, data_parallel
from served import Client, error, get, opened
from stepscope.analyses.ranks.job_clock import JobClock
from stepscope.answers.columns import column_facts, encoded_columns, with_offsets
from stepscope.commands import main
from stepscope.schema import TABLES

Serve = Callable[..., Client]


def tiny(folder: Path, name: str = "tiny.json") -> Path:
    """Two steps with a kernel each, 10 ns after its launch."""
    return write(
        folder / name,
        step(1, 1000, 1100),
        operator("aten::mm", 1000, 1030),
        launched(kernel("gemm", 1020, 1060, 1), 1010),
        step(2, 1100, 1200),
        operator("aten::add", 1100, 1130),
        launched(kernel("add", 1120, 1150, 2), 1110),
    )


def test_a_table_is_sent_as_columns(serve: Serve, tmp_path: Path) -> None:
    path = tiny(tmp_path)
    answer = get(serve(), "table", run="tiny.json", table="memcpy")
    assert answer["total"] == 0
    assert [note["text"]["en"] for note in answer["notes"]] == [
        "no rows: nothing of this kind happened in the selection"
    ]
    answer = get(serve(), "table", run="tiny.json", table="kernels", limit=1)
    assert {key: answer[key] for key in ("table", "by", "source", "total", "origin_ns", "notes", "command")} == {
        "table": "kernels",
        "by": "",
        "source": False,
        "total": 2,
        "origin_ns": "1000",
        "notes": [],
        "command": f"stepscope show kernels {path}",
    }
    names = TABLES["kernels"].columns[0]
    assert answer["columns"][0] == {"name": "name", "type": "text", "moment": False, "description": names.description}
    assert {name: answer["data"][name] for name in ("name", "calls", "total_ns", "share_pct")} == {
        "name": ["gemm"],
        "calls": [1],
        "total_ns": [40],
        "share_pct": [pytest.approx(100 * 40 / 70)],
    }


def test_moments_count_from_the_origin(serve: Serve, tmp_path: Path) -> None:
    tiny(tmp_path)
    answer = get(serve(), "table", run="tiny.json", table="steps")
    assert answer["data"]["start_ns"] == [0, 100]
    assert answer["data"]["device_end_ns"] == [60, 150]
    assert [column["name"] for column in answer["columns"] if column["moment"]] == ["start_ns", "device_end_ns"]


def test_moments_beyond_what_javascript_holds_stay_exact(serve: Serve, tmp_path: Path) -> None:
    start = 1_790_857_026_123_456_789
    write(tmp_path / "late.json", step(1, start, start + 7), step(2, start + 7, start + 9))
    answer = get(serve(), "table", run="late.json", table="steps")
    assert answer["origin_ns"] == str(start)
    assert answer["data"]["start_ns"] == [0, 7]


def test_rows_can_be_chosen_and_sorted(serve: Serve, tmp_path: Path) -> None:
    path = tiny(tmp_path)
    answer = get(
        serve(), "table", run="tiny.json", table="operators", where="calls > 0", sort="-host_self_ns", limit=1, step="2"
    )
    assert answer["data"]["name"] == ["aten::add"]
    assert answer["total"] == 1
    assert answer["command"] == (f"stepscope show operators {path} --step 2 --where 'calls > 0' --sort -host_self_ns")


def test_the_command_gives_the_rows_of_the_page(
    serve: Serve, examples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = {"table": "operators", "by": "shape", "rank": "1,3", "step": "2:3", "where": "calls > 1", "sort": "calls"}
    answer = get(serve(examples), "table", run="ddp4_straggler", limit=50, **request)
    assert answer["total"] > 50
    words = shlex.split(answer["command"])
    assert words[:3] == ["stepscope", "show", "operators"]
    monkeypatch.setattr("sys.argv", [*words, "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    rows = orjson.loads(capsys.readouterr().out)["rows"]
    assert {name: [row[name] for row in rows] for name in rows[0]} == answer["data"]


@pytest.mark.long
def test_every_table_of_an_example_answers(serve: Serve, examples: Path) -> None:
    client = serve(examples)
    run = opened(client, "ddp4_straggler")
    for name, table in run["tables"].items():
        for by in ("", *table["by"]):
            answer = get(client, "table", run="ddp4_straggler", table=name, by=by)
            assert all(len(values) == answer["total"] for values in answer["data"].values())
            assert [column["name"] for column in answer["columns"]] == list(answer["data"])
            assert answer["total"] or answer["notes"]


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ({"table": "opera"}, "there is no such table"),
        ({"table": "kernels", "by": "nothing"}, "it offers launch, op"),
        ({"table": "kernels", "source": "yes"}, "the parameter source is neither 0 nor 1"),
        ({"table": "kernels", "sort": "nothing"}, "there is no such column"),
        ({"table": "kernels", "where": "calls >"}, None),
        ({"table": "kernels", "where": "nothing > 1"}, 'there is no column "nothing"'),
        # The reason was cut at its own semicolon: "invalid expression (found unexpected token '".
        ({"table": "kernels", "where": "1=1;drop"}, "it is not a complete SQL condition"),
        # It was said to be too long.
        ({"table": "\0"}, "the parameter table holds a NUL character (%00)"),
        ({"table": "kernels", "where": "name"}, None),
        ({"table": "kernels", "limit": "-1"}, "the parameter limit is not a whole number from 0 to 300000"),
        ({"table": "kernels", "limit": "1e3"}, "the parameter limit is not a whole number from 0 to 300000"),
        ({"table": "kernels", "rank": "7"}, "the profile has 0"),
        ({"table": "kernels", "rank": "x"}, "it is neither a rank nor a list of ranks"),
        ({"table": "kernels", "step": "9"}, "the profile has steps 1-2"),
        ({"table": "kernels", "step": "2:1"}, "the last step comes before the first"),
        ({"table": "kernels", "by": "x" * 5000}, "the parameter by is longer than 4,000 characters"),
        ({}, "the parameter table is missing"),
    ],
)
def test_a_question_without_an_answer_is_refused(
    serve: Serve, tmp_path: Path, parameters: dict[str, str], found: str | None
) -> None:
    tiny(tmp_path)
    answer = error(serve(), "table", 400, run="tiny.json", **parameters)
    assert found is None or answer == found


def test_a_table_is_computed_once_and_kept_for_the_next_start(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny(tmp_path)
    client = serve()
    first = get(client, "table", run="tiny.json", table="kernels")
    monkeypatch.setattr("stepscope.findings.kept_tables.make_table", None)
    assert get(client, "table", run="tiny.json", table="kernels") == first
    again = serve()
    assert get(again, "table", run="tiny.json", table="kernels") == first
    assert opened(again, "tiny.json")["tables"]["kernels"]["rows"] == 2


@pytest.mark.parametrize(
    "damage", [b"", b"stepscope kept\n", b"stepscope kept\n\xff\xff\xff\xff\xff\xff\xff\xff{}", None]
)
def test_a_damaged_kept_table_is_made_again(
    serve: Serve, tmp_path: Path, own_cache: Path, damage: bytes | None
) -> None:
    tiny(tmp_path)
    before = set(own_cache.glob("*/kept.result-*"))
    first = get(serve(), "table", run="tiny.json", table="kernels")
    for path in set(own_cache.glob("*/kept.result-*")) - before:
        path.write_bytes(path.read_bytes()[:-20] if damage is None else damage)
    assert get(serve(), "table", run="tiny.json", table="kernels") == first


def test_another_version_computes_its_own_and_sweeps_the_old(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEPSCOPE_CACHE", str(tmp_path / "cache"))
    tiny(tmp_path)
    get(serve(), "table", run="tiny.json", table="kernels")
    (before,) = (tmp_path / "cache").glob("*/kept.result-*")
    monkeypatch.setattr("stepscope.store.result_cache.code_version", lambda: "f" * 16)
    client = serve()
    assert opened(client, "tiny.json")["tables"]["kernels"]["rows"] is None
    get(client, "table", run="tiny.json", table="kernels")
    assert before not in set((tmp_path / "cache").glob("*/kept.result-*"))


_VALUES = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))


@given(st.lists(_VALUES, max_size=5), st.integers(-(2**63), 2**63 - 1))
def test_offsets_are_exact_or_floats(values: list[int | None], origin: int) -> None:
    frame = with_offsets(pl.DataFrame({"start_ns": pl.Series(values, dtype=pl.Int64)}), JobClock(origin, origin))
    found = orjson.loads(encoded_columns(frame))["start_ns"]
    wanted = [None if value is None else value - origin for value in values]
    known = [value for value in wanted if value is not None]
    if all(-(2**63) <= value < 2**63 for value in known):
        assert found == wanted
    else:
        assert found == [None if value is None else pytest.approx(value, abs=4096) for value in wanted]


@given(st.lists(_VALUES, max_size=5))
def test_whole_numbers_are_exact_in_javascript(values: list[int | None]) -> None:
    frame = pl.DataFrame({"calls": pl.Series(values, dtype=pl.Int64)})
    found = orjson.loads(encoded_columns(frame))["calls"]
    if column_facts("kernels", frame)[0]["type"] == "bigint":
        assert found == [None if value is None else str(value) for value in values]
    else:
        assert found == values
        assert all(abs(value) <= 2**53 for value in values if value is not None)


@given(st.lists(st.one_of(st.none(), st.floats()), max_size=5), st.lists(st.text(), max_size=5))
def test_what_is_no_number_is_null_and_any_text_survives(numbers: list[float | None], texts: list[str]) -> None:
    height = min(len(numbers), len(texts))
    frame = pl.DataFrame(
        {"share_pct": pl.Series(numbers[:height], dtype=pl.Float64), "name": pl.Series(texts[:height], dtype=pl.String)}
    )
    found = orjson.loads(encoded_columns(frame))
    finite = [None if n is None or n != n or n in (float("inf"), float("-inf")) else n for n in numbers[:height]]
    assert found == {"share_pct": finite, "name": texts[:height]}


def test_verdicts_are_kept_for_the_next_start(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny(tmp_path)
    first = get(serve(), "verdict", run="tiny.json")
    assert first["command"] == f"stepscope report {path}"
    assert first["across_ranks"] is None
    assert {key: first["verdicts"][0][key] for key in ("rank", "bound", "step_ns", "steps")} == {
        "rank": 0,
        "bound": "host",
        "step_ns": 100,
        "steps": 2,
    }
    second = get(serve(), "verdict", run="tiny.json", step="2")
    assert second["command"] == f"stepscope report {path} --step 2"
    monkeypatch.setattr("stepscope.findings.kept_tables.verdicts_of", None)
    assert get(serve(), "verdict", run="tiny.json") == first


@pytest.mark.long
def test_what_is_said_of_the_job_is_kept_for_the_next_start(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collectives of 256 ranks were matched anew whenever a server started, before a verdict was shown."""
    MadeRanks(data_parallel(Layout(dp=3)), 3, extras=(Extra(1, Compute(5 * MS)),)).write(tmp_path / "job")
    first = get(serve(), "verdict", run="job")
    assert (first["across_ranks"]["id"], first["across_ranks"]["params"]["rank"]) == ("job-straggler", 1)
    assert first["across_ranks"]["text"]["zh"].startswith("rank 1 是慢 rank：")
    monkeypatch.setattr("stepscope.findings.kept_tables.job_sentences", None)
    assert get(serve(), "verdict", run="job")["job"] == first["job"]
    assert get(serve(), "verdict", run="job", rank="0")["across_ranks"] == first["across_ranks"]
