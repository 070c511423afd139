import pytest

from tests.adapters.stored import BET, HALF, HANDS, execute, insert, projector, replace, told

TAMPERED = {
    # what was done to a row                                         which row is named
    "UPDATE projected_balances SET balance = balance + 1 WHERE account = 'cashier'": (
        "balances", "cashier"
    ),
    "DELETE FROM projected_balances WHERE account = 'house:rake'": ("balances", "house:rake"),
    "INSERT INTO projected_balances VALUES (1, 'player:nobody', 5)": (
        "balances", "player:nobody"
    ),
    "UPDATE projected_bonuses SET amount = 1 WHERE player = '{player}' AND category = 'trips'": (
        "bonuses", "{player}/trips/jiuyou/1"
    ),
    "UPDATE projected_house SET bonus = 0 WHERE ante = 1000 AND max_stake = 40000": (
        "house", "2026-01-02/jiuyou/1/1000/40000"
    ),
    "DELETE FROM projected_hands WHERE hand = 'h7'": ("hands", "h7"),
    "UPDATE projected_hands SET flags = '{{forced}}' WHERE hand = 'h7'": ("hands", "h7"),
    "UPDATE projected_hand_players SET won = NOT won WHERE opened_position = {opening}": (
        "hands", "{opened}"
    ),
    "DELETE FROM projected_hand_players WHERE opened_position = {opening}": (
        "hands", "{opened}"
    ),
    "INSERT INTO projected_hand_players VALUES (1, 'nobody', 999999, true)": (
        "hands", "position 999999"
    ),
    "DELETE FROM projected_audit_trail WHERE position = 7": ("audit_trail", "7"),
    "UPDATE projected_audit_trail SET pot_after = pot_after + 1 WHERE position = {hand}": (
        "audit_trail", "{hand}"
    ),
    "UPDATE projected_audit_trail SET actor = 'someone' WHERE position = 7": ("audit_trail", "7"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "named"), TAMPERED.items(), ids=lambda given: str(given)[:50])
def test_a_row_that_no_event_gives_is_named(database, change, named):
    """A row changed, lost or made up is a difference, with what is recorded and what should be."""
    insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up()
        _, bonuses, trail, _, hands, *_ = told(database)
        names = {
            "player": next(row.player for row in bonuses if row[1:3] == ("trips", "jiuyou")),
            "opening": hands[7].opened_position,
            "opened": hands[7].hand,
            "hand": next(row.place.position for row in trail if row.amounts.pot_after),
        }
        execute(database, change.format(**names))

        found = list(keeper.compare_with_fresh_fold())

    assert [(one.projection, one.key) for one in found] == [
        tuple(word.format(**names) for word in named)
    ]
    assert found[0].recorded != found[0].derived


def test_an_event_changed_afterwards_shows(database):
    """The read models still tell what once was; a fresh fold does not."""
    insert(database, HANDS)
    with projector(database) as keeper:
        keeper.catch_up()
        replace(database, BET, "hand.bet_called.v1", "{{")

        different = {found.projection for found in keeper.compare_with_fresh_fold()}

    assert different == {"balances", "audit_trail"}


def test_events_not_taken_in_yet_are_no_difference(database):
    """A read model is compared as far as it has come."""
    insert(database, HANDS[:HALF])
    with projector(database) as keeper:
        keeper.catch_up()
        insert(database, HANDS[HALF:], after=HALF)

        assert list(keeper.compare_with_fresh_fold()) == []
        assert min(keeper.lag().values()) > 0
