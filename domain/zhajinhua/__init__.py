"""The rules of 炸金花. ``RULES.md`` states them; what cites a § cites that file.

Read downwards; a file imports only files above it.

- ``rules``        the fields of a rulebook: every house rule that can move a chip
- ``meanings``     what each of them is for, in zh and en
- ``rulebooks``    jiuyou.v1 …: declarations, a file each, added to, never edited
- ``ranking``      three cards -> category and strength; 2-3-5, A-2-3, A-K-2, suits
- ``state``        the hand as its events made it; ``evolve``
- ``play``         an action, and the events decided on so far
- ``disclosing``   a deck held against its commitment and the cards dealt
- ``betting``      what it costs; look, call, raise, fold
- ``comparing``    duels: compare, last stand, forced
- ``bonus``        喜钱: who gets it, from whom
- ``settlement``   who takes the pot; refunds and rake
- ``game``         one command -> its events: the order of refusals, and how a hand ends
- ``soundness``    which policies cannot be combined
- ``changing``     single fields changed, to try a hand under them
- ``rulebook_pages``  a rulebook field by field: its value, its meaning, what it rests on
- ``words_zh``, ``words_en``, ``wording``, ``phrases``, ``sources``, ``explanation``
  the argument for a hand: its sentences, its sums, what each rests on
"""
