"""The client: one method per operation."""

from __future__ import annotations

from ._operations import Operations
from ._transport import Transport


class Tandem(Operations):
    """A client of a Tandem server.

    `key` is an API key; without one, only public data can be read. `max_wait` is the longest that a call waits to be sent
    again, in seconds; 0 sends each request once. `timeout` is that of a single request, in seconds.
    """

    def __init__(
        self, base_url: str, key: str | None = None, *, max_wait: float = 60, timeout: float = 60
    ) -> None:
        self._transport = Transport(base_url, key, max_wait=max_wait, timeout=timeout)
