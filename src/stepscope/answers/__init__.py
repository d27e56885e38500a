"""What the web app asks about a profile, answered as JSON; the server sends it, the one-file report holds it."""
