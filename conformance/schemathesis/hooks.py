"""What Schemathesis has to be told about this contract beyond its document: how not to saw off the branch it sits on, and what a
valid message, a CSV file, a wrong method and a missing object look like here. Loaded by schemathesis.toml."""

from __future__ import annotations

import csv
import io
import sys
import uuid
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis import Case, HookContext
from schemathesis.core.transport import Response
from schemathesis.generation.meta import TestPhase

sys.path.insert(0, str(Path(__file__).parent))

from target import ACCOUNT_ID, FROM_EMAIL, Session, credentials, is_in_use, log_in  # noqa: E402

# Objects that this run made, and those of them that it has not deleted. Nothing else is ever changed or deleted.
made: set[str] = set()
alive: set[str] = set()
session = Session()

# What a creation answers, by the parameter that names it.
IDENTIFIERS = {
    "createAccount": "account_id",
    "createApiKey": "api_key_id",
    "createDomain": "domain_id",
    "createSuppression": "suppression_id",
    "createUser": "user_id",
    "createWebhook": "webhook_id",
}
UNIQUE_FIELDS = {"name", "email", "recipient_email"}


# --- Requests ---


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    operation = operation_of(case)
    if case.method.upper() != case.operation.method.upper():
        return
    if operation == "logout":
        end_another_session(case)
    if case.method.upper() in ("DELETE", "PATCH"):
        spare_what_others_need(case)
    if is_positive(case):
        MADE_VALID.get(operation, list_everything)(case)


def end_another_session(case: Case) -> None:
    """Logging out ends a session of its own, for the run's own has to last."""
    if is_in_use(case.headers.get("Authorization")):
        case.headers["Authorization"] = f"Bearer {log_in()['access_token']}"


def send_from_a_verified_domain(case: Case) -> None:
    """The document cannot say which domains are verified: without this every valid message would be rejected."""
    for message in case.body if isinstance(case.body, list) else []:
        message["from"]["email"] = FROM_EMAIL
        if is_stateful(case) and message.get("custom_id_unique"):
            message["custom_id"] = fresh("custom_id")


def ask_for_one_breakdown(case: Case) -> None:
    """Statistics by account or by domain, not both: JSON Schema has no way to say it of two parameters."""
    if all(str(case.query.get(name)) == "1" for name in ("all_accounts", "all_domains")):
        case.query["all_domains"] = 0


def use_real_credentials(case: Case) -> None:
    """Invented ones only ever find a 401; the examples and the coverage phase keep theirs."""
    if not is_fuzzing(case) or not isinstance(case.body, dict):
        return
    real = {"login": credentials, "refreshToken": lambda: {"refresh_token": log_in()["refresh_token"]}}
    case.body.update(real[operation_of(case)]())


def make_another_one(case: Case) -> None:
    """Accounts that exist, where invented ones only ever find a 409; and, since a sequence can only be taken up again when creating
    works each time, names that nobody has. The examples and the coverage phase keep what they have."""
    if not isinstance(case.body, dict) or not (is_stateful(case) or is_fuzzing(case)):
        return
    if "account_id" in case.body and not is_alive(case.body["account_id"]):
        case.body["account_id"] = ACCOUNT_ID
    if isinstance(case.body.get("accounts"), list):
        case.body["accounts"] = [account for account in case.body["accounts"] if is_alive(account)] or [ACCOUNT_ID]
    for field in UNIQUE_FIELDS.intersection(case.body) if is_stateful(case) else ():
        case.body[field] = f"{fresh(field)}.test" if operation_of(case) == "createDomain" else fresh(field)


