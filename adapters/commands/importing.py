"""Finished hands from records into the store: many a transaction, each whole or not at all.

A hand is the command ``import:<hand>``. So a file that is imported again, wholly or from where a
killed run left it, finds its hands stored and changes nothing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, NamedTuple

import structlog

from adapters.appending.batches import (
    Append,
    Conflict,
    Outcome,
    Prepared,
    Replayed,
    Reused,
    Stored,
    prepare,
)
from adapters.appending.fingerprints import Fingerprint, Keyed, fingerprint
from adapters.appending.recorder import append_prepared
from adapters.clock import Clock
from adapters.commands.execution import ATTEMPTS_BESIDE_OTHERS, reused
from adapters.commands.foreseen import Assumed, Foreseen
from adapters.commands.history import History
from adapters.garbage import few_collections
from adapters.store.postgres import Runner, Store
from domain.claims import differences
from domain.custody import collect, deposit_missing, players, release, reserve
from domain.errors import BadRecordError, HandExistsError, RefusalError
from domain.events import HandSettled
from domain.hand import Hand, hand_stream
from domain.playing import Reject, play
from domain.record import HandRecord, read
from domain.stream import Cause, Entry
from domain.wallet import Wallet

log = structlog.get_logger()

ACTOR: Final = "import"

BATCH_HANDS: Final = 50
"""Hands a transaction: enough to forget the cost of a commit, few enough to lose little time."""

_NOT_ADMITTED: Final = ("not_allowed", "the hand is of a table that is not the importer's", "keys")

Progress = Callable[[int], None]


class Mismatch(NamedTuple):
    """A hand whose record claims other figures than the rules give."""

    hand: str
    differences: list[dict[str, Any]]  # path, claimed, derived


class Line(NamedTuple):
    """What became of one line of an import."""

    hand: str | None  # None where not even that could be read
    status: Literal["stored", "already", "refused"]
    events: int = 0  # stored now, those of wallets included
    differences: Sequence[dict[str, Any]] = ()  # path, claimed, derived: of a claim, if any
    reject: Reject | None = None  # why it is refused


@dataclass
class ImportReport:
    """What became of the lines of an import."""

    hands: int = 0  # stored now
    events: int = 0  # stored now, those of wallets included
    already: int = 0  # hands that were stored before, just so
    refused: list[Reject] = field(default_factory=list)
    mismatched: list[Mismatch] = field(default_factory=list)  # among those stored, now or before

    def take(self, line: Line) -> None:
        """Take in what became of a line."""
        if line.reject is not None:
            self.refused.append(line.reject)
            return
        assert line.hand is not None, line
        if line.status == "stored":
            self.hands += 1
            self.events += line.events
        else:
            self.already += 1
        if line.differences:
            self.mismatched.append(Mismatch(line.hand, list(line.differences)))


class _Incoming(NamedTuple):
    """A record that was read."""

    hand: str
    record: HandRecord
    fingerprint: Fingerprint

    @property
    def stream(self) -> str:
        return hand_stream(self.hand)

    @property
    def command_id(self) -> str:
        return _command_id(self.hand)


class _Imported(NamedTuple):
    """A hand that is stored; ``events`` is 0 where it was before."""

    events: int
    answer: str


class _Batch:
    """Lines that are stored together, and what became of those that are done with."""

    def __init__(self, lines: Sequence[_Incoming | Reject]) -> None:
        self._lines = lines
        self.begin()

    def begin(self) -> None:
        """Know of each line what was read, and nothing of what became of it."""
        self.waiting: dict[int, _Incoming] = {}  # by place
        self._results: dict[int, _Imported | Reject] = {}
        for place, line in enumerate(self._lines):
            if isinstance(line, Reject):
                self._results[place] = line
            else:
                self.waiting[place] = line

    def settle(self, place: int, result: _Imported | Reject) -> None:
        """Be done with a line."""
        del self.waiting[place]
        self._results[place] = result

    def take(self, appends: Mapping[int, Append], outcomes: Sequence[Outcome]) -> None:
        """Take in what became of appends; what conflicts goes on waiting."""
        for place, outcome in zip(appends, outcomes, strict=True):
            match outcome:
                case Stored(first, last):
                    self.settle(place, _Imported(last - first + 1, appends[place].answer))
                case Replayed() | Reused():
                    self.settle(place, _answered(self.waiting[place], outcome))
                case Conflict():
                    pass

    def told(self) -> list[Line]:
        """Return what became of each line."""
        assert not self.waiting, self.waiting
        return [_told(line, self._results[place]) for place, line in enumerate(self._lines)]


class _Ahead(NamedTuple):
    """A batch that is decided, and on its way into the store."""

    batch: _Batch
    appends: Mapping[int, Append]  # by place
    outcomes: Future[list[Outcome]]

    def arrive(self) -> bool:
        """Wait for what becomes of it, and tell whether all of it is stored."""
        outcomes = self.outcomes.result()
        self.batch.take(self.appends, outcomes)
        return all(isinstance(outcome, Stored) for outcome in outcomes)


class Import:
    """One run over one file."""

    logged_as: ClassVar[str] = "hands_imported"

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        deposit_missing: bool,
        claimant: str,
        admits: Callable[[str], bool] = lambda _hand: True,
    ) -> None:
        """Make ready for a run.

        Args:
            store: Where to.
            clock: Says when.
            deposit_missing: Bring in from the cashier what a player lacks.
            claimant: Whose figures a record's own settlement is.
            admits: Whether whoever imports may write a hand of that id.
        """
        self._store = store
        self._clock = clock
        self._deposit_missing = deposit_missing
        self._claimant = claimant
        self._admits = admits

    def run(self, lines: Iterable[bytes | str], progress: Progress | None) -> ImportReport:
        """Store every line that holds a hand to be stored; report on all of them."""
        report, done = ImportReport(), 0
        with few_collections():
            for portion in self.overlapped(lines):
                for line in portion:
                    report.take(line)
                done += len(portion)
                if progress is not None:
                    progress(done)
        return report

    def log(self, report: ImportReport, *, unread: int = 0) -> None:
        """Log what became of it; ``unread`` is how much was refused before it was a line."""
        log.info(
            self.logged_as,
            hands=report.hands,
            events=report.events,
            already=report.already,
            refused=len(report.refused) + unread,
            mismatched=len(report.mismatched),
        )

    def portions(self, lines: Iterable[bytes | str]) -> Iterator[list[Line]]:
        """Store every line that holds a hand to be stored; yield what became of each, in order.

        Yields:
            Those of one transaction, once it is committed.
        """
        for batch in self._batches(lines):
            yield self._keep(batch)

    def overlapped(self, lines: Iterable[bytes | str]) -> Iterator[list[Line]]:
        """Do as :meth:`portions` does, but decide on lines while those before them are stored.

        It is done sooner, and what was stored is told later: once the next batch was decided.
        """
        with ThreadPoolExecutor(1, thread_name_prefix="jinhua-import") as storing:
            # At a yield nothing is ahead: whoever stops there was told of all that is stored.
            ahead: _Ahead | None = None
            try:
                for batch in self._batches(lines):
                    appends = self._decide(self._foreseen(ahead), batch)
                    if ahead is not None:
                        before, ahead = ahead, None
                        is_as_foreseen = before.arrive()
                        yield self._keep(before.batch)
                        if not is_as_foreseen:
                            batch.begin()
                            appends = self._decide(self._history(self._store), batch)
                    prepared = self._prepared(
                        appends
                    )  # in the thread it would keep the store waiting
                    outcomes = storing.submit(self._append, self._store, prepared)
                    ahead = _Ahead(batch, appends, outcomes)
            finally:  # where the lines break off, what was stored before is told all the same
                if ahead is not None:
                    ahead.arrive()
                    yield self._keep(ahead.batch)

    def _batches(self, lines: Iterable[bytes | str]) -> Iterator[_Batch]:
        """Yield lines as read, in batches without a hand twice: the second must find the first."""
        batch: list[_Incoming | Reject] = []
        inside: set[str] = set()
        for line in lines:
            if not line.strip():
                continue
            incoming = self._read(line)
            if incoming.hand in inside or len(batch) == BATCH_HANDS:
                yield _Batch(batch)
                batch, inside = [], set()
            batch.append(incoming)
            if isinstance(incoming, _Incoming):
                inside.add(incoming.hand)
        if batch:
            yield _Batch(batch)

    def _read(self, line: bytes | str) -> _Incoming | Reject:
        try:
            record = read(line)
        except BadRecordError as refusal:
            return Reject.of(refusal, hand=refusal.hand, at=-1)
        if not self._admits(record.hand):
            return Reject(record.hand, -1, *_NOT_ADMITTED)
        body = record.model_dump(exclude_unset=True, by_alias=True)
        if record.settlement is not None:
            body["claimant"] = self._claimant
        keyed = Keyed(self._store.cards, _command_id(record.hand))
        return _Incoming(record.hand, record, fingerprint("import", body, keyed))

    def _keep(self, batch: _Batch) -> list[Line]:
        """Store what waits of a batch; return what became of each line.

        What conflicts with others' commands is decided again on what they left.
        """
        for _ in range(ATTEMPTS_BESIDE_OTHERS):
            if not batch.waiting:
                return batch.told()
            self._attempt(self._store, batch)
        if batch.waiting:
            with self._store.alone() as runner:
                self._attempt(runner, batch)
        return batch.told()  # nobody else could append

    def _attempt(self, runner: Runner, batch: _Batch) -> None:
        """Decide and store once."""
        appends = self._decide(self._history(runner), batch)
        batch.take(appends, self._append(runner, self._prepared(appends)))

    def _history(self, runner: Runner) -> History:
        """Return what is found before anything is decided."""
        return History(runner)

    def _foreseen(self, ahead: _Ahead | None) -> History:
        """Return what will be found once a batch that is on its way is stored."""
        if ahead is None:
            return self._history(self._store)
        return Foreseen(self._store, Assumed(ahead.appends.values()))

    def _append(self, runner: Runner, prepared: Sequence[Prepared]) -> list[Outcome]:
        """Store what was decided."""
        return append_prepared(runner, prepared)

    def _prepared(self, appends: Mapping[int, Append]) -> list[Prepared]:
        return [prepare(append, self._store.cards) for append in appends.values()]

    def _decide(self, history: History, batch: _Batch) -> dict[int, Append]:
        """Return what is to be stored, by place; be done with what needs no storing."""
        waiting = batch.waiting
        seats = (seat for given in waiting.values() for seat in given.record.seats)
        funds = history.wallets(list(dict.fromkeys(seat.player for seat in seats)))
        existing = history.existing([given.stream for given in waiting.values()])
        # Read last: a hand that exists by its import, or was paid for by it, has a receipt by now.
        receipts = history.receipts([given.command_id for given in waiting.values()])
        appends: dict[int, Append] = {}
        moved_by: dict[str, str] = {}
        for place, given in list(waiting.items()):
            receipt = receipts.get(given.command_id)
            if receipt is not None:
                batch.settle(place, _answered(given, receipt.answered(given.fingerprint)))
            elif given.stream in existing:
                message = f"hand {given.hand} is recorded already, and not from a record"
                refusal = HandExistsError(message, hand=given.hand)
                batch.settle(place, Reject.of(refusal, hand=given.hand, at=-1))
            else:
                decided = self._decide_one(given, funds)
                if isinstance(decided, Append):
                    appends[place] = _after(decided, given, moved_by)
                else:
                    batch.settle(place, decided)
        return appends

    def _decide_one(self, given: _Incoming, funds: dict[str, Wallet]) -> Append | Reject:
        """Play one record between its players' wallets; ``funds`` go on only if nothing refuses."""
        cause = Cause(given.command_id, ACTOR, self._clock())
        hand = play(given.record, cause)
        if isinstance(hand, Reject):
            return hand
        wallets = {
            player: Wallet.resume(
                player, version=funds[player].version, balance=funds[player].balance
            )
            for player in players(hand)
        }
        at = -1
        try:
            if self._deposit_missing:
                deposit_missing(hand, wallets, cause)
            reserve(hand, wallets, cause)
            entries = collect(wallets)
            at = len(given.record.actions)
            claim = given.record.claim
            if claim is not None:
                hand.claim(self._claimant, claim, cause)
            played = hand.collect_events()
            release(hand, wallets, cause)
        except RefusalError as refusal:
            return Reject.of(refusal, hand=given.hand, at=at)
        funds |= wallets
        entries += [*played, *collect(wallets)]
        answer = json.dumps(_answer(hand, played, claim or {}), ensure_ascii=False)
        return Append(given.command_id, given.fingerprint, entries, answer)


