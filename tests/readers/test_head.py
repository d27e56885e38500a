"""Of the top level only what is on the list, and in the expected shape, becomes a fact. Tokens never do."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readers.reading import read, trace
from stepscope.errors import UnreadableInput

TOKEN = "ghp/S3CR3T=/home/alice"
EVENT = {"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 1, "dur": 1}


def facts_of(members: dict[str, Any]) -> str:
    """All facts as text, with the members before the events and behind them."""
    before = read(trace(EVENT, **members))[1]
    behind = read(trace(EVENT)[:-1] + b", " + json.dumps(members)[1:].encode())[1]
    assert before.head == behind.head
    assert (before.truncated, behind.truncated, before.head_damaged) == (None, None, False)
    return json.dumps([asdict(before), asdict(behind)])


def test_known_members_become_facts() -> None:
    members = {
        "schemaVersion": 1,
        "baseTimeNanoseconds": 1711964646000000000,
        "trace_id": "045BBAB1945748E0A1EAD21191C45C35",
        "displayTimeUnit": "ms",
        "with_stack": 1,
        "roctracer_version": 4.1,
        "stepscopeRecording": {"program": "train.py", "with": "shapes stack", "first_step": 23, "before_ns": 530_000},
        "deviceProperties": [{"id": 0, "name": "NVIDIA A100-PG509-200", "numSms": 108, "warpSize": "32"}],
        "distributedInfo": {
            "backend": "cpu:gloo,cuda:nccl",
            "rank": "3",
            "world_size": 8,
            "nccl_version": "2.28.9",
            "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "pg_size": 2, "ranks": [0, 1]}],
        },
    }
    expected = members | {
        "deviceProperties": [{"id": 0, "name": "NVIDIA A100-PG509-200", "numSms": 108, "warpSize": 32}],
        "distributedInfo": members["distributedInfo"] | {"rank": 3},  # type: ignore[operator]
    }
    assert read(trace(EVENT, **members))[1].head == expected


@pytest.mark.parametrize(
    "members",
    [
        {"env": {"GITHUB_TOKEN": TOKEN}},
        {"metadata": {"system": {"env": {"A": TOKEN}, "user": TOKEN}}},
        {"traceName": f"/home/alice/{TOKEN}.json", "hostname": TOKEN, "user": TOKEN},
        {TOKEN: TOKEN},
        {"displayTimeUnit": TOKEN},
        {"stepscopeRecording": {"program": TOKEN, "command": "python train.py --key S3CR3T", "first_step": TOKEN}},
        {"stepscopeRecording": [TOKEN]},
        {"trace_id": TOKEN, "torch_version": TOKEN},
        {"schemaVersion": TOKEN},
        {"schemaVersion": {"env": TOKEN}},
        {"schemaVersion": [TOKEN]},
        {"baseTimeNanoseconds": {"A": [TOKEN]}},
        {"deviceProperties": TOKEN},
        {"deviceProperties": {"name": TOKEN}},
        {"deviceProperties": [TOKEN, [TOKEN], {"env": TOKEN}]},
        {"deviceProperties": [{"id": TOKEN, "name": {"env": TOKEN}, "numSms": [TOKEN]}]},
        {"deviceProperties": [{"name": TOKEN}]},
        {"deviceProperties": [[{"name": TOKEN}]]},
        {"distributedInfo": TOKEN},
        {"distributedInfo": [TOKEN]},
        {"distributedInfo": {"backend": TOKEN, "rank": TOKEN, "hostname": TOKEN, "env": {"A": TOKEN}}},
        {"distributedInfo": {"rank": {"A": TOKEN}, "world_size": [TOKEN], "nccl_version": {"A": TOKEN}}},
        {"distributedInfo": {"pg_config": TOKEN}},
        {"distributedInfo": {"pg_config": {"pg_name": TOKEN}}},
        {"distributedInfo": {"pg_config": [TOKEN, {"pg_name": {"A": TOKEN}, "ranks": TOKEN, "env": TOKEN}]}},
        {"distributedInfo": {"pg_config": [{"ranks": [TOKEN, {"A": TOKEN}]}, {"ranks": {"A": TOKEN}}, {"ranks": 5}]}},
    ],
)
def test_a_token_in_any_place_is_no_fact(members: dict[str, Any]) -> None:
    assert "S3CR3T" not in facts_of(members)


keys = st.sampled_from(
    [
        "deviceProperties",
        "distributedInfo",
        "schemaVersion",
        "trace_id",
        "pg_config",
        "ranks",
        "rank",
        "name",
        "backend",
    ]
)
shapes = st.recursive(
    st.just(TOKEN) | st.none() | st.booleans() | st.integers() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys | st.just(TOKEN), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.long
@given(st.dictionaries(keys, shapes, max_size=4))
def test_members_of_any_shape_are_read_without_error_and_without_the_token(members: dict[str, Any]) -> None:
    assert "S3CR3T" not in facts_of(members)


def test_numbers_that_json_cannot_write_are_no_facts() -> None:
    data = trace(EVENT)[1:]
    members = (
        b'"schemaVersion": NaN, "roctracer_version": Infinity, "with_stack": 1e999, "cupti_version": ' + b"9" * 5000
    )
    _, facts = read(b"{" + members + b", " + data)
    assert facts.head == {}
    json.dumps(asdict(facts), allow_nan=False)


def test_damage_in_the_head_does_not_let_a_token_out() -> None:
    head = b'{"env": {"TOKEN": "' + TOKEN.encode() + b'"}, "deviceProperties": [{"name": "' + TOKEN.encode() + b'"x}], '
    _, facts = read(head + trace(EVENT)[1:])
    assert facts.head_damaged
    assert "S3CR3T" not in json.dumps(asdict(facts))


def test_a_refusal_names_keys_and_never_values() -> None:
    with pytest.raises(UnreadableInput) as caught:
        read(json.dumps({"env": TOKEN, "config": [TOKEN]}).encode())
    assert "its keys are env, config" in str(caught.value)
    assert "S3CR3T" not in str(caught.value)
