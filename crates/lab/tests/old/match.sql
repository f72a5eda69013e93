BEGIN TRANSACTION;
CREATE TABLE entrants (
        event TEXT NOT NULL REFERENCES runs (event),
        place INTEGER NOT NULL CHECK (place >= 0),
        participant TEXT NOT NULL REFERENCES participants (id),
        label TEXT NOT NULL,
        PRIMARY KEY (event, place)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "entrants" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',0,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11','random');
INSERT INTO "entrants" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a','random(seed=1)');
CREATE TABLE events (
        id TEXT PRIMARY KEY NOT NULL,
        kind TEXT NOT NULL,
        scale TEXT NOT NULL,
        config TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
INSERT INTO "events" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a','match','ringrift/square8/2p+rings=2+swap','{"a":"random","b":"random(seed=1)","opening_plies":1,"rules":{"board":"square8","game":"ringrift","lps_rounds":3,"recovery":"reference","rings":2,"rules":1,"seats":2,"swap":true,"variant":"hex8-line3"},"seed":26,"type":"match-config","version":1}','2026-11-17T10:14:34Z');
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
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',0,57,'ring_elimination','26',1,'f6e51eab9ba4cf12f140723df34025efb93a6de67c7835e63b11bf6fd87f1b4a','{"format":1,"id":"match-26-game-1","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random","random(seed=1)"],"moves":["+c6","c6-c2","no-line","no-territory","+g6","g6-e4","e4xc2-b1","no-line","no-territory","+b3","b3-d3","no-line","no-territory","+g3","g3xd3-b3","no-line","no-territory","no-placement","b3-e6","no-line","no-territory","no-placement","b1-b7","no-line","no-territory","no-placement","e6-e5","no-line","no-territory","no-placement","b7-h1","no-line","no-territory","no-placement","e5-c5","no-line","no-territory","no-placement","h1-h3","no-line","no-territory","no-placement","c5-a7","no-line","no-territory","no-placement","h3-e3","no-line","no-territory","no-placement","a7-g7","no-line","no-territory","no-placement","e3-b3","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":57},"tags":{"cost-1":"8 0 27","cost-2":"10 0 10","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',1,40,'ring_elimination','26',1,'dbe2aa101ccb4143d237b3b44a5b4b7bee7d39abe7396bba15975b082208ef58','{"format":1,"id":"match-26-game-2","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random(seed=1)","random"],"moves":["+c6","c6-f3","no-line","no-territory","swap","++g1","g1-d1","skip-capture","no-line","no-territory","+c5","c5-b6","no-line","no-territory","no-placement","d1-h1","h1xf3-b7","b7xb6-b1","no-line","no-territory","no-placement","skip-recovery","no-line","no-territory","no-placement","b1-b8","no-line","no-territory","no-placement","c5~d5/b8","no-line","no-territory","no-placement","b8-e8","no-line","no-territory","no-placement","d5~c5/e8","no-line","no-territory"],"result":{"winner":1,"reason":"ring_elimination","ranking":[1,2],"plies":40},"tags":{"cost-1":"9 0 3","cost-2":"6 0 15","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',2,43,'ring_elimination','26',1,'0766327d88080483000ab95720d24017ccea8f016735dd1c6553527db6ac9ae2','{"format":1,"id":"match-26-game-3","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random","random(seed=1)"],"moves":["++f3","f3-a3","no-line","no-territory","+g6","g6-d3","no-line","no-territory","no-placement","a3-f8","no-line","no-territory","+a8","a8-d5","d5xd3-d2","no-line","no-territory","no-placement","f8-d8","d8xd2-d1","d1xd2-d4","no-line","no-territory","no-placement","g6~h7/d4","no-line","no-territory","no-placement","d4-h4","no-line","no-territory","no-placement","skip-recovery","no-line","no-territory","no-placement","h4-c4","no-line","no-territory","no-placement","h7~h8/c4","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":43},"tags":{"cost-1":"7 0 2","cost-2":"8 0 8","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',3,21,'ring_elimination','26',1,'94e1cb561a210ed3e94de4b3ff00bfa48e56a5c2141d3dd47384b8c57cbc7711','{"format":1,"id":"match-26-game-4","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random(seed=1)","random"],"moves":["++f3","f3-d5","no-line","no-territory","++b5","b5xd5-f5","f5xd5-c5","no-line","no-territory","no-placement","f3~g2/c5","no-line","no-territory","no-placement","c5-c8","no-line","no-territory","no-placement","g2~h2/c8","no-line","no-territory"],"result":{"winner":1,"reason":"ring_elimination","ranking":[1,2],"plies":21},"tags":{"cost-1":"3 0 1","cost-2":"4 0 6","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',4,27,'ring_elimination','26',1,'5b666cf2d510fb95c52c214b9bbf49ae233117e3ed9da06501be44eec85666a1','{"format":1,"id":"match-26-game-5","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random","random(seed=1)"],"moves":["+b3","b3-e3","no-line","no-territory","+g6","g6-d3","d3xe3-f3","no-line","no-territory","+f7","f7-f4","f4xf3-f1","f1xf3-f5","no-line","no-territory","+g3","g3-d3","no-line","no-territory","no-placement","f5-c8","no-line","no-territory","no-placement","g6~f6/c8","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":27},"tags":{"cost-1":"6 0 2","cost-2":"6 0 7","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',5,56,'ring_elimination','26',1,'2e7bd1777c8fc3fb99ed3a4337099c8b21ef0707c9acb66ca97d6ac92dcf28f4','{"format":1,"id":"match-26-game-6","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random(seed=1)","random"],"moves":["+b3","b3-g8","no-line","no-territory","++c6","c6-c8","skip-capture","no-line","no-territory","+g3","g3-e3","no-line","no-territory","no-placement","c8-a8","skip-capture","no-line","no-territory","no-placement","g8-g5","g5xe3-d2","no-line","no-territory","no-placement","a8-a6","no-line","no-territory","no-placement","d2-d7","no-line","no-territory","no-placement","a6-a3","no-line","no-territory","no-placement","d7-h3","no-line","no-territory","no-placement","a3-a8","no-line","no-territory","no-placement","h3-h7","no-line","no-territory","no-placement","a8-d5","no-line","no-territory","no-placement","h7-e7","no-line","#h8@1","-e7"],"result":{"winner":1,"reason":"ring_elimination","ranking":[1,2],"plies":56},"tags":{"cost-1":"10 0 27","cost-2":"9 0 22","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',6,46,'ring_elimination','26',1,'6664d486cd2c08ca20e9c036441bb8be53a1d714205fa68f8b42a61de7dabee8','{"format":1,"id":"match-26-game-7","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random","random(seed=1)"],"moves":["+c2","c2-e4","no-line","no-territory","+g6","g6xe4-d3","no-line","no-territory","+e8","e8-c8","no-line","no-territory","+a7","a7-b6","no-line","no-territory","no-placement","c8-c5","skip-capture","no-line","no-territory","no-placement","b6-b7","no-line","no-territory","no-placement","c5-e7","skip-capture","no-line","no-territory","no-placement","d3-g3","no-line","no-territory","no-placement","e7xb7-a7","no-line","no-territory","no-placement","g3-b8","no-line","no-territory","no-placement","e7~f6/b8","no-line","no-territory"],"result":{"winner":1,"reason":"ring_elimination","ranking":[1,2],"plies":46},"tags":{"cost-1":"9 0 11","cost-2":"7 0 10","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
INSERT INTO "games" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',7,43,'ring_elimination','26',1,'3eeb78fd215f283faf3b516e4247b21e052386591b094f991dc1ee363f950dc0','{"format":1,"id":"match-26-game-8","config":{"game":"ringrift","rules":1,"board":"square8","seats":2,"variant":"hex8-line3","recovery":"reference","swap":true,"lps_rounds":3,"rings":2},"start":null,"seed":26,"players":["random(seed=1)","random"],"moves":["+c2","c2-h7","no-line","no-territory","+d4","d4-f6","no-line","no-territory","+g3","g3-e3","no-line","no-territory","+b1","b1-b4","no-line","no-territory","no-placement","h7-h5","no-line","no-territory","no-placement","b4-b7","no-line","no-territory","no-placement","e3-e5","e5xf6-h8","h8xh5-h1","h1xb7-a8","no-line","no-territory","no-placement","d4~d3/a8","no-line","no-territory","no-placement","a8-a3","no-line","no-territory","no-placement","b4~c4/a3","no-line","no-territory"],"result":{"winner":2,"reason":"ring_elimination","ranking":[2,1],"plies":43},"tags":{"cost-1":"8 0 5","cost-2":"7 0 15","engines-1":"random","engines-2":"random","opening":"1"}}','2026-11-17T10:14:34Z');
CREATE TABLE participants (
        id TEXT PRIMARY KEY NOT NULL,
        name TEXT NOT NULL,
        net TEXT NOT NULL,
        spec TEXT NOT NULL,
        engine TEXT NOT NULL,
        created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
INSERT INTO "participants" VALUES('2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11','none:random:base','none','random','riftlab 0.1.0','2026-11-17T10:14:34Z');
INSERT INTO "participants" VALUES('7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a','none:random:sd1','none','random(seed=1)','riftlab 0.1.0','2026-11-17T10:14:34Z');
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
INSERT INTO "ratings" VALUES(1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',0.0,0.0,0.0,8,1);
INSERT INTO "ratings" VALUES(1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',83.310376970833,-1.57004426501495089499e+02,3.23625180443161070804e+02,8,0);
CREATE TABLE runs (
        event TEXT PRIMARY KEY NOT NULL REFERENCES events (id),
        planned INTEGER NOT NULL CHECK (planned >= 0),
        asked TEXT,
        state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'stopped', 'failed')),
        error TEXT,
        begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        seen INTEGER NOT NULL
    ) STRICT;
INSERT INTO "runs" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',8,NULL,'complete',NULL,'2026-11-17T10:14:34Z',1794910474);
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
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',0,1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',8,0,27);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',0,2,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',10,0,10);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',1,1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',2,'random',9,0,3);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',1,2,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',1,'random',6,0,15);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',2,1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',7,0,2);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',2,2,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',8,0,8);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',3,1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',3,0,1);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',3,2,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',4,0,6);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',4,1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',6,0,2);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',4,2,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',6,0,7);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',5,1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',1,'random',10,0,27);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',5,2,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',2,'random',9,0,22);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',6,1,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',1,'random',9,0,11);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',6,2,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',2,'random',7,0,10);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',7,1,'7fb4dbc825edb9887396933d2d17691fd19007e823c050623854c400b89b168a',2,'random',8,0,5);
INSERT INTO "seats" VALUES('8e56b6b5556825b140a3ea08b5aef8c51a3156b890f8237cc4d0acfa3d3d235a',7,2,'2f7172fd3c7817d2b8a67c836d6248251cbb084545637b64badec0044a9f5c11',1,'random',7,0,15);
CREATE TABLE snapshots (
        id INTEGER PRIMARY KEY NOT NULL,
        taken TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        scale TEXT NOT NULL,
        games INTEGER NOT NULL
    ) STRICT;
INSERT INTO "snapshots" VALUES(1,'2026-11-17T10:14:34Z','ringrift/square8/2p+rings=2+swap',8);
CREATE INDEX events_by_scale ON events (scale);
COMMIT;
