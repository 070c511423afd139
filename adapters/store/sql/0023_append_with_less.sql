-- The same appending as 0020, arguments and answers too, for less of the server's time: two thirds of
-- it where hands are imported, three quarters for a single event.
--
-- PL/pgSQL computes an expression by itself, unless there is a query in it: that is set up and torn down
-- each time, which took longer than all else that was done for a row. So no condition on a row holds one
-- any more, nor do the lock and the notification; and what is read beforehand is one query, not three.
-- What is inserted is taken from the arrays by number: to unnest them together first wrote all rows down.

CREATE OR REPLACE FUNCTION append_commands(
    ids text[], kinds text[], digests bytea[], fields text[], answers text[],
    last_rows integer[], rests_on text[],
    streams text[],
    row_streams integer[], expected bytea[], versions integer[], topics text[], bodies text[],
    command_ids text[], actors text[], moments timestamptz[],
    OUT firsts bigint[], OUT conflicts integer[], OUT actual integer[], OUT links bytea[]
)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER
    SET search_path = public, pg_temp
    -- Tables that were empty when a session began are large before anybody has analysed them.
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
AS $$
DECLARE
    head      bigint;
    now       timestamptz;
    known     text[];
    reached   integer[];  -- by stream: its version, with what is appended here
    tips      bytea[];    -- by stream: its link, likewise
    positions bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(versions)]);
    lasts     bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(ids)]);
    stream    integer;
    from_row  integer;
    is_loose  boolean;
    nothing   text;       -- what comes of what is done for its effect
    genesis   CONSTANT bytea := decode(repeat('00', 32), 'hex');
BEGIN
    firsts := lasts;
    conflicts := array_fill(NULL::integer, ARRAY[cardinality(ids)]);
    actual := conflicts;
    links := array_fill(NULL::bytea, ARRAY[cardinality(versions)]);
    -- The order of an array and its numbers may differ where the writer is hostile.
    IF 1 <> ANY (ARRAY[
        array_lower(ids, 1), array_lower(kinds, 1), array_lower(digests, 1),
        array_lower(fields, 1), array_lower(answers, 1), array_lower(streams, 1),
        array_lower(row_streams, 1), array_lower(versions, 1), array_lower(topics, 1),
        array_lower(bodies, 1), array_lower(command_ids, 1), array_lower(actors, 1),
        array_lower(moments, 1)
    ]) THEN
        RAISE array_subscript_error USING MESSAGE = 'an array does not count from 1';
    END IF;

    nothing := pg_advisory_xact_lock(111559182283891);  -- LOCK_APPENDS of adapters/store/postgres.py
    -- Each statement from here on sees what the last holder of the lock has committed.
    SELECT clock_timestamp(),
           coalesce((SELECT max(position) FROM events), 0),
           coalesce((SELECT array_agg(command_id) FROM receipts WHERE command_id = ANY (ids)), '{}'),
           array_agg(coalesce(tip.originator_version, 0) ORDER BY n),
           array_agg(coalesce(tip.link, genesis) ORDER BY n)
      INTO now, head, known, reached, tips
      FROM unnest(streams) WITH ORDINALITY AS asked (id, n)
           LEFT JOIN LATERAL (SELECT originator_version, link FROM events
                               WHERE originator_id = asked.id
                               ORDER BY originator_version DESC LIMIT 1) AS tip ON true;

    <<commands>>
    FOR command IN 1 .. cardinality(ids) LOOP
        CONTINUE WHEN ids[command] = ANY (known);
        from_row := coalesce(last_rows[command - 1], 0) + 1;
        -- What rests on a command that is not stored now fits nothing, though its versions may agree.
        is_loose := false;
        IF rests_on[command] <> '' THEN
            is_loose := EXISTS (SELECT FROM unnest(rests_on[command]::integer[]) AS before
                                 WHERE firsts[before] IS NULL);
        END IF;
        -- All of it is looked at before any of it is given a position.
        FOR n IN from_row .. last_rows[command] LOOP
            stream := row_streams[n];
            IF expected[n] IS NOT NULL AND (
                is_loose
                OR reached[stream] <> versions[n] - 1
                OR expected[n] <> '' AND expected[n] <> tips[stream]
            ) THEN
                conflicts[command] := stream;
                actual[command] := reached[stream];
                CONTINUE commands;
            END IF;
        END LOOP;
        firsts[command] := head + 1;
        FOR n IN from_row .. last_rows[command] LOOP
            stream := row_streams[n];
            -- No ASSERT, which anybody may switch off. A row without a version, or of a stream that is
            -- not listed, is none that would be stored: it must not be given a position.
            IF (versions[n] = reached[stream] + 1) IS NOT TRUE THEN
                RAISE assert_failure USING MESSAGE = 'a stream skips a version';
            END IF;
            -- A moment that the program could not read would stop whoever reads on.
            IF moments[n] NOT BETWEEN '0001-01-01Z' AND '9999-12-31 23:59:59.999999Z' THEN
                RAISE datetime_field_overflow USING MESSAGE = 'a moment is beyond the calendar';
            END IF;
            head := head + 1;
            positions[n] := head;
            reached[stream] := versions[n];
            links[n] := event_link(tips[stream], now, moments[n], versions[n], streams[stream],
                                   topics[n], command_ids[n], actors[n], bodies[n]);
            tips[stream] := links[n];
        END LOOP;
        lasts[command] := head;
    END LOOP;

    INSERT INTO events (position, originator_id, originator_version, topic, body, command_id,
                        actor, happened_at, recorded_at, link)
    SELECT positions[n], streams[row_streams[n]], versions[n], topics[n], bodies[n],
           command_ids[n], actors[n], moments[n], now, links[n]
      FROM generate_series(1, cardinality(versions)) AS n
     WHERE positions[n] IS NOT NULL;
    INSERT INTO receipts (command_id, kind, digest, fields, first_position, last_position, answer)
    SELECT ids[n], kinds[n], digests[n], fields[n], firsts[n], lasts[n], answers[n]
      FROM generate_series(1, cardinality(ids)) AS n
     WHERE firsts[n] IS NOT NULL;
    IF FOUND THEN  -- else nobody is woken, and no disk waited for
        nothing := pg_notify('jinhua_events', '');  -- CHANNEL of subscription.py
    END IF;
END
$$;
