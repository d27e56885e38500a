"""What a report answers about its timeline from the events it holds: exactly what the server answers, or nothing."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import stepscope
from building import Event, annotation, call, kernel, memcpy, opened, operator, step
from stepscope.answers.cell_encoding import planes
from stepscope.answers.timeline_answers import tracks_in_words
from stepscope.store.profile import Profile
from stepscope.timeline import open_timeline
from stepscope.timeline.answers import ANSWERS
from stepscope.timeline.excerpts import excerpt

Evaluated = Callable[[str], Any]
Question = dict[str, Any]
Told = Callable[[dict[str, Any], list[Question]], list[Any]]


@pytest.fixture
def told(tmp_path: Path, evaluated: Evaluated) -> Told:
    """What a report with an excerpt answers; None where its detail ends."""

    def ask(held: dict[str, Any], questions: list[Question]) -> list[Any]:
        file = tmp_path / "held.json"
        pieces = [base64.b64encode(planes(piece["data"])).decode() for piece in held["pieces"]]
        asked = {
            "pieces": pieces,
            "tracks": tracks_in_words(held["tracks"])["tracks"],
            "names": held["names"],
            "questions": questions,
        }
        file.write_text(json.dumps(asked))
        answers: list[Any] = evaluated(
            "import { readFileSync } from 'node:fs'\n"
            "import { decodeHeld } from './src/api/held_cells.ts'\n"
            "import { HeldEvents } from './src/api/held_events.ts'\n"
            "import { heldArea } from './src/api/held_area.ts'\n"
            "import { nextHeld } from './src/api/held_walk.ts'\n"
            f"const held = JSON.parse(readFileSync({json.dumps(str(file))}, 'utf-8'))\n"
            "const { pieces, tracks, names, questions } = held\n"
            "const bytes = (one) => Uint8Array.from(atob(one), (byte) => byte.charCodeAt(0)).buffer\n"
            "const events = new HeldEvents(pieces.map((one) => decodeHeld(bytes(one))), names)\n"
            "const answer = ({ t0, t1, chosen, code, from, direction, every }) => code === undefined\n"
            "  ? heldArea(events, tracks, [t0, t1], chosen)\n"
            "  : (nextHeld(events, tracks, code, from, direction, every) ?? null)\n"
            "console.log(JSON.stringify(questions.map(answer)))"
        )
        return answers

    return ask


def _server(profile: Profile, question: Question) -> Any:
    timeline = open_timeline(profile)
    if "code" in question:
        asked = {"code": question["code"], "direction": question["direction"], **question["from"]}
        asked["every"] = int(question["every"])
        answer = ANSWERS["next"](timeline, {name: str(value) for name, value in asked.items()})
        assert isinstance(answer, dict)
        return answer["place"]
    asked = {"t0": str(question["t0"]), "t1": str(question["t1"])}
    if question["chosen"] is not None:
        asked["tracks"] = ",".join(map(str, question["chosen"]))
    return ANSWERS["area"](timeline, asked)


def _areas(held: dict[str, Any], begin: int, end: int) -> list[Question]:
    choose = random.Random(7)
    tracks = [track["id"] for track in held["tracks"]["tracks"]]
    found: list[Question] = [{"t0": begin, "t1": end, "chosen": None}]
    for _ in range(12):
        t0, t1 = sorted((choose.randint(begin, end), choose.randint(begin, end)))
        some = choose.sample(tracks, choose.randint(1, len(tracks)))
        found.append({"t0": t0, "t1": t1 + 1, "chosen": choose.choice([None, some])})
    return found


def _steps(profile: Profile, held: dict[str, Any], begin: int, end: int) -> list[Question]:
    """From events of each kind of track to the ones of their name before and behind, by names that occur there."""
    timeline, choose = open_timeline(profile), random.Random(11)
    found: list[Question] = []
    for track in held["tracks"]["tracks"]:
        for depth in range(track["depths"] if track["section"] != "counters" else 0):
            lane = track["first_lane"] + depth
            part = next(one for one in timeline.parts if one.first_lane <= lane < one.first_lane + one.lanes.lanes)
            low, high = part.lanes["lane_first"][lane - part.first_lane :][:2].tolist()
            start = part.lanes["start"][low:high] - timeline.origin_ns
            rows = [row for row in range(high - low) if begin <= start[row] < end]
            for row in choose.sample(rows, min(4, len(rows))):
                code = int(part.name[part.lanes["name"][low + row]])
                place = {"lane": lane, "row": row}
                both = product((1, -1), (False, True))
                found += [{"code": code, "from": place, "direction": by, "every": every} for by, every in both]
    return found


def _copy(start: int, end: int, stream: int) -> Event:
    copied = memcpy(start, end)
    return {**copied, "tid": stream, "args": {**copied["args"], "stream": stream}}


def test_a_report_that_holds_every_event_answers_as_the_server_does(examples: Path, told: Told) -> None:
    """Seen in a report: N went from a range of the host to its twin on the GPU, and no area had sums."""
    profile = stepscope.open(examples / "launch_bound_decode.fixed.pt.trace.json.gz").profile
    held = excerpt(profile, 10_000_000)
    end = open_timeline(profile).end
    questions = [*_areas(held, 0, end), *_steps(profile, held, 0, end + 1)]
    assert len(questions) > 40
    assert told(held, questions) == [_server(profile, question) for question in questions]


def test_a_range_and_its_twin_on_the_gpu_are_two_things(tmp_path: Path, told: Told) -> None:
    def twin(start: int) -> Event:
        return {**annotation("range", start, start + 10), "cat": "gpu_user_annotation", "pid": 0, "tid": 7}

    ranges = [event for i in range(4) for event in (annotation("range", 100 * i, 100 * i + 20), twin(100 * i + 50))]
    profile = opened(tmp_path, step(0, 0, 500), *ranges, kernel("gemm", 50, 60)).profile
    held = excerpt(profile, 1000)
    questions = _steps(profile, held, 0, 1000)
    answers = told(held, questions)
    assert answers == [_server(profile, question) for question in questions]
    host = next(track for track in held["tracks"]["tracks"] if track["kind"] == "operators")
    places = [one for one in answers if one and one["name"] == "range" and one["lane"] >= host["first_lane"]]
    assert places


def test_a_report_answers_where_its_detail_reaches_and_nowhere_else(tmp_path: Path, told: Told) -> None:
    events = [
        event
        for i in range(1500)
        for event in (
            operator(f"aten::op{i % 5}", 100 * i, 100 * i + 60),
            call(100 * i + 10, 100 * i + 20, i + 1),
            kernel(f"ncclAllReduce {i % 3}" if i % 4 == 0 else f"gemm {i % 7}", 100 * i + 30, 100 * i + 95, i + 1),
            _copy(100 * i + 50, 100 * i + 120, 20 + i % 3),
        )
    ]
    profile = opened(tmp_path, step(0, 0, 150_000), *events).profile
    window = (40_000, 60_000)
    held = excerpt(profile, 4000, [window])
    assert [piece["cell_ns"] for piece in held["pieces"] if (piece["t0"], piece["t1"]) == window] == [1]
    inside = [*_areas(held, *window), *_steps(profile, held, *window)]
    for question, answer in zip(inside, told(held, inside), strict=True):
        # The event behind the last one of the stretch may lie behind the stretch.
        assert answer == _server(profile, question) or (answer is None and "code" in question)
    steps = [one for one in told(held, inside) if one is not None and "row" in one]
    assert len(steps) > 20
    beyond = [{"t0": 10_000, "t1": 50_000, "chosen": None}, {"t0": 59_000, "t1": 61_000, "chosen": None}]
    assert told(held, beyond) == [None, None]
