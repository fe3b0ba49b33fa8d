import Platform
public import SystemPackage
import Tagging

/// The saved lists of a library: the playlists that lie directly in one directory, under the names of their files.
///
/// Names match without regard to case, and may be given with or without their suffix; the same case, and the suffix,
/// decide where several match. All calls block while the disk does; any thread. Whoever changes a list waits for others
/// that change one, in whatever process; not longer than ``patience``, since a lock may be held by a process that is
/// stopped.
public struct PlaylistDirectory: Sendable, Hashable {
  /// How long a change waits for another, in milliseconds.
  private static let patience: UInt64 = 5_000

  /// The directory; absolute. It need not be there.
  public let path: FilePath

  /// The directory of the library in `root`: `chosen`, else `$SEGUE_PLAYLISTS`, else the directory `Playlists`, in
  /// whatever case, directly in the library.
  public init(library root: FilePath, chosen: FilePath? = nil) {
    if let directory = chosen ?? Environment.playlistDirectory {
      path = (try? directory.absolute()) ?? directory
      return
    }
    let root = (try? root.absolute()) ?? root
    let named = (try? DirectoryListing(of: root))?.entries.map(\.name).filter { name in
      PlaylistName.key(name.string) == "playlists"
        && (try? FileStatus(of: root.appending(name)).kind) == .directory
    }
    let name = named.flatMap { names in names.first { $0.string == "Playlists" } ?? names.first }
    path = name.map { root.appending($0) } ?? root.appending("Playlists")
  }

  /// All lists, by name. Each is read, to count its entries, unless they are not to be counted.
  ///
  /// - Throws: `unreadable`; a directory that is not there has no lists.
  public func lists(countsEntries: Bool = true) throws(PlaylistError) -> [SavedPlaylist] {
    let files = try files()
    guard countsEntries else { return files }
    return files.map { file in
      var list = file
      list.entryCount = (try? PlaylistReader.read(file.path))?.entries.count
      return list
    }
  }

