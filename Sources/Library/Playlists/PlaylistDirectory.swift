// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform
public import SystemPackage
public import Tagging

/// The saved playlists of a library: the playlist files directly in one directory, named by their file names.
///
/// Names are matched without regard to case, with or without their suffix. If several match, one with the same case or
/// suffix is preferred. All methods block until the disk has been read or written, and are safe to call from any
/// thread. A change waits until other changes to playlists, in any process, are complete, but no longer than
/// ``lockTimeout``, because a stopped process may hold the lock.
public struct PlaylistDirectory: Sendable {
  /// The maximum time that a change waits for other changes, in milliseconds.
  private static let lockTimeout: UInt64 = 5_000

  /// The absolute path of the directory, which need not exist.
  public let path: FilePath
  /// The files that may be opened as playlists, or replaced.
  private let reach: FileReach
  /// Called after each change of a playlist, on the thread that changes it.
  public var onChange: (@Sendable (PlaylistChange) -> Void)?

  /// Creates the playlist directory of the library in `root`. It is `chosen` or, if that is `nil`, `$SEGUE_PLAYLISTS`;
  /// if neither is given, it is the directory `Playlists` (in any case) directly in the library.
  ///
  /// - Parameter reach: The files for which links may stand. A chosen directory is always within reach.
  public init(library root: FilePath, chosen: FilePath? = nil, reach: FileReach) {
    if let directory = chosen ?? Environment.playlistDirectory {
      path = (try? directory.absolute()) ?? directory
      self.reach = reach.including(path)
      return
    }
    self.reach = reach
    let root = (try? root.absolute()) ?? root
    let named = (try? DirectoryListing(of: root))?.entries.map(\.name).filter { name in
      PlaylistName.key(name.string) == "playlists"
        && (try? FileStatus(of: root.appending(name)).kind) == .directory
    }
    let name = named.flatMap { names in names.first { $0.string == "Playlists" } ?? names.first }
    path = name.map { root.appending($0) } ?? root.appending("Playlists")
  }

  /// Returns all playlists, sorted by name.
  ///
  /// - Parameter countsEntries: Whether to read every playlist to count its entries.
  /// - Throws: `unreadable`. A directory that does not exist has no playlists.
  public func lists(countsEntries: Bool = true) throws(PlaylistError) -> [SavedPlaylist] {
    let files = try files()
    guard countsEntries else { return files }
    return files.map { file in
      var list = file
      if file.isSmart { return list }
      list.entryCount = (try? PlaylistReader.read(file.path, reach: reach))?.entries.count
      return list
    }
  }

