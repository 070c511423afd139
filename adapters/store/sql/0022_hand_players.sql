-- Who sat in a hand and who won something of it, in the order in which hands were opened: a page of a
-- player's hands reads as many rows as it shows. An index of the arrays in projected_hands finds all of
-- his hands, which lie in as many places, before the first can be shown.
CREATE TABLE projected_hand_players (
    generation      integer          NOT NULL, -- of the hands
    player          text COLLATE "C" NOT NULL,
    opened_position bigint           NOT NULL, -- of the hand
    won             boolean          NOT NULL,
    PRIMARY KEY (generation, player, opened_position) INCLUDE (won)
);

INSERT INTO projected_hand_players
SELECT generation, player, opened_position, coalesce(player = ANY (winners), false)
FROM projected_hands, unnest(players) AS player
ON CONFLICT DO NOTHING;

CREATE VIEW hand_players AS
SELECT player, opened_position, won
FROM projected_hand_players
WHERE generation = (SELECT generation FROM projections WHERE name = 'hands');

DROP INDEX projected_hands_players, projected_hands_winners;

GRANT SELECT, INSERT, UPDATE, DELETE ON projected_hand_players TO jinhua_projector;
GRANT SELECT ON hand_players TO jinhua_reader, jinhua_writer, jinhua_projector;
