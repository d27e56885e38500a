"""Answers about a timeline as the app takes them: their messages in words of every language."""

from __future__ import annotations

from typing import Any

from stepscope.messages import Message
from stepscope.messages.rendering import in_every_language


def tracks_in_words(listed: dict[str, Any]) -> dict[str, Any]:
    """The answer of `Timeline.answer_tracks` with its titles and notes in words."""
    tracks = [{**track, "title": in_every_language(track["title"])} for track in listed["tracks"]]
    return {**listed, "tracks": tracks, "notes": list(map(in_every_language, listed["notes"]))}


def in_words(answer: dict[str, Any]) -> dict[str, Any]:
    """Any other answer with its notes, what became of an event, names of kinds and the title of its track in words."""
    said = dict(answer)
    if "notes" in answer:
        said["notes"] = list(map(in_every_language, answer["notes"]))
    if "said" in answer:
        said["said"] = list(map(in_every_language, answer["said"]))
    if "kinds" in answer:
        said["kinds"] = {kind: in_every_language(words) for kind, words in answer["kinds"].items()}
    if answer.get("nothing"):
        said["nothing"] = in_every_language(answer["nothing"])
    if "on" in answer:
        said["on"] = {**answer["on"], "title": in_every_language(answer["on"]["title"])}
    if "findings" in answer:
        said["findings"] = [{**one, "title": in_every_language(_decoded(one["title"]))} for one in answer["findings"]]
    return said


def _decoded(title: str | Message) -> Message:
    return title if isinstance(title, Message) else Message.decoded(title)
