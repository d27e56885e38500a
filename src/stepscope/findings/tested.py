"""What is said of a saving whose range follows from earlier predictions."""

from __future__ import annotations

from stepscope.messages import Message
from stepscope.store.profile import Profile


def as_tested(profile: Profile, finding: str, reason: Message) -> Message:
    """Why a saving is so sure, with how many earlier predictions of the finding the width of its range follows from."""
    tested = profile.tested.get(finding)
    return Message("confidence-tested", reason=reason, count=tested.count) if tested else reason
