"""The addresses of running jobs: what they do, and the one that asks one of them for a window."""

from __future__ import annotations

import threading
import time
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.capture.agents import agents_of
from stepscope.errors import BadRequest, NotFound
from stepscope.messages import Message
from stepscope.server.guard import RECORD
from stepscope.server.handlers import parameters, runs_of
from stepscope.server.live.documents import job_document, steps_document, telemetry_document
from stepscope.server.live.jobs import Job, found_jobs
from stepscope.server.responses import in_thread, json_response
from stepscope.server.runs import Runs

_BUSY = ("recording", "measuring")
_MOST_PID = 1 << 31
_asking = threading.Lock()


async def _jobs(request: Request) -> Response:
    """The jobs that run, and whether this server may ask them for a window."""
    runs = runs_of(request)

    def answer() -> dict[str, Any]:
        listed = runs.listing().runs
        jobs = [job_document(job, listed) for job in _found(runs)]
        return {"root": runs.root, "may_ask": request.app.state.may_ask, "jobs": jobs}

    return await in_thread(request, answer)


async def _job(request: Request) -> Response:
    """One job, with the last steps of one of its processes and what was sampled beside it."""
    given = parameters(request)
    job_id, pid = given.text("job", None), given.number("pid", 0, 0, _MOST_PID)
    runs = runs_of(request)

    def answer() -> dict[str, Any]:
        job = _named(runs, job_id)
        one = next((one for one in job.processes if one.pid == pid), job.processes[0])
        steps = steps_document(one) | {"telemetry": telemetry_document(job, one)}
        return job_document(job, runs.listing().runs) | steps | {"may_ask": request.app.state.may_ask}

    return await in_thread(request, answer)


async def _record(request: Request) -> Response:
    """Have every process of a job record its next steps, as `stepscope attach` does."""
    job_id = parameters(request).text("job", None)
    asked = await run_in_threadpool(_ask, runs_of(request), job_id)
    return json_response(request, {"asked": asked})


def _ask(runs: Runs, job_id: str) -> int:
    """Returns how many processes were asked.

    Raises:
        NotFound: there is no such job.
        BadRequest: it cannot be asked, or is recording already.
    """
    # One at a time: two that come together would both find a job that does not record.
    with _asking:
        job = _named(runs, job_id)
        if job.state in _BUSY:
            raise _cannot_ask("live-busy", "live-wait")
        agents = agents_of(job.folder, {one.pid for one in job.on_demand if one.is_here})
        asked = 0
        for agent in agents:
            try:
                agent.ask()
                asked += 1
            except OSError:
                continue  # it ended just now
        if not asked:
            raise _cannot_ask("live-not-on-demand", "live-start-on-demand")
        return asked


def _cannot_ask(found: str, advice: str) -> BadRequest:
    return BadRequest(Message("live-cannot-ask"), Message(found), Message(advice))


def _named(runs: Runs, job_id: str) -> Job:
    """A job by its id; ids are looked up, no path is ever made from one."""
    job = next((one for one in _found(runs) if one.id == job_id), None)
    if job is None:
        raise NotFound(Message("error-cannot-answer"), Message("live-no-such-job"), Message("live-it-ended"))
    return job


def _found(runs: Runs) -> list[Job]:
    return found_jobs(runs.root, runs.live_files(), time.time_ns())


routes = [
    Route("/api/live", _jobs),
    Route("/api/live/job", _job),
    Route(RECORD, _record, methods=["POST"]),
]
"""Addresses and their handlers."""
