/// The tables of what a player goes on with.
///
/// - `state` has one row: what is small and changes often.
/// - `arrangement` has one row where a queue was kept: the numbers of its pages (see ``PageNumbers``).
/// - `step` is the history: by `number` the undoable edits, oldest first, or, with `is_undone`, those that can be made
///   again, the next last.
/// - `page` holds pages; `sum` is their ``PageSum``. A page is never changed. Those that nothing names are removed now
///   and then.
/// - Ids and seeds are the bits of unsigned numbers; times are nanoseconds.
enum StateTables {
  static let creation = """
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
    INSERT INTO state VALUES (1, 'off', 'off', 'off', 0, NULL, random(), 0, NULL, x'', NULL, 0);
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
    """
}
