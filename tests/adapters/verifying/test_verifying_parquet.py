"""The history as Parquet: what is in it, and that it is verified as the store is."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.dataset as ds  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from adapters.cli import main
from adapters.ledger import Ledger
from adapters.simulation.hands import simulate
from adapters.store.chain import Linked
from adapters.store.postgres import Store, snapshot
from adapters.store.sealing import NO_KEYS, CardKeys
from adapters.verifying import export_streams, parquet_events
from adapters.verifying.export import Scratch, check_bucket, verify_export
from adapters.verifying.export_streams import ScratchError
from adapters.verifying.parquet_events import SCHEMA, ExportUnusableError, stored_rows, write_events
from tests.adapters.play import do, fund, lines, sit_down
from tests.adapters.stored import edit_all_along
from tests.adapters.verifying.test_verifying import DELETIONS, EDITS


def export(store: Store, directory: Path) -> Path:
    """Write a store's history."""
    with store.connection() as conn, snapshot(conn):
        write_events(directory, stored_rows(conn))
    return directory


def rows(directory: Path) -> list[tuple[object, ...]]:
    """Return what an export holds, by position."""
    table = ds.dataset(directory / "events", partitioning="hive").to_table(SCHEMA.names)
    return sorted(zip(*table.to_pydict().values(), strict=True))


@pytest.fixture
def played(ledger: Ledger) -> Ledger:
    """A ledger of a few hands."""
    ledger.import_hands(lines(*simulate("jiuyou", hands=12, seed=3)))
    return ledger


@pytest.fixture
def in_small_buckets(monkeypatch) -> None:
    """Cut so that wallets of some events have a bucket to themselves."""
    monkeypatch.setattr(export_streams, "SAMPLED", 1)
    monkeypatch.setattr(export_streams, "BUCKET_EVENTS", 4)


def test_every_row_is_there_by_the_day_it_was_recorded(played, tmp_path, store_dsn, monkeypatch):
    """As it is stored, in files that are full or end with the day."""
    monkeypatch.setattr(parquet_events, "GROUP_ROWS", 50)
    monkeypatch.setattr(parquet_events, "PART_GROUPS", 2)
    with psycopg.connect(store_dsn, autocommit=True) as owner:
        owner.execute("""
            UPDATE events SET recorded_at = '2026-03-01T00:00+08:00'::timestamptz
                + position * interval '400 seconds'""")
        stored = owner.execute(parquet_events._ROWS).fetchall()

    export(played.store, tmp_path)

    assert stored == rows(tmp_path)
    files = sorted(tmp_path.glob("events/*/*.parquet"))
    assert files[0] == tmp_path / "events/day=2026-02-28/part-0000.parquet"
    assert files[2].name == "part-0001.parquet"
    for file in files:
        kept = pq.read_table(file, partitioning=None)
        assert SCHEMA == kept.schema
        days = {moment.date().isoformat() for moment in kept["recorded_at"].to_pylist()}
        assert {file.parent.name.removeprefix("day=")} == days
    with pytest.raises(FileExistsError):
        export(played.store, tmp_path)


@pytest.mark.usefixtures("in_small_buckets")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_export_is_verified_as_the_store_is(played, tmp_path, store_dsn, jobs):
    """Clean; and with edits in hands and in wallets, whose streams lie all over it."""
    assert list(verify_export(export(played.store, tmp_path / "clean"), NO_KEYS)) == []
    edit_all_along(store_dsn, wallets="wallet.carry_released.v1")
    told: list[tuple[int, int]] = []

    found = list(
        verify_export(
            export(played.store, tmp_path / "edited"),
            NO_KEYS,
            lambda *done: told.append(done),
            jobs=jobs,
            scratch=tmp_path,
        )
    )

    assert list(played.verify()) == found != []
    assert told[-1] == (12, played.recorder.max_notification_id())
    assert {"clean", "edited"} == {path.name for path in tmp_path.iterdir()}


@pytest.fixture
def owner(ledger: Ledger, store_dsn: str) -> Iterator[psycopg.Connection]:
    """As in ``test_verifying``: a hand played to its end and one under way."""
    fund(ledger, "ann", "bob", amount=1_000_000)
    sit_down(ledger, "h-1")
    do(ledger, 1, "call")
    do(ledger, 2, "fold")
    sit_down(ledger, "h-2")
    with psycopg.connect(store_dsn, autocommit=True) as conn:
        yield conn


