"""What tables and checks say in English is said in Chinese, with the same numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stepscope
from stepscope.findings.job_messages import job_sentences
from stepscope.findings.verdict import verdict
from stepscope.schema import TABLES

_TRANSLATE = """
import {{ noteInChinese }} from './src/i18n/told.zh.ts'
console.log(JSON.stringify({texts}.map(noteInChinese)))
"""
_ENGLISH = re.compile(r"(?:\b[a-z]{2,}\b[ ,]+){2,}[a-z]{2,}")
"""Three English words in a row, which no name is."""
_NUMBER = re.compile(r"(?<![A-Za-z=_])\d+(?:[.,]\d+)*")


def told(opened: stepscope.OpenProfile) -> set[str]:
    """Every note of every table, what the checks found, and the verdicts."""
    verdicts = [verdict(rank) for rank in opened.profile.ranks]
    found = {note for name in TABLES for note in opened.notes(name)}
    found |= {sentence for one in verdicts for sentence in one.sentences} | set(job_sentences(opened.profile))
    health = opened.show("health")
    return found | {text for name in ("value", "detail") for text in health[name] if re.search("[a-z]{3}", text)}


@pytest.mark.parametrize(
    "name", ["batch_size.slow.pt.trace.json.gz", "launch_bound_decode.slow.pt.trace.json.gz", "ddp4_straggler"]
)
def test_what_is_said_about_a_recording_is_said_in_chinese(
    evaluated: Callable[[str], Any], examples: Path, name: str
) -> None:
    english = sorted(told(stepscope.open(examples / name)))
    chinese = evaluated(_TRANSLATE.format(texts=json.dumps(english)))
    assert [text for text, said in zip(english, chinese, strict=True) if not re.search("[\u4e00-\u9fff]", said)] == []
    wrong = [
        (text, said)
        for text, said in zip(english, chinese, strict=True)
        if not set(_NUMBER.findall(said)) <= set(_NUMBER.findall(text)) | {"1"}
    ]
    assert wrong == []
    assert [said for said in chinese if _ENGLISH.search(said)] == []


def test_a_part_does_not_reach_over_the_end_of_a_clause(evaluated: Callable[[str], Any]) -> None:
    """A pattern that began like the text took everything up to the words it ends with, three clauses later."""
    text = (
        "data processing holds the steps back: 1.5 of 3.0 ms a step (50 %) the GPU has nothing to do because the next "
        "batch is not ready; 2 of 3 fetches found none"
    )
    assert evaluated(_TRANSLATE.format(texts=json.dumps([text, "in no pattern; nor here"]))) == [
        (
            "数据处理拖慢了迭代步：每步 3.0 ms 中有 1.5 ms（50 %）GPU 无事可做，因为下一批次还没有准备好；"
            "3 次取批次中有 2 次没有现成的"
        ),
        "in no pattern; nor here",
    ]


def test_a_pattern_of_two_numbers_takes_nothing_else(evaluated: Callable[[str], Any]) -> None:
    """``3 of 5`` is the value of a check; its pattern took every sentence with an "of" in it, the verdict first."""
    late = (
        "The other ranks wait for rank 2: its own work holds them back by 118 ms (35 %) of the job's step of 341 ms, "
    )
    texts = ["3 of 5", late + "in 3 of 3 steps.", "a part of nothing known"]
    assert evaluated(_TRANSLATE.format(texts=json.dumps(texts))) == [
        "5 中的 3",
        "其他 rank 在等待 rank 2：它自身的工作每步拖住它们 118 ms（35 %，作业的一步为 341 ms），3 步中有 3 步如此。",
        "a part of nothing known",
    ]
