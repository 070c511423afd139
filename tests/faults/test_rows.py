"""Every fault that the ledger must survive has a test that says so in its own words.

And beside it another, in which the protection is taken away: it shows the damage, so that the first
is known to notice it.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

UNLOCKED = "test_without_the_lock_the_reader_passes_by"
TWICE = "test_without_the_tracking_position_events_count_twice"
NO_TRANSACTION = "test_without_a_transaction_a_failure_leaves_something"

FAULTS = {
    # what happens, with which its test's docstring begins: the tests without the protection
    "one append held open while 11 later ones commit, then released": (UNLOCKED,),
    "100 version conflicts burn sequence numbers": ("test_burnt_numbers_are_the_library_s_own",),
    "20 parallel appends on the same hand version": (
        "test_without_lock_and_constraints_several_succeed",
    ),
    "the COMMIT answer is lost": ("test_without_receipts_a_lost_answer_stores_twice",),
    "same command id, other body": ("test_without_the_digest_another_body_passes_for_the_first",),
    "restore from backup, then a retried command": (
        "test_without_the_receipts_a_retry_counts_twice",
    ),
    "six reservations of 1,000 at once from 5,000": (
        "test_without_lock_and_constraints_a_wallet_is_overdrawn",
    ),
    "whatever is taken out of a wallet at once": (
        "test_without_lock_and_constraints_more_is_paid_out_than_there_was",
    ),
    "a version alone does not say what a wallet holds": (
        "test_without_naming_what_it_rests_on_chips_appear",
    ),
    "void three times": ("test_without_receipts_the_second_void_is_refused",),
    "pot 100 among 3 and among 7": ("test_without_the_odd_units_a_pot_does_not_come_out",),
    'amounts 10.85, 1e3, "10", NaN, 2^63, -1, true': (
        "test_without_the_check_of_amounts_they_come_in",
    ),
    "every claimant of a layer folded": ("test_a_layer_that_falls_to_nobody_is_noticed",),
    "names 张三🀄, combining marks, both normal forms, U+2028": (
        "test_a_store_that_normalised_would_be_noticed",
        "test_a_digest_of_another_process_would_be_noticed",
    ),
    "U+0000 or a lone surrogate in one of a batch of 50": (
        "test_without_the_check_of_text_the_whole_batch_fails",
    ),
    "failure after each single SQL statement of an append": (NO_TRANSACTION,),
    "writer's clock one hour off": ("test_an_order_by_the_writers_clocks_would_be_another",),
    "projection stopped and started 200 times": (TWICE,),
    "rebuild while live, replay of a window twice": (
        "test_a_rebuild_that_does_not_wait_for_the_others_goes_back",
        "test_without_the_lock_of_its_row_a_window_counts_twice",
    ),
    "filters on player + table + time + outcome": (
        "test_without_one_of_its_conditions_a_filter_finds_others",
    ),
    "10,000 events in one append": (
        "test_without_the_limit_of_actions_they_are_played",
        NO_TRANSACTION,
    ),
    "one event of 1 MB": ("test_a_store_that_cuts_events_off_would_be_noticed",),
    "one event of 17 MB": ("test_without_the_limit_of_bytes_they_are_taken",),
    "an event of an unknown type in the middle": ("test_without_parking_nobody_goes_on",),
    "kill -9 of the service, of a worker, of PostgreSQL, at random moments": (
        "test_without_waiting_for_the_disk_what_was_acknowledged_is_lost",
        "test_without_receipts_a_lost_answer_stores_twice",
    ),
    "disconnect, timeout, leave": (
        "test_without_receipts_whoever_says_it_twice_has_done_it_twice",
    ),
    "a replay with snapshots, without, from any position": (
        "test_a_wallet_from_another_event_would_be_another",
        TWICE,
    ),
}


@cache
def promises() -> dict[str, str]:
    """Return what the tests beside this one promise, in lower case and on one line each."""
    trees = (
        ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(Path(__file__).parent.glob("test_*.py"))
        if path != Path(__file__)
    )
    return {
        node.name: " ".join((ast.get_docstring(node) or "").split()).lower()
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_test(fault):
    """Whose docstring begins with it."""
    assert any(promise.startswith(fault.lower()) for promise in promises().values())


@pytest.mark.parametrize("fault", FAULTS)
def test_its_test_can_fail(fault):
    """There are tests that take the protection away, and say so: "So the test above can fail"."""
    assert FAULTS[fault]
    for name in FAULTS[fault]:
        assert promises()[name].startswith("so ")
