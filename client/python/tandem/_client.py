"""The client: one method per operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._operations import ROUTES, Operations
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

    def pages(self, method: Callable[..., dict[str, Any]], **arguments: Any) -> Iterator[dict[str, Any]]:
        """Iterates over all items of a paged list: `for post in tandem.pages(tandem.list_posts, sort="hot")`.

        A page is fetched when its first item is needed. No item with an id appears twice.
        """
        name = ROUTES[method.__name__]["pages"]
        if name is None:
            raise ValueError(f"{method.__name__} isn't a paged list")
        seen: set[Any] = set()
        cursors: set[Any] = {None}
        while True:
            page = method(**arguments)
            for item in page[name]:
                if item.get("id") is None or item["id"] not in seen:
                    seen.add(item.get("id"))
                    yield item
            cursor = page.get("nextCursor")
            # A repeated cursor would loop forever.
            if cursor in cursors:
                return
            cursors.add(cursor)
            arguments["cursor"] = cursor
