"""The recorded steps as work, launches and waits that can be timed again with something changed."""
