"""``python -m stepscope``."""

from stepscope.commands import command_line

if __name__ == "__main__":
    command_line()
