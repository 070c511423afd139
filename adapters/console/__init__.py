"""The commands of ``jinhua``, a module a group; each is imported when it is called, not before.

What they share:

- ``failures``  what exit statuses mean, and what ends a command early
- ``output``    tables, JSON, and progress where somebody watches
- ``lines``     hand records from a file or a pipe, a line at a time
- ``key_files`` notes and keys, from files
- ``moments``   a position or a time, from a word
- ``viewing``   with whose eyes something is written
- ``options``   where the store is
- ``names``     what players are called; and the commands that say so
- ``words``     what they say of a hand, in en and zh
- ``stops``     where a trial stopped
- ``tellings``  facts of hands, from a file or the store
- ``deck_proofs``  what is proven of a deal

The commands, by what they work on:

- no store             ``settle``, ``simulate``, ``rulebooks``, ``shuffle``
- none, or one         ``whatif``, ``parting``
- hands                ``hands``, ``listing``, ``imports``, ``export``, ``dossier``, ``disclose``,
  ``disputes``
- the read models      ``money``
- everything           ``verify``, ``checkpoint``, ``proof``, ``demo``
- the store itself     ``store``, ``backup``
- who calls it         ``keys``, ``serve``
"""
