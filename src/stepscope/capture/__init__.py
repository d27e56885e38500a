"""Recording jobs that were not changed for it. Imports the standard library only: parts of it run inside the job."""
