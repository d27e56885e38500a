"""What several ranks say together: their collectives matched, their clocks, who waits for whom, and why."""
