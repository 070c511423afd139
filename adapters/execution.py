"""How a command is carried out: read, decide, store; and again where somebody else was faster."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import structlog

from adapters.appending import Append, Conflict, Outcome, Replayed, Reused, Stored
from adapters.commands import Fingerprint
from adapters.group_commit import GroupCommit
from adapters.history import Before, History
from adapters.postgres import Runner, Store
from adapters.recorder import append
from adapters.refusals import keep
from domain.errors import CommandIdReusedError, ConflictError, RefusalError
from domain.stream import Cause, Entry

ATTEMPTS_BESIDE_OTHERS: Final = 3
"""How often to decide while others append too; then they have to wait for once."""

log = structlog.get_logger()

_DONE: Final[Mapping[str, str]] = {
    "deposit": "funds_deposited",
    "withdraw": "funds_withdrawn",
    "open_hand": "hand_opened",
    "act": "action_taken",
    "act_many": "actions_taken",
    "void_hand": "hand_voided",
    "disclose_deck": "deck_disclosed",
    "claim_settlement": "settlement_claimed",
    "name_player": "player_named",
    "erase_player": "player_erased",
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

    stream: str  # the one that it is about
    cause: Cause
    fingerprint: Fingerprint
    body: Mapping[str, object]
    reads_last: int | None = None  # how many events of the stream it needs; None: all
    is_first_served: bool = False  # whoever comes second on its stream is refused, not tried again
    tell_apart: Callable[[Runner], Fingerprint] | None = None
    """What is remembered of a command whose body holds what must not be guessed from that.

    It rests on a key in the store, so it is taken when the command is decided.
    """


class Decision(NamedTuple):
    """What a command comes to."""

    entries: Sequence[Entry]
    answer: Mapping[str, object]
    refused: RefusalError | None = None  # what came after what is stored


Decide = Callable[[Before, History], Decision]
"""What a command comes to on what it finds, and on whatever else it reads of the history."""


Steps = Generator[Append, Outcome, Receipt]
"""A command on its way: what it brings to be appended, what became of that, and its receipt."""


class Asked(NamedTuple):
    """A command, and what decides it."""

    command: Command
    decide: Decide
    afterwards: Callable[[Store], object] | None = None
    """What is done beside the history once the command is answered or refused; each time again."""


class _Brought(NamedTuple):
    """A decided command on its way into the store."""

    append: Append
    decision: Decision


class Execution:
    """Carries commands out on one store, whose appends are committed together."""

    def __init__(self, store: Store, group: GroupCommit) -> None:
        self._store = store
        self._group = group

    def carry_out(self, asked: Asked) -> Receipt:
        """Decide a command on what is stored, and store what it comes to, or that it was refused.

        Raises:
            RefusalError: As it is refused.
            CommandIdReusedError: Another command was carried out under its id.
            ConflictError: Its stream has moved on since it was read.
        """
        steps = self.steps(asked)
        try:
            brought = next(steps)
            while True:
                brought = steps.send(self._group.append(brought))
        except StopIteration as done:
            receipt: Receipt = done.value
            return receipt

    def steps(self, asked: Asked) -> Steps:
        """Carry a command out, but leave it to the caller to append, and to wait for it.

        Yields:
            What is to be appended; what became of it is to be sent.

        Returns:
            The receipt.

        Raises:
            RefusalError: As :meth:`carry_out` refuses.
        """
        command = asked.command
        try:
            receipt = yield from self._attempts(asked)
        except RefusalError as refusal:
            self._keep(command, refusal)
            self._finish(asked)
            raise
        self._finish(asked)
        log.info(
            _DONE[command.fingerprint.kind],
            command=command.cause.command_id,
            stream=command.stream,
            status=receipt.status,
            position=receipt.last_position,
        )
        return receipt

    def _finish(self, asked: Asked) -> None:
        if asked.afterwards is not None:
            asked.afterwards(self._store)

    def _attempts(self, asked: Asked) -> Steps:
        """Decide and store; on others' toes, decide again on what they left."""
        command = asked.command
        for _ in range(ATTEMPTS_BESIDE_OTHERS):
            decided = _decided(self._store, asked)
            if isinstance(decided, Receipt):
                return decided
            outcome = yield decided.append
            if not isinstance(outcome, Conflict):
                return self._receipt(command, decided, outcome)
            if command.is_first_served and outcome.stream == command.stream:
                raise ConflictError(
                    outcome.stream, expected=outcome.expected, actual=outcome.actual
                )
        with self._store.alone() as runner:
            decided = _decided(runner, asked)
            if isinstance(decided, Receipt):
                return decided
            (outcome,) = append(runner, [decided.append])
        assert not isinstance(outcome, Conflict), outcome  # nobody else could append
        return self._receipt(command, decided, outcome)

    def _receipt(
        self, command: Command, brought: _Brought, outcome: Stored | Replayed | Reused
    ) -> Receipt:
        """Return the answer to a command; one given from two sides at once is answered twice."""
        if not isinstance(outcome, Stored):
            return _answered(command.cause.command_id, outcome)
        if brought.decision.refused is not None:
            self._keep(command, brought.decision.refused)
        return Receipt("applied", command.cause.command_id, *outcome, brought.append.answer)

    def _keep(self, command: Command, refusal: RefusalError) -> None:
        log.info("command_refused", command=command.cause.command_id, code=refusal.code)
        keep(
            self._store,
            refusal,
            cause=command.cause,
            fingerprint=command.fingerprint,
            stream=command.stream,
            asked=command.body,
        )


def _decided(runner: Runner, asked: Asked) -> _Brought | Receipt:
    """Read and decide; what was carried out before has its receipt."""
    command, decide = asked.command, asked.decide
    history, command_id = History(runner), command.cause.command_id
    before = history.before(command_id, command.stream, last=command.reads_last)
    if before.receipt is not None:
        return _answered(command_id, before.receipt.answered(_fingerprint(command, runner)))
    decision = decide(before, history)
    text = json.dumps(decision.answer, ensure_ascii=False, separators=(",", ":"))
    brought = Append(command_id, _fingerprint(command, runner), decision.entries, text)
    return _Brought(brought, decision)


def _fingerprint(command: Command, runner: Runner) -> Fingerprint:
    return command.fingerprint if command.tell_apart is None else command.tell_apart(runner)


def _answered(command_id: str, outcome: Replayed | Reused) -> Receipt:
    """Return the first answer to a command, or refuse the use of its id."""
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
