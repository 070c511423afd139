"""With whose eyes an export or a dossier sees: an auditor's, a player's, or anybody's.

What is hidden of a hand is said in domain/sight.py and nowhere else: of a running one everybody's
cards, but its own to a player who has looked. So an auditor and the public see the same of a hand;
what the public does not see is what went on in wallets outside hands.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Self

from adapters.exporting.told import Told
from adapters.views.hand_list import HandFilter
from domain.record import check_name
from domain.sight import as_seen
from projections.hands.row import HandRow

Role = Literal["auditor", "player", "public"]


class Viewer(NamedTuple):
    """Who looks."""

    role: Role
    player: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``auditor``, ``public`` or ``player:NAME``.

        Raises:
            ValueError: It is none of these.
            BadRecordError: The name cannot be a player's.
        """
        match text.partition(":"):
            case ("player", ":", player) if player:
                check_name(player, "player")
                return cls("player", player)
            case ("auditor" | "public" as role, "", ""):
                return cls(role)
        raise ValueError(f"{text!r} is none of auditor, public and player:NAME")

    @property
    def is_public(self) -> bool:
        """Tell whether it is anybody."""
        return self.role == "public"

    def narrowed(self, wanted: HandFilter) -> HandFilter:
        """Return the filter that finds no more than this viewer may see, where it can say so."""
        if self.player is None or wanted.player is not None:
            return wanted
        return wanted._replace(player=self.player)

    def sees(self, row: HandRow) -> bool:
        """Tell whether the viewer may know of a hand: a player of those that it sat in."""
        return self.player is None or self.player in row.players

    def as_seen(self, row: HandRow, told: Sequence[Told]) -> list[Told]:
        """Return a hand's events as the viewer may see them; a player in several seats, the first.

        That is the HTTP API's rule too (http_api/sights.py).
        """
        seat = None if self.player is None else row.seats[row.players.index(self.player)]
        seen = as_seen([each.event for each in told], seat)
        return [
            each if event is each.event else each._replace(entry=each.entry._replace(event=event))
            for each, event in zip(told, seen, strict=True)
        ]


AUDITOR: Final = Viewer("auditor")
