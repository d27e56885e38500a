"""Tests in a browser, which is started for all of them together; see README.md."""
