"""Nsight Systems and Nsight Compute: finding them, and the command lines that the version found understands."""
