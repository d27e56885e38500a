"""Reporters: tables in, text or files out. They compute nothing."""
