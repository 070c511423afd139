"""Is the service alive, is it ready, how is it doing, and what does a problem mean."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel

from adapters.errors import AdapterError, LedgerClosedError
from adapters.http_api import measuring
from adapters.http_api.answers import as_json
from adapters.http_api.errors import NotFoundError
from adapters.http_api.problems import known, problems, status_of, title_of
from adapters.http_api.service import Here
from domain.errors import RefusalError

router = APIRouter(tags=["operations"])


class Health(BaseModel):
    """How the service is."""

    status: str


class Meaning(BaseModel):
    """What a problem's code means."""

    code: str
    title: str
    status: int
    rule: str | None


@router.get("/healthz", response_model=None, responses={200: {"model": Health}})
async def healthz() -> Response:
    """Say that the process answers; of the store it says nothing."""
    return as_json({"status": "alive"})


@router.get("/readyz", response_model=None, responses={200: {"model": Health}, **problems()})
async def readyz(service: Here) -> Response:
    """Say whether to send requests here: the store is as it should be, nobody asked to stop."""
    if service.closing.is_set():
        raise LedgerClosedError
    await service.read(service.check_store)
    return as_json({"status": "ready"})


@router.get("/metrics", include_in_schema=False)
async def metrics(service: Here) -> Response:
    """Say how it is doing, as Prometheus reads it; a store that is away is told in a figure."""
    service.sample()
    try:
        ages = await service.read(service.lag)
    except AdapterError:
        ages = None
    text = await service.read(partial(measuring.exposition, ages))
    return Response(text, media_type=measuring.MEDIA_TYPE)


@router.get(
    "/problems/{code}", response_model=None, responses={200: {"model": Meaning}, **problems(404)}
)
async def meaning(code: Annotated[str, Path(max_length=100)]) -> Response:
    """Say what the code of a problem means: where its `type` leads to."""
    kind = known().get(code)
    if kind is None:
        raise NotFoundError("no problem has this code", field="code")
    rule = kind.rule if issubclass(kind, RefusalError) else None
    told = {"code": code, "title": title_of(kind), "status": status_of(kind), "rule": rule}
    return as_json(told)


@router.get("/openapi.json", include_in_schema=False)
async def document(request: Request) -> Response:
    """Return the OpenAPI document."""
    return as_json(request.app.openapi())
