"""The sentences of a hand's argument, in English. A further rulebook adds sentences, never logic."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final

CATEGORIES: Final[Mapping[str, str]] = {
    "trips": "trips",
    "straight_flush": "straight flush",
    "flush": "flush",
    "straight": "straight",
    "pair": "pair",
    "high_card": "high card",
}

WORDS: Final[Mapping[str, str]] = {
    # parts of sentences
    "seat": "seat {number} ({player})",
    "seat_cards": "{who} {faces}, {category}",
    "seat_carry": "{who} brings {carry}",
    "blind": "blind",
    "seen": "seen",
    "no_bound": "without bound",
    "join": ", ",
    "all": "; ",
    "truncated": "{sum} (fraction dropped)",
    "recorded": "recorded is {amount}",
    # the opening
    "opened": "The hand is played under {rulebook} version {version} ({name}): ante {ante}, stake up to {max_stake}, at most {limit} rounds. The dealer is {dealer}; {opener} acts first. {seats}.",
    "antes": "All {count} seats pay the ante.",
    "dealt": "Three cards each. {cards}.",
    "dealt_hidden": "Three cards each; nobody is shown them before the hand ends.",
    # betting
    "looked": "{who} looks, and from now on pays {factor} times the stake.",
    "called": "{who}, {how}, calls.",
    "called_by_timeout": "The time of {who} runs out; its protection plays on: it calls.",
    "raised": "{who}, {how}, raises the stake from {old} to {new}.",
    "folded": "{who} folds; the {contributed} it put in stay in the pot.",
    "folded_by_timeout": "The time of {who} runs out: a fold; the {contributed} it put in stay in the pot.",
    "folded_by_everyone": "Everyone folds at once; {who} is out.",
    # duels
    "compared": "{who}, {how}, compares with {other}. {result}",
    "compared_by_timeout": "The time of {who} runs out; from round 4 on it compares with the next seat, {other}. {result}",
    "last_stand_duel": "Last stand: {who} against {other}. {result}",
    "forced_duel": "The last round is over; forced duel: {who} against {other}. {result}",
    "shove_duel": "Answer to the all-in: {who} against {other}. {result}",
    "beats": "{winner} wins, {out} is out.",
    "beats_shown": "{winner_faces} ({winner_category}) beats {loser_faces} ({loser_category}): {winner} wins, {out} is out.",
    "beats_235": "{winner_faces} is an unsuited 2-3-5 and beats {loser_faces} (trips): {winner} wins, {out} is out.",
    "equal_shown": "{winner_faces} and {loser_faces} are equal, so whoever initiated the duel loses: {winner} wins, {out} is out.",
    "wrongly": "Recorded is that {winner} wins and {out} is out; by the rules {rightful} wins.",
    "nobody_out": "The hands are equal and nobody is out.",
    "last_stand": "{who}, {how}, has {stack} and is short of a compare: a last stand. It puts in all it has and duels everyone in turn.",
    "last_stand_by_timeout": "The time of {who} runs out and its {stack} fall short: a last stand. It puts in all it has and duels everyone in turn.",
    # the end
    "bonus": "{who} was dealt {category}: a bonus from the house, win or lose, free of rake.",
    "pot": "The hand ended in round {rounds}. The pot is what all seats put in.",
    "refund": "{who} was beaten in the last stand and gets back its surplus of the last round.",
    "won": "{who} takes the pot.",
    "rake": "Rake, on the net win alone.",
    "net": "{who} comes out at {net}.",
    "before_rake": "{sum} before rake",
    "balance": "Together the seats come to what the house gave in bonuses, less the rake.",
    "claim_agrees": "The settlement that {claimant} claims agrees with this.",
    "claim_differs": "The settlement that {claimant} claims differs from this.",
    "claim_figure": "{path}: claimed {claimed}, derived {derived}",
    "voided": "The hand is void ({reason}); every chip goes back to the seat it came from.",
    "running": "The hand is running, in round {round}: it is the turn of {who}, {how}, who has {stack}.",
    # names of amounts
    "name_ante": "ante",
    "name_call": "call",
    "name_raise": "raise",
    "name_compare": "compare",
    "name_due": "due",
    "name_paid": "paid",
    "name_bonus": "bonus",
    "name_pot": "pot",
    "name_refund": "refund",
    "name_won": "won",
    "name_side": "side payments",
    "name_rake": "rake",
    "name_net": "net",
    "name_contributed": "contributed",
    "name_returned": "returned",
    "name_sum": "sum",
}
