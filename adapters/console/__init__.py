"""The commands of ``jinhua``, a module a group; each is imported when it is called, not before.

- ``options``   what commands share: where the store is
- ``lines``     hand records from a file or a pipe, a line at a time
- ``output``    tables, JSON, and progress where somebody watches
- ``tellings``  facts of hands, from a file or the store; ``stops``, ``words``: how they are told
- ``settle``, ``simulate``, ``rulebooks``        work without any store
- ``whatif``, ``parting``                      work without one too, on files
- ``hands``, ``money``, ``store``, ``demo``    work on one
- ``keys``      who may call the HTTP API that ``serve`` answers
"""
