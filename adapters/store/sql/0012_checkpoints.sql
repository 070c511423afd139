-- What the log was at a size, as a note: adapters/evidence/notes.py says what is in it. Nothing here
-- is edited or deleted. A note shows something only where it is kept elsewhere too, or is signed
-- with a key that whoever owns this database has not got.
CREATE TABLE checkpoints (
    size    bigint      PRIMARY KEY CHECK (size >= 0),
    note    text        NOT NULL CHECK (note <> ''),
    made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

GRANT SELECT ON checkpoints TO jinhua_writer, jinhua_reader;
GRANT INSERT (size, note) ON checkpoints TO jinhua_writer;
