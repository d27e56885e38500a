"""What stepscope says: a message is an id with parameters, and becomes words at the edge, in the reader's language.

`message` is all that readers, analyses and findings know. `rendering` and the catalogues (`en/*.ftl`, `zh/*.ftl`, in
Fluent) belong to what prints, writes pages or answers requests; `tests/test_layers.py` checks that.
"""

from __future__ import annotations

from stepscope.messages.message import Message, Param, readable

__all__ = ["Message", "Param", "readable"]
