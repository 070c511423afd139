-- The one way into the history: many commands in one call, each whole or not at all.
--
-- The store itself gives the positions, the time of recording and the links, under the lock that
-- orders all appends, and the writer may insert into the history nothing but through here: what was
-- the program's word is the store's. Verification does not take it, and computes every link again
-- (adapters/chain.py).

-- The link of an event, as adapters/chain.py says. One expression, so that it is inlined where it is
-- used: a call for each field would take ten times as long.
CREATE FUNCTION event_link(
    previous bytea, recorded_at timestamptz, happened_at timestamptz, originator_version integer,
    originator_id text, topic text, command_id text, actor text, body text
) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN sha256(
        int8send(15) || 'jinhua.event.v1'::bytea || int8send(32) || previous
        || int8send(8) || int8send((extract(epoch FROM recorded_at) * 1000000)::bigint)
        || int8send(8) || int8send((extract(epoch FROM happened_at) * 1000000)::bigint)
        || int8send(8) || int8send(originator_version::bigint)
        || int8send(octet_length(convert_to(originator_id, 'UTF8')))
        || convert_to(originator_id, 'UTF8')
        || int8send(octet_length(convert_to(topic, 'UTF8'))) || convert_to(topic, 'UTF8')
        || int8send(octet_length(convert_to(command_id, 'UTF8'))) || convert_to(command_id, 'UTF8')
        || int8send(octet_length(convert_to(actor, 'UTF8'))) || convert_to(actor, 'UTF8')
        || int8send(octet_length(convert_to(body, 'UTF8'))) || convert_to(body, 'UTF8')
    );

-- Appends commands, of which none without a receipt comes twice. Numbers count from 1.
--
-- By command: its receipt; its last row; the numbers of those before it that it rests on, which
-- have to be stored with it. By stream: its id. By row, command by command: the number of its
-- stream, and its event; and where it is its command's first of that stream, the link that the
-- stream has to be at, or an empty one where its version is enough.
--
-- Answers by command: the position of its first event, where it is stored. Where it is not, the
-- number of a stream that is not where the command takes it to be, and its version; neither where
-- the command has a receipt. By row: its link.
CREATE FUNCTION append_commands(
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
BEGIN
    firsts := lasts;
    conflicts := array_fill(NULL::integer, ARRAY[cardinality(ids)]);
    actual := conflicts;
    links := array_fill(NULL::bytea, ARRAY[cardinality(versions)]);
    -- Links are made by number, and rows are stored in order: to a hostile writer these may differ.
    IF 1 <> ANY (ARRAY[
        array_lower(streams, 1), array_lower(row_streams, 1), array_lower(versions, 1),
        array_lower(topics, 1), array_lower(bodies, 1), array_lower(command_ids, 1),
        array_lower(actors, 1), array_lower(moments, 1)
    ]) THEN
        RAISE array_subscript_error USING MESSAGE = 'an array does not count from 1';
    END IF;
    -- A moment that the program could not read would stop whoever reads on.
    IF EXISTS (SELECT FROM unnest(moments) AS moment
                WHERE moment NOT BETWEEN '0001-01-01Z' AND '9999-12-31 23:59:59.999999Z') THEN
        RAISE datetime_field_overflow USING MESSAGE = 'a moment is beyond the calendar';
    END IF;

    PERFORM pg_advisory_xact_lock(111559182283891);  -- LOCK_APPENDS of adapters/postgres.py
    -- Each statement from here on sees what the last holder of the lock has committed.
    SELECT coalesce(max(position), 0), clock_timestamp() INTO head, now FROM events;
    SELECT coalesce(array_agg(command_id), '{}') INTO known
      FROM receipts WHERE command_id = ANY (ids);
    SELECT array_agg(coalesce(tip.originator_version, 0) ORDER BY n),
           array_agg(coalesce(tip.link, decode(repeat('00', 32), 'hex')) ORDER BY n)
      INTO reached, tips
      FROM unnest(streams) WITH ORDINALITY AS asked (id, n)
           LEFT JOIN LATERAL (SELECT originator_version, link FROM events
                               WHERE originator_id = asked.id
                               ORDER BY originator_version DESC LIMIT 1) AS tip ON true;

    <<commands>>
    FOR command IN 1 .. cardinality(ids) LOOP
        CONTINUE WHEN ids[command] = ANY (known);
        from_row := coalesce(last_rows[command - 1], 0) + 1;
        -- All of it is looked at before any of it is given a position. What rests on a command that
        -- is not stored now fits nothing, though its versions may agree.
        FOR n IN from_row .. last_rows[command] LOOP
            stream := row_streams[n];
            IF expected[n] IS NOT NULL AND (
                reached[stream] <> versions[n] - 1
                OR expected[n] <> '' AND expected[n] <> tips[stream]
                OR rests_on[command] <> '' AND EXISTS (
                    SELECT FROM unnest(rests_on[command]::integer[]) AS before
                     WHERE firsts[before] IS NULL)
            ) THEN
                conflicts[command] := stream;
                actual[command] := reached[stream];
                CONTINUE commands;
            END IF;
        END LOOP;
        firsts[command] := head + 1;
        FOR n IN from_row .. last_rows[command] LOOP
            stream := row_streams[n];
            -- No ASSERT, which anybody may switch off.
            IF versions[n] IS DISTINCT FROM reached[stream] + 1 THEN
                RAISE assert_failure USING MESSAGE = 'a stream skips a version';
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
    SELECT position, streams[stream_number], version, topic, body, command_id, actor, happened_at,
           now, link
      FROM unnest(positions, row_streams, versions, topics, bodies, command_ids, actors, moments,
                  links)
           AS row (position, stream_number, version, topic, body, command_id, actor, happened_at,
                   link)
     WHERE position IS NOT NULL;
    INSERT INTO receipts (command_id, kind, digest, fields, first_position, last_position, answer)
    SELECT * FROM unnest(ids, kinds, digests, fields, firsts, lasts, answers)
           AS row (command_id, kind, digest, fields, first_position, last_position, answer)
     WHERE first_position IS NOT NULL;
    IF FOUND THEN  -- else nobody is woken, and no disk waited for
        PERFORM pg_notify('jinhua_events', '');  -- CHANNEL of subscription.py
    END IF;
END
$$;

REVOKE EXECUTE ON FUNCTION append_commands FROM PUBLIC;
GRANT EXECUTE ON FUNCTION append_commands TO jinhua_writer;
REVOKE INSERT ON events, receipts FROM jinhua_writer;
