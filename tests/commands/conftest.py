"""Run the command line in this process, as a shell would see it."""

from __future__ import annotations

import sys

import pytest

from command_line import Outcome, Run
from stepscope.commands import main


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Run:
    """``run("show", "kernels", PATH)`` from the repository's root; stdout and stderr are no terminals."""
    monkeypatch.chdir(request.config.rootpath)

    def call(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["stepscope", *arguments])
        capfd.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main()
        sys.stdout.flush()
        captured = capfd.readouterr()
        return Outcome(int(exit_.value.code or 0), captured.out, captured.err)

    return call
