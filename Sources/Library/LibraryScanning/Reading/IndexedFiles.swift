// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import Platform
import SystemPackage
import Tagging

/// Looks up what the index knows about the files of a library. Each reading thread has an instance of its own.
final class IndexedFiles {
  /// The number of names of one file above which the file's look-up is cached.
  private static let uncachedNameLimit = 4
  /// The maximum number of files in the cache of look-ups.
  private static let cacheLimit = 10_000
  /// The number of times that a read transaction is used before it is replaced by a newer one.
  private static let transactionUseLimit = 64

  private let plan: ScanPlan
  private let database: Database
  private var hasTransaction = false
  private var transactionUses = 0
  /// The cached look-ups of files with many names: the track that the file was under a name that no longer exists, or
  /// `nil` if all its names still exist.
  private var formerTracks: [FileState: Int64?] = [:]
  private let directories: IndexStatement
  private let files: IndexStatement
  private let problems: IndexStatement
  private let inodes: IndexStatement
  private let sheets: IndexStatement
  private let deviceCheck: IndexStatement

  /// The SQL query for directories that contain tracks at any depth: whether none of these is on a given device. Other
  /// directories have no row; most are empty, and SQLite does not look for their tracks a second time.
  ///
  /// It uses two look-ups in the index of paths. With an OR instead, SQLite would read all directories of the library.
  static let deviceQuery = {
    let within = """
      FROM (SELECT id FROM directory WHERE library = ?1 AND path = ?2 UNION ALL
        SELECT id FROM directory WHERE library = ?1 AND path >= ?3 AND path < ?4) AS inside
      CROSS JOIN track ON track.directory = inside.id
      """
    return "SELECT NOT EXISTS (SELECT 1 \(within) WHERE track.device = ?5) WHERE EXISTS (SELECT 1 \(within))"
  }()

  /// Creates look-ups for the plan's library. No other code may use `database` meanwhile.
  init(_ database: Database, plan: ScanPlan) {
    self.plan = plan
    self.database = database
    directories = IndexStatement(
      database,
      "SELECT id, mtime, sheets FROM directory WHERE library = ? AND path = ?")
    files = IndexStatement(
      database,
      """
      SELECT id, name, size, mtime, inode, device, segment, sheet, sound IS NOT NULL FROM track WHERE directory = ?
      ORDER BY name, segment
      """)
    sheets = IndexStatement(
      database,
      "SELECT name, size, mtime, inode, device FROM sheet WHERE directory = ? ORDER BY name")
    deviceCheck = IndexStatement(database, Self.deviceQuery)
    problems = IndexStatement(
      database,
      "SELECT id, size, mtime, inode, device FROM problem WHERE library = ? AND path = ?")
    inodes = IndexStatement(
      database,
      """
      SELECT track.id, track.library, track.size, track.mtime, directory.path, track.name
      FROM track JOIN directory ON directory.id = track.directory
      WHERE track.inode = ? AND track.device = ?
      """)
  }

  /// Opens a read transaction if none is open, which saves taking locks for every query. The transaction is renewed
  /// from time to time, because an open one prevents the write-ahead log from being reset.
  func beginTransaction() throws {
    transactionUses += 1
    if transactionUses > Self.transactionUseLimit { try endTransaction() }
    guard !hasTransaction else { return }
    try database.beginTransaction(.deferred)
    hasTransaction = true
  }

  /// Ends the read transaction.
  func endTransaction() throws {
    transactionUses = 0
    guard hasTransaction else { return }
    try database.commit()
    hasTransaction = false
  }

  /// Returns the row of a directory, and the number of cue sheets that were applied to it; `nil` if it has no row.
  func directory(
    _ path: RelativePath
  ) throws -> (id: Int64, modificationTime: Int64, sheetCount: Int64)? {
    try directories.first(plan.library, path.bytes) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
  }

  /// Whether the directory at `path` has known tracks at any depth, and all of them are on other file systems than
  /// `device`.
  func isOnOtherDevice(_ path: RelativePath, than device: Int64) throws -> Bool {
    let (lower, upper) = path.contentBounds
    return try deviceCheck.first(plan.library, path.bytes, lower, upper, device) { $0.integer(0) != 0 } ?? false
  }

  /// Returns the cue sheets that were applied to a directory, sorted by name.
  func sheets(_ directory: Int64) throws -> [SheetFile] {
    try sheets.all(directory) { SheetFile(name: $0.bytes(0), state: $0.state(1)) }
  }

