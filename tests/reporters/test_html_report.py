"""The report as one HTML file: what is in it, what is not and is told so, and how large it gets."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

import stepscope
from building import annotation, call, kernel, launched, opened, operator, step, write
from report_page import SHELL, held_table, parts, told, unplaned
from stepscope.answers.requests import Choice
from stepscope.api import OpenProfile
from stepscope.errors import BadRequest
from stepscope.findings.report import make_report
from stepscope.messages import Message
from stepscope.messages.rendering import render
from stepscope.reporters.html.report import HtmlReport, html_report
from stepscope.reporters.html.tables import MAX_ROWS, cut, views
from stepscope.schema import TABLES, UNATTRIBUTED

HOSTILE = '</script><img src=x onerror="document.title=1">'


def report_of(profile: OpenProfile, paths: Sequence[str] = ("trace.json",), max_bytes: int = 8_000_000) -> HtmlReport:
    return html_report(make_report(profile.profile), paths, Choice(), max_bytes, shell=SHELL)


def training(folder: Path, steps: int = 3) -> OpenProfile:
    """Some steps of two kernels each; the second one's operator is unknown."""
    events = []
    for i in range(steps):
        at = 1000 * i
        events += [step(i, at, at + 900), operator("aten::mm", at + 10, at + 100, external_id=i)]
        events += [launched(kernel("gemm", at + 100, at + 400, 2 * i), at + 20)]
        events += [launched(kernel(HOSTILE, at + 500, at + 600, 2 * i + 1), at + 200)]
    return opened(folder, *events)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of these steps, which takes seconds to make."""
    return report_of(training(tmp_path_factory.mktemp("training"))).text


@pytest.mark.long
def test_every_table_is_in_it_in_every_grouping(page: str) -> None:
    index = told(page)["tables"]
    expected = {"health||0"} | {f"{name}|{by}|{int(source)}" for name, by, source in views()}
    assert index.keys() == expected
    assert {key.partition("|")[0] for key in expected} == set(TABLES)
    assert {f"kernels|{by}|0" for by in ("", *TABLES["kernels"].by)} <= expected


@pytest.mark.parametrize("table", ["kernels", "operators", "steps", "idle", "health"])
@pytest.mark.long
def test_tables_hold_what_show_gives(tmp_path: Path, table: str) -> None:
    profile = training(tmp_path)
    page = report_of(profile).text
    shown, held = profile.show(table), held_table(page, table)
    assert held["total"] == len(shown)
    origin = int(held["origin_ns"])
    for column in held["columns"]:
        values = shown[column["name"]].to_list()
        values = [None if value is None else value - origin for value in values] if column["moment"] else values
        assert held["data"][column["name"]] == values


@pytest.mark.long
def test_commands_name_the_path_as_the_user_did(tmp_path: Path) -> None:
    page = report_of(training(tmp_path), ["runs/my trace.json"]).text
    assert held_table(page, "kernels", "launch")["command"] == "stepscope show kernels 'runs/my trace.json' --by launch"
    assert told(page)["serve"] == "stepscope serve 'runs/my trace.json'"
    assert told(page)["verdict"]["command"] == "stepscope report 'runs/my trace.json'"
    assert told(page)["run"]["name"] == "my trace"


def test_what_the_run_is(page: str) -> None:
    run = told(page)["run"]
    assert (run["id"], run["state"], run["selects_steps"]) == ("report", "ready", False)
    assert run["steps"] == {"first": 0, "last": 2, "count": 3}
    assert [rank["rank"] for rank in run["ranks"]] == [0]
    assert run["tables"]["kernels"]["rows"] == 2


@pytest.mark.long
def test_no_text_of_a_trace_stands_in_the_page_as_it_is(tmp_path: Path) -> None:
    page = report_of(training(tmp_path), [f"{HOSTILE}.json"]).text
    assert "onerror" not in page
    assert page.count("<script") == page.count("</script>") == len(parts(page)) + 1
    assert HOSTILE in held_table(page, "kernels")["data"]["name"]


def test_small_timelines_are_held_event_by_event(page: str) -> None:
    index = told(page)["timeline"]
    assert [piece["cell_ns"] for piece in index["cells"]] == [1]
    _, cells = unplaned(parts(page)[index["cells"][0]["part"]])
    assert set(cells["count"]) == {1}
    contents = told(page, index["timeline"])
    names = [contents["names"][str(code)] for code in cells["name"]]
    assert names.count("gemm") == 3
    assert contents["tracks"]["left_out"] == 0
    assert held_table(page, "health")["notes"] == []


def test_the_longest_event_of_each_name_is_told_about(page: str) -> None:
    events = told(page, told(page)["timeline"]["events"])
    found = told(page, "timeline")["found"]["names"]
    for one in found:
        event = events[f"{one['longest']['lane']}.{one['longest']['row']}"]["event"]
        assert (event["name"], event["duration_ns"]) == (one["name"], one["longest"]["duration_ns"])


@pytest.mark.parametrize("room", [10_000, 30_000, 60_000])
@pytest.mark.long
def test_it_never_grows_beyond_its_size_and_says_what_it_left_out(tmp_path: Path, room: int) -> None:
    """40,000 kernels on two streams, each of another length, so that nothing of them packs well."""
    events = [
        kernel(f"kernel {i * i % 97}", 50 * i, 50 * i + 1 + i * 7919 % 49, stream=7 + i % 2) for i in range(40_000)
    ]
    profile = opened(tmp_path, step(0, 0, 2_000_000), *events)
    most = len(SHELL) + 60_000 + room
    made = report_of(profile, max_bytes=most)
    assert len(made.text.encode()) <= most
    left_out = [render(what) for what in made.left_out]
    assert any(what.startswith("the timeline: ") for what in left_out)
    notes = [note["text"]["en"] for note in held_table(made.text, "health")["notes"]]
    assert notes == ["this report does not hold everything: stepscope serve trace.json shows it", *left_out]


@pytest.mark.long
def test_a_size_that_the_app_alone_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="less than the app") as error:
        report_of(training(tmp_path), max_bytes=10_000)
    assert error.value.advice == "For example: --max-report-size 2MB"


@pytest.mark.long
def test_long_tables_are_cut_and_say_so(tmp_path: Path) -> None:
    rows = MAX_ROWS + 100
    profile = opened(tmp_path, *(operator(f"op{i}", 10 * i, 10 * i + 5) for i in range(rows)))
    made = report_of(profile)
    held = held_table(made.text, "operators")
    assert (len(held["data"]["name"]), held["total"]) == (MAX_ROWS, rows)
    assert (
        held["notes"][0]["text"]["en"]
        == "this report holds the first 5,000 of 5,100 rows; the command below prints all"
    )
    assert held["command"] == "stepscope show operators trace.json --limit 0"
    assert "operators: the first 5,000 of 5,100 rows" in map(render, made.left_out)


def test_what_could_not_be_attributed_is_kept_when_a_table_is_cut() -> None:
    frame = pl.DataFrame({"name": ["a", "b", "c", UNATTRIBUTED], "calls": [4, 3, 2, 1]})
    assert cut(frame, 2)["name"].to_list() == ["a", "b", UNATTRIBUTED]
    assert cut(frame, 4)["name"].to_list() == ["a", "b", "c", UNATTRIBUTED]


@pytest.mark.long
def test_reports_of_recordings_that_lack_something(tmp_path: Path) -> None:
    only_host = [operator("aten::mm", 0, 10)]
    only_gpu = [kernel("gemm", 0, 10)]
    nothing_timed = [annotation("x", 5, 5)]
    for events in (only_host, only_gpu, nothing_timed, [call(0, 5, 1)]):
        page = report_of(opened(tmp_path, *events)).text
        run = told(page)["run"]
        assert run["tables"].keys() == TABLES.keys()
        lacking = {name for name, facts in run["tables"].items() if facts["lack"]}
        for name in lacking & {key.partition("|")[0] for key in told(page)["tables"]}:
            assert held_table(page, name)["notes"], name


@pytest.mark.long
def test_source_lines_of_files_beside_the_trace_are_quoted_and_others_are_not(tmp_path: Path) -> None:
    """A trace may name any file of the machine; what a report quotes leaves the machine with it."""
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "train.py").write_text("\n".join(f"line {i}" for i in range(1, 60)), encoding="utf-8")
    (tmp_path / "secret.py").write_text("password = 1\n" * 60, encoding="utf-8")
    secret = (tmp_path / "secret.py").as_posix()
    stacks = {"train.py(30): step": 1, f"{secret}(3): step": 2}
    events = [
        operator(f"op{i}", 100 * i, 100 * i + 50, **{"Call stack": stack}) for i, stack in enumerate(stacks, start=1)
    ]
    path = write(tmp_path / "traces" / "trace.json", step(0, 0, 1000), *events)
    made = report_of(stepscope.open(str(path)), [str(path)])
    quoted = told(made.text, "sources")
    assert [(one["file"], one["line"], one["first"]) for one in quoted] == [("train.py", 30, 18)]
    assert quoted[0]["lines"] == [f"line {i}" for i in range(18, 43)]
    assert b"password" not in b"".join(parts(made.text).values())
    script = tmp_path / "traces" / "train.py"
    said = f"it quotes one place in source files of this machine: {script}; --no-source leaves them out"
    assert made.notices[-1] == said


@pytest.mark.long
def test_source_lines_that_do_not_fit_are_left_out_and_not_the_report(tmp_path: Path) -> None:
    """They once took what they liked: the report was refused although it fits without them."""
    numbers = random.Random(3)
    lines = [f"{numbers.getrandbits(400):x}" for _ in range(2000)]
    (tmp_path / "train.py").write_text("\n".join(lines), encoding="utf-8")
    events = [
        operator("op", 100 * i, 100 * i + 50, **{"Call stack": f"train.py({30 * i}): step"}) for i in range(1, 60)
    ]
    path = write(tmp_path / "trace.json", *events)
    profile = stepscope.open(str(path))
    whole = report_of(profile, [str(path)])
    assert whole.sources == (str(tmp_path / "train.py"),) * 59
    most = len(whole.text) - 20_000
    made = report_of(profile, [str(path)], max_bytes=most)
    assert len(made.text.encode()) <= most
    assert 0 < len(made.sources) < 59
    assert len(told(made.text, "sources")) == len(made.sources)
    assert Message("page-unquoted", quoted=len(made.sources), places=59) in made.left_out


@pytest.mark.long
def test_a_report_of_no_source_quotes_none(tmp_path: Path) -> None:
    report = make_report(training(tmp_path).profile)
    made = html_report(report, ["trace.json"], Choice(), with_source=False, shell=SHELL)
    assert json.loads(parts(made.text)["sources"]) == []
    assert made.sources == ()


def test_few_of_many_quoted_files_are_named() -> None:
    made = HtmlReport("", [], tuple(f"/x/{name}.py" for name in "aabcdefg"))
    said = (
        "it quotes 8 places in source files of this machine: /x/a.py, /x/b.py, /x/c.py, /x/d.py, /x/e.py and 2 more; "
    )
    assert made.notices == [said + "--no-source leaves them out"]


@pytest.mark.long
def test_selected_steps_and_ranks_stand_in_its_commands(tmp_path: Path) -> None:
    profile = training(tmp_path).profile.select([0], (1, 2))
    made = html_report(make_report(profile), ["trace.json"], Choice((0,), (1, 2)), shell=SHELL)
    held = held_table(made.text, "steps")
    assert held["data"]["step"] == [1, 2]
    assert held["command"] == "stepscope show steps trace.json --rank 0 --step 1:2"
