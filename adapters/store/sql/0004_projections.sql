-- How far each read model has come, and what it could not take in.
--
-- Rows of a read model belong to a generation. Readers see the one named here, through a SQL view;
-- a rebuild fills the next one beside it and then names that, in one UPDATE. A projector locks the
-- row here, writes rows and moves `position` on in one transaction: so each event counts once,
-- however many projectors run and wherever one is killed.
CREATE TABLE projections (
    name       text    COLLATE "C"  PRIMARY KEY,
    generation integer              NOT NULL DEFAULT 1,
    position   bigint               NOT NULL DEFAULT 0 CHECK (position >= 0)
);

-- `body` is the event's as it was read, so it may hold the cards of a running hand.
CREATE TABLE parked_events (
    projection text        COLLATE "C"  NOT NULL REFERENCES projections,
    generation integer                  NOT NULL,
    position   bigint                   NOT NULL,
    topic      text        COLLATE "C"  NOT NULL,
    body       text                     NOT NULL,
    reason     text                     NOT NULL,
    parked_at  timestamptz              NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (projection, generation, position)
);

-- What a reader may know of them.
CREATE VIEW parked AS
SELECT e.projection, e.position, e.topic, e.reason, e.parked_at
FROM parked_events e JOIN projections p ON p.name = e.projection AND p.generation = e.generation;

-- The role that keeps the read models: it reads the history and adds nothing to it. Made as the
-- other roles are (0001_roles.sql).
DO $$
DECLARE
    privilege text := CASE WHEN current_setting('server_version_num')::int < 160000
                       THEN 'MEMBER' ELSE 'SET' END;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'jinhua_projector') THEN
        BEGIN
            CREATE ROLE jinhua_projector NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- another database was first
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'jinhua_projector', privilege) THEN
        EXECUTE format('GRANT jinhua_projector TO %I', current_user);
    END IF;
END
$$;

GRANT SELECT ON events TO jinhua_projector;
GRANT UPDATE (generation, position) ON projections TO jinhua_projector;
GRANT SELECT, INSERT, UPDATE, DELETE ON parked_events TO jinhua_projector;
GRANT SELECT ON projections, parked TO jinhua_reader, jinhua_writer, jinhua_projector;
GRANT SELECT ON jinhua_migrations TO jinhua_projector;