WAYS = {what: ("UPDATE events SET", how, where) for what, (how, where, _) in EDITS.items()}
WAYS |= {what: ("DELETE FROM events", "", where) for what, (where, _) in DELETIONS.items()}


@pytest.mark.usefixtures("in_small_buckets")
@pytest.mark.parametrize("way", WAYS)
def test_tampering_is_found_in_an_export_too(ledger, owner, tmp_path, way):
    """Whatever is found in a store, and nothing else."""
    statement, how, where = WAYS[way]
    owner.execute(f"{statement} {how} WHERE {where}")

    found = list(verify_export(export(ledger.store, tmp_path), NO_KEYS))

    assert sorted(map(str, ledger.verify())) == sorted(map(str, found))
    assert found


def test_what_is_cut_off_doubled_or_unfinished_is_told(played, tmp_path):
    """As a gap, as positions that do not ascend, or as no export at all."""
    last = played.recorder.max_notification_id()
    export(played.store, tmp_path)
    (file,) = tmp_path.glob("events/*/*.parquet")
    table = pq.read_table(file, partitioning=None)

    pq.write_table(table.slice(0, last - 2), file)
    assert ("ledger", last - 1) in {(d.hand, d.position) for d in verify_export(tmp_path, NO_KEYS)}
    pq.write_table(pa.concat_tables([table, table.slice(last - 1)]), file)
    assert ("ledger", last) in {(d.hand, d.position) for d in verify_export(tmp_path, NO_KEYS)}
    file.write_bytes(b"PAR1")
    with pytest.raises(ExportUnusableError, match="part-0000"):
        list(verify_export(tmp_path, NO_KEYS))
    (tmp_path / "events" / "_events.json").unlink()
    with pytest.raises(ExportUnusableError, match="written when everything else is"):
        list(verify_export(tmp_path, NO_KEYS))


def test_who_does_not_reach_the_scratch_directory_says_so(played, tmp_path):
    """And does not find that nothing parts in what it never saw."""
    export(played.store, tmp_path / "export")
    (tmp_path / "scratch").mkdir()
    laid_out = export_streams.lay_out(tmp_path / "export", tmp_path / "scratch")
    shutil.rmtree(tmp_path / "scratch")

    for bucket in laid_out.buckets:
        with pytest.raises(ScratchError):
            check_bucket(Scratch(tmp_path / "scratch", NO_KEYS), bucket)


def test_sealed_cards_stay_sealed_and_the_command_opens_them(
    store_dsn, tmp_path, monkeypatch, capfd
):
    """With the key that it is given; what only a store has is said to be left out."""
    with Ledger(Store(store_dsn, cards=CardKeys([bytes(32)]))) as sealing:
        sealing.import_hands(lines(*simulate("jiuyou", hands=2, seed=3)))
        export(sealing.store, tmp_path)
    dealt = [row for row in rows(tmp_path) if row[3] == "hand.cards_dealt.v1"]
    assert dealt
    assert all(str(row[4]).startswith('{"sealed":') for row in dealt)

    assert main(["verify", "--parquet", str(tmp_path)]) == 1
    monkeypatch.setenv("JINHUA_CARD_KEY", "00" * 32)
    capfd.readouterr()
    assert main(["verify", "--parquet", str(tmp_path), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (2, ["names", "checkpoints", "projections"]) == (told["hands"], told["left_out"])


def test_long_bodies_are_written_before_they_fill_the_memory(tmp_path, monkeypatch):
    """A group ends when its bodies have so many characters."""
    monkeypatch.setattr(parquet_events, "GROUP_CHARACTERS", 1_000)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    made = [
        Linked(n, "hand:h", n, "t", "x" * 400, "c", "a", at - timedelta(days=n), at, bytes(32))
        for n in range(1, 10)
    ]
    steps: list[int] = []

    assert write_events(tmp_path, made, steps.append) == (9, 9)

    assert [3, 6, 9] == steps
    assert made == rows(tmp_path)
