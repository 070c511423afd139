"""All there is about a hand in one file, as `jinhua dossier` writes it, for the reader to keep."""

from datetime import datetime
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from adapters.clock import now
from adapters.desk.choices import Choices
from adapters.dossier.contents import contents
from adapters.dossier.material import gather
from adapters.dossier.rendering import render
from adapters.exporting.viewers import Viewer
from adapters.http_api.service import Here, Service
from adapters.http_api.sights import Seen
from adapters.registers.api_keys import Role
from domain.zhajinhua.wording import Language

router = APIRouter()

_AUDITOR: Final = Viewer("auditor")


@router.get("/hands/{hand}/dossier", response_model=None)
async def hand_dossier(request: Request, seen: Seen, service: Here) -> Response:
    """Give it away, with nothing in it that whoever calls is not shown on other pages too.

    So a key that is bound to tables gets those of their hands.
    """
    caller, lang = request.state.caller, Choices.of(request).lang
    viewer = Viewer("player", caller.player) if caller.role is Role.PLAYER else _AUDITOR
    page = await service.read(partial(_dossier, service, seen.hand, viewer, now(), lang))
    # Kept as a file and not shown here: it brings its own style, which our pages do not allow.
    headers = {"Content-Disposition": 'attachment; filename="dossier.html"'}
    return Response(page, headers=headers, media_type="text/html")


def _dossier(service: Service, hand: str, viewer: Viewer, at: datetime, lang: Language) -> str:
    made_of = gather(service.ledger.ledger, service.views, hand, viewer)
    return render(contents(made_of, at=at, lang=lang))
