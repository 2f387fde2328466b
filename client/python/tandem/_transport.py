"""Sends requests, retries them where that is safe, and turns errors into exceptions."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Upload = bytes | str | os.PathLike[str]
"""A file to send: its content, or its path."""


class Unset:
    """The default of optional arguments. Passing None instead sends null, which clears a field."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()

_MAX_BLIND_RETRIES = 5
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 8.0


class TandemError(Exception):
    """A failed call. `status` is 0 if there was no response."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str,
        field: str | None = None,
        errors: Sequence[Mapping[str, str]] = (),
        hint: str | None = None,
        docs: str | None = None,
        retry_after: int | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        """One of the API's error codes; `unreachable` if there was no response, or if another server responded."""
        self.field = field
        """The first invalid field."""
        self.errors = list(errors)
        """Every invalid field, each with its `field`, `code` and `error`."""
        self.hint = hint
        """What to do next."""
        self.docs = docs
        self.retry_after = retry_after
        """Seconds to wait before trying again, if the response said so."""
        self.request_id = request_id

    def __str__(self) -> str:
        return " ".join(part for part in (super().__str__(), self.hint) if part)


class PendingApproval(TandemError):
    """The key's owner must approve the call first. Nothing is published yet: don't send it again."""

    def __init__(self, pending: Mapping[str, Any], request_id: str | None) -> None:
        super().__init__(202, pending["message"], code="pending_approval", request_id=request_id)
        self.draft_id: int = pending["draftId"]
        self.operation: str = pending["operation"]


