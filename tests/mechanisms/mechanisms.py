"""Every mechanism of 炸金花 that a hand can show, and under which rulebooks it can."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from domain.events import Event
from tests.mechanisms.happened_at_the_end import at_the_end
from tests.mechanisms.happened_in_duels import in_duels
from tests.mechanisms.happened_in_play import in_play
from tests.mechanisms.moments import take_apart

LETTERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "J": "jiuyou",
        "P": "platform",
        "Y": "yingsanzhang",
        "T": "tongcheng",
        "F": "feifan2017",
        "S": "jisu",
    }
)

# fmt: off
POSSIBLE: Final[Mapping[str, str]] = MappingProxyType({
    # betting                                                       under which rulebooks
    "a look":                                                         "JPYTF",
    "a look out of turn":                                             "JPYTF",
    "a blind call":                                                   "JPYTF",
    "a seen call":                                                    "JPYTF",
    "a raise":                                                        "JPYTF",
    "a raise to the highest stake":                                   "JPYTF",
    "a fold":                                                         "JPYTF",
    "all others fold":                                                "JPYTF",
    "a timeout folds":                                                "JPYTF",
    "a protected timeout calls":                                      "J",
    "a protected timeout compares":                                   "J",
    "a protected timeout takes the last stand":                       "J",
    "the last blind bet":                                             "F",
    "a chain of raises: link 1":                                      "F",
    "a chain of raises: link 2":                                      "F",
    "a chain of raises: link 3":                                      "F",
    "a chain of raises: more than 3 links":                           "F",
    "a chain goes on after the round has turned":                     "F",
    "a top-up":                                                       "F",
    "a further top-up":                                               "F",
    "a top-up out of turn":                                           "F",
    "a top-up while an all-in waits for answers":                     "F",
    "a top-up up to three carries":                                   "F",
    "a top-up up to a raise to the highest stake":                    "F",
    "everyone folds at once, for the banker":                         "F",
    # all-in
    "the ante empties a stack: all-in":                               "YF",
    "a call empties a stack: all-in":                                 "YF",
    "a raise empties a stack: all-in":                                "YF",
    "a compare empties a stack: all-in":                              "F",
    "an all-in by a seat that cannot call":                           "YTF",
    "an all-in by choice":                                            "TF",
    "an all-in before its round, by a seat that cannot call":         "T",
    "an all-in with nothing":                                         "T",
    "an all-in is topped":                                            "T",
    "an all-in is answered by no higher one":                         "T",
    "a seat at the level already has nothing to answer":              "T",
    "an all-in is answered by a call":                                "T",
    "an all-in is answered by a call with too little":                "T",
    "an answer to an all-in is truncated":                            "T",
    "an answer empties a stack: all-in":                              "T",
    "a look while an all-in waits for answers":                       "T",
    "an all-in is answered by a fold":                                "TF",
    "a seen all-in":                                                  "F",
    "a blind all-in":                                                 "F",
    "a blind all-in after the last blind bet":                        "F",
    "a blind all-in that waits, since the table lets it":             "F",
    "a blind all-in is answered by a duel":                           "F",
    "a blind all-in is answered with too little":                     "F",
    "a blind all-in survives an answer":                              "F",
    "a blind all-in is beaten":                                       "F",
    "a blind all-in is out and the rest need not answer":             "F",
    "a blind all-in and its answer are equal: both stay":             "F",
    "a look after a blind all-in: it must duel":                      "F",
    "a timeout duels where a fold is forbidden":                      "F",
    "an answer to a blind all-in ends the round":                     "F",
    "an all-in seat is named in a compare":                           "F",
    # duels
    "a compare is won":                                               "JPTF",
    "a compare is lost":                                              "JPTF",
    "a blind seat compares with a blind one":                         "F",
    "a blind seat compares with a seen one":                          "F",
    "a seen seat compares with a blind one":                          "F",
    "the last compare of a round":                                    "F",
    "a chained compare":                                              "F",
    "a chained compare beats the seat on turn":                       "F",
    "equal hands: the initiator of a compare loses":                  "JT",
    "equal hands: the initiator of a last stand loses":               "J",
    "equal hands: the initiator of a forced duel loses":              "J",
    "equal players: the initiator pays antes":                        "F",
    "equal players: nothing is paid":                                 "F",
    "the antes for equal hands are cut by the stack":                 "F",
    "banker and player are equal: the player leaves whole":           "F",
    "a last stand is won":                                            "JP",
    "a last stand is lost":                                           "JP",
    "a last stand beats an opponent":                                 "JP",
    "a last stand against several":                                   "JP",
    "a last stand before the first compare":                          "JP",
    "a last stand with nothing":                                      "JP",
    "a last stand refunds whom it beat":                              "JP",
    "a last stand refunds nobody else":                               "JP",
    "a refund is truncated":                                          "JP",
    "a forced duel":                                                  "JP",
    "the champion of forced duels changes":                           "JP",
    # ranking
    "suits decide a duel":                                            "PF",
    "suits decide an opening":                                        "FS",
    "2-3-5 beats trips":                                              "J",
    "2-3-5 beats three aces":                                         "JP",
    "2-3-5 loses to trips":                                           "PTF",
    "2-3-5 loses to three aces":                                      "TF",
    "2-3-5 is a high card against anything else":                     "JPTF",
    "A-2-3 is the lowest of its kind":                                "JPTF",
    "A-2-3 is no straight, since the table says so":                  "F",
    "an A-K-2 loses to everything":                                   "F",
    "two A-K-2 are equal":                                            "F",
    # payments beside the pot
    "the banker wins by ratio: trips":                                "F",
    "the banker wins by ratio: straight_flush":                       "F",
    "the banker wins by ratio: flush":                                "F",
    "the banker wins by ratio: straight":                             "F",
    "a player wins by ratio: trips":                                  "F",
    "a player wins by ratio: straight_flush":                         "F",
    "a player wins by ratio: flush":                                  "F",
    "a ratio is cut by the stack":                                    "F",
    "a blind winner's half in a duel":                                "F",
    "a blind winner's half at an opening":                            "F",
    "a blind winner's half is cut by the stack":                      "F",
    "a blind loser's double in a duel":                               "F",
    "a blind loser's double at an opening":                           "F",
    "a blind loser's double is cut by the stack":                     "F",
    "通赔 in a duel":                                                   "F",
    "通赔 at an opening":                                               "F",
    "通赔: other seats get an ante":                                    "F",
    "通赔 leaves out who is all-in":                                    "F",
    "通赔 is cut by the stack":                                         "F",
    "通杀 by duels alone":                                              "F",
    "通杀 at an opening":                                               "F",
    "通杀 leaves out who is all-in":                                    "F",
    "通杀 is cut by the stack":                                         "F",
    "the table knows no 通赔 and no 通杀":                               "F",
    "no side payment in a duel, since one of the two is all-in":      "F",
    "no side payment at an opening, since one of the two is all-in":  "F",
    # the cards are shown
    "opened at the round limit":                                      "YTF",
    "opened since somebody cannot pay the next call":                 "T",
    "opened since the all-in is answered":                            "TF",
    "opened since nobody can bet":                                    "YF",
    "opened since the last that can bet has matched every all-in":    "Y",
    "opened since the last that can bet has acted since the last all-in": "F",
    "opened by the antes alone":                                      "YF",
    "opened without a turn":                                          "S",
    "the best hands shown are equal":                                 "YTF",
    # the pot
    "the whole pot is shared":                                        "YTF",
    "odd units of the whole pot":                                     "YTF",
    "layers: one":                                                    "YT",
    "layers: two":                                                    "YT",
    "layers: three":                                                  "YT",
    "layers: four or more":                                           "YT",
    "layers with nobody but all-in seats":                            "YT",
    "a layer is shared":                                              "YT",
    "odd units of a layer":                                           "YT",
    "a layer goes back to its only payer":                            "YT",
    "a layer with one contestant and other payers":                   "YT",
    "a seat that is not all-in wins a layer":                         "YT",
    "a level of half a unit":                                         "YT",
    "a bet is split by a level":                                      "YT",
    "money above every level still in":                               "T",
    "the earliest all-in loses a tie":                                "T",
    "an excluded seat stays excluded":                                "T",
    "an excluded seat takes a layer that nobody else contests":       "T",
    "an all-in's excess comes back to a winner":                      "F",
    "an all-in's excess comes back to a loser":                       "F",
    "an all-in's excess comes back though nobody was left to call it": "F",
    # rake, bonus, the house
    "rake on the net win":                                            "JP",
    "rake is rounded down":                                           "JP",
    "a bonus for trips":                                              "J",
    "a bonus for straight_flush":                                     "J",
    "a drawn bonus for trips":                                        "P",
    "a bonus for a winner":                                           "JP",
    "a bonus for a loser":                                            "JP",
    "a bonus for a seat that folded":                                 "JP",
    "a bonus from opponents for three aces":                          "Y",
    "a bonus from opponents for spades in a row":                     "Y",
    "a bonus from opponents is cut by the stack":                     "Y",
    "a bonus from opponents for a hand never shown":                  "Y",
    "a bonus from opponents for a part of the pot":                   "Y",
    "a lucky draw":                                                   "S",
    "a lucky draw of the most there is":                              "S",
    "the house banks antes":                                          "S",
    "the house pays more than the antes":                             "S",
    "a prize is truncated":                                           "S",
    # the table
    "the table sets round_limit":                                     "JPYTF",
    "the table sets chain":                                           "F",
    "the table sets blind_limit":                                     "F",
    "the table sets top_ups":                                         "F",
    "the table sets push_antes":                                      "F",
    "the table sets multiples_pct":                                   "S",
})
# fmt: on
"""By name: the letters of the rulebooks under which it can happen."""


UNSIMULATED: Final = frozenset({"money above every level still in"})
"""Too rare to wait for: a duel lost at a price that nobody left can pay, and all of them all-in."""


def occurring(events: Sequence[Event]) -> set[str]:
    """Return every mechanism that a settled hand shows."""
    taken = take_apart(events)
    found = set(at_the_end(taken))
    for moment in taken.moments:
        found.update(in_play(moment))
        found.update(in_duels(moment))
    return found
