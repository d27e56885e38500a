"""Messages: what they hold, how they are said, and that no language lacks one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import polars as pl
import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent

from stepscope.messages import Message
from stepscope.messages.frames import in_words, said_everywhere
from stepscope.messages.language import LANGUAGES, language_of_locale, speaking
from stepscope.messages.rendering import ids, render, say

SOURCE = Path(__file__).resolve().parents[2] / "src" / "stepscope"
CATALOGUES = SOURCE / "messages"
UNITS = {"_epoch_ns": {"CLOCK"}, "_ns": {"TIME", "MS"}, "_bytes": {"BYTES"}, "_pct": {"PCT"}}


def catalogue(language: str) -> dict[str, fluent.Message]:
    """Every message of a language by its id."""
    found = {}
    for path in sorted((CATALOGUES / language).glob("*.ftl")):
        for entry in FluentParser().parse(path.read_text(encoding="utf-8")).body:
            assert not isinstance(entry, fluent.Junk), f"{path.name}: {entry.content}"
            if isinstance(entry, fluent.Message):
                assert entry.id.name not in found, f"twice: {entry.id.name}"
                assert entry.id.name.partition("-")[0] == path.stem, f"{entry.id.name} stands in {path.name}"
                found[entry.id.name] = entry
    return found


def variables(node: object) -> set[str]:
    """Names of the parameters that a message uses."""
    if isinstance(node, fluent.VariableReference):
        return {node.id.name}
    if isinstance(node, fluent.BaseNode):
        return set().union(*(variables(one) for one in vars(node).values()))
    return set().union(*map(variables, node)) if isinstance(node, list) else set()


def formatted(node: object, by: str = "") -> set[tuple[str, str]]:
    """Each parameter of a message with the function that formats it, or nothing."""
    if isinstance(node, fluent.VariableReference):
        return {(node.id.name, by)}
    if isinstance(node, fluent.FunctionReference):
        by = node.id.name
    if isinstance(node, fluent.BaseNode):
        parts = {
            name: one for name, one in vars(node).items() if name != "selector"
        }  # which chooses, and shows nothing
        return set().union(*(formatted(one, by) for one in parts.values()))
    return set().union(*(formatted(one, by) for one in node)) if isinstance(node, list) else set()


def made_in_code() -> dict[str, set[str]]:
    """Ids of the messages that the sources make with a literal id, and names of the parameters each is given."""
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("Message", "say") and isinstance(node.args[0].value, str):
                given = {keyword.arg or "**" for keyword in node.keywords}
                found[node.args[0].value] = found.get(node.args[0].value, set()) | given
    return found


def test_a_message_goes_through_text_and_back() -> None:
    inner = Message("test-clause", share_pct=12.5)
    whole = Message("test-whole", step_ns=31_542_513, ranks=[0, 2], of=[inner], flag=True, none=None)
    assert Message.decoded(whole.encoded()) == whole
    assert whole["ranks"] == (0, 2)


def test_what_no_catalogue_knows_is_shown_with_its_values() -> None:
    assert say("nowhere-to-be-found", count=3) == "nowhere-to-be-found (count: 3)"


def test_a_column_of_messages_becomes_words_and_keeps_what_is_missing() -> None:
    frame = pl.DataFrame({"a": [Message("nowhere-a", n=1).encoded(), None, ""], "b": ["x", "y", "z"]})
    assert in_words(frame, ["a", "c"])["a"].to_list() == ["nowhere-a (n: 1)", None, ""]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"), ({}, "en")],
)
def test_the_locale_chooses_the_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language_of_locale() == expected


@pytest.mark.long
def test_every_language_has_every_message() -> None:
    english, chinese = (ids(language) for language in LANGUAGES)
    lacking = {"en": sorted(chinese - english - {one for one in chinese if one.startswith(("column-", "table-"))})}
    lacking["zh"] = sorted(english - chinese)
    assert lacking == {"en": [], "zh": []}, "add these to the catalogue of that language"


@pytest.mark.long
def test_languages_use_the_same_parameters() -> None:
    english, chinese = (catalogue(language) for language in LANGUAGES)
    differing = {
        name: (variables(message), variables(chinese[name]))
        for name, message in english.items()
        if name in chinese and variables(message) != variables(chinese[name])
    }
    assert differing == {}


@pytest.mark.long
def test_every_message_of_the_code_is_in_the_catalogues_and_has_its_parameters() -> None:
    known, made = catalogue("en"), made_in_code()
    assert sorted(set(made) - set(known)) == [], "write these messages in messages/en and messages/zh"
    lacking = {
        name: sorted(variables(known[name]) - given)
        for name, given in made.items()
        if "**" not in given and not variables(known[name]) <= given
    }
    assert lacking == {}, "the code never gives these parameters"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quantity_is_formatted_by_its_unit(language: str) -> None:
    for known, message in catalogue(language).items():
        for name, function in formatted(message):
            wanted = next((functions for suffix, functions in UNITS.items() if name.endswith(suffix)), None)
            assert wanted is None or function in wanted, f"{known}: {name} is formatted by {function or 'nothing'}"


def test_chinese_is_spoken_inside_and_no_longer_after() -> None:
    message = Message("list-none")
    with speaking("zh"):
        assert render(message) == "无"
    assert render(message) == "none"


def test_items_that_hold_commas_are_separated_by_semicolons() -> None:
    plain, commas = Message("text-plain", text="一"), Message("text-plain", text="一，二")
    assert render(Message("text-plain", text=(plain, plain)), "zh") == "一、一"
    assert render(Message("text-plain", text=(commas, plain)), "zh") == "一，二；一"


def test_a_step_has_one_word_in_chinese() -> None:
    for path in (CATALOGUES / "zh").glob("*.ftl"):
        wrong = re.findall(r"[^\n]*(?<![同逐进初一这第异散])步(?![骤调行进])[^\n]*", path.read_text(encoding="utf-8"))
        assert wrong == [], f"{path.name}: a step is 迭代"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_cause_of_idle_time_has_one_word(language: str) -> None:
    """Compare said "host late" and "dependency" of what every other page calls late launch and inter-kernel gap."""
    for cause in ("host_late", "sync", "data_loading", "memory_copy", "communication_wait", "launch_latency"):
        assert render(Message(f"diff-part-{cause}"), language) == render(Message(f"value-cause-{cause}"), language)
    assert render(Message("diff-part-dependency"), language) == render(Message("value-cause-dependency"), language)


def test_what_perfetto_lacks_is_said_of_what_there_is() -> None:
    """Seen: "1 slice has no end and lasts until the recording ends; 0 ends have no beginning and is left out"."""
    said = {(3, 0): "3 slices have no end and last until the recording ends"}
    said |= {(0, 2): "2 ends have no beginning and are left out"}
    said |= {(1, 1): "1 slice has no end and lasts until the recording ends; 1 end has no beginning and is left out"}
    for (unfinished, alone), text in said.items():
        assert render(Message("check-perfetto-unpaired", unfinished=unfinished, alone=alone)) == text


def test_of_a_long_list_some_is_said() -> None:
    """Fluent leaves {???} of a text that is too long for it."""
    said = render(Message("check-overhead", events=9, kinds=["k" * 99] * 99, more=0, waits=0, event=""))
    assert said.startswith("9 events of the profiler's own work: kkk")
    assert said.endswith("...")


def test_a_range_whose_ends_are_printed_alike_is_printed_once() -> None:
    """Seen: "0.6 % to 0.6 %", "13.0 ms to 13.0 ms"."""
    narrow = Message("page-range", start_ns=13_000_000, end_ns=13_000_400)
    wide = Message("page-range", start_ns=13_000_000, end_ns=15_000_000)
    assert [render(narrow, language) for language in ("en", "zh")] == ["13.0 ms", "13.0 ms"]
    assert [render(wide, language) for language in ("en", "zh")] == ["13.0 ms to 15.0 ms", "13.0 ms 至 15.0 ms"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_ranges_of_quantities_are_written_in_one_way(language: str) -> None:
    by_hand = re.compile(r"(?:TIME|MS|BYTES|PCT)\([^)]*\) \} (?:to|至|到) \{")
    for path in (CATALOGUES / language).glob("*.ftl"):
        assert by_hand.findall(path.read_text(encoding="utf-8")) == [], f"{path.name}: write RANGE"


def test_messages_of_a_column_are_in_the_order_of_its_rows() -> None:
    """In any order, a report written again was another file, and its timeline was packed anew for other room."""
    counts = [7919 * n % 1000 for n in range(1000)]
    column = pl.Series([Message("check-count", count=count).encoded() for count in counts + counts])
    assert [one["params"]["count"] for one in said_everywhere(column).values()] == counts
