"""What a rulebook rests on, field by field: a sentence of its document, an interpretation, or both.

A ground moves no chip and is in no digest; it says why a field holds what it holds.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from domain.rulebook import Rulebook

Language = Literal["zh", "en"]

R = TypeVar("R", bound=Rulebook)


class Words(NamedTuple):
    """The same, said in both languages."""

    en: str
    zh: str

    def of(self, lang: Language) -> str:
        """Return it in one of them."""
        return self.zh if lang == "zh" else self.en


class Ground(NamedTuple):
    """What one field rests on."""

    sentences: tuple[str, ...] = ()  # of the rule document, to the letter
    reading: Words | None = None  # ours, where the document is silent or contradicts itself


Grounds = Mapping[str, Ground]
"""By field, and by those parameters of a table that are no fields: ``ante``, ``max_stake``."""


class Edition(NamedTuple, Generic[R]):
    """A rulebook as it is published: its rules, and what they rest on where somebody wrote it."""

    rulebook: R
    grounds: Grounds = MappingProxyType({})


SILENT: Final = Ground(
    reading=Words(
        "the document says nothing of this, so there is none of it",
        "文档没有提到，因此没有这一项",
    )
)
"""For a mechanism that the rulebook's document does not know."""

MOOT: Final = Ground(
    reading=Words(
        "without effect: the rulebook's other fields leave no room for it",
        "不起作用：本规则的其他各项用不到它",
    )
)
"""For a number that nothing in the rulebook ever asks for."""


def says(*sentences: str, en: str = "", zh: str = "") -> Ground:
    """Rest on sentences of the document; on a reading of them too, if one is given."""
    return Ground(sentences, Words(en, zh) if en else None)


def reads(en: str, zh: str) -> Ground:
    """Rest on an interpretation alone."""
    return Ground(reading=Words(en, zh))


def by_field(grouped: Mapping[str, Ground]) -> Grounds:
    """Return the ground of each field.

    Args:
        grouped: By the names of the fields that share a ground, a space between them.
    """
    grounds: dict[str, Ground] = {}
    for names, ground in grouped.items():
        for name in names.split():
            assert name not in grounds, name
            grounds[name] = ground
    return MappingProxyType(grounds)
