"""Opening what was named: a trace, a folder of ranks, a glob, a URL, or several of these."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from stepscope.errors import BadRequest, UnreadableInput
from stepscope.messages import Message
from stepscope.readers.finding import find_sources
from stepscope.readers.formats import KERNEL_REPORT, MEMORY_SNAPSHOT, OTHER, Match
from stepscope.readers.registry import is_claimed, recognised
from stepscope.readers.remote import is_url
from stepscope.readers.sources import Source
from stepscope.store.captures import captures_beside
from stepscope.store.ingest import open_traces
from stepscope.store.options import ReadOptions
from stepscope.store.profile import Profile, Skipped
from stepscope.store.rank_assignment import assigned, named_rank
from stepscope.store.reading import read_all
from stepscope.store.recording import unread_recording
from stepscope.store.task_queue import Failed

_Named = TypeVar("_Named")


def open_profile(path: str | Sequence[str], options: ReadOptions | None = None) -> Profile:
    """Open a trace, a folder of ranks, a glob, a URL, or several of these.

    Of several files each is read in a process of its own where that is quicker, see `store.reading`.

    Raises:
        UnreadableInput: nothing that was named can be read. Of several files, those that cannot be read, and
            those of a rank that another file is taken for, are left out and listed in `Profile.skipped`.
        BadRequest: there is no such span.
    """
    options = options or ReadOptions()
    paths = _once([path] if isinstance(path, str) else path, str)
    if not paths:
        raise UnreadableInput(
            Message("open-cannot-open-nothing"), Message("open-no-path"), Message("open-name-a-trace")
        )
    sources = _once((source for one in paths for source in find_sources(one)), lambda source: source.path)
    sources, left = _without_companions(sources)
    sources = _in_part(sources, options)
    if len(sources) == 1 and not _is_collection(paths, sources):
        _refuse_unread(sources[0])
        found = assigned([(sources[0], trace) for trace in open_traces(sources[0], options)], options.span)
        profile = Profile(tuple(paths), found.ranks, others=found.others)
    else:
        profile = _opened_together(paths, sources, options)
    profile = replace(profile, skipped=(*profile.skipped, *left))
    return _with_captures(profile, sources, options)


def _without_companions(sources: list[Source]) -> tuple[list[Source], list[Skipped]]:
    """Sources without those that belong to another one, as in a folder; and of these what is not read with that one."""
    owners = {_place(other): source for source in sources for other in source.companions}
    kept = [source for source in sources if _place(source.path) not in owners]
    left = [
        Skipped(source.path, Message("open-belongs", file=owners[_place(source.path)].name))
        for source in sources
        if _place(source.path) in owners and recognised(source).kind == KERNEL_REPORT
    ]
    return kept, left


def _in_part(sources: list[Source], options: ReadOptions) -> list[Source]:
    """The sources, those that can be read in part with the part that is wanted.

    Raises:
        BadRequest: there is none of these.
    """
    if options.between is None:
        return sources
    found = [
        replace(source, between=options.between) if recognised(source).kind == MEMORY_SNAPSHOT else source
        for source in sources
    ]
    if not any(source.between for source in found):
        tried = Message("open-cannot-open-in-part", path=" ".join(source.path for source in sources))
        raise BadRequest(tried, Message("open-only-snapshots-in-part"), Message("open-choose-steps"))
    return found


def _with_captures(profile: Profile, sources: list[Source], options: ReadOptions) -> Profile:
    """The profile with the recording of its graphs' capture, where that lies beside it."""
    folder = captures_beside(sources)
    if folder is None:
        return profile
    try:
        captures = open_profile(folder, replace(options, ranks=None, after=None, span=None, between=None))
    except UnreadableInput as error:
        return replace(profile, skipped=(*profile.skipped, Skipped(folder, error.found)))
    return replace(profile, captures=captures)


def _opened_together(paths: list[str], sources: list[Source], options: ReadOptions) -> Profile:
    if options.began is not None:
        options.began()
    unread = {source.path: match for source in sources if (match := _without_reader(source)) is not None}
    wanted = [source for source in sources if source.path not in unread]
    read = list(zip(wanted, read_all(wanted, options), strict=True))
    failed = [(source, found.reason) for source, found in read if isinstance(found, Failed)]
    for source, reason in failed:
        match = recognised(source)
        if match.kind != OTHER:
            unread[source.path] = match if not match.is_read else replace(match, reason=reason)
    reasons: dict[str, Message | str] = {source.path: reason for source, reason in failed}
    reasons |= {path: match.reason or Message("reader-cannot") for path, match in unread.items() if not match.is_read}
    skipped = [Skipped(source.path, reasons[source.path]) for source in sources if source.path in reasons]
    opened = [(source, trace) for source, found in read if not isinstance(found, Failed) for trace in found]
    if not opened:
        first = skipped[0]
        raise UnreadableInput(
            Message("error-cannot-open", path=" ".join(paths)),
            Message("error-none-is-a-trace", files=len(skipped), file=Source(first.path).name, reason=first.reason),
            Message("reader-name-trace-or-folder"),
        )
    found = assigned(opened, options.span)
    others = [unread_recording(path, match, reasons[path], named_rank(path)) for path, match in unread.items()]
    return Profile(
        tuple(paths),
        found.ranks,
        (*skipped, *found.skipped),
        (*found.others, *others),
        scheduler=options.scheduler,
    )


def _refuse_unread(source: Source) -> None:
    """Say what a file is that nothing reads.

    Raises:
        UnreadableInput: it is one.
    """
    # A pipe can be looked at once, by its reader.
    match = _without_reader(source) if os.path.isfile(source.path) else None
    if match is not None and match.reason is not None:
        tried = Message("error-cannot-read", path=source.path)
        raise UnreadableInput(tried, match.reason, Message("reader-name-trace-or-folder"))


def _without_reader(source: Source) -> Match | None:
    """What a file is recognised as that nothing reads yet. Files with the names of traces are looked at when read."""
    if is_claimed(source.name) and not source.is_folder:
        return None
    match = recognised(source)
    return match if match.kind != OTHER and not match.is_read else None


def _once(named: Iterable[_Named], path: Callable[[_Named], str]) -> list[_Named]:
    """What was named, each file once, under the first of its names."""
    found: dict[str, _Named] = {}
    for one in named:
        found.setdefault(_place(path(one)), one)
    return list(found.values())


def _place(path: str) -> str:
    """What a file is called, however it was named."""
    return path if is_url(path) or not path else os.path.abspath(path)


def _is_collection(paths: list[str], sources: list[Source]) -> bool:
    return [source.path for source in sources] != paths