  /// Returns the playlist called `name`, without counting its entries.
  ///
  /// - Throws: `unusableName`, `noList`, `ambiguous` or `unreadable`.
  public func find(_ name: String) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(name)
    let all = try files()
    let key = PlaylistName.key(name)
    let criteria: [(SavedPlaylist) -> Bool] = [
      { $0.fileName == name }, { $0.name == name }, { PlaylistName.key($0.fileName) == key },
      { PlaylistName.key($0.name) == key },
    ]
    for criterion in criteria {
      let matches = all.filter(criterion)
      if matches.count > 1 { throw .ambiguous(name, matches.map(\.fileName)) }
      if let list = matches.first { return list }
    }
    let nearest = Likeness.nearest(to: key, in: all.map { PlaylistName.key($0.name) }).first
    throw .noList(name, path, suggestion: nearest.map { all[$0].name })
  }

  /// Loads the playlist called `name`.
  ///
  /// - Throws: The errors of ``find(_:)``, or those of reading the file.
  public func load(_ name: String) throws(PlaylistError) -> (list: SavedPlaylist, playlist: Playlist) {
    var list = try find(name)
    if list.isSmart { throw .smart(list.path) }
    let playlist = try PlaylistReader.read(list.path, reach: reach)
    list.entryCount = playlist.entries.count
    return (list, playlist)
  }

  /// Returns the rules of the smart playlist `list`.
  ///
  /// - Parameter today: The day from which relative dates in queries count back.
  /// - Throws: The errors of reading the file.
  public func rules(of list: SavedPlaylist, today: ReleaseDate) throws(PlaylistError) -> SmartPlaylist {
    let contents = try PlaylistReader.contents(of: list.path, reach: reach, limit: SmartPlaylistFile.sizeLimit)
    return try SmartPlaylistFile.playlist(in: contents, of: list.path, today: today)
  }

  /// Saves the rules of a smart playlist under `name`, atomically; see `SmartPlaylistFile`.
  ///
  /// - Parameter replaces: Whether an existing smart playlist of that name may be replaced.
  /// - Throws: `unusableName`, `exists`, `ambiguous` or `unwritable`.
  @discardableResult
  public func save(
    rules contents: [UInt8], as name: String, replaces: Bool
  ) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(name)
    let target = path.appending("\(name).\(SmartPlaylistFormat.toml.rawValue)")
    if let present = try existingFile(name), present != target || !replaces { throw .exists(name, present) }
    let lock = Self.changeLock(path)
    defer { withExtendedLifetime(lock) {} }
    try recording(target) { () throws(PlaylistError) in try PlaylistWriter.write(to: target) { _ in contents } }
    return try find(target.lastComponent?.string ?? name)
  }

  /// Saves `playlist` under `name`, atomically. The format is that of the playlist that it replaces. For a new
  /// playlist, it is that of the suffix of `name`, or M3U8 if there is no such suffix. Paths are made relative where
  /// possible. The directory is created if it is missing.
  ///
  /// - Parameter replaces: Whether an existing playlist of that name may be replaced.
  /// - Returns: The saved playlist.
  /// - Throws: `unusableName`, `exists`, `ambiguous`, `unwritable` (also if the directory is out of reach) or
  ///   `tooManyEntries`.
  @discardableResult
  public func save(
    _ playlist: Playlist, as name: String, replaces: Bool = false
  ) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(name)
    let target = try existingFile(name) ?? newFile(name)
    if SmartPlaylistFormat(target) != nil { throw .smart(target) }
    if reach.resolve(path) == nil, (try? FileStatus(of: path, followingLinks: false)) != nil {
      throw .unwritable(target, .permissionDenied)
    }
    if !replaces, (try? FileStatus(of: target, followingLinks: false)) != nil { throw .exists(name, target) }
    guard playlist.entries.count <= Playlist.entryLimit else { throw .tooManyEntries(target) }
    let lock = Self.changeLock(path)
    defer { withExtendedLifetime(lock) {} }
    try recording(target) { () throws(PlaylistError) in try PlaylistWriter.write(playlist, to: target) }
    return try find(target.lastComponent?.string ?? name)
  }

  /// Edits the playlist `name`. What an edit does not concern stays as it is in the file, byte for byte.
  ///
  /// - Parameter expected: The entries of the playlist for which the edits were made; `nil` for any.
  /// - Returns: The new number of entries.
  /// - Throws: The errors of ``load(_:)`` and ``save(_:as:replaces:)``, `changed` or `noPosition`. A playlist that does
  ///   not exist is not created.
  @discardableResult
  public func edit(
    _ name: String, _ edits: [PlaylistEdit], expecting expected: [PlaylistEntry]? = nil
  ) throws(PlaylistError) -> Int {
    let lock = Self.changeLock(path)
    defer { withExtendedLifetime(lock) {} }
    let list = try find(name)
    if list.isSmart { throw .smart(list.path) }
    let contents = try PlaylistReader.contents(of: list.path, reach: reach)
    let playlist = try PlaylistReader.playlist(in: contents, of: list.path)
    if let expected, expected != playlist.entries { throw .changed(list.path) }
    let edited = try edited(list, contents, edits)
    if edited.contents != contents {
      try recording(list.path) { () throws(PlaylistError) in
        try PlaylistWriter.write(to: list.path) { _ in edited.contents }
      }
    }
    return edited.count
  }

  /// Returns the contents of the playlist `list` after these edits, and their number of entries.
  private func edited(
    _ list: SavedPlaylist, _ contents: [UInt8], _ edits: [PlaylistEdit]
  ) throws(PlaylistError) -> (contents: [UInt8], count: Int) {
    guard let ownFormat = list.format else { throw .smart(list.path) }
    var contents = contents
    if contents.allSatisfy({ $0 <= 0x20 }) { contents = PlaylistWriter.bytes(of: Playlist(), as: ownFormat) }
    let format = PlaylistFormat(contents: contents) ?? ownFormat
    let edited = try PlaylistDocument.edited(contents, format, at: list.path, edits, RelativePaths(below: path))
    guard edited.contents.count <= Playlist.sizeLimit else { throw .tooLarge(list.path) }
    return edited
  }

  /// Gives the entries of all playlists whose files were moved their present locations, while no other process changes
  /// playlists. Playlists that cannot be read or written are left as they are.
  ///
  /// - Parameters:
  ///   - roots: The library's directories, to which paths may be relative, as MPD writes them.
  ///   - record: Knows which moves the playlists follow already.
  public func follow(_ record: some FollowedMoves, roots: LibraryRoots) throws {
    let lock = Self.changeLock(path)
    defer { withExtendedLifetime(lock) {} }
    let candidates = PlaylistCandidates(directory: path.systemBytes, others: roots.paths.map(\.systemBytes))
    for list in (try? files()) ?? [] where !list.isSmart {
      guard let contents = try? PlaylistReader.contents(of: list.path, reach: reach),
        let playlist = try? PlaylistReader.playlist(in: contents, of: list.path)
      else { continue }
      let (moves, areCertain) = try record.moves(for: list.path, contents)
      if moves.isEmpty { continue }
      var locations: [Int: PlaylistLocation] = [:]
      for (position, entry) in playlist.entries.enumerated() {
        guard case .path(let bytes) = entry.location else { continue }
        candidates.search(bytes) { candidate in
          let former = FilePath(systemBytes: candidate).lexicallyNormalized()
          let present = moves.present(former)
          if present == former || !areCertain, (try? FileStatus(of: former)) != nil { return true }
          if present != former { locations[position] = .path(present.systemBytes) }
          return present != former
        }
      }
      guard !locations.isEmpty, let edited = try? edited(list, contents, [.relocate(locations)]).contents else {
        continue
      }
      try record.willWrite(edited, to: list.path, replacing: contents, lastScan: moves.lastScan)
      try? PlaylistWriter.write(to: list.path) { _ in edited }
    }
  }

  /// Removes the playlist `name`, but none of its music.
  ///
  /// - Throws: The errors of ``find(_:)``, or `unwritable`.
  public func remove(_ name: String) throws(PlaylistError) {
    let list = try find(name)
    try recording(list.path) { () throws(PlaylistError) in
      do throws(Errno) { try AtomicFile.remove(list.path) } catch { throw .unwritable(list.path, error) }
    }
  }

  /// Renames the playlist `name` to `newName`, without changing its format. Returns the renamed playlist.
  ///
  /// - Throws: The errors of ``find(_:)``; `exists` if another playlist has that name; or `unwritable`.
  @discardableResult
  public func rename(_ name: String, to newName: String) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(newName)
    let list = try find(name)
    let suffix = list.path.extension ?? "m3u8"
    let hasSuffix = FilePath(newName).extension?.lowercased() == suffix.lowercased()
    let stem = hasSuffix ? FilePath(newName).stem ?? newName : newName
    if let other = try existingFile(stem), other != list.path { throw .exists(newName, other) }
    let target = path.appending("\(stem).\(suffix)")
    if target != list.path, !Self.isSame(target, list.path), (try? FileStatus(of: target)) != nil {
      throw .exists(newName, target)
    }
    do { try AtomicFile.move(list.path, to: target) } catch { throw .unwritable(target, error) }
    if target != list.path { onChange?(.moved(list.path, to: target)) }
    return try find(target.lastComponent?.string ?? newName)
  }

  /// Acquires the lock for changing a playlist in the directory at `path`, which is held until the returned value is
  /// released. Returns `nil` if no lock is possible, or if its holder does not release it in time.
  static func changeLock(_ path: FilePath) -> FileLock? {
    try? FileLock(directory: path, until: MonotonicInstant.now.advanced(byMilliseconds: lockTimeout))
  }

  private func recording<Value>(
    _ path: FilePath, _ body: () throws(PlaylistError) -> Value
  ) throws(PlaylistError) -> Value {
    try PlaylistChange.recording(path, onChange, body)
  }

  /// Returns the file of the playlist with this name, or `nil` if there is none.
  private func existingFile(_ name: String) throws(PlaylistError) -> FilePath? {
    do {
      return try find(name).path
    } catch {
      if case .noList = error { return nil }
      throw error
    }
  }

  private func newFile(_ name: String) -> FilePath {
    path.appending(PlaylistFormat(FilePath(name)) == nil ? "\(name).m3u8" : name)
  }

  private func files() throws(PlaylistError) -> [SavedPlaylist] {
    let entries: [DirectoryListing.Entry]
    do throws(Errno) {
      entries = try DirectoryListing(of: path).entries
    } catch {
      if error == .noSuchFileOrDirectory { return [] }
      throw .unreadable(path, error)
    }
    let found = entries.compactMap { entry -> SavedPlaylist? in
      let file = path.appending(entry.name)
      let format = PlaylistFormat(file)
      guard file.lastName.first != UInt8(ascii: "."), format != nil || SmartPlaylistFormat(file) != nil,
        let found = reach.file(file, isBesideMusic: true)
      else { return nil }
      return SavedPlaylist(
        name: entry.name.stem, path: file, format: format, entryCount: nil,
        modificationTime: found.status.modificationTime)
    }
    return found.sorted { (PlaylistName.key($0.name), $0.name) < (PlaylistName.key($1.name), $1.name) }
  }

  private static func isSame(_ one: FilePath, _ other: FilePath) -> Bool {
    guard let one = try? FileStatus(of: one).identity else { return false }
    return one == (try? FileStatus(of: other).identity)
  }
}

