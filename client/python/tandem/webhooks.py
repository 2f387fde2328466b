"""Verifies what a Tandem server sends to a webhook (Standard Webhooks 1.0.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE = 300
"""Seconds that the sender's and the receiver's clocks may differ. Older messages could be replays."""


class WebhookVerificationError(Exception):
    """A request that didn't come from the webhook's server, or not recently. Respond with 400."""


def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """Returns the message in the body, exactly as received, if its signature is right.

    `secret` is what `createWebhook` returned. Raises WebhookVerificationError.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not lower.get(name):
            raise WebhookVerificationError(f"{name} is missing.")
    timestamp = lower["webhook-timestamp"]
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise WebhookVerificationError(f"webhook-timestamp is not within {TOLERANCE} seconds of now.")
    signed = f"{lower['webhook-id']}.{timestamp}.".encode() + body
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # During a rotation there are two signatures.
    signatures = lower["webhook-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise WebhookVerificationError("webhook-signature doesn't match.")
    message: dict[str, Any] = json.loads(body)
    return message


def _key(secret: str) -> bytes:
    prefix = "whsec_"
    try:
        if secret.startswith(prefix):
            return base64.b64decode(secret[len(prefix) :], validate=True)
    except binascii.Error:
        pass
    raise ValueError(f"secret must begin with {prefix}, as createWebhook returned it")
