"""What the tests in ``browser/`` stand on: Chromium, the server in a thread, a watch over each page."""
