-- The answer to each command, written in the transaction of its events: the same command again
-- gets the same answer, and the same id for another command is refused.
--
-- `digest` is the SHA-256 of the command's canonical body; `fields` is a checksum of each of its
-- fields, enough to name the one that changed, and keeps nothing of what was in it.
CREATE TABLE receipts (
    command_id     text        COLLATE "C"  PRIMARY KEY CHECK (command_id <> ''),
    kind           text                     NOT NULL,
    digest         bytea                    NOT NULL CHECK (length(digest) = 32),
    fields         text                     NOT NULL,
    first_position bigint                   NOT NULL,
    last_position  bigint                   NOT NULL CHECK (last_position >= first_position),
    answer         text                     NOT NULL,
    recorded_at    timestamptz              NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT ON receipts TO jinhua_writer;
GRANT INSERT (
    command_id, kind, digest, fields, first_position, last_position, answer
) ON receipts TO jinhua_writer;
