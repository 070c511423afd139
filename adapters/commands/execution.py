"""How a command is carried out: read, decide, store; and again where somebody else was faster."""

from collections.abc import Callable, Generator, Mapping, Sequence
from logging import INFO
from typing import Any, Final, Literal, NamedTuple

import structlog
from pydantic_core import from_json, to_json

from adapters import logs
from adapters.appending.batches import Append, Conflict, Outcome, Replayed, Reused, Stored
from adapters.appending.fingerprints import Fingerprint
from adapters.appending.group_commit import GroupCommit
from adapters.appending.recorder import append
from adapters.commands.history import Before, History
from adapters.commands.standings import Memory, NotRememberedError, Recalling
from adapters.registers.refusals import keep
from adapters.store.postgres import Runner, Store
from domain.errors import CommandIdReusedError, ConflictError, RefusalError
from domain.stream import Cause, Entry
from domain.zhajinhua.state import HandState

ATTEMPTS_BESIDE_OTHERS: Final = 3
"""How often to decide while others append too; then they have to wait for once."""

log = structlog.get_logger()


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
        answer: dict[str, Any] = from_json(self.text)
        return answer


Unread = Literal["going_on", "beginning"]
"""What is supposed of a hand that is not read: that it stands where this process left it, or that
there is none yet."""


class Command(NamedTuple):
    """What is to be done, checked as far as that needs no history."""

    stream: str  # the one that it is about
    cause: Cause
    fingerprint: Fingerprint
    body: Mapping[str, object]
    reads_last: int | None = None  # how many events of the stream it needs; None: all
    is_first_served: bool = False  # whoever comes second on its stream is refused, not tried again
    unread: Unread | None = None  # what may be supposed of its hand; None: nothing
    tell_apart: Callable[[Runner], Fingerprint] | None = None
    """What is remembered of a command whose body holds what must not be guessed from that.

    It rests on a key in the store, so it is taken when the command is decided.
    """


class Decision(NamedTuple):
    """What a command comes to."""

    entries: Sequence[Entry]
    answer: Mapping[str, object]
    refused: RefusalError | None = None  # what came after what is stored
    state: HandState | None = None  # in which it leaves the hand of its stream


Decide = Callable[[Command, Before, History], Decision]
"""What a command comes to on what it finds, and on whatever else it reads of the history."""


class Pause:
    """Where a command on its way may be left to whoever has time for it."""


AT_THE_STORE: Final = Pause()
"""It touches the store next, and waits for it; what it did up to here takes no time."""


Steps = Generator[Append | Pause, Outcome | None, Receipt]
"""A command on its way: what it brings to be appended, what became of that, and its receipt."""


class Asked(NamedTuple):
    """A command, what decides it, and what is said of it then."""

    command: Command
    decide: Decide
    done: str  # what it is logged as once it has its receipt
    afterwards: Callable[[Store], object] | None = None
    """What is done beside the history once the command is answered or refused; each time again."""


class _Decided(NamedTuple):
    """A decided command on its way into the store."""

    append: Append
    decision: Decision


