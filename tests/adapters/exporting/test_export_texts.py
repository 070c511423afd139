"""What exports make of texts: names of accounts, cells and quotations, and back again."""

import csv
import io
import json
import re

import pytest
from beancount.core import account as beancount_account
from beancount.core.data import Note
from beancount.parser import parser
from hypothesis import given
from hypothesis import strategies as st

from adapters.exporting import beancount, hledger
from adapters.exporting.accounts import escaped, journal_account, ledger_account, unescaped
from adapters.exporting.csv_tables import _cell, _line
from domain.money import BANK, BONUS, CASHIER, POT, RAKE, account, player_account, seat_account
from tests.adapters.mixed import AWKWARD

# Whatever can name a player or a hand: all but U+0000 and lone surrogates.
NAMES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60
)

ACCOUNTS = st.one_of(
    st.sampled_from([RAKE, BONUS, BANK, CASHIER]),
    NAMES.map(player_account),
    st.tuples(NAMES, st.integers(-5, 20)).map(lambda of: account(seat_account(of[1]), of[0])),
    NAMES.map(lambda hand: account(POT, hand)),
)

CHART = {
    # ours                     in a journal
    "player:ann":              "Assets:Players:P-ann",
    "player:p.1 张-3":          "Assets:Players:P-p-2e-1-20-张--3",
    "player:player:x":         "Assets:Players:P-player-3a-x",
    "hand:t1:seat:3":          "Assets:Hands:H-t1:Seat-3",
    "hand:a:seat:1:pot":       "Assets:Hands:H-a-3a-seat-3a-1:Pot",
    "hand:t/1:seat:-4":        "Assets:Hands:H-t-2f-1:Seat--4",
    "house:rake":              "Assets:House:Rake",
    "cashier":                 "Equity:Cashier",
}  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs"), CHART.items(), ids=CHART)
def test_the_chart_of_accounts(ours, theirs):
    """As FORMATS.md gives it."""
    assert theirs == journal_account(ours)
    assert ours == ledger_account(theirs)


@given(name=ACCOUNTS)
def test_every_account_has_a_name_that_leads_back_to_it(name):
    """One that beancount takes, and that hledger ends nowhere but at its end."""
    in_journal = journal_account(name)

    assert name == ledger_account(in_journal)
    assert beancount_account.is_valid(in_journal)
    assert not re.search(r"\s|[;|()\[\]\"]", in_journal)


@given(text=NAMES)
def test_what_is_escaped_is_read_again(text):
    """Whatever the text is, even one that looks escaped."""
    assert text == unescaped(escaped(text))


@given(texts=st.lists(NAMES | st.sampled_from(AWKWARD), min_size=1, max_size=4))
def test_cells_are_read_again_and_are_no_formulas(texts):
    """By whoever takes one apostrophe away."""
    (row,) = csv.reader(io.StringIO(_line(map(_cell, texts)), newline=""))

    assert texts == [cell.removeprefix("'") if cell[0] == "'" else cell for cell in row]
    assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for cell in row)


@given(text=NAMES)
def test_descriptions_of_hledger_are_one_line_of_json(text):
    """Nothing ends them early, and nothing in them is invisible."""
    quoted = hledger.quoted(text)

    assert text == json.loads(quoted)
    assert not re.search(r"[;|\n\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]", quoted)


@given(text=NAMES.filter(lambda text: "\\" not in text))
def test_strings_of_beancount_are_read_again(text):
    """By its own parser; it keeps a backslash before what it does not know."""
    ledger = f"2026-01-01 note Assets:A {beancount.quoted(text)}\n"
    (note,), errors, _ = parser.parse_string(ledger)

    assert [] == errors
    assert isinstance(note, Note)
    assert text == note.comment
