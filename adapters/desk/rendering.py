"""Templates, and what every one of them knows: texts, the caller, the choices, addresses."""

import hashlib
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adapters.desk import wording
from adapters.desk.choices import LANGUAGES, THEMES, Choices, switched
from adapters.desk.session import PATH
from adapters.desk.wording import TAGS, WORDS, Say
from adapters.http_api.callers import AUDITORS, Caller
from adapters.http_api.paths import segment
from adapters.registers.api_keys import Role

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"


class Place(NamedTuple):
    """A page that the others lead to."""

    name: str  # the key of its text, too
    path: str


def places(caller: Caller) -> list[Place]:
    """Return the pages for a caller, in the order in which they are offered."""
    common = [Place("checkpoints", "/checkpoints"), Place("rulebooks", "/rulebooks")]
    if caller.role is Role.PLAYER:
        own = Place("my_page", f"/players/{segment(caller.player or '')}")
        return [own, Place("hands", "/hands"), *common]
    verification = [] if caller.tables else [Place("verification", "/verification")]
    return [
        *(Place("overview", "/"), Place("hands", "/hands"), Place("trail", "/trail")),
        *(Place("disputes", "/disputes"), *verification, *common),
    ]


def page(
    request: Request,
    template: str,
    /,
    *,
    status: int = 200,
    **fields: Any,  # noqa: ANN401 - whatever a template shows
) -> Response:
    """Return a page, in the reader's language.

    Args:
        request: What it answers.
        template: A file of ``templates/``.
        status: Of the answer.
        fields: What the template shows, beside what all of them know: ``say`` for texts, ``lang``,
            ``caller``, ``to(…)`` for addresses.
    """
    return HTMLResponse(rendered(request, template, **fields), status)


def rendered(request: Request, template: str, /, **fields: Any) -> str:  # noqa: ANN401 - as above
    """Return the text of a page, or of a part of one."""
    choices = Choices.of(request)
    caller: Caller | None = getattr(request.state, "caller", None)
    return environment().get_template(template).render(
        say=Say(WORDS[choices.lang]),
        lang=choices.lang,
        tag=TAGS[choices.lang],
        theme=choices.theme,
        languages=LANGUAGES,
        themes=THEMES,
        caller=caller,
        is_auditor=caller is not None and caller.role in AUDITORS,
        places=[] if caller is None else places(caller),
        here=request.url.path.removeprefix(PATH),
        switched=lambda name, value: switched(request, name, value),
        **fields,
    )  # fmt: skip


@cache
def environment() -> Environment:
    """Return the one environment: templates escape, and stumble over what is not given."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"to": to, "static": static}
    for filter_ in (wording.chips, wording.signed, wording.count, wording.moment, wording.day):
        made.filters[filter_.__name__] = filter_
    made.filters["segment"] = segment
    return made


def to(path: str, /, **given: object) -> str:
    """Return the address of a page: ``to("/hands/{hand}", hand="t1/1", view="public")``.

    What the path names is put into it, an id as one segment; what it does not name is its query,
    where it is not None.
    """
    named = {name for _, name, _, _ in Formatter().parse(path) if name}
    parts = {name: segment(str(given[name])) for name in named}
    pairs = {n: value for n, value in given.items() if n not in named and value is not None}
    query = f"?{urlencode(pairs, doseq=True)}" if pairs else ""
    return PATH + path.format(**parts) + query


@cache
def static(name: str) -> str:
    """Return the address of a file of ``static/``, which changes with what is in it."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()
    return f"{PATH}/static/{name}?v={digest[:12]}"
