"""What an input pipeline says, in sentences: the stage that makes training wait, the slow operator, what to do."""

from __future__ import annotations

from stepscope.analyses.input_pipeline.diagnosis import (
    COMPUTES,
    FEW,
    UNKNOWN,
    WAITS,
    Diagnosis,
    SlowOperator,
    diagnosed,
)
from stepscope.analyses.input_pipeline.recorded import recorded_pipeline
from stepscope.messages import Message
from stepscope.store.profile import Profile


def notes_on(profile: Profile) -> list[Message]:
    """Sentences on the pipelines of a profile, with the rank where there are several."""
    found: list[Message] = []
    for rank in profile.ranks:
        recorded = recorded_pipeline(rank)
        said = sentences(diagnosed(recorded)) if recorded is not None else []
        several = len(profile.ranks) > 1
        found += [Message("note-of-rank", rank=rank.number, note=one) if several else one for one in said]
        if recorded is not None and recorded.trace.meta.get("samples_doubled"):
            found.append(Message("input-cpu-doubled"))
    return list(dict.fromkeys(found))


def sentences(found: Diagnosis) -> list[Message]:
    """The stage that training waits for, then the slow operator."""
    queue = found.host or found.sampled
    if queue is None:
        return []
    counts = {"empty": queue.empty, "batches": queue.batches, "by": "samples" if found.host is None else "batches"}
    if found.verdict == FEW:
        return [Message("input-few", batches=queue.batches, by=counts["by"])]
    if found.verdict == "transfer" and found.device is not None:
        device = {"device_empty": found.device.empty, "device_batches": found.device.batches}
        return [Message("input-transfer", **counts, **device)]
    if found.verdict != "processing":
        ready = queue.batches - queue.empty
        return [Message("input-fine", ready=ready, batches=queue.batches, by=counts["by"])]
    said = [Message("input-processing", **counts)]
    return [
        *said,
        slow_operator(found.slow) if found.slow is not None else Message("input-no-queues", file=found.unread),
    ]


def slow_operator(slow: SlowOperator) -> Message:
    """Which operator it is, and the fill of the queues around it."""
    return Message(
        "input-slow",
        operator=slow.name,
        workers=slow.workers,
        input_pct=slow.input_pct,
        output_pct=slow.output_pct,
        cpu_pct=slow.worker_cpu_pct,
    )


def advice(slow: SlowOperator) -> Message:
    """What to do: more workers help what waits, and what computes as long as cores are free."""
    if slow.does == COMPUTES:
        return Message("input-advice-computes", operator=slow.name)
    if slow.does == WAITS:
        return Message("input-advice-waits", operator=slow.name)
    if slow.does == UNKNOWN:
        return Message("input-advice-unknown", operator=slow.name)
    return Message("input-advice-between", operator=slow.name)
