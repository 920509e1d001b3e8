"""The server under test, as the environment names it, and the few requests that the hooks send on their own account."""

from __future__ import annotations

import os
import uuid
from typing import Any

import requests

BASE_URL = os.environ["TARGET_BASE_URL"].rstrip("/")
ACCOUNT_ID = os.environ["TARGET_ACCOUNT_ID"]
FROM_EMAIL = os.environ["TARGET_FROM_EMAIL"]
# A server without a certificate authority of its own is judged by those of the system.
VERIFY: str | bool = os.environ.get("TARGET_CA_FILE") or True
TIMEOUT_S = 30
WHOLE_LIST = {"limit": "1000"}

# What a disposable object is made from, by the parameter that names it. Each call gives another one.
BODIES = {
    "account_id": lambda name: {"name": name, "type": "transactional"},
    "domain_id": lambda name: {"name": f"{name}.test", "accounts": []},
    "suppression_id": lambda name: {"account_id": ACCOUNT_ID, "recipient_email": f"{name}@example.test"},
    "user_id": lambda name: {"email": f"{name}@example.test", "name": name, "role": "viewer", "password": uuid.uuid4().hex},
    "api_key_id": lambda name: {"name": name},
    "webhook_id": lambda name: {"url": f"https://{name}.test/"},
}


def credentials() -> dict[str, str]:
    """What the target's user logs in with."""
    return {"email": os.environ["TARGET_EMAIL"], "password": os.environ["TARGET_PASSWORD"]}


def log_in() -> dict[str, Any]:
    """Starts a session and gives its tokens."""
    body = {**credentials(), "grant_type": "password"}
    response = requests.post(f"{BASE_URL}/v1/login", json=body, verify=VERIFY, timeout=TIMEOUT_S)
    response.raise_for_status()
    return response.json()


def is_in_use(authorization: str | None) -> bool:
    """Whether the header's value opens a session."""
    if authorization is None or not authorization.isprintable() or not authorization.isascii():
        return False
    headers = {"Authorization": authorization}
    response = requests.get(
        f"{BASE_URL}/v1/accounts", params={"limit": "1"}, headers=headers, verify=VERIFY, timeout=TIMEOUT_S
    )
    return response.ok


class Session:
    """Requests as the target's user, in a session that nothing else uses; begun when it is needed."""

    def __init__(self) -> None:
        self._token: str | None = None

    def send(self, method: str, path: str, **options: Any) -> requests.Response:
        self._token = self._token or log_in()["access_token"]
        headers = {"Authorization": f"Bearer {self._token}"}
        return requests.request(
            method, f"{BASE_URL}{path}", headers=headers, verify=VERIFY, timeout=TIMEOUT_S, **options
        )

    def exists(self, collection: str, parameter: str, identifier: str) -> bool:
        """Whether the id names an object of that collection."""
        listed = self.send("GET", collection, params=WHOLE_LIST)
        if listed.ok and any(item.get(parameter) == identifier for item in listed.json()["data"]):
            return True
        # A long list holds more than its first page; not every object can be had by its id.
        return self.send("GET", f"{collection}/{identifier}").ok

    def create(self, collection: str, parameter: str) -> str | None:
        """Makes an object to be thrown away and gives its id; None when the collection is not known here or the server refuses."""
        body = BODIES.get(parameter)
        if body is None:
            return None
        created = self.send("POST", collection, json=body(f"disposable-{uuid.uuid4().hex[:12]}"))
        return created.json()["data"].get(parameter) if created.ok else None