def lead_nowhere(case: Case) -> None:
    """Not every URI can be called, which the document does not say; and what can be is nobody's."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = f"https://{fresh('url')}.test/events"


def list_everything(case: Case) -> None:
    """A sequence goes on from what a list holds: in it filters leave nothing out."""
    if is_stateful(case) and operation_of(case).startswith("list"):
        case.query.clear()


def fresh(field: str) -> str:
    name = f"stateful-{uuid.uuid4().hex[:12]}"
    return f"{name}@example.test" if field.endswith("email") else name


# What makes a case acceptable that is valid as far as the document can tell.
MADE_VALID = {
    "sendEmail": send_from_a_verified_domain,
    "getStats": ask_for_one_breakdown,
    "login": use_real_credentials,
    "refreshToken": use_real_credentials,
    "register": make_another_one,
    "createUser": make_another_one,
    "createDomain": make_another_one,
    "updateDomain": make_another_one,
    "createSuppression": make_another_one,
    "createWebhook": lead_nowhere,
    "updateWebhook": lead_nowhere,
}


def spare_what_others_need(case: Case) -> None:
    """Puts a disposable object in the place of one that was there before this run."""
    collection, parameter = collection_of(case)
    identifier = case.path_parameters.get(parameter)
    if not isinstance(identifier, str) or identifier in made or collection is None:
        return
    if session.exists(collection, parameter, identifier):
        disposable = session.create(collection, parameter)
        if disposable is None:
            raise RuntimeError(f"no {parameter} could be made to spare the one of {case.method} {case.formatted_path}")
        made.add(disposable)
        case.path_parameters[parameter] = disposable


def collection_of(case: Case) -> tuple[str | None, str]:
    """The list that the object stands in (`/v1/users`) and the parameter that names the object (`user_id`)."""
    template, _, last = case.path.rpartition("/")
    if not (last.startswith("{") and last.endswith("}")):
        return None, ""
    parents = {name: value for name, value in case.path_parameters.items() if "{%s}" % name in template}
    if not all(isinstance(value, str) and "/" not in value for value in parents.values()):
        return None, ""
    return template.format(**parents), last[1:-1]


# --- Responses ---


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Remembers what was made and what was deleted."""
    _, parameter = collection_of(case)
    if case.method.upper() == "DELETE" and response.status_code == 200:
        alive.discard(str(case.path_parameters.get(parameter)))
    named = IDENTIFIERS.get(operation_of(case))
    if response.status_code == 201 and named is not None:
        identifier = str(json_of(response).get("data", {}).get(named))
        made.add(identifier)
        alive.add(identifier)


@schemathesis.deserializer("text/csv")
def read_csv(context: schemathesis.DeserializationContext, response: Response) -> str:
    """The document describes the file as one string."""
    return response.content.decode("utf-8")


# --- Checks that take the place of those that schemathesis.toml switches off ---


@schemathesis.check
def wrong_method_is_not_found(ctx: schemathesis.CheckContext, response: Response, case: Case) -> None:
    """In place of unsupported_method: 404 is for what is no endpoint, and a wrong method is no exception."""
    if scenario_of(case) != "unspecified_http_method" or response.request.method == "OPTIONS":
        return
    code = json_of(response).get("data", {}).get("code")
    if response.status_code != 404 or code != "ENDPOINT_NOT_FOUND":
        raise AssertionError(f"{response.request.method} is no method of this path: expected 404 ENDPOINT_NOT_FOUND, got {response.status_code} {code}")


@schemathesis.check
def created_is_available(ctx: schemathesis.CheckContext, response: Response, case: Case) -> None:
    """In place of ensure_resource_availability, which waits for a 404: what this run made and did not delete is there."""
    if operation_of(case) not in ("getAccount", "getDomain", "getUser") or response.status_code != 409:
        return
    _, parameter = collection_of(case)
    if is_alive(case.path_parameters.get(parameter)):
        raise AssertionError(f"the {parameter} {case.path_parameters[parameter]} was created in this run and never deleted, but is answered 409")


@schemathesis.check
def rejection_is_named(ctx: schemathesis.CheckContext, response: Response, case: Case) -> None:
    """sendEmail may refuse bad messages one by one: then 207, and only then, and an item says so."""
    if operation_of(case) != "sendEmail" or response.status_code not in (200, 207):
        return
    rejected = any(item.get("status") == "rejected" for item in json_of(response).get("data", []))
    if rejected != (response.status_code == 207):
        raise AssertionError(f"{response.status_code}, but {'an' if rejected else 'no'} item of the response is rejected")


@schemathesis.check
def csv_is_readable(ctx: schemathesis.CheckContext, response: Response, case: Case) -> None:
    """The export is CSV as RFC 4180 has it: every quoted cell ends, and every line has as many cells as the header."""
    if operation_of(case) != "exportMessages" or response.status_code != 200:
        return
    try:
        rows = list(csv.reader(io.StringIO(response.content.decode("utf-8"), newline=""), strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        raise AssertionError(f"the export cannot be read as CSV: {error}") from None
    if any(len(row) != len(rows[0]) for row in rows):
        raise AssertionError("the lines of the export have different numbers of cells")


# --- What a case is ---


def is_alive(identifier: Any) -> bool:
    """Whether it names what this run made and did not delete."""
    return isinstance(identifier, str) and identifier in alive


def operation_of(case: Case) -> str | None:
    return case.operation.definition.raw.get("operationId")


def is_positive(case: Case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def is_stateful(case: Case) -> bool:
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


def is_fuzzing(case: Case) -> bool:
    return case.meta is not None and case.meta.phase.name == TestPhase.FUZZING


def scenario_of(case: Case) -> str | None:
    scenario = getattr(case.meta.phase.data, "scenario", None) if case.meta is not None else None
    return None if scenario is None else str(scenario)


def json_of(response: Response) -> dict[str, Any]:
    try:
        value = response.json()
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