  /// The list called `name`; its entries are not counted.
  ///
  /// - Throws: `unusableName`, `noList`, `ambiguous` or `unreadable`.
  public func find(_ name: String) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(name)
    let all = try files()
    let key = PlaylistName.key(name)
    let tests: [(SavedPlaylist) -> Bool] = [
      { $0.fileName == name }, { $0.name == name }, { PlaylistName.key($0.fileName) == key },
      { PlaylistName.key($0.name) == key },
    ]
    for test in tests {
      let found = all.filter(test)
      if found.count > 1 { throw .ambiguous(name, found.map(\.fileName)) }
      if let list = found.first { return list }
    }
    let like = Likeness.nearest(to: key, in: all.map { PlaylistName.key($0.name) }).first
    throw .noList(name, path, suggestion: like.map { all[$0].name })
  }

  /// What the list called `name` says, and its file.
  ///
  /// - Throws: as ``find(_:)``, or why it cannot be read.
  public func load(_ name: String) throws(PlaylistError) -> (list: SavedPlaylist, playlist: Playlist) {
    var list = try find(name)
    let playlist = try PlaylistReader.read(list.path)
    list.entryCount = playlist.entries.count
    return (list, playlist)
  }

  /// Saves `playlist` as the list `name`, in one piece: as M3U8, or in the format of the list that it replaces, or of
  /// the suffix that `name` has. Paths are relative where they can be. Makes the directory where it is missing.
  ///
  /// - Parameter replaces: whether a list of that name is replaced.
  /// - Returns: the list as it is now.
  /// - Throws: `unusableName`, `exists`, `ambiguous`, `unwritable` or `tooManyEntries`.
  @discardableResult
  public func save(
    _ playlist: Playlist, as name: String, replaces: Bool = false
  ) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(name)
    let target = try present(name) ?? file(name)
    if !replaces, (try? FileStatus(of: target, followingLinks: false)) != nil { throw .exists(name, target) }
    guard playlist.entries.count <= Playlist.entryLimit else { throw .tooManyEntries(target) }
    let lock = turn()
    defer { withExtendedLifetime(lock) {} }
    try PlaylistWriter.write(playlist, to: target)
    return try find(target.lastComponent?.string ?? name)
  }

  /// Adds entries to the end of the list `name`, and gives how many it has then. What was in it stays as it is, but for
  /// remarks.
  ///
  /// - Throws: as ``change(_:_:)``.
  @discardableResult
  public func append(_ entries: [PlaylistEntry], to name: String) throws(PlaylistError) -> Int {
    var count = 0
    try change(name) { all in
      all += entries
      count = all.count
      return true
    }
    return count
  }

  /// Has `body` change the entries of the list `name`, and say whether they are to be written. What stays in it stays
  /// as it is, but for remarks.
  ///
  /// - Throws: as ``load(_:)`` and ``save(_:as:replaces:)``; a list that is not there is not made.
  public func change(_ name: String, _ body: (inout [PlaylistEntry]) -> Bool) throws(PlaylistError) {
    let lock = turn()
    defer { withExtendedLifetime(lock) {} }
    var (list, playlist) = try load(name)
    guard body(&playlist.entries) else { return }
    guard playlist.entries.count <= Playlist.entryLimit else { throw .tooManyEntries(list.path) }
    for index in playlist.entries.indices where !playlist.entries[index].alternatives.isEmpty {
      if list.format != .xspf { playlist.entries[index] = settled(playlist.entries[index], list.path) }
    }
    try PlaylistWriter.write(playlist, to: list.path, as: list.format)
  }

  /// Removes the list `name`. Its music stays.
  ///
  /// - Throws: as ``find(_:)``, or `unwritable`.
  public func remove(_ name: String) throws(PlaylistError) {
    let list = try find(name)
    do { try AtomicFile.remove(list.path) } catch { throw .unwritable(list.path, error) }
  }

  /// Calls the list `name` `newName`, and gives it back; its format stays.
  ///
  /// - Throws: as ``find(_:)``, `exists` where another list is called so, or `unwritable`.
  @discardableResult
  public func rename(_ name: String, to newName: String) throws(PlaylistError) -> SavedPlaylist {
    try PlaylistName.check(newName)
    let list = try find(name)
    let stem = PlaylistFormat(FilePath(newName)) == list.format ? FilePath(newName).stem ?? newName : newName
    if let other = try present(stem), other != list.path { throw .exists(newName, other) }
    let target = path.appending("\(stem).\(list.path.extension ?? list.format.rawValue)")
    if target != list.path, !Self.isSame(target, list.path), (try? FileStatus(of: target)) != nil {
      throw .exists(newName, target)
    }
    do { try AtomicFile.move(list.path, to: target) } catch { throw .unwritable(target, error) }
    return try find(target.lastComponent?.string ?? newName)
  }

  /// The turn to change a list, until it is released; `nil` where there can be no lock, or its holder does not let go.
  private func turn() -> FileLock? {
    try? FileLock(directory: path, until: MonotonicInstant.now.advanced(byMilliseconds: Self.patience))
  }

  /// The file of the list of this name, where there is one.
  private func present(_ name: String) throws(PlaylistError) -> FilePath? {
    do {
      return try find(name).path
    } catch {
      if case .noList = error { return nil }
      throw error
    }
  }

  /// The file that a new list of this name gets.
  private func file(_ name: String) -> FilePath {
    path.appending(PlaylistFormat(FilePath(name)) == nil ? "\(name).m3u8" : name)
  }

  /// The entry with one place: where its music is, else what it says as text.
  private func settled(_ entry: PlaylistEntry, _ list: FilePath) -> PlaylistEntry {
    var single = entry
    let resolver = PlaylistResolver(reach: .anywhere)
    let found = (try? resolver.entries(of: Playlist(entries: [entry]), at: list))?.first
    if found?.missing == nil, found?.playlist == list, let path = found?.path {
      single.location = .path(path.systemBytes)
    } else if let text = entry.alternatives.first {
      single.location = text
    }
    single.alternatives = []
    return single
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
      guard file.lastName.first != UInt8(ascii: "."), let format = PlaylistFormat(file),
        let status = try? FileStatus(of: file),
        status.kind == .regular
      else { return nil }
      return SavedPlaylist(
        name: entry.name.stem, path: file, format: format, entryCount: nil,
        modificationTime: status.modificationTime)
    }
    return found.sorted { (PlaylistName.key($0.name), $0.name) < (PlaylistName.key($1.name), $1.name) }
  }

  private static func isSame(_ one: FilePath, _ other: FilePath) -> Bool {
    guard let one = try? FileStatus(of: one).identity else { return false }
    return one == (try? FileStatus(of: other).identity)
  }
}

extension SavedPlaylist {
  /// The name of the file, as text.
  fileprivate var fileName: String { path.lastComponent?.string ?? name }
}

/// A list in a directory of saved lists.
public struct SavedPlaylist: Sendable, Hashable {
  /// What it is called: the file's name without its suffix, as text.
  public var name: String
  /// The file; absolute.
  public var path: FilePath
  /// The format that its suffix says.
  public var format: PlaylistFormat
  /// How many entries it has, those of playlists in it not counted; `nil` where it cannot be read.
  public var entryCount: Int?
  /// When it was changed last: nanoseconds since 1970.
  public var modificationTime: Int64
}

/// What saved lists may be called.
enum PlaylistName {
  /// The longest name, in bytes: with a suffix, and what a write in progress adds, it has to fit into 255.
  static let lengthLimit = 200

  /// Nothing, where a file directly in the directory can have this name without harm.
  ///
  /// - Throws: `unusableName`.
  static func check(_ name: String) throws(PlaylistError) {
    if let reason = fault(name) { throw .unusableName(name, reason: reason) }
  }

  private static func fault(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "it is empty" }
    if name.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" }) { return "it has a slash in it" }
    if name.hasPrefix(".") { return "it begins with a full stop" }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
      return "it has control characters in it"
    }
    return name.utf8.count > lengthLimit ? "it is longer than \(lengthLimit) bytes" : nil
  }

  /// The name in the form in which names are compared: without regard to case.
  static func key(_ name: String) -> String { name.lowercased() }
}
