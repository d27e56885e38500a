"""Answers about a timeline as the app takes them: their messages in words of every language."""

from __future__ import annotations

from typing import Any

from stepscope.messages.rendering import in_every_language


def tracks_in_words(listed: dict[str, Any]) -> dict[str, Any]:
    """The answer of `Timeline.answer_tracks` with its titles and notes in words."""
    tracks = [{**track, "title": in_every_language(track["title"])} for track in listed["tracks"]]
    return {**listed, "tracks": tracks, "notes": list(map(in_every_language, listed["notes"]))}