def _told(given: _Incoming | Reject, result: _Imported | Reject) -> Line:
    """Return what became of a line."""
    if isinstance(result, Reject):
        return Line(result.hand or given.hand, "refused", reject=result)
    answer = json.loads(result.answer)
    status: Literal["stored", "already"] = "stored" if result.events else "already"
    return Line(answer["hand"], status, result.events, answer["differences"])


def _command_id(hand: str) -> str:
    return f"import:{hand}"


def _after(append: Append, given: _Incoming, moved_by: dict[str, str]) -> Append:
    """Return an append that names those before it that moved its players' wallets.

    ``moved_by`` gives the last command of the batch for each player; this one takes its place.
    """
    who = {seat.player for seat in given.record.seats}
    before = frozenset(moved_by[player] for player in who if player in moved_by)
    moved_by |= dict.fromkeys(who, append.command_id)
    return append._replace(builds_on=before)


def _answer(hand: Hand, played: Sequence[Entry], claim: Mapping[str, object]) -> dict[str, object]:
    """Return what is to be told of a hand, now and whenever it is imported again."""
    settlement = next(
        entry.event.settlement for entry in played if isinstance(entry.event, HandSettled)
    )
    parted = [difference._asdict() for difference in differences(claim, settlement)]
    return {"hand": hand.hand, "version": hand.version, "differences": parted}


def _answered(given: _Incoming, outcome: Replayed | Reused) -> _Imported | Reject:
    """Return what became of a hand whose import was carried out before."""
    if isinstance(outcome, Replayed):
        return _Imported(0, outcome.answer)
    refusal = reused(given.command_id, outcome.field)
    return Reject.of(refusal, hand=given.hand, at=-1)
