"""The command line: one module per command, loaded when it is called."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click

from stepscope.commands.encoding import write_in_any_encoding, writes_chinese
from stepscope.commands.ending import end_now
from stepscope.messages import Message
from stepscope.messages.language import CHINESE, ENGLISH, LANGUAGES, language, language_of_locale, speak, speaking
from stepscope.store.freed_memory import set_for_polars

COMMANDS = {
    "record": "Record some steps of a job that is not changed for it, and report on them.",
    "attach": "Record steps of a job that runs already, and report on them.",
    "nsys": "Record a job with Nsight Systems, by the command that its version understands.",
    "ncu": "Counters of the heaviest kernels of a trace, by Nsight Compute.",
    "doctor": "What keeps a recording from working on this machine, and the fix.",
    "telemetry": "Sample GPUs, cores, memory and a job's processes into a file.",
    "report": "Where the time of a step goes: verdict, health, steps, operators, kernels.",
    "show": "One table, as text, CSV, JSON or Parquet.",
    "serve": "A local web app over every run below a folder.",
    "diff": "What changed between two recordings, and whether it is real.",
    "check": "Whether a recording regressed, as an exit code for CI.",
    "baseline": "Save, list and remove baselines for check.",
    "prove": "Whether a fix saved what its finding promised.",
    "ledger": "What findings promised and what came, of all that was proved.",
    "what-if": "What a step would take with something changed.",
    "redact": "A copy of a recording without what names people and machines.",
    "cache": "List or clear the traces that were read before.",
}
"""Commands and the line each has in the help; each lives in the module of its name, with _ for -."""


_NO_ARGUMENTS: type[click.UsageError] | tuple[()] = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""Raised by click >= 8.2 with the help as its message, where a group is called alone; earlier ones print the help."""


_ALWAYS_UTF_8 = ("json", "parquet", "html")
"""Formats that are written as UTF-8 whatever the terminal's encoding."""


class _LazyGroup(click.Group):
    """Imports a command only when it runs, so that ``--help`` does not load the analysis stack."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"stepscope.commands.{module}"), module)
        return _with_language(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            meant = _meant(name)
            raise click.UsageError(f"there is no command {name!r}; {meant}commands: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _meant(name: str) -> str:
    """What a word that is no command may have stood for: a command, or a table to show."""
    from stepscope.schema import TABLES

    close = get_close_matches(name, COMMANDS, 1)
    table = get_close_matches(name.replace("-", "_"), TABLES, 1, 0.8)
    wanted = close or [f"show {found}" for found in table]
    return f"did you mean {wanted[0]}? " if wanted else ""


def _with_language(command: click.Command) -> click.Command:
    """The command with ``--lang``, which every one of them takes."""
    if all(parameter.name != "lang" for parameter in command.params):
        command.params.append(_language_option())
        if command.callback is not None:
            command.callback = _readable(command.callback)
    return command


def _language_option() -> click.Option:
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        metavar="LANG",
        is_eager=True,
        expose_value=False,
        callback=_speak,
        help="Language of the output: en or zh (default: that of the locale).",
    )


def _readable(callback: Callable[..., Any]) -> Callable[..., Any]:
    """The command in English where the terminal has no Chinese letters: it would write a ? for each."""

    @functools.wraps(callback)
    def invoked(*args: Any, **options: Any) -> Any:
        to_terminal = options.get("output") is None and options.get("format_") not in _ALWAYS_UTF_8
        if language() == CHINESE and to_terminal and not writes_chinese(sys.stdout):
            speak(ENGLISH)
            encoding = getattr(sys.stdout, "encoding", None) or ""
            sys.stderr.write(f"stepscope: {_said(Message('error-no-chinese-letters', encoding=encoding))}\n")
        return callback(*args, **options)

    return invoked


def _speak(_: click.Context, __: click.Parameter, chosen: str | None) -> None:
    if chosen is not None:
        speak(chosen)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="stepscope", message="stepscope %(version)s")
def cli() -> None:
    """A stethoscope for training steps: reads the traces of PyTorch's profiler and says where the time goes.

    PATH is a trace (.json, .json.gz), a folder with one trace per rank, a glob, or a URL (s3://, gs://, az://).
    """


cli.params.append(_language_option())


_ALLOCATIONS = 50_000
"""New objects after which Python looks for cycles among them: with its 700, that is a twentieth of a report."""


def command_line() -> NoReturn:
    """`main` as a process of its own."""
    gc.set_threshold(_ALLOCATIONS)
    try:
        main()
    except SystemExit as ended:
        end_now(ended.code if isinstance(ended.code, int) else 0)
    end_now(0)


def main() -> None:
    """Run the command line; errors end in one line on stderr and exit code 2, never in a traceback.

    What is said before ``--lang`` is read, or without it, is in the language of the locale.
    """
    write_in_any_encoding()
    set_for_polars()
    with speaking(language_of_locale()):
        _run()


def _run() -> None:
    from stepscope.errors import StepscopeError

    try:
        code = cli.main(prog_name="stepscope", standalone_mode=False) or 0
        sys.stdout.flush()
        sys.exit(code)
    except StepscopeError as error:
        _fail(_said(error.sentence))
    except _NO_ARGUMENTS as error:
        sys.stdout.write(f"{error.format_message()}\n")
        sys.exit(0)
    except click.NoSuchOption as error:
        _fail(_unknown_option(error))
    except click.ClickException as error:
        _fail(_click_error(error))
    except (KeyboardInterrupt, click.Abort):
        _fail(_said(Message("error-interrupted")), 130)
    except BrokenPipeError:
        # Whoever read the output has gone: not an error, but Python would complain while it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        name, reason = error.filename or None, error.strerror or type(error).__name__
        _fail(_said(Message("error-writing", path=name, reason=reason)))
    except MemoryError:
        _fail(_said(Message("error-fewer-ranks")))
    except Exception as error:  # noqa: BLE001 - whatever is left is a defect, and no user should face a traceback
        _fail_with_defect(error)


def _unknown_option(error: click.NoSuchOption) -> str:
    """What click says; of ``--json`` and the like, which other tools have, the option that writes that format."""
    options = error.ctx.command.params if error.ctx is not None else []
    offered = next((one.type for one in options if one.name == "format_"), None)
    wanted = error.option_name.removeprefix("--")
    if isinstance(offered, click.Choice) and wanted in offered.choices:
        error = click.NoSuchOption(error.option_name, possibilities=[f"--format {wanted}"], ctx=error.ctx)
    return _click_error(error)


def _click_error(error: click.ClickException) -> str:
    hint = f" Try: {error.ctx.command_path} --help" if isinstance(error, click.UsageError) and error.ctx else ""
    said = error.format_message().rstrip(".")
    return f"{said}{'' if said.endswith('?') else '.'}{hint}"


def _fail_with_defect(error: Exception) -> None:
    if os.environ.get("STEPSCOPE_DEBUG"):
        raise error
    _fail(_said(Message("error-own-defect", type=type(error).__name__)))


def _said(message: Message) -> str:
    from stepscope.messages.rendering import render

    return render(message, language() if writes_chinese(sys.stderr) else ENGLISH)


def _fail(message: str, code: int = 2) -> None:
    one_line = " ".join(message.split())
    sys.stderr.write(f"stepscope: {''.join(c if c.isprintable() else '?' for c in one_line)}\n")
    sys.exit(code)