class Execution:
    """Carries commands out on one store, whose appends are committed together."""

    def __init__(self, store: Store, group: GroupCommit) -> None:
        self._store = store
        self._group = group
        self._memory = Memory()

    def carry_out(self, asked: Asked) -> Receipt:
        """Decide a command on what is stored, and store what it comes to, or that it was refused.

        Raises:
            RefusalError: As it is refused.
            CommandIdReusedError: Another command was carried out under its id.
            ConflictError: Its stream has moved on since it was read.
        """
        steps = self.steps(asked)
        try:
            step = next(steps)
            while True:
                step = steps.send(self._group.append(step) if isinstance(step, Append) else None)
        except StopIteration as done:
            receipt: Receipt = done.value
            return receipt

    def steps(self, asked: Asked) -> Steps:
        """Carry a command out, but leave it to the caller to append, and to wait for it.

        Yields:
            What is to be appended, and what became of it is to be sent; or that it touches the
            store next, and None is to be sent.

        Returns:
            The receipt.

        Raises:
            RefusalError: As :meth:`carry_out` refuses.
        """
        command = asked.command
        try:
            receipt = yield from self._attempts(asked)
        except RefusalError as refusal:
            yield AT_THE_STORE
            self._keep_refusal(command, refusal)
            self._finish(asked)
            raise
        if asked.afterwards is not None:
            yield AT_THE_STORE
            self._finish(asked)
        if logs.is_heard(INFO):
            log.info(
                asked.done,
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
        """Decide and store; where others appended in between, decide again on what they left."""
        command = asked.command
        receipt = yield from self._unread(asked)
        if receipt is not None:
            return receipt
        for _ in range(ATTEMPTS_BESIDE_OTHERS):
            yield AT_THE_STORE
            decided = _read_and_decide(self._store, asked)
            if isinstance(decided, Receipt):
                return decided
            outcome = yield decided.append
            assert outcome is not None
            if not isinstance(outcome, Conflict):
                return (yield from self._receipt(command, decided, outcome))
            if command.is_first_served and outcome.stream == command.stream:
                raise ConflictError(
                    outcome.stream, expected=outcome.expected, actual=outcome.actual
                )
        yield AT_THE_STORE
        with self._store.alone() as runner:
            decided = _read_and_decide(runner, asked)
            if isinstance(decided, Receipt):
                return decided
            (outcome,) = append(runner, [decided.append])
        assert not isinstance(outcome, Conflict), outcome  # nobody else could append
        return (yield from self._receipt(command, decided, outcome))

    def _unread(self, asked: Asked) -> Generator[Append | Pause, Outcome | None, Receipt | None]:
        """Decide on what is supposed of the hand, and store; None where that came to nothing.

        Where others have appended to the hand or to a wallet, this conflicts. A refusal may rest on
        what holds no more, or be of a command that was carried out. So neither is an answer.
        """
        command = asked.command
        supposed = self._supposed(command)
        if supposed is None:
            return None
        before, links = supposed
        history = Recalling(self._store, self._memory.balances)
        try:
            decided = _decide(history, asked, before)
        except (RefusalError, NotRememberedError):
            return None
        outcome = yield decided.append._replace(links=links | history.links)
        assert outcome is not None
        if isinstance(outcome, Conflict):
            self._memory.forget(outcome.stream)
            return None
        return (yield from self._receipt(command, decided, outcome))

    def _supposed(self, command: Command) -> tuple[Before, dict[str, bytes]] | None:
        """Return what is supposed of the hand, and the link that it must be at then; or nothing."""
        if command.unread is None:
            return None
        stood = self._memory.hands.get(command.stream)
        if command.unread == "beginning":
            return None if stood else (Before(0, events=[], receipt=None), {})
        if stood is None:
            return None
        before = Before(stood.tip.version, events=[], receipt=None, state=stood.state)
        return before, {command.stream: stood.tip.link}

    def _receipt(
        self, command: Command, decided: _Decided, outcome: Stored | Replayed | Reused
    ) -> Steps:
        """Return the answer to a command; one given from two sides at once is answered twice."""
        if not isinstance(outcome, Stored):
            return _answered(command.cause.command_id, outcome)
        decision = decided.decision
        self._memory.learn(command.stream, decision.state, decision.entries, outcome.tips)
        if decision.refused is not None:
            yield AT_THE_STORE
            self._keep_refusal(command, decision.refused)
        text = decided.append.answer
        return Receipt("applied", command.cause.command_id, outcome.first, outcome.last, text)

    def _keep_refusal(self, command: Command, refusal: RefusalError) -> None:
        log.info("command_refused", command=command.cause.command_id, code=refusal.code)
        keep(
            self._store,
            refusal,
            cause=command.cause,
            fingerprint=command.fingerprint,
            stream=command.stream,
            asked=command.body,
        )


def _read_and_decide(runner: Runner, asked: Asked) -> _Decided | Receipt:
    """Read and decide; what was carried out before has its receipt."""
    command, command_id = asked.command, asked.command.cause.command_id
    history = History(runner)
    before = history.before(command_id, command.stream, last=command.reads_last)
    if before.receipt is not None:
        return _answered(command_id, before.receipt.answered(_fingerprint(command, runner)))
    return _decide(history, asked, before)


def _decide(history: History, asked: Asked, before: Before) -> _Decided:
    """Decide on what was found."""
    command = asked.command
    decision = asked.decide(command, before, history)
    fingerprint, text = _fingerprint(command, history.runner), to_json(decision.answer).decode()
    return _Decided(Append(command.cause.command_id, fingerprint, decision.entries, text), decision)


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
