-- What the pages keep for whoever reads them. Rows are added and never edited or deleted.
--
-- A search that is saved again under its name takes the place of the earlier one, and one whose
-- query is NULL was forgotten: the last row of an owner and a name counts.
CREATE TABLE saved_searches (
    number   bigint                     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner    text        COLLATE "C"    NOT NULL CHECK (owner <> ''), -- a role and a key's name
    name     text        COLLATE "C"    NOT NULL CHECK (name <> ''),
    query    text        COLLATE "C",
    saved_at timestamptz                NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX saved_searches_last ON saved_searches (owner, name, number);

-- Verifications of everything that came to their end, so that whoever looks next knows of them.
-- `found` is a JSON array of the first discrepancies, without what a running hand may not tell.
CREATE TABLE verification_runs (
    number        bigint                     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    started_by    text        COLLATE "C"    NOT NULL CHECK (started_by <> ''),
    started_at    timestamptz                NOT NULL,
    ended_at      timestamptz                NOT NULL DEFAULT clock_timestamp(),
    hands         bigint                     NOT NULL CHECK (hands >= 0),
    events        bigint                     NOT NULL CHECK (events >= 0),
    discrepancies bigint                     NOT NULL CHECK (discrepancies >= 0),
    found         text                       NOT NULL
);

GRANT SELECT ON saved_searches, verification_runs TO jinhua_writer;
GRANT INSERT (owner, name, query) ON saved_searches TO jinhua_writer;
GRANT INSERT (started_by, started_at, hands, events, discrepancies, found)
    ON verification_runs TO jinhua_writer;
