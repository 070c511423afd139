"""How a command is carried out: read, decide, store; and again where somebody else was faster."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import structlog

from adapters.appending import Append, Conflict, Replayed, Reused, Stored
from adapters.clock import Clock
from adapters.commands import Fingerprint, fingerprint
from adapters.history import Before, History
from adapters.postgres import LedgerRecorder
from domain.errors import CommandIdReusedError, ConflictError, RefusalError
from domain.record import check_name
from domain.stream import Cause, Entry

ATTEMPTS_MAX: Final = 100
"""How often a command is decided again because a wallet had moved on."""

log = structlog.get_logger()

_DONE: Final[Mapping[str, str]] = {
    "deposit": "funds_deposited",
    "withdraw": "funds_withdrawn",
    "open_hand": "hand_opened",
    "act": "action_taken",
    "void_hand": "hand_voided",
}


class Receipt(NamedTuple):
    """The answer to a command that was carried out."""

    status: Literal["applied", "replayed"]
    command_id: str
    first_position: int
    last_position: int
    text: str
    """The answer as stored, JSON: the same bytes however often it is asked for."""

    @property
    def answer(self) -> dict[str, Any]:
        """What the command came to."""
        answer: dict[str, Any] = json.loads(self.text)
        return answer


class Command(NamedTuple):
    """What is to be done, checked as far as that needs no history."""

    kind: str
    stream: str  # the one that it is about
    cause: Cause
    fingerprint: Fingerprint
    reads_last: int | None = None  # how many events of the stream it needs; None: all
    is_first_served: bool = False  # whoever comes second on its stream is refused, not tried again


class Decision(NamedTuple):
    """What a command comes to."""

    entries: Sequence[Entry]
    answer: Mapping[str, object]


Decide = Callable[[Before], Decision]


class Execution:
    """Carries commands out on one store."""

    def __init__(self, recorder: LedgerRecorder, history: History, clock: Clock) -> None:
        self._recorder = recorder
        self._history = history
        self._clock = clock

    def command(
        self, kind: str, stream: str, body: Mapping[str, object], *, command_id: str, actor: str
    ) -> Command:
        """Return a command under its id.

        Raises:
            BadRecordError: The id or the actor is empty, too long or cannot be stored.
        """
        check_name(command_id, "command_id")
        check_name(actor, "actor")
        cause = Cause(command_id, actor, self._clock())
        return Command(kind, stream, cause, fingerprint(kind, {**body, "actor": actor}))

    def carry_out(self, command: Command, decide: Decide) -> Receipt:
        """Decide a command on what is stored, and store what it comes to.

        Raises:
            RefusalError: As ``decide`` refuses.
            CommandIdReusedError: Another command was carried out under its id.
            ConflictError: Its stream has moved on since it was read.
        """
        try:
            receipt = self._carry_out(command, decide)
        except RefusalError as refusal:
            log.info("command_refused", command=command.cause.command_id, code=refusal.code)
            raise
        log.info(
            _DONE[command.kind],
            command=command.cause.command_id,
            stream=command.stream,
            status=receipt.status,
            position=receipt.last_position,
        )
        return receipt

    def _carry_out(self, command: Command, decide: Decide) -> Receipt:
        conflict = Conflict(command.stream, 0, 0)
        for _ in range(ATTEMPTS_MAX):
            before = self._history.before(
                command.cause.command_id, command.stream, last=command.reads_last
            )
            if before.receipt is not None:
                return _answered(command, before.receipt.answered(command.fingerprint))
            decision = decide(before)
            text = json.dumps(decision.answer, ensure_ascii=False, separators=(",", ":"))
            command_id = command.cause.command_id
            append = Append(command_id, command.fingerprint, decision.entries, text)
            (outcome,) = self._recorder.append([append])
            if isinstance(outcome, Stored):
                return Receipt("applied", command_id, outcome.first, outcome.last, text)
            if isinstance(outcome, Replayed | Reused):  # given twice at the same time
                return _answered(command, outcome)
            conflict = outcome
            if command.is_first_served and conflict.stream == command.stream:
                break
        raise ConflictError(conflict.stream, expected=conflict.expected, actual=conflict.actual)


def _answered(command: Command, outcome: Replayed | Reused) -> Receipt:
    """Return the first answer to a command, or refuse the use of its id."""
    command_id = command.cause.command_id
    if isinstance(outcome, Replayed):
        return Receipt("replayed", command_id, *outcome)
    raise reused(command_id, outcome.field)


def reused(command_id: str, field: str) -> CommandIdReusedError:
    """Return the refusal of an id that another command was carried out under."""
    return CommandIdReusedError(
        f"command id {command_id} was used before, with another {field}",
        command_id=command_id,
        field=field,
    )
