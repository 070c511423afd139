"""The HTML of a dossier: all of it in one file, the same bytes for the same contents."""

import re
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from adapters.dossier.contents import Contents

_COMMAND: Final = re.compile("`([^`]+)`")


def render(contents: Contents) -> str:
    """Return the page. What anybody wrote in it is text and never markup."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"css_text": _css_text, "code": _code}
    return environment.get_template("dossier.html").render(d=contents)


def _code(text: str) -> Markup:
    """Return a text in which what stands between two backticks is a command."""
    return Markup(_COMMAND.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def _css_text(text: str) -> Markup:
    """Return a text as it stands between the quotes of a style sheet: each character by number."""
    return Markup("".join(f"\\{ord(character):x} " for character in text))  # noqa: S704 - digits
