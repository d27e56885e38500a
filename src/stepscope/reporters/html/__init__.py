"""The report as one HTML file: the web app with its data inside, which opens from disk without a network."""
