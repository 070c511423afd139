"""What a reader chose, kept in cookies that tell nobody anything: the language and the theme."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args
from urllib.parse import parse_qsl, urlencode

from fastapi import Request

from domain.zhajinhua.wording import Language

Theme = Literal["auto", "light", "dark"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)

KEPT_S: Final = 365 * 24 * 3600

_KNOWN: Final = {"lang": LANGUAGES, "theme": THEMES}


class Choices(NamedTuple):
    """How somebody wants pages to be."""

    lang: Language
    theme: Theme

    @classmethod
    def of(cls, request: Request) -> "Choices":
        """Return what was chosen, else what the browser asks for."""
        lang, theme = request.cookies.get("lang"), request.cookies.get("theme")
        return cls(
            next((known for known in LANGUAGES if known == lang), _preferred(request)),
            next((known for known in THEMES if known == theme), "auto"),
        )


class Switch(NamedTuple):
    """A choice that an address makes: ``?lang=zh`` on any page."""

    chosen: Mapping[str, str]
    """What to keep, by the name of its cookie."""

    rest: str
    """The query without it."""


def switch_in(query: str) -> Switch | None:
    """Return the choice in a query, if there is one."""
    pairs = parse_qsl(query, keep_blank_values=True)
    chosen = {name: value for name, value in pairs if value in _KNOWN.get(name, ())}
    if not chosen:
        return None
    return Switch(chosen, urlencode([(name, value) for name, value in pairs if name not in _KNOWN]))


def switched(request: Request, name: str, value: str) -> str:
    """Return the query that shows the same page in another way."""
    pairs = parse_qsl(request.url.query, keep_blank_values=True)
    return "?" + urlencode([*(pair for pair in pairs if pair[0] != name), (name, value)])


def _preferred(request: Request) -> Language:
    """Return the language that a browser names first of those there are."""
    accepted = request.headers.get("accept-language", "").lower()
    ranges = [part.split(";")[0].strip() for part in accepted.split(",")]
    return next((known for given in ranges for known in LANGUAGES if given[:2] == known), "en")