class Transport:
    """Sends the requests of a client. Only the standard library is needed."""

    def __init__(self, base_url: str, key: str | None, *, max_wait: float, timeout: float) -> None:
        scheme = urllib.parse.urlsplit(base_url).scheme
        if scheme not in ("http", "https"):
            raise ValueError(
                f"base_url must begin with http:// or https://, unlike {base_url!r}. "
                'Pass the server\'s address, such as "https://tandem.example".'
            )
        # Checked here, because the error of an invalid header would contain the key.
        if key is not None and not re.fullmatch(r"[!-~]+", key):
            raise ValueError("key is not a valid API key. Keys look like tandem_live_….")
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._max_wait = max_wait
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(
        self,
        route: Mapping[str, Any],
        values: Mapping[str, Any],
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> Any:
        given = {name: value for name, value in values.items() if not isinstance(value, Unset)}
        if route["keyed"] and not dry_run and idempotency_key is None and self._max_wait > 0:
            idempotency_key = uuid.uuid4().hex
        headers = {"accept": "application/json"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        if idempotency_key is not None:
            headers["idempotency-key"] = json.dumps(idempotency_key)
        data = _body(route, given, headers)
        url = self._base_url + _address(route, given, dry_run)
        repeatable = route["method"] == "GET" or dry_run or (route["keyed"] and idempotency_key is not None)

        def attempt() -> dict[str, Any]:
            request = urllib.request.Request(url, data=data, headers=headers, method=route["method"])
            return self._send(request)

        return self._with_retries(attempt, repeatable)

    def _send(self, request: urllib.request.Request) -> dict[str, Any]:
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
                status: int = response.status
            except urllib.error.HTTPError as error:
                response, status = error, error.code
            with response:
                headers, text = response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise TandemError(
                0,
                f"No response from {self._base_url} ({reason}).",
                code="unreachable",
                hint="Check that base_url is the server's address, and that the server is running.",
            ) from error
        request_id = headers.get("x-request-id")
        body = _parse(text)
        if status == 202 and "pending" in body:
            raise PendingApproval(body["pending"], request_id)
        if 200 <= status < 300 and body:
            return body
        if "code" not in body or "error" not in body:
            busy = status == 429 or status >= 500
            body = {"error": "The response did not come from Tandem.", "code": "overloaded" if busy else "unreachable"}
        retry_after = headers.get("retry-after")
        raise TandemError(
            status,
            body["error"],
            code=body["code"],
            field=body.get("field"),
            errors=body.get("errors", ()),
            hint=body.get("hint"),
            docs=body.get("docs"),
            retry_after=int(retry_after) if retry_after is not None and retry_after.isdigit() else None,
            request_id=request_id,
        )

    def _with_retries(self, attempt: Callable[[], dict[str, Any]], repeatable: bool) -> dict[str, Any]:
        left = self._max_wait
        tries = 0
        while True:
            tries += 1
            began = time.monotonic()
            try:
                return attempt()
            except TandemError as error:
                if not _is_retryable(error, tries, repeatable):
                    raise
                backoff = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (tries - 1))
                pause = max(error.retry_after or 0, backoff * random.uniform(0.5, 1))
                # The time spent without a response also counts as waiting.
                if error.status == 0:
                    left -= time.monotonic() - began
                if pause > left:
                    raise
                left -= pause
                time.sleep(pause)


def pages(
    route: Mapping[str, Any], method: Callable[..., Any], arguments: dict[str, Any]
) -> Iterator[Any]:
    """All items of a paged list. A page is fetched when its first item is needed."""
    name = route["pages"]
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
        arguments = {**arguments, "cursor": cursor}


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another address."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


def _is_retryable(error: TandemError, tries: int, repeatable: bool) -> bool:
    has_retries_left = error.retry_after is not None or tries <= _MAX_BLIND_RETRIES
    if error.code == "idempotency_in_progress":
        return True
    if error.code == "rate_limited":
        return has_retries_left
    if error.code in ("overloaded", "storage_failure"):
        return repeatable and has_retries_left
    return error.code == "unreachable" and error.status == 0 and repeatable and has_retries_left


def _address(route: Mapping[str, Any], values: Mapping[str, Any], dry_run: bool) -> str:
    path = route["path"]
    for name in route["params"]:
        value = str(values[name])
        # `.` and `..` would address another path.
        if value in ("", ".", ".."):
            raise ValueError(f"{name} can't be {value!r}")
        path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
    # Queries have no null.
    query = {name: _text(values[name]) for name in route["query"] if values.get(name) is not None}
    if dry_run:
        query["dryRun"] = "1"
    return f"{path}?{urllib.parse.urlencode(query)}" if query else path


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _body(route: Mapping[str, Any], values: Mapping[str, Any], headers: dict[str, str]) -> bytes | None:
    fields = {name: values[name] for name in route["body"] if name in values}
    files = {name: values[name] for name in route["files"] if values.get(name) is not None}
    if files or (route["files"] and not route["body"]):
        boundary = uuid.uuid4().hex
        headers["content-type"] = f"multipart/form-data; boundary={boundary}"
        return b"".join([*_parts(fields, files, boundary), f"--{boundary}--\r\n".encode()])
    if not route["body"]:
        return None
    headers["content-type"] = "application/json"
    return json.dumps(fields).encode()


def _parts(
    fields: Mapping[str, Any], files: Mapping[str, Upload | list[Upload]], boundary: str
) -> Iterator[bytes]:
    def part(name: str, content: bytes, more: str = "") -> bytes:
        head = f'--{boundary}\r\ncontent-disposition: form-data; name="{name}"{more}\r\n\r\n'
        return head.encode() + content + b"\r\n"

    for name, value in fields.items():
        # Forms have no null. A field left out means the same for operations that take files.
        if value is not None:
            yield part(name, (value if isinstance(value, str) else json.dumps(value)).encode())
    for name, given in files.items():
        for upload in given if isinstance(given, list) else [given]:
            yield part(name, _content(name, upload), f'; filename="{name}"')


def _content(name: str, upload: Upload) -> bytes:
    if isinstance(upload, (bytes, bytearray)):
        return bytes(upload)
    try:
        with open(upload, "rb") as file:
            return file.read()
    except OSError as error:
        raise ValueError(f"{name}: can't read the file {os.fspath(upload)!r}") from error


def _parse(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