  /// Returns the row ID of the problem with the file at `path`, and the state that the file had; `nil` if there is
  /// none.
  func problem(_ path: RelativePath) throws -> (id: Int64, state: FileState)? {
    try problems.first(plan.library, path.bytes) { ($0.integer(0), $0.state(1)) }
  }

  /// Returns the track that a file in this state was under another name, if the file no longer has that name; otherwise
  /// `nil`.
  ///
  /// For each name of a file, this checks all of its other names. If there are many, the result is cached.
  func moved(_ state: FileState) throws -> Int64? {
    if let former = formerTracks[state] { return former }
    let (former, nameCount) = try lookUp(state)
    if nameCount > Self.uncachedNameLimit {
      if formerTracks.count >= Self.cacheLimit { formerTracks.removeAll(keepingCapacity: true) }
      formerTracks[state] = .some(former)
    }
    return former
  }

  /// Returns the result of ``moved(_:)``, and the number of names that were checked.
  private func lookUp(_ state: FileState) throws -> (former: Int64?, nameCount: Int) {
    var nameCount = 0
    inodes.bind(state.inode, state.device)
    defer { inodes.reset() }
    while try inodes.step() {
      nameCount += 1
      guard inodes.integer(1) == plan.library, inodes.integer(2) == state.size,
        inodes.integer(3) == state.modificationTime
      else { continue }
      let path = plan.absolute(RelativePath(inodes.bytes(4)).appending(inodes.bytes(5)))
      do throws(Errno) {
        let present = FileState(try FileStatus(of: path))
        if present.inode != state.inode || present.device != state.device {
          return (inodes.integer(0), nameCount)
        }
      } catch .noSuchFileOrDirectory {
        return (inodes.integer(0), nameCount)
      } catch .notDirectory {
        return (inodes.integer(0), nameCount)
      } catch {}
    }
    return (nil, nameCount)
  }

  /// The rows of one file in the index.
  struct File {
    /// The ID of the first track of the file.
    let id: Int64
    /// The IDs of the other tracks of the file.
    private(set) var others: [Int64] = []
    /// The state of the file when it was read.
    let state: FileState
    /// A hash of what a cue sheet says about the file; 0 if no sheet names the file.
    let claimHash: Int64
    /// Whether the file was read by a version that notes what identifies its sound.
    let isIdentified: Bool

    fileprivate init(_ row: IndexStatement) {
      id = row.integer(0)
      state = row.state(2)
      claimHash = row.integer(7)
      isIdentified = row.integer(8) != 0
    }

    fileprivate mutating func add(_ row: IndexStatement) { others.append(row.integer(0)) }

    /// The number of tracks of the file.
    var trackCount: Int { 1 + others.count }
    /// The IDs of all tracks of the file.
    var ids: [Int64] { [id] + others }
  }

  /// Iterates over the tracks of one directory, sorted by name.
  struct Cursor {
    private let files: IndexStatement?
    private var hasRow = false

    init(_ known: IndexedFiles?, directory: Int64?) throws {
      guard let known, let directory else {
        files = nil
        return
      }
      files = known.files
      known.files.reset()
      known.files.bind(directory)
      hasRow = try known.files.step()
    }

    /// Returns the file of this name, or `nil` if there is none. Tracks whose names come before it are missing, and are
    /// added to `missing`. Call this with names in byte order.
    mutating func find(_ name: ArraySlice<UInt8>, missing: inout [Int64]) throws -> File? {
      var found: File?
      while hasRow, let files {
        let order = unsafe name.withUnsafeBytes { name in
          unsafe files.withBytes(1) { unsafe StatusListing.compare($0[...], name[...]) }
        }
        if order > 0 { return found }
        if order < 0 {
          missing.append(files.integer(0))
        } else if found == nil {
          found = File(files)
        } else {
          found?.add(files)
        }
        // A track that is the whole file is the only track of that file.
        let isWhole = order == 0 && files.integer(6) < 0
        hasRow = try files.step()
        if isWhole { return found }
      }
      return found
    }

    /// Adds all remaining tracks to `missing`. Call this after the last name.
    mutating func finish(missing: inout [Int64]) throws {
      while hasRow, let files {
        missing.append(files.integer(0))
        hasRow = try files.step()
      }
    }
  }
}

extension IndexStatement {
  /// Returns the file state in the four columns that start with this one.
  func state(_ column: Int32) -> FileState {
    FileState(
      size: integer(column), modificationTime: integer(column + 1), inode: integer(column + 2),
      device: integer(column + 3))
  }
}
