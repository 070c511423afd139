"""A command under its id: who gives it, when, and what is remembered of it."""

from collections.abc import Mapping

from adapters.appending.fingerprints import SECRET_FIELDS, Keyed, fingerprint
from adapters.clock import Clock
from adapters.commands.execution import Command, Unread
from adapters.store.sealing import NO_KEYS, CardKeys
from domain.record import check_name
from domain.stream import Cause


class Commanding:
    """Gives what is asked an id, an actor, a time and a fingerprint."""

    def __init__(self, clock: Clock, cards: CardKeys = NO_KEYS) -> None:
        """Take the time from a clock; with keys, fingerprints of cards are keyed."""
        self._clock = clock
        self._cards = cards

    def _command(
        self,
        kind: str,
        stream: str,
        body: Mapping[str, object],
        command_id: str,
        actor: str,
        *,
        reads_last: int | None = None,
        is_first_served: bool = False,
        unread: Unread | None = None,
    ) -> Command:
        """Return a command under its id.

        Raises:
            BadRecordError: The id or the actor is empty, too long or cannot be stored.
        """
        check_name(command_id, "command_id")
        check_name(actor, "actor")
        cause = Cause(command_id, actor, self._clock())
        keyed = None if SECRET_FIELDS.isdisjoint(body) else Keyed(self._cards, command_id)
        remembered = fingerprint(kind, {**body, "actor": actor}, keyed)
        return Command(stream, cause, remembered, body, reads_last, is_first_served, unread)
