"""Files behind URLs, through fsspec. Every error becomes a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO, TypeVar

from stepscope.errors import StepscopeError, UnreadableInput
from stepscope.messages import Message

Answer = TypeVar("Answer")

_STAMPS = (
    "ETag",
    "etag",
    "generation",
    "md5Hash",
    "content_md5",
    "LastModified",
    "last_modified",
    "updated",
    "modified",
    "mtime",
    "created",
)
"""Where file systems say which version of a file they hold, the surest first."""


_PACKAGES = {
    **{scheme: f"'stepscope[{scheme}]'" for scheme in ("s3", "gs", "az")},
    "gcs": "'stepscope[gs]'",
    **dict.fromkeys(("abfs", "abfss", "adl"), "'stepscope[az]'"),
    **dict.fromkeys(("http", "https"), "aiohttp"),
}
"""What reads addresses of a scheme."""

_MEANINGS = (
    ("Credentials", Message("reader-no-credentials")),
    ("Timeout", Message("reader-no-answer")),
    ("Connect", Message("reader-no-answer")),
)
"""What errors of the libraries mean, by a part of their name."""


def is_url(path: str) -> bool:
    """Whether a path names a remote file system, as in ``s3://bucket/key``."""
    return "://" in path


def version(url: str) -> tuple[int, str]:
    """Size of a remote file, and a text that changes with its content.

    Raises:
        UnreadableInput: the file cannot be reached.
    """
    filesystem, path = _filesystem(url)
    info = _ask(url, lambda: filesystem.info(path))
    stamp = next((info[key] for key in _STAMPS if info.get(key)), "")
    size = info.get("size")
    return size if isinstance(size, int) else 0, str(stamp)


def open_url(url: str) -> BinaryIO:
    """A remote file, opened for reading.

    Raises:
        UnreadableInput: the file cannot be reached.
    """
    filesystem, path = _filesystem(url)
    stream: BinaryIO = _ask(url, lambda: filesystem.open(path, "rb"))
    return stream


def find(url: str, promises: Callable[[str], bool]) -> list[str] | None:
    """URLs of the matches of a pattern, or of a folder's files whose names promise something; None for anything else.

    Raises:
        UnreadableInput: the file system cannot be reached.
    """
    filesystem, path = _filesystem(url)
    filesystem.invalidate_cache()  # what lay there when this process asked before
    if any(sign in url for sign in "*?["):
        found = _ask(url, lambda: filesystem.glob(path))
        for folder in {name.rpartition("/")[0] for name in found}:
            _ask(url, partial(filesystem.ls, folder))  # one request, instead of one for each file's version
    elif _ask(url, lambda: filesystem.isdir(path)):
        found = [
            name for name in _ask(url, lambda: filesystem.ls(path, detail=False)) if promises(name.rpartition("/")[2])
        ]
    else:
        return None
    return [str(filesystem.unstrip_protocol(name)) for name in found]


def _filesystem(url: str) -> tuple[Any, str]:
    import fsspec

    try:
        filesystem, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        scheme = url.split("://", 1)[0]
        raise UnreadableInput(
            Message("error-cannot-open", path=url),
            Message("reader-no-support", scheme=scheme),
            Message("reader-install-support", packages=_PACKAGES.get(scheme)),
        ) from error
    return filesystem, path


def _ask(url: str, call: Callable[[], Answer]) -> Answer:
    try:
        return call()
    except StepscopeError:
        raise
    except OSError as error:
        raise cannot_open(url, error) from error
    except Exception as error:  # every remote library has its own family
        name = type(error).__name__
        unknown = Message("reader-server-answered", type=name)
        found = next((meaning for part, meaning in _MEANINGS if part in name), unknown)
        raise UnreadableInput(
            Message("error-cannot-open", path=url), found, Message("reader-check-address-and-credentials")
        ) from error


def cannot_open(path: str, error: OSError) -> UnreadableInput:
    """The sentence for a file that the system refuses."""
    found, advice = _refusal(error, is_url(path))
    return UnreadableInput(Message("error-cannot-open", path=path), found, advice)


def _refusal(error: OSError, remote: bool) -> tuple[Message | str, Message]:
    """What was found and what to do."""
    if isinstance(error, FileNotFoundError):
        return Message("error-no-such-file"), Message("reader-check-address" if remote else "reader-check-path")
    if isinstance(error, PermissionError) and remote:
        return Message("reader-credentials-refused"), Message("reader-check-credentials")
    if isinstance(error, PermissionError):
        return Message("reader-no-permission"), Message("reader-check-owner")
    if isinstance(error, IsADirectoryError) and not remote:
        return Message("reader-folder"), Message("reader-name-file-in-it")
    return error.strerror or type(error).__name__, Message("reader-check-readable")
