-- The chain of each stream: `link` is the SHA-256 over the link before it and the event's own
-- bytes, as adapters/chain.py says. `recorded_at` is part of it, so the writer now brings it along:
-- the server's clock, asked for in the same transaction.
ALTER TABLE events ADD COLUMN link bytea;

-- What was stored before there was a chain gets its links here.
DO $$
DECLARE
    event    record;
    stream   text;
    previous bytea;
BEGIN
    FOR event IN SELECT * FROM events ORDER BY originator_id, originator_version LOOP
        IF stream IS DISTINCT FROM event.originator_id THEN
            stream := event.originator_id;
            previous := decode(repeat('00', 32), 'hex');
        END IF;
        previous := (
            SELECT sha256(string_agg(int8send(octet_length(field)) || field, ''::bytea ORDER BY n))
              FROM unnest(ARRAY[
                  'jinhua.event.v1'::bytea,
                  previous,
                  int8send((extract(epoch FROM event.recorded_at) * 1000000)::bigint),
                  int8send((extract(epoch FROM event.happened_at) * 1000000)::bigint),
                  int8send(event.originator_version::bigint),
                  convert_to(event.originator_id, 'UTF8'),
                  convert_to(event.topic, 'UTF8'),
                  convert_to(event.command_id, 'UTF8'),
                  convert_to(event.actor, 'UTF8'),
                  convert_to(event.body, 'UTF8')
              ]) WITH ORDINALITY AS part (field, n)
        );
        UPDATE events SET link = previous WHERE position = event.position;
    END LOOP;
END
$$;

ALTER TABLE events
    ALTER COLUMN link SET NOT NULL,
    ADD CONSTRAINT events_link_check CHECK (length(link) = 32);

GRANT INSERT (recorded_at, link) ON events TO jinhua_writer;
