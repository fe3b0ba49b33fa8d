import GRDB
import LibraryIndex
import Platform
import SystemPackage
import Tagging

/// What the index holds of the files of a library, for one of the threads that read.
final class KnownFiles {
  /// With more names than these, what is found out of a file is remembered.
  private static let fewNames = 4
  /// Of how many files it is.
  private static let rememberedFiles = 10_000
  /// How many times a view of the index is used before a newer one takes its place.
  private static let viewLimit = 64

  private let plan: ScanPlan
  private let database: Database
  private var holdsView = false
  private var viewUses = 0
  /// What files of many names were under those that are no more; `nil` where all names are.
  private var formerTracks: [FileState: Int64?] = [:]
  private let directories: IndexStatement
  private let files: IndexStatement
  private let problems: IndexStatement
  private let inodes: IndexStatement
  private let sheets: IndexStatement
  private let places: IndexStatement

  /// Whether there are tracks in a directory and below it, none of them on a device.
  ///
  /// Two look-ups in the index of paths: with OR in their place, all directories of the library are looked at.
  static let placesQuery = {
    let within = """
      FROM (SELECT id FROM directory WHERE library = ?1 AND path = ?2 UNION ALL
        SELECT id FROM directory WHERE library = ?1 AND path >= ?3 AND path < ?4) AS inside
      CROSS JOIN track ON track.directory = inside.id
      """
    return "SELECT EXISTS (SELECT 1 \(within)) AND NOT EXISTS (SELECT 1 \(within) WHERE track.device = ?5)"
  }()

  /// What the index holds of the plan's library; `database` is for this alone.
  init(_ database: Database, plan: ScanPlan) throws {
    self.plan = plan
    self.database = database
    directories = try IndexStatement(
      database,
      "SELECT id, mtime, sheets FROM directory WHERE library = ? AND path = ?")
    files = try IndexStatement(
      database,
      """
      SELECT id, name, size, mtime, inode, device, segment, sheet FROM track WHERE directory = ?
      ORDER BY name, segment
      """)
    sheets = try IndexStatement(
      database,
      "SELECT name, size, mtime, inode, device FROM sheet WHERE directory = ? ORDER BY name")
    places = try IndexStatement(database, Self.placesQuery)
    problems = try IndexStatement(
      database,
      "SELECT id, size, mtime, inode, device FROM problem WHERE library = ? AND path = ?")
    inodes = try IndexStatement(
      database,
      """
      SELECT track.id, track.library, track.size, track.mtime, directory.path, track.name
      FROM track JOIN directory ON directory.id = track.directory
      WHERE track.inode = ? AND track.device = ?
      """)
  }

  /// Holds on to one view of the index, which spares locks at every question. A view that is held keeps the log of
  /// changes from being cleared, so it is renewed now and then.
  func resume() throws {
    viewUses += 1
    if viewUses > Self.viewLimit { try pause() }
    guard !holdsView else { return }
    try database.beginTransaction(.deferred)
    holdsView = true
  }

  /// Lets go of the view.
  func pause() throws {
    viewUses = 0
    guard holdsView else { return }
    try database.commit()
    holdsView = false
  }

  /// The row of a directory, and how many cue sheets were applied to it.
  func directory(
    _ path: RelativePath
  ) throws -> (id: Int64, modificationTime: Int64, sheetCount: Int64)? {
    directories.bind(plan.library)
    directories.bind(path.bytes)
    defer { directories.reset() }
    guard try directories.step() else { return nil }
    return (directories.integer(0), directories.integer(1), directories.integer(2))
  }

  /// Whether the tracks that are known in the directory at `path`, and below it, are all on other file systems than
  /// `device`; not where there are none.
  func isElsewhere(_ path: RelativePath, than device: Int64) throws -> Bool {
    let (lower, upper) = path.contentBounds
    places.bind(plan.library)
    for bytes in [path.bytes, lower, upper] { places.bind(bytes) }
    places.bind(device)
    defer { places.reset() }
    return try places.step() && places.integer(0) != 0
  }

