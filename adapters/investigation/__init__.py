"""What an investigator asks of a ledger: of a hand, a player, its balances, a rulebook.

Nothing here is posted, and nothing is said of a hand that still runs but what everybody may see.
The scripts of the same names print it. Read downwards:

- ``reading``      hands out of the store, decoded, one by one
- ``flows``        who won from whom in a settled hand, to the minor unit
- ``observed``     what a settled hand tells of each seat
- ``encounters``   pairs of players counted: how often one did what towards the other
- ``likelihood``   how likely that is by chance
- ``sessions``     who comes and goes together
- ``suspicion``    what is flagged, and by which model of chance
- ``player``       all hands of a player, and whom it won from
- ``choices``      a hand's choices: what each seat knew, what staying in cost, what it did
- ``one_hand``     everything about a hand
- ``foreign``      balances as another system has them, from a CSV
- ``reconciling``  balances told in several ways, and where they differ
- ``builds``       which build of the program settled which hand
- ``radius``       hands settled anew, and what would make up for the difference
- ``headings``     what stands above their columns
- ``words``        what the scripts say, in en and zh
"""
