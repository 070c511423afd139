-- Everything that ever happened, one row an event. Nothing here is edited or deleted.
--
-- `position` has no gaps: it is given out under one lock, in the order of commits, so that whoever
-- has read up to N has seen everything up to N. `happened_at` is the caller's word; `recorded_at`
-- is the server's own and cannot be given. Text compares by code point on every server.
CREATE TABLE events (
    position           bigint                   PRIMARY KEY CHECK (position > 0),
    originator_id      text        COLLATE "C"  NOT NULL CHECK (originator_id <> ''),
    originator_version integer                  NOT NULL CHECK (originator_version > 0),
    topic              text        COLLATE "C"  NOT NULL,
    body               text                     NOT NULL,
    command_id         text        COLLATE "C"  NOT NULL CHECK (command_id <> ''),
    actor              text                     NOT NULL CHECK (actor <> ''),
    happened_at        timestamptz              NOT NULL,
    recorded_at        timestamptz              NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (originator_id, originator_version)
);

-- Which wallets gave a hand its chips and got them back: by the hand's id as their bodies spell it.
-- No JSON function is used, which would fail on a body that is no JSON.
CREATE INDEX events_by_custody
    ON events ((substring(body FROM '"hand":"((?:[^"\\]|\\.)*)"') COLLATE "C"))
    WHERE topic IN ('wallet.carry_reserved.v1', 'wallet.carry_released.v1');

GRANT SELECT ON events TO jinhua_writer;
GRANT INSERT (
    position, originator_id, originator_version, topic, body, command_id, actor, happened_at
) ON events TO jinhua_writer;

-- Whoever uses the store may ask whether it is up to date.
GRANT SELECT ON jinhua_migrations TO jinhua_writer, jinhua_reader;
