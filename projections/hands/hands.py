"""The projection: batches of events -> rows of hands."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from domain.events import HandOpened, HandSettled, Settlement, SettlementClaimed
from domain.hand import hand_of
from projections import Projection, Recorded
from projections.hands.course import begun, followed
from projections.hands.flags import FLAGGING
from projections.hands.row import HandsView


class Hands(Projection):
    """Takes the rows of the hands in a batch further. A hand begun earlier is read first."""

    name: ClassVar[str] = "hands"
    topics: ClassVar[frozenset[str]] = frozenset(
        {HandOpened.TOPIC, *(event.TOPIC for event in FLAGGING)}
    )

    def __init__(self, view: HandsView) -> None:
        """Write to a view."""
        self._view = view

    def process(self, batch: Sequence[Recorded]) -> None:
        """Keep the rows as they are after the events.

        Raises:
            LookupError: An event is of a hand that was not opened.
        """
        hands = [hand_of(recorded.entry.originator_id) for recorded in batch]
        opened = {
            hand
            for hand, (_, entry, _) in zip(hands, batch, strict=True)
            if entry.originator_version == 1
        }
        rows = dict(self._view.rows(set(hands) - opened))
        settlements = self._settlements(batch)
        for hand, recorded in zip(hands, batch, strict=True):
            if type(recorded.entry.event) is HandOpened:
                rows[hand] = begun(recorded)
            else:
                rows[hand] = followed(rows[hand], recorded, settlements.get(hand))
        self._view.put(list(rows.values()))

    def _settlements(self, batch: Sequence[Recorded]) -> Mapping[str, Settlement]:
        """Return the settlements that are claimed to be others; of earlier batches too."""
        claims = (r.entry for r in batch if type(r.entry.event) is SettlementClaimed)
        claimed = {hand_of(entry.originator_id) for entry in claims}
        if not claimed:
            return {}
        own = {
            hand_of(recorded.entry.originator_id): recorded.entry.event.settlement
            for recorded in batch
            if type(recorded.entry.event) is HandSettled
        }
        earlier = claimed - own.keys()
        return {**self._view.settlements(earlier), **own} if earlier else own
