"""Where a command writes: checked before a long reading begins, and written as a whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path

from stepscope.errors import BadRequest
from stepscope.store.whole_files import whole_file


def check_output(output: str | None) -> None:
    """Refuse a file that cannot be written; None is the terminal.

    Raises:
        BadRequest: it is a folder, its folder is missing, or there is no permission.
    """
    if output is None:
        return
    tried, folder = f"cannot write {output}", os.path.dirname(os.path.abspath(output))
    if os.path.isdir(output) or output.endswith(("/", os.sep)):
        inside = os.path.join(output, "report.html")
        raise BadRequest(tried, "it names a folder", f"Name a file in it: -o {inside}")
    if not os.path.isdir(folder):
        raise BadRequest(tried, os.strerror(errno.ENOENT), f"Make its folder first, or name a file elsewhere: {folder}")
    if not os.access(output if os.path.exists(output) else folder, os.W_OK):
        raise BadRequest(tried, os.strerror(errno.EACCES), "Name a file in a folder of yours.")


def write_output(text: str, output: str | None) -> None:
    """Write a text, and say where; what was there before stays until the new one is complete.

    Raises:
        OSError: there is no room.
    """
    if output is None:
        sys.stdout.write(text)
        return
    path = Path(os.path.realpath(output))  # a link stays one
    if os.access(path.parent, os.W_OK) and (path.is_file() or not path.exists()):
        with whole_file(path) as temporary:
            temporary.write_bytes(text.encode())
            if path.exists():
                shutil.copymode(path, temporary)
    else:
        path.write_bytes(text.encode())  # a device, a pipe, or a file in a folder that takes no others
    sys.stderr.write(f"wrote {output}\n")
