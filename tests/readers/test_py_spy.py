"""Samples of Python stacks: speedscope JSON with samples or events, and collapsed stacks."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import kernel, step, write
from readers.contract import check_sound, read
from stepscope.errors import UnreadableInput
from stepscope.readers.formats import HOST_SAMPLES, OTHER
from stepscope.readers.py_spy.format import CollapsedStacks, Speedscope
from stepscope.readers.registry import recognised
from stepscope.readers.sources import Source

FRAMES = [("main", "t.py", 3), ("load", "t.py", 9), ("load", "t.py", 10), ("gc", "", None)]
RAW = "main (t.py:3);load (t.py:9) 2\nmain (t.py:3);load (t.py:10) 1\nthread (0x1): loader;main (t.py:3);gc 4\n"
SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def speedscope(*profiles: dict[str, Any], exporter: str = "py-spy@0.4.3") -> str:
    frames = [{"name": name, "file": file, "line": line, "col": None} for name, file, line in FRAMES]
    return json.dumps({"$schema": SCHEMA, "profiles": profiles, "shared": {"frames": frames}, "exporter": exporter})


def sampled(samples: list[list[int]], name: str = 'Thread 1 "Main"', **more: Any) -> dict[str, Any]:
    about = {"type": "sampled", "name": name, "unit": "seconds", "startValue": 0.0, "endValue": len(samples) / 100}
    return about | {"samples": samples, "weights": [0.01] * len(samples)} | more


def rows(path: Path, table: str = "host_samples", **options: Any) -> list[tuple[Any, ...]]:
    return stepscope.open(str(path)).show(table, **options).rows()


def test_samples_of_one_stack_that_follow_each_other_are_one_row(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(speedscope(sampled([[0, 1], [0, 1], [0], [0, 1]])))
    found = read(Speedscope(), Source(str(path)))
    check_sound(found)
    frame = found.frames["stack_sample"]
    assert frame.select("start_ns", "duration_ns", "samples", "stack").rows() == [
        (0, 20_000_000, 2, 0),
        (20_000_000, 10_000_000, 1, 1),
        (30_000_000, 10_000_000, 1, 0),
    ]
    assert (found.facts.recorder_version, found.facts.clock) == ("0.4.3", "own")


def test_functions_with_their_samples(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(speedscope(sampled([[0, 1], [0, 2], [0], [0, 1, 1]]), sampled([[3]], "Thread 2"), sampled([[]])))
    assert rows(path) == [
        (0, "load", "t.py", 3, 50.0, 3, 50.0),
        (0, "main", "t.py", 1, pytest.approx(100 / 6), 4, pytest.approx(400 / 6)),
        (0, "(unattributed)", None, 1, pytest.approx(100 / 6), 1, pytest.approx(100 / 6)),
        (0, "gc", None, 1, pytest.approx(100 / 6), 1, pytest.approx(100 / 6)),
    ]
    assert [row[:5] for row in rows(path, by="line")] == [
        (9, 0, "load", "t.py", 2),
        (3, 0, "main", "t.py", 1),
        (None, 0, "(unattributed)", None, 1),
        (None, 0, "gc", None, 1),
        (10, 0, "load", "t.py", 1),
    ]
    threads = [(row[0], row[2], row[4]) for row in rows(path, by="thread")]
    assert ("Thread 2", "gc", 1) in threads


def test_collapsed_stacks_have_counts_and_no_times(tmp_path: Path) -> None:
    path = tmp_path / "a.raw"
    path.write_text(RAW)
    found = read(CollapsedStacks(), Source(str(path)))
    check_sound(found)
    assert found.frames["stack_sample"]["start_ns"].null_count() == 3
    assert [row[1:4] for row in rows(path)] == [("gc", None, 4), ("load", "t.py", 3), ("main", "t.py", 0)]
    assert next((row[0], row[2]) for row in rows(path, by="thread")) == ("thread (0x1): loader", "gc")


def test_events_of_other_tools_are_stretches_between_them(tmp_path: Path) -> None:
    events = [("O", 0, 0), ("O", 1, 5), ("C", 1, 8), ("C", 0, 9)]
    said = [{"type": kind, "frame": frame, "at": at} for kind, frame, at in events]
    profile = {"type": "evented", "name": "p", "unit": "milliseconds", "startValue": 0, "endValue": 9, "events": said}
    path = tmp_path / "a.speedscope.json"
    path.write_text(speedscope(profile, exporter="other 1.0"))
    found = read(Speedscope(), Source(str(path)))
    check_sound(found)
    times = found.frames["stack_sample"].select("start_ns", "duration_ns").rows()
    assert times == [(0, 5_000_000), (5_000_000, 3_000_000), (8_000_000, 1_000_000)]
    assert found.facts.recorder_version == "other 1.0"


@pytest.mark.parametrize("seed", range(5))
def test_shares_agree_with_an_oracle(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    samples = [[dice.randrange(4) for _ in range(dice.randrange(4))] for _ in range(200)]
    path = tmp_path / "a.json"
    path.write_text(speedscope(sampled(samples)))
    own, total = Counter(), Counter()
    for sample in samples:
        own[FRAMES[sample[-1]][0] if sample else "(unattributed)"] += 1
        total.update({FRAMES[one][0] for one in sample} or {"(unattributed)"})
    assert {row[1]: (row[3], row[5]) for row in rows(path)} == {name: (own[name], total[name]) for name in total}


def test_beside_a_trace_they_have_a_table_and_no_time(tmp_path: Path) -> None:
    write(tmp_path / "trace.json", step(0, 0, 100), kernel("k", 5, 9))
    (tmp_path / "samples.speedscope.json").write_text(speedscope(sampled([[0, 1]])))
    profile = stepscope.open(str(tmp_path))
    assert [row[1] for row in profile.show("host_samples").rows()] == ["load", "main"]
    (note,) = profile.show("recordings").filter(kind="host_samples")["note"].to_list()
    assert note.startswith("the table host_samples is of it; it does not say when it began")


@pytest.mark.long
def test_the_verdict_names_the_function_with_most_samples(tmp_path: Path) -> None:
    path = tmp_path / "a.raw"
    path.write_text(RAW)
    said = stepscope.open(str(path)).verdict.splitlines()
    assert said[0] == "57 % of the samples are in gc."


def test_what_is_no_such_file(tmp_path: Path) -> None:
    for name, text in (("a.raw", "hello 3\n"), ("b.raw", "a;b 3\n"), ("c.json", '{"$schema": "x", "profiles": []}')):
        (tmp_path / name).write_text(text)
        assert recognised(Source(str(tmp_path / name))).kind == OTHER, name
    (tmp_path / "d.json").write_text(speedscope())
    assert recognised(Source(str(tmp_path / "d.json"))).kind == HOST_SAMPLES
    with pytest.raises(UnreadableInput, match="it holds no sample"):
        read(Speedscope(), Source(str(tmp_path / "d.json")))
    (tmp_path / "e.json").write_text(speedscope(sampled([[0]]))[:-20])
    with pytest.raises(UnreadableInput, match="it is damaged"):
        read(Speedscope(), Source(str(tmp_path / "e.json")))


def test_random_damage_raises_nothing_else(tmp_path: Path) -> None:
    dice = random.Random(21)
    goods = [(Speedscope(), speedscope(sampled([[0, 1], [0], [3]] * 3))), (CollapsedStacks(), RAW * 3)]
    values = ["null", "-1", "1e999", "99999999999999999999", "[]", "{}", '"x"', "true", "0.5"]
    for _ in range(300):
        reader, text = dice.choice(goods)
        data = bytearray(text.encode())
        for _ in range(dice.randint(1, 5)):
            at = dice.randrange(len(data))
            if dice.random() < 0.4:
                data[at] = dice.randrange(256)
            elif dice.random() < 0.5:
                del data[at : at + dice.randint(1, 20)]
            else:
                data[at : at + 1] = dice.choice(values).encode()
        path = tmp_path / "samples"
        path.write_bytes(bytes(data))
        try:
            check_sound(read(reader, Source(str(path))))
        except UnreadableInput:
            continue