  /// The cue sheets that were applied to a directory, by name.
  func sheets(_ directory: Int64) throws -> [SheetFile] {
    sheets.bind(directory)
    var found: [SheetFile] = []
    while try sheets.step() { found.append(SheetFile(name: sheets.bytes(0), state: sheets.state(1))) }
    return found
  }

  /// The row of a problem.
  func problem(_ path: RelativePath) throws -> (id: Int64, state: FileState)? {
    problems.bind(plan.library)
    problems.bind(path.bytes)
    defer { problems.reset() }
    guard try problems.step() else { return nil }
    return (problems.integer(0), problems.state(1))
  }

  /// The track that a file of this state was under another name, where that file is no more.
  ///
  /// Each of the names of a file may be asked for, and every one looks at all others: so that is done once for all,
  /// where they are many.
  func moved(_ state: FileState) throws -> Int64? {
    if let former = formerTracks[state] { return former }
    let (former, nameCount) = try lookUp(state)
    if nameCount > Self.fewNames {
      if formerTracks.count >= Self.rememberedFiles { formerTracks.removeAll(keepingCapacity: true) }
      formerTracks[state] = .some(former)
    }
    return former
  }

  /// The same, and at how many names that was seen.
  private func lookUp(_ state: FileState) throws -> (former: Int64?, nameCount: Int) {
    var nameCount = 0
    inodes.bind(state.inode)
    inodes.bind(state.device)
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

  /// What the index holds of one file.
  struct File {
    /// Its first track.
    let id: Int64
    /// Its other tracks.
    private(set) var others: [Int64] = []
    /// How it was.
    let state: FileState
    /// What a cue sheet said of it.
    let mark: Int64

    fileprivate init(_ row: IndexStatement) {
      id = row.integer(0)
      state = row.state(2)
      mark = row.integer(7)
    }

    fileprivate mutating func add(_ row: IndexStatement) { others.append(row.integer(0)) }

    /// How many tracks it has.
    var trackCount: Int { 1 + others.count }
    /// All its tracks.
    var ids: [Int64] { [id] + others }
  }

  /// The tracks of one directory, by name.
  struct Cursor {
    private let files: IndexStatement?
    private var hasRow = false

    init(_ known: KnownFiles?, directory: Int64?) throws {
      guard let known, let directory else {
        files = nil
        return
      }
      files = known.files
      known.files.reset()
      known.files.bind(directory)
      hasRow = try known.files.step()
    }

    /// The file of this name, where there is one; the tracks before it are gone. Names come in the order of their
    /// bytes.
    mutating func find(_ name: ArraySlice<UInt8>, gone: inout [Int64]) throws -> File? {
      var found: File?
      while hasRow, let files {
        let order = unsafe name.withUnsafeBytes { name in
          unsafe files.withBytes(1) { unsafe StatusListing.compare($0[...], name[...]) }
        }
        if order > 0 { return found }
        if order < 0 {
          gone.append(files.integer(0))
        } else if found == nil {
          found = File(files)
        } else {
          found?.add(files)
        }
        // A track that is the whole file has no other beside it.
        let isWhole = order == 0 && files.integer(6) < 0
        hasRow = try files.step()
        if isWhole { return found }
      }
      return found
    }

    /// Ends behind the last name: all that is left is gone.
    mutating func finish(gone: inout [Int64]) throws {
      while hasRow, let files {
        gone.append(files.integer(0))
        hasRow = try files.step()
      }
    }
  }
}

extension IndexStatement {
  /// The state in the four columns from this one.
  func state(_ column: Int32) -> FileState {
    FileState(
      size: integer(column), modificationTime: integer(column + 1), inode: integer(column + 2),
      device: integer(column + 3))
  }
}
