"""``jinhua dossier``: all that is known of a hand in one file, for a reader outside."""

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from adapters.clock import now
from adapters.console.failures import BadInputError, UnexplainableHandError
from adapters.console.hands import catch_up
from adapters.console.moments import time_of
from adapters.console.options import HERE, Where, opened
from adapters.console.output import AsJson, print_json, say
from adapters.console.viewing import viewer_of
from adapters.dossier.contents import contents
from adapters.dossier.material import gather
from adapters.dossier.printing import find_browser, print_pdf
from adapters.dossier.rendering import render
from adapters.whole_files import replacing
from domain.stream import BROKEN
from domain.zhajinhua.wording import Language

Seen = Annotated[str, Parameter(name="--viewer")]

_FORMATS: Final = (".html", ".pdf")


def dossier(
    hand: str,
    /,
    *,
    out: Path,
    lang: Language = "en",
    viewer: Seen = "auditor",
    made_at: str | None = None,
    where: Where = HERE,
    json: AsJson = False,
) -> int:
    """Write all that is known of a hand into one file, for a player or a regulator.

    The outcome, timeline, argument with its arithmetic and rules, settlement, refusals, claims,
    disputes, and a proof that can be checked without this ledger, if a checkpoint covers the hand.
    An .html needs nothing else and is the same bytes for the same history and --made-at; a .pdf is
    printed from it by a Chromium on PATH. Players are called by ids. The exit status is 0 too where
    the hand does not verify: the file says so.

    For example:

        jinhua dossier t1-0001 --out t1-0001.html
        jinhua dossier t1-0001 --lang zh --viewer player:bo --out bo.pdf
        jinhua dossier t1-0001 --viewer public --made-at 2026-12-01T09:00Z --out public.html

    Parameters:
        hand: Its id.
        out: The file, .html or .pdf; replaced where there is one.
        lang: Of the words; texts, quotations and the rules stay as they are.
        viewer: auditor, public, or player:NAME. No card is in it that the viewer may not see; of
            refusals and disputes a player gets the own ones whole, and the public no texts.
        made_at: When it is made, as the file says; now if it is not given.
    """
    if out.suffix not in _FORMATS:
        raise BadInputError(f"{out} is neither .html nor .pdf")
    if out.suffix == ".pdf":
        find_browser()  # before any work is done in vain
    seen = viewer_of(viewer)
    at = now() if made_at is None else time_of(made_at)
    with opened(where) as store:
        catch_up(store)
        try:
            made_of = gather(store.ledger, store.views, hand, seen)
            page = render(contents(made_of, at=at, lang=lang))
        except BROKEN:
            raise UnexplainableHandError(hand) from None  # its opening is none, say
    data = print_pdf(page) if out.suffix == ".pdf" else page.encode()
    with replacing(out) as beside:
        beside.write_bytes(data)
    found = len(made_of.discrepancies)
    if json:
        told = {"file": str(out), "bytes": len(data), "viewer": viewer, "discrepancies": found}
        print_json({**told, "is_proven": made_of.proof is not None, "position": made_of.position})
    else:
        say(f"{out}: hand {hand}, for {viewer}, {found or 'no'} discrepancies")
        if made_of.no_proof == "no_checkpoint":
            say("it carries no proof: no checkpoint covers the hand; `jinhua checkpoint` makes one")
    return 0