/// A record of the moves of files that playlists follow already.
public protocol FollowedMoves {
  /// Returns the moves that the playlist at `path`, which has these contents, does not follow yet. If they are not
  /// certain, it may follow them already, so that only entries whose files are missing are given other locations.
  func moves(for path: FilePath, _ contents: [UInt8]) throws -> (moves: FileMoves, areCertain: Bool)

  /// Records that the playlist at `path` will have these contents instead of `former`, and will then follow all moves
  /// up to `lastScan`.
  func willWrite(_ contents: [UInt8], to path: FilePath, replacing former: [UInt8], lastScan: Int64) throws
}

extension SavedPlaylist {
  fileprivate var fileName: String { path.lastComponent?.string ?? name }
}

/// A playlist in the directory of saved playlists.
public struct SavedPlaylist: Sendable, Hashable {
  /// The name of the playlist: its file name without the suffix, as text.
  public var name: String
  /// The absolute path of the file.
  public var path: FilePath
  /// The format according to the suffix; `nil` for a smart playlist.
  public var format: PlaylistFormat?
  /// The number of entries, not counting those of nested playlists; `nil` if they were not counted or cannot be read,
  /// and for a smart playlist.
  public var entryCount: Int?
  /// The modification time, in nanoseconds since 1970.
  public var modificationTime: Int64

  /// Whether the tracks follow from rules.
  public var isSmart: Bool { format == nil }
}

enum PlaylistName {
  /// The maximum length of a name in bytes. File systems allow 255 bytes, which must include the suffix.
  static let lengthLimit = 200

  /// Checks that a file with this name can safely be created directly in the directory.
  ///
  /// - Throws: `unusableName`.
  static func check(_ name: String) throws(PlaylistError) {
    if let reason = problem(name) { throw .unusableName(name, reason: reason) }
  }

  private static func problem(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "it is empty" }
    if name.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" }) { return "it contains a slash" }
    if name.hasPrefix(".") { return "it begins with a dot" }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
      return "it contains control characters"
    }
    return name.utf8.count > lengthLimit ? "it is longer than \(lengthLimit) bytes" : nil
  }

  /// Returns the form in which names are compared, which ignores case.
  static func key(_ name: String) -> String { name.lowercased() }
}
