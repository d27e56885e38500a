"""What host threads did: which event, line, module or phase stands behind a moment of a thread."""
