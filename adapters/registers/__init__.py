"""What the store holds beside the history: of players, callers and commands.

Read downwards; a file imports only files above it.

- ``player_keys``  each player's own key, made and destroyed
- ``names``        what players are called, sealed and read
- ``api_keys``     the keys that callers of the HTTP API hold
- ``fingerprints`` what is remembered of a command, to know it again
- ``refusals``     refused commands, kept beside the history
"""
