import GRDB

/// The table `carried`: what was kept of tracks in an index that was damaged, until a scan finds their files again.
///
/// A row has the name and the value of a sticker, or without a name when the track was added, in seconds since 1970.
enum CarriedTable {
  static let creation = """
    CREATE TABLE carried (
      root BLOB NOT NULL,                 -- of the library; absolute
      directory BLOB NOT NULL,            -- below it
      file BLOB NOT NULL,
      segment INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (root, directory, file, segment, name)
    ) WITHOUT ROWID
    """

  static let insertion = "INSERT OR IGNORE INTO carried VALUES (?, ?, ?, ?, ?, ?)"
}

/// Gives the new tracks of a scan what was carried over for their files.
final class CarriedRows {
  private let database: Database
  private let root: [UInt8]
  /// Whether there is nothing for this library, as nearly always.
  private var isEmpty: Bool
  private let selection: LateStatement
  private let insertion: LateStatement

  init(_ database: Database, root: [UInt8]) throws {
    self.database = database
    self.root = root
    let any = try IndexStatement(database, "SELECT 1 FROM carried WHERE root = ?")
    any.bind(root)
    isEmpty = try !any.step()
    any.reset()
    selection = LateStatement(
      database, "SELECT name, value FROM carried WHERE root = ? AND directory = ? AND file = ? AND segment = ?")
    insertion = LateStatement(database, StickerTable.insertion)
  }

  /// Gives the new track `id` its stickers, and says when it was added, where that is known.
  func take(_ directory: RelativePath, _ file: [UInt8], segment: Int64, as id: Int64) throws -> Int64? {
    if isEmpty { return nil }
    let selection = try selection.get()
    selection.bind(root)
    selection.bind(directory.bytes)
    selection.bind(file)
    selection.bind(segment)
    var found: [(name: String, value: String)] = []
    while try selection.step() { found.append((selection.text(0), selection.text(1))) }
    var added: Int64?
    for (name, value) in found {
      if name.isEmpty {
        added = Int64(value)
        continue
      }
      let insertion = try insertion.get()
      insertion.bind(id)
      insertion.bind(name)
      insertion.bind(value)
      try insertion.run()
    }
    return added
  }

  /// Forgets what is left, once all files of the library were seen.
  func forget() throws {
    if isEmpty { return }
    let deletion = try IndexStatement(database, "DELETE FROM carried WHERE root = ?")
    deletion.bind(root)
    try deletion.run()
    isEmpty = true
  }
}
