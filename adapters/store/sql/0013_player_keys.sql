-- The key that a player's names are sealed under, one row a player. It is the one thing of the
-- store that may be destroyed: without it nobody reads the names, and every event stays as it is.
-- Nobody edits a key. `player` is the id of the player's wallet stream without "wallet:".
CREATE TABLE player_keys (
    player  text        COLLATE "C"  PRIMARY KEY CHECK (player <> ''),
    key     bytea                    NOT NULL CHECK (length(key) = 32),
    made_at timestamptz              NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT, DELETE ON player_keys TO jinhua_writer;
GRANT INSERT (player, key) ON player_keys TO jinhua_writer;

-- The last name of a wallet, or that its player was erased, without reading all of the wallet.
CREATE INDEX events_by_naming
    ON events (originator_id, originator_version)
    WHERE topic IN ('wallet.player_named.v1', 'wallet.player_erased.v1');
