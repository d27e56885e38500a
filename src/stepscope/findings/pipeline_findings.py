"""What a recorded input pipeline says, in sentences and as a finding: does training wait for it, and for what of it."""

from __future__ import annotations

from typing import Any

from stepscope.analyses.input_pipeline.advice import advice, sentences, slow_operator
from stepscope.analyses.input_pipeline.diagnosis import FEW, FINE, PROCESSING, TRANSFER, Diagnosis, diagnosed
from stepscope.analyses.input_pipeline.recorded import is_input_pipeline, recorded_pipeline
from stepscope.messages import Message
from stepscope.store.profile import Rank

_LINK = "https://www.mindspore.cn/tutorials/en/master/dataset/optimize.html"


def pipeline_sentences(rank: Rank) -> tuple[Message, ...]:
    """The verdict on a rank of which there is an input pipeline alone, with what to do."""
    recorded = recorded_pipeline(rank)
    found = diagnosed(recorded) if recorded is not None else None
    if found is None or not found.verdict:
        return (Message("input-nothing"),)
    said = sentences(found)
    return (*said, advice(found.slow)) if found.slow is not None else tuple(said)


def of_pipeline(rank: Rank) -> tuple[Message, ...]:
    """What stands behind the verdict on a rank: nothing where its pipeline keeps up, or the verdict is about it."""
    recorded = None if is_input_pipeline(rank) else recorded_pipeline(rank)
    found = diagnosed(recorded) if recorded is not None else None
    return tuple(sentences(found)) if found is not None and found.verdict not in ("", FINE, FEW) else ()


def pipeline_bound(rank: Rank) -> str:
    """What training waits for, as a verdict names it."""
    recorded = recorded_pipeline(rank)
    waits = recorded is not None and diagnosed(recorded).verdict in (PROCESSING, TRANSFER)
    return "data loading" if waits else "unknown"


def pipeline_rows(rank: Rank) -> list[dict[str, Any]]:
    """Rows of the table ``findings``: the slow operator of the pipeline, or the transfer of its batches."""
    recorded = recorded_pipeline(rank)
    found = diagnosed(recorded) if recorded is not None else None
    if found is None or found.verdict in ("", FINE, FEW):
        return []
    first, *_ = said = sentences(found)
    named = found.slow is not None
    return [
        {
            "rank": rank.number,
            "id": "slow-input-operator" if named else f"slow-input-{found.verdict}",
            "title": (slow_operator(found.slow) if found.slow is not None else first).encoded(),
            "category": "data loading",
            "severity": "note",
            "per_sample": False,
            "confidence": "",
            "method": Message("input-method").encoded(),
            "evidence": said[0].encoded(),
            "advice": _advice(found).encoded(),
            "what_if": "",
            "change": "",
            "links": _LINK,
        }
    ]


def _advice(found: Diagnosis) -> Message:
    if found.slow is not None:
        return advice(found.slow)
    return Message("input-advice-transfer" if found.verdict == TRANSFER else "input-advice-unnamed")
