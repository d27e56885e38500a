"""Programs that tests run are no tests."""

collect_ignore = ["fake", "jobs"]
