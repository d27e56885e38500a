"""What the flight recorders of a job's processes hold: which collective hangs, and which rank it waits for."""
