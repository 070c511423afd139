"""The rules that hands are settled by: every rulebook, field by field, with what it rests on."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from adapters.desk.choices import Choices
from adapters.desk.rendering import page
from adapters.http_api.callers import Reader
from adapters.http_api.errors import NotFoundError
from adapters.http_api.paths import RulebookId
from domain.errors import UnknownRulebookError
from domain.zhajinhua.rulebook_pages import page as lines_of
from domain.zhajinhua.rulebooks import find, published

router = APIRouter()

_INTEGER_MAX: Final = 2**31 - 1


@router.get("/rulebooks", response_model=None)
async def rulebook_list_page(request: Request, _: Reader) -> Response:
    """List every published rulebook."""
    return page(request, "rulebooks.html", rulebooks=published())


@router.get("/rulebooks/{rulebook}", response_model=None)
async def rulebook_page(
    request: Request,
    rulebook: RulebookId,
    _: Reader,
    *,
    version: Annotated[int | None, Query(ge=1, le=_INTEGER_MAX)] = None,
) -> Response:
    """Show a rulebook: each field, what it means, and what that rests on."""
    try:
        found = find(rulebook, version)
    except UnknownRulebookError as error:
        raise NotFoundError(str(error), field="rulebook") from None
    lines = lines_of(found, Choices.of(request).lang)
    return page(request, "rulebook.html", rulebook=found, lines=lines)
