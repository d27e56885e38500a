"""``python -m stepscope``."""

from stepscope.commands import main

if __name__ == "__main__":
    main()
