-- The keys that callers of the HTTP API hold. A key is 32 random bytes, so its SHA-256 is kept as it
-- is: nobody guesses what it was made from. Rows are added and never edited. A key that was revoked
-- stays revoked: nobody may take a row of `api_key_revocations` away.
CREATE TABLE api_keys (
    prefix  text        COLLATE "C"    PRIMARY KEY CHECK (prefix ~ '^[0-9a-f]{8}$'), -- no secret
    digest  bytea                      NOT NULL UNIQUE CHECK (length(digest) = 32),
    name    text        COLLATE "C"    NOT NULL CHECK (name <> ''),
    role    text        COLLATE "C"    NOT NULL
            CHECK (role IN ('service', 'auditor', 'investigator', 'player')),
    tables  text[]      COLLATE "C"    CHECK (cardinality(tables) > 0), -- NULL: bound to none
    player  text        COLLATE "C"    CHECK (player <> ''),
    made_at timestamptz                NOT NULL DEFAULT clock_timestamp(),
    CHECK ((role = 'player') = (player IS NOT NULL)),
    CHECK (role <> 'player' OR tables IS NULL)
);

CREATE TABLE api_key_revocations (
    prefix     text        COLLATE "C"    PRIMARY KEY REFERENCES api_keys,
    revoked_at timestamptz                NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT ON api_keys, api_key_revocations TO jinhua_writer;
GRANT INSERT (prefix, digest, name, role, tables, player) ON api_keys TO jinhua_writer;
GRANT INSERT (prefix) ON api_key_revocations TO jinhua_writer;
