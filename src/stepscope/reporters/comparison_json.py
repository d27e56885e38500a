"""A comparison as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl

from stepscope.comparison.alignment import Alignment
from stepscope.comparison.causes import Attribution, Cause
from stepscope.comparison.compare import Comparison
from stepscope.comparison.recorded import compared_steps
from stepscope.comparison.sampled import STEP
from stepscope.comparison.sentences import cause_message, sentences
from stepscope.messages import Message, readable
from stepscope.messages.rendering import rendered_json
from stepscope.schema import JSON_VERSION
from stepscope.store.profile import Rank

Said = Callable[[Message], dict[str, Any]]


def comparison_json(found: Comparison) -> str:
    """The comparison as JSON, a newline behind."""
    return json.dumps(comparison_document(found, rendered_json), ensure_ascii=False, allow_nan=False) + "\n"


def comparison_document(found: Comparison, said: Said) -> dict[str, Any]:
    """The comparison as JSON values.

    Args:
        said: a message as JSON values.
    """
    step = {name: value for name, value in found.step.items() if name not in ("level", "of", "key")}
    return {
        "schema_version": JSON_VERSION,
        "base": [_recording(rank) for rank in found.base],
        "new": [_recording(rank) for rank in found.new],
        "sentences": [said(one) for one in sentences(found)],
        "differences": [{"what": one.what, "base": one.base, "new": one.new} for one in found.differences],
        "step": step,
        "host": {"slower_pct": found.host_pct, "step_ns": round(found.attribution.host_ns)},
        "causes": _causes(found.attribution, said),
        "gpu_work": _causes(found.gpu_work, said),
        "aligned": _aligned(found.aligned),
        "ranks": found.ranks.to_dicts() if found.ranks is not None else [],
        "counts": found.counts.to_dicts(),
        "only_here": found.only_here.found.to_dicts(),
        "unrecorded": list(found.only_here.unrecorded),
        "rows": found.rows.filter(pl.col("level") != STEP).to_dicts(),
    }


def _aligned(aligned: Alignment) -> dict[str, Any]:
    return {
        "gpu_pct": aligned.gpu_pct,
        "gpu_by_sequence_pct": aligned.by_sequence_pct,
        "gpu_by_name_pct": aligned.by_name_pct,
        "host_pct": aligned.host_pct,
        "replaced": [
            {
                "module": one.module,
                "op": one.op,
                "gone": list(one.gone),
                "new": list(one.new),
                "base_ns": round(one.base_ns),
                "new_ns": round(one.new_ns),
                "base_calls": one.base_calls,
                "new_calls": one.new_calls,
            }
            for one in aligned.replaced
        ],
    }


def _recording(rank: Rank) -> dict[str, Any]:
    steps = compared_steps(rank)
    return {
        "path": readable(rank.source),
        "rank": rank.number,
        "steps": steps.number.tolist(),
        "step_ns": steps.length.tolist(),
        "left_out": steps.left_out,
        "others": list(steps.others),
        "others_ns": list(steps.others_ns),
    }


def _causes(attribution: Attribution, said: Said) -> list[dict[str, Any]]:
    return [_cause(cause, said) for cause in attribution.causes]


def _cause(cause: Cause, said: Said) -> dict[str, Any]:
    sides = {
        f"{side}_{name}{'' if name == 'calls' else '_ns'}": round(value, 3) if name == "calls" else round(value)
        for side, work in (("base", cause.base), ("new", cause.work))
        for name, value in work.items()
    }
    return {
        "text": said(cause_message(cause)),
        "path": list(cause.path),
        "gone": list(cause.gone),
        "new": list(cause.new),
        "kind": cause.kind,
        "effect_ns": round(cause.effect_ns),
        **sides,
    }
