"""Where a command writes: checked before a long reading begins, and written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.errors import BadRequest
from stepscope.messages import Message
from stepscope.store.whole_files import whole_file

if TYPE_CHECKING:
    from stepscope.reporters.sections.text_lines import Line


def check_output(output: str | None, inputs: Sequence[str]) -> None:
    """Refuse a file that cannot be written, and one that holds a recording; None is the terminal.

    Args:
        inputs: what the command reads, which it must not replace.

    Raises:
        BadRequest: it is a folder, its folder is missing, there is no permission, or it is an input or a recording.
    """
    if output is None:
        return
    tried, folder = Message("error-cannot-write", path=output), os.path.dirname(os.path.abspath(output))
    if os.path.isdir(output) or output.endswith(("/", os.sep)):
        inside = os.path.join(output, "report.html")
        raise BadRequest(tried, Message("error-names-a-folder"), Message("error-name-a-file-in-it", path=inside))
    if not os.path.isdir(folder):
        raise BadRequest(tried, Message("error-no-such-folder"), Message("error-make-folder", folder=folder))
    if not os.access(output if os.path.exists(output) else folder, os.W_OK):
        raise BadRequest(tried, Message("error-no-permission"), Message("error-name-own-folder"))
    if os.path.isfile(output) and os.path.getsize(output):
        _check_not_a_recording(tried, output, inputs)


def _check_not_a_recording(tried: Message, output: str, inputs: Sequence[str]) -> None:
    """A recording cannot be made again; whatever else a file holds, replacing it is what ``-o`` asks for."""
    from stepscope.readers.probe import OTHER, probe

    named = (path for pattern in inputs for path in (pattern, *glob(pattern, recursive=True)))
    if any(os.path.exists(path) and os.path.samefile(path, output) for path in named):
        raise BadRequest(tried, Message("error-is-input"), Message("error-name-other-file"))
    if probe(output).kind != OTHER:
        raise BadRequest(tried, Message("error-holds-recording"), Message("error-name-other-or-delete"))


def write_output(document: str | bytes, output: str | None) -> None:
    """Write a document to a file and say so on stderr, or to stdout where none is named.

    Raises:
        OSError: there is no room.
    """
    if output is None:
        write_document(document)
        return
    write_file(document, output)
    sys.stderr.write(f"wrote {output}\n")


def write_file(document: str | bytes, output: str) -> None:
    """Write a file; what was there before stays until the new one is complete.

    Raises:
        OSError: there is no room.
    """
    content = document.encode() if isinstance(document, str) else document
    path = Path(os.path.realpath(output))  # a link stays one
    if os.access(path.parent, os.W_OK) and (path.is_file() or not path.exists()):
        with whole_file(path) as temporary:
            temporary.write_bytes(content)
            if path.exists():
                shutil.copymode(path, temporary)
    else:
        path.write_bytes(content)  # a device, a pipe, or a file in a folder that takes no others


def write_document(document: str | bytes) -> None:
    """Write JSON, CSV, HTML or Markdown to stdout: programs read it as UTF-8, whatever the terminal takes."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(document if isinstance(document, str) else document.decode())
        return
    sys.stdout.flush()
    stream.write(document.encode("utf-8", "replace") if isinstance(document, str) else document)
    stream.flush()


def write_lines(lines: Callable[[int], Iterator[Line]], output: str | None) -> None:
    """Print lines as wide as the terminal, or write them to a file.

    Args:
        lines: of a text of so many columns.

    Raises:
        OSError: there is no room.
    """
    from stepscope.reporters.console import DEFAULT_WIDTH, output_width, print_lines

    if output is None:
        print_lines(lines(output_width(sys.stdout)))
    else:
        write_output("".join(f"{line.text}\n" for line in lines(DEFAULT_WIDTH)), output)
