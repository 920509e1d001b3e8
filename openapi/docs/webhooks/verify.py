import base64
import hashlib
import hmac
import json
import time


def verify_webhook(headers, body, secrets):
    """The payload of a genuine notification; ValueError for anything else.

    headers: a mapping with names in lower case; body: the raw bytes; secrets: `whsec_...`, several during a rotation.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not message_id or not timestamp.isdecimal():
        raise ValueError("the headers of a notification are missing")
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("the timestamp is more than five minutes off")
    signed = f"{message_id}.{timestamp}.".encode() + body
    signatures = headers.get("webhook-signature", "").split(" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        if any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
            return json.loads(body)
    raise ValueError("no signature matches")
