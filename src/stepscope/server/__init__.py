"""The local server: the runs below a folder, their tables and timelines as JSON, and the web app that shows them.

`app.make_app` puts it together; every answer is computed by the layers below. Handlers get an opened profile through
``request.app.state.runs.opened(run_id)``, see `runs.Runs`.
"""
