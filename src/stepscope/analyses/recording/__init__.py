"""The recording itself: the checks of `health`, and what it says about its machine and settings."""
