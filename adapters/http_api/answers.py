"""Values and receipts as responses."""

import json
from collections.abc import Mapping
from typing import Any, Final

from fastapi import Response

from adapters.commands.execution import Receipt
from adapters.http_api.headers import etag
from adapters.plain_json import json_line, plain

JSON: Final = "application/json"


def as_json(
    value: Any,  # noqa: ANN401 - whatever a query gives
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = JSON,
) -> Response:
    """Return a value as JSON: rows as objects, times as text."""
    return Response(json_line(plain(value)), status, headers, media_type)


def answered(receipt: Receipt, *, status: int = 200) -> Response:
    """Return a receipt; the answer in it is the stored one, byte for byte, however often given."""
    told = (
        f'{{"status":"{receipt.status}","command_id":{json.dumps(receipt.command_id)},'
        f'"first_position":{receipt.first_position},"last_position":{receipt.last_position},'
        f'"answer":{receipt.text}}}\n'
    )
    headers = {"Idempotency-Replayed": "true"} if receipt.status == "replayed" else {}
    version = receipt.answer.get("version")
    if version is not None:
        headers["ETag"] = etag(version)
    return Response(told, status, headers, JSON)
