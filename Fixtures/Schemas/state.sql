-- The saved queue in each earlier schema: the tables of that time, and a queue as they hold it, which a later version
-- has encoded. Later versions of Segue open all of them.

-- Schema 1: two tracks, /music/Bach/01.wav and 02.wav, and an edit that can be undone

CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  repeat TEXT NOT NULL,
  random TEXT NOT NULL,
  single TEXT NOT NULL,
  consume INTEGER NOT NULL,
  stop_after TEXT,
  seed INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  volume INTEGER,                     -- percent
  title BLOB NOT NULL,                -- UTF-8, which may hold a NUL
  current INTEGER,                    -- an item's id
  heard INTEGER NOT NULL
);
CREATE TABLE arrangement (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  items BLOB NOT NULL,
  playing BLOB,                       -- the playing order, where it is not by position
  tracks BLOB NOT NULL                -- by turns the number that items name, and the page's
);
CREATE TABLE step (
  number INTEGER PRIMARY KEY,
  is_undone INTEGER NOT NULL,
  name BLOB NOT NULL,
  title BLOB NOT NULL,
  items BLOB NOT NULL,
  playing BLOB,
  current INTEGER,
  heard INTEGER NOT NULL
);
CREATE TABLE page (
  number INTEGER PRIMARY KEY,
  sum INTEGER NOT NULL,
  bytes BLOB NOT NULL
);
INSERT INTO state VALUES (1, 'album', 'off', 'off', 0, NULL, -3155979473374414137, 2, 70, x'', 2, 1500000000);
INSERT INTO arrangement VALUES (1, x'02', NULL, x'0202');
INSERT INTO step VALUES (1, 0, x'6164642030312c203032202832206974656d7329', x'', x'', NULL, NULL, 0);
INSERT INTO page VALUES
  (1, 5760223295121475733, x'490202010200020001'),
  (2, 2217491475796704500,
   x'54010000230000008d8008a11f00122f6d757369632f426163682f30312e7761760230310188b1050401400dc13e0d05322e776176023032');

-- Schema 2: one track, /music/Bach/03.flac, with additional tags

DELETE FROM page;
INSERT INTO page VALUES
  (1, -34210756699748566, x'490102010200'),
  (2, 3857245350464080297,
   x'5400000000ad8138e15d00132f6d757369632f426163682f30332e666c6163075072656c756465010442616368075375697465730188b1050401300108064e6f626f6479011db1a9c0e9d9874042ae9178d6a3267d69');
UPDATE state SET last_id = 1, current = 1;
