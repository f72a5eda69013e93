BEGIN TRANSACTION;
CREATE TABLE entrants (
        event TEXT NOT NULL REFERENCES runs (event),
        place INTEGER NOT NULL CHECK (place >= 0),
        participant TEXT NOT NULL REFERENCES participants (id),
        label TEXT NOT NULL,
        PRIMARY KEY (event, place)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "entrants" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',0,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11','random');
INSERT INTO "entrants" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a','random(seed=1)');
INSERT INTO "entrants" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',2,'4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3','random(seed=2)');
CREATE TABLE events (
        id TEXT PRIMARY KEY NOT NULL,
        kind TEXT NOT NULL,
        scale TEXT NOT NULL,
        config TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
INSERT INTO "events" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f','tournament','ringrift/square8/2p+rings=2','{"agents":["random","random(seed=1)","random(seed=2)"],"opening_plies":4,"rules":{"board":"square8","game":"ringrift","lps_rounds":3,"recovery":"reference","rings":2,"rules":1,"seats":2,"swap":false,"variant":"hex8-line3"},"seed":2,"system":"round-robin","tables":"distinct","type":"tournament-config","version":1}','2026-11-17T10:13:31Z');
CREATE TABLE games (
        event TEXT NOT NULL REFERENCES events (id),
        number INTEGER NOT NULL CHECK (number >= 0),
        plies INTEGER NOT NULL CHECK (plies >= 0),
        reason TEXT NOT NULL,
        seed TEXT NOT NULL,
        opening INTEGER NOT NULL CHECK (opening >= 0),
        fingerprint TEXT NOT NULL,
        record TEXT,
        stored TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        PRIMARY KEY (event, number)
    ) STRICT;
INSERT INTO "games" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',0,34,'ring_elimination','8685603332256631643',6,'ef929baa487d93ade8d29a6709644a988daa6c4d34ef5ce85a5cb2dcefbf0ad9','{"format":1,"id":"788976365f1b-game-1","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":false,"lps_rounds":3,"rings":2},"start":null,"seed":8685603332256631643,"players":["random","random(seed=1)"],"moves":["++b4","b4-e7","no-line","no-territory","+d3","d3-a6","no-line","no-territory","no-placement","e7-c5","no-line","no-territory","+g8","g8-e6","no-line","no-territory","no-placement","c5-g5","no-line","no-territory","no-placement","a6xe6-g6","g6xg5-g2","g2xg5-g6","no-line","no-territory","no-placement","c5~b6/g6","no-line","no-territory","no-placement","g6-g2","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":34},"tags":{"cost-1":"3 0 35","cost-2":"6 0 13","engines-1":"random","engines-2":"random","opening":"6"}}','2026-11-17T10:13:31Z');
INSERT INTO "games" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',1,63,'ring_elimination','8685603332256631643',6,'6fd976c8b6359e84d5caccb83f6dad1d7ba161bffa3f1b33aa730fc4f688e6e8','{"format":1,"id":"788976365f1b-game-2","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":false,"lps_rounds":3,"rings":2},"start":null,"seed":8685603332256631643,"players":["random(seed=1)","random"],"moves":["++b4","b4-e7","no-line","no-territory","+d3","d3-a6","no-line","no-territory","no-placement","e7-a3","skip-capture","no-line","no-territory","skip-placement","a6-a4","no-line","no-territory","no-placement","a3-d3","no-line","no-territory","+a4","a4-d7","skip-capture","no-line","no-territory","no-placement","d3-b1","no-line","no-territory","no-placement","d7-g4","no-line","no-territory","no-placement","b1-e1","no-line","no-territory","no-placement","g4-g6","no-line","no-territory","no-placement","e1-e6","no-line","no-territory","no-placement","g6-e8","e8xe6-e4","no-line","no-territory","no-placement","skip-recovery","no-line","no-territory","no-placement","e4-h7","no-line","no-territory","no-placement","d3~d4/h7","no-line","no-territory"],"result":{"winner":1,"reason":"ring_elimination","ranking":[1,2],"plies":63},"tags":{"cost-1":"8 0 12","cost-2":"10 0 11","engines-1":"random","engines-2":"random","opening":"6"}}','2026-11-17T10:13:31Z');
INSERT INTO "games" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',2,61,'ring_elimination','8685603332256631643',6,'f950cbc43c5b661766781063c1bac97f3e752cd1c0dfe478833cdb72cc29ef6c','{"format":1,"id":"788976365f1b-game-3","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":false,"lps_rounds":3,"rings":2},"start":null,"seed":8685603332256631643,"players":["random","random(seed=2)"],"moves":["+d1","d1-f1","no-line","no-territory","+c4","c4-g8","no-line","no-territory","+b5","b5-h5","no-line","no-territory","+g4","g4-g2","no-line","no-territory","no-placement","f1-e1","no-line","no-territory","no-placement","g8-b8","no-line","no-territory","no-placement","h5-g5","g5xg2-g1","g1xe1-c1","no-line","no-territory","no-placement","b8-a8","no-line","no-territory","no-placement","c1-f4","no-line","no-territory","no-placement","a8-a4","skip-capture","no-line","no-territory","no-placement","f4-b4","no-line","no-territory","no-placement","a4-a5","a5xb4-e1","e1xb4-a5","no-line","no-territory","no-placement","b4-f8","no-line","no-territory","no-placement","b8~c7/a5","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":61},"tags":{"cost-1":"9 0 10","cost-2":"9 0 8","engines-1":"random","engines-2":"random","opening":"6"}}','2026-11-17T10:13:31Z');
INSERT INTO "games" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',3,36,'ring_elimination','8685603332256631643',6,'05bdb544944c2df91e68a59449ec46f24ba12e752c09bdd99a7278a4032110a9','{"format":1,"id":"788976365f1b-game-4","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":false,"lps_rounds":3,"rings":2},"start":null,"seed":8685603332256631643,"players":["random(seed=2)","random"],"moves":["+d1","d1-f1","no-line","no-territory","+c4","c4-g8","no-line","no-territory","+g4","g4-g2","no-line","no-territory","+a2","a2-c2","c2xg2-h2","no-line","no-territory","no-placement","f1-f8","f8xg8-h8","h8xh2-h1","h1xh2-h6","no-line","no-territory","no-placement","c2~d3/h6","no-line","no-territory","no-placement","h6-e3","no-line","no-territory","no-placement","a2~a1/e3","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":36},"tags":{"cost-1":"6 0 7","cost-2":"5 0 10","engines-1":"random","engines-2":"random","opening":"6"}}','2026-11-17T10:13:31Z');
INSERT INTO "games" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',4,37,'ring_elimination','8685603332256631643',6,'ec96778677cc8e8bb3d96c0198d46637e1dedb63101ac689bae8c889cafbe5b1','{"format":1,"id":"788976365f1b-game-5","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":false,"lps_rounds":3,"rings":2},"start":null,"seed":8685603332256631643,"players":["random(seed=1)","random(seed=2)"],"moves":["+f8","f8-e8","no-line","no-territory","++g4","g4-e2","no-line","no-territory","+g8","g8-e6","no-line","no-territory","no-placement","e2-h5","no-line","no-territory","no-placement","e6-c6","no-line","no-territory","no-placement","h5-h7","no-line","no-territory","no-placement","e8-e6","no-line","no-territory","no-placement","h7-h1","h1xc6-b7","no-line","no-territory","no-placement","e8~d7/b7","no-line","no-territory"],"result":{"winner":1,"reason":"ring_elimination","ranking":[1,2],"plies":37},"tags":{"cost-1":"5 0 15","cost-2":"4 0 2","engines-1":"random","engines-2":"random","opening":"6"}}','2026-11-17T10:13:31Z');
INSERT INTO "games" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',5,55,'last_player_standing','8685603332256631643',6,'9111c93fd638ccc6a4f7dc205b97a27fe257628bbc02e5147f81ccb02b817734','{"format":1,"id":"788976365f1b-game-6","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":false,"lps_rounds":3,"rings":2},"start":null,"seed":8685603332256631643,"players":["random(seed=2)","random(seed=1)"],"moves":["+f8","f8-e8","no-line","no-territory","++g4","g4-e2","no-line","no-territory","+g5","g5-g2","no-line","no-territory","no-placement","e2-c4","no-line","no-territory","no-placement","g2-g3","no-line","no-territory","no-placement","c4-g8","g8xe8-d8","no-line","no-territory","no-placement","g3-a3","=g2-g5","-a3","no-line","no-territory","no-placement","d8-d2","no-line","no-territory","no-placement","no-movement","no-line","no-territory","no-placement","d2-d5","no-line","no-territory","no-placement","no-movement","no-line","no-territory","no-placement","d5-g8","no-line","no-territory","no-placement","no-movement","no-line","no-territory"],"result":{"winner":2,"reason":"last_player_standing","ranking":[2,1],"plies":55},"tags":{"cost-1":"4 0 8","cost-2":"6 0 4","engines-1":"random","engines-2":"random","opening":"6"}}','2026-11-17T10:13:31Z');
CREATE TABLE participants (
        id TEXT PRIMARY KEY NOT NULL,
        name TEXT NOT NULL,
        net TEXT NOT NULL,
        spec TEXT NOT NULL,
        engine TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
INSERT INTO "participants" VALUES('2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11','none:random:base','none','random','riftlab 0.1.0','2026-11-17T10:13:31Z');
INSERT INTO "participants" VALUES('7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a','none:random:sd1','none','random(seed=1)','riftlab 0.1.0','2026-11-17T10:13:31Z');
INSERT INTO "participants" VALUES('4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3','none:random:sd2','none','random(seed=2)','riftlab 0.1.0','2026-11-17T10:13:31Z');
CREATE TABLE ratings (
        snapshot INTEGER NOT NULL REFERENCES snapshots (id),
        participant TEXT NOT NULL REFERENCES participants (id),
        elo REAL,
        low REAL,
        high REAL,
        games INTEGER NOT NULL,
        anchor INTEGER NOT NULL CHECK (anchor IN (0, 1)),
        PRIMARY KEY (snapshot, participant)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "ratings" VALUES(1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',0.0,0.0,0.0,4,1);
INSERT INTO "ratings" VALUES(1,'4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3',4.10803509960905e-14,-4.31879034735292123038e+02,4.31879034735292236749e+02,4,0);
INSERT INTO "ratings" VALUES(1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',4.9217956855130972826e+02,-2.41042792855975051224e+02,1.22540192995859456462e+03,4,0);
CREATE TABLE runs (
        event TEXT PRIMARY KEY NOT NULL REFERENCES events (id),
        planned INTEGER NOT NULL CHECK (planned >= 0),
        asked TEXT,
        state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'stopped', 'failed')),
        error TEXT,
        begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        seen INTEGER NOT NULL
    ) STRICT;
INSERT INTO "runs" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',6,'{"agents":["random","random(seed=1)","random(seed=2)"],"form":"tournament","games":2,"opening_plies":4,"rounds":null,"rules":{"board":"square8","game":"ringrift","lps_rounds":3,"recovery":"reference","rings":2,"rules":1,"seats":2,"swap":false,"variant":"hex8-line3"},"seed":2,"tables":null}','complete',NULL,'2026-11-17T10:13:31Z',1794910411);
CREATE TABLE seats (
        event TEXT NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL CHECK (seat BETWEEN 1 AND 4),
        participant TEXT NOT NULL REFERENCES participants (id),
        rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 4),
        engines TEXT NOT NULL,
        decisions INTEGER,
        nodes INTEGER,
        micros INTEGER,
        PRIMARY KEY (event, number, seat),
        FOREIGN KEY (event, number) REFERENCES games (event, number)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',0,1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',3,0,35);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',0,2,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',6,0,13);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',1,1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',8,0,12);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',1,2,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',10,0,11);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',2,1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',9,0,10);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',2,2,'4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3',1,'random',9,0,8);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',3,1,'4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3',2,'random',6,0,7);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',3,2,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',1,'random',5,0,10);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',4,1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',5,0,15);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',4,2,'4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3',2,'random',4,0,2);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',5,1,'4c3d64b4c84f8d8ca010386c4fcf4fd7eb1fd35995d2e60f5989e01e30eefef3',2,'random',4,0,8);
INSERT INTO "seats" VALUES('788976365f1b0b5b6a4f0712650fdd2e659ef6900f6a95ba2f594f0f1c14626f',5,2,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',6,0,4);
CREATE TABLE snapshots (
        id INTEGER PRIMARY KEY NOT NULL,
        taken TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        scale TEXT NOT NULL,
        games INTEGER NOT NULL
    ) STRICT;
INSERT INTO "snapshots" VALUES(1,'2026-11-17T10:13:31Z','ringrift/square8/2p+rings=2',6);
CREATE INDEX events_by_scale ON events (scale);
COMMIT;
