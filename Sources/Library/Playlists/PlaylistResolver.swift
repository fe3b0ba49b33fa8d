import Platform
public import SystemPackage
public import Tagging

/// Looks up on the disk what playlists name.
///
/// A name counts byte for byte first. One of Windows, with backslashes or a drive, is looked for with its longest end
/// that is there below the playlist's directory or the library's. A relative one that is not there below the playlist's
/// directory is looked for below the library's, as MPD writes it. An entry that is a playlist itself stands for its
/// entries, and one that is a directory for the music in it.
public struct PlaylistResolver: Sendable {
  /// How many playlists may be one in the other.
  public static let depthLimit = 8
  /// How many playlists are read for one.
  static let listLimit = 1_000

  private let reach: PlaylistReach
  private let roots: [FilePath]
  private let opensPlaylists: Bool
  private let isKnown: @Sendable (FilePath) -> Bool

  /// A resolver of entries in `reach`.
  ///
  /// - Parameters:
  ///   - roots: the library's directories, where `reach` does not name them.
  ///   - opensPlaylists: whether an entry that is a playlist stands for its entries, and not for itself: then each has
  ///     one that resolves it.
  ///   - isKnown: whether a file that only links inside the library lead to is the library's all the same, since its
  ///     scan followed
  ///     them; asked with paths as they are written, on the thread that resolves.
  public init(
    reach: PlaylistReach, roots: LibraryRoots? = nil, opensPlaylists: Bool = true,
    isKnown: @escaping @Sendable (FilePath) -> Bool = { _ in false }
  ) {
    self.reach = reach
    if case .library(let library) = reach {
      self.roots = library.paths
    } else {
      self.roots = roots?.paths ?? []
    }
    self.opensPlaylists = opensPlaylists
    self.isKnown = isKnown
  }

  /// The entries of `playlist`, which is or would be the file at `path`, in their order, those of playlists in it in
  /// their place.
  ///
  /// Nothing but playlists is opened. Blocks while the file system does; any thread outside of the cooperative pool.
  ///
  /// - Throws: `tooManyEntries` where they are more than ``Playlist/entryLimit`` in all.
  public func entries(of playlist: Playlist, at path: FilePath) throws(PlaylistError) -> [ResolvedEntry] {
    let path = (try? path.absolute()) ?? path
    var run = ResolverRun(path, reach, roots, opensPlaylists, isKnown)
    try run.add(playlist, at: path)
    return run.entries
  }
}

/// One run of a resolver.
private struct ResolverRun {
  private(set) var entries: [ResolvedEntry] = []

  private let first: FilePath
  private let opensPlaylists: Bool
  private let roots: [[UInt8]]
  private var places: PlaylistPlaces
  private var open: [FileStatus.Identity] = []
  private var lists: [FileStatus.Identity: Result<Playlist, PlaylistError>] = [:]
  /// How many entries were looked at, which is more than there are where playlists are empty.
  private var visited = 0
  private var visitedLists = 0

  init(
    _ path: FilePath, _ reach: PlaylistReach, _ roots: [FilePath], _ opensPlaylists: Bool,
    _ isKnown: @escaping @Sendable (FilePath) -> Bool
  ) {
    first = path
    self.opensPlaylists = opensPlaylists
    self.roots = roots.map(\.systemBytes)
    places = PlaylistPlaces(reach, isKnown: isKnown)
  }

  mutating func add(_ playlist: Playlist, at path: FilePath) throws(PlaylistError) {
    let identity = (try? FileStatus(of: path))?.identity
    if let identity { open.append(identity) }
    defer { if identity != nil { open.removeLast() } }
    let candidates = PlaylistCandidates(directory: path.removingLastComponent().systemBytes, others: roots)
    for entry in playlist.entries {
      visited += 1
      guard visited <= Playlist.entryLimit else { throw .tooManyEntries(first) }
      try add(resolved(entry, candidates, path))
    }
  }

  private mutating func add(_ entry: ResolvedEntry) throws(PlaylistError) {
    guard opensPlaylists, entry.missing == nil, !entry.isDirectory, let path = entry.path, PlaylistFormat(path) != nil
    else {
      entries.append(entry)
      return
    }
    guard let identity = (try? FileStatus(of: path))?.identity else {
      entries.append(entry)
      return
    }
    var entry = entry
    if open.contains(identity) {
      entry.missing = .loop
    } else if open.count >= PlaylistResolver.depthLimit {
      entry.missing = .tooDeep
    } else {
      visitedLists += 1
      guard visitedLists <= PlaylistResolver.listLimit else { throw .tooManyEntries(first) }
      switch list(at: path, identity) {
      case .success(let playlist): return try add(playlist, at: path)
      case .failure(let error): entry.missing = .unreadablePlaylist(error)
      }
    }
    entries.append(entry)
  }

  private mutating func list(at path: FilePath, _ identity: FileStatus.Identity) -> Result<
    Playlist, PlaylistError
  > {
    if let known = lists[identity] { return known }
    let result = Result { () throws(PlaylistError) in try PlaylistReader.read(path) }
    // What is large is read again rather than kept.
    if case .success(let playlist) = result, playlist.entries.count > 10_000 { return result }
    if lists.count < 100 { lists[identity] = result }
    return result
  }

  private mutating func resolved(
    _ entry: PlaylistEntry, _ candidates: PlaylistCandidates, _ playlist: FilePath
  ) -> ResolvedEntry {
    var result = ResolvedEntry(entry: entry, playlist: playlist, path: nil, missing: nil)
    var firstMiss: (FilePath?, ResolvedEntry.Reason)?
    for location in [entry.location] + entry.alternatives {
      switch location {
      case .address(let address):
        let scheme = PlaylistLocation.scheme(of: Array(address.utf8)) ?? "URI"
        firstMiss = firstMiss ?? (nil, .address(scheme: scheme))
      case .path([]): firstMiss = firstMiss ?? (nil, .unusableName)
      case .path(let path):
        var found: FilePath?
        candidates.search(path) { candidate in
          switch places.place(candidate) {
          case .file(let file): found = file
          case .directory(let directory): (found, result.isDirectory) = (directory, true)
          case .missing(let file, let reason): firstMiss = firstMiss ?? (file, reason)
          }
          return found != nil
        }
        if let found {
          result.path = found
          return result
        }
      }
    }
    (result.path, result.missing) = firstMiss ?? (nil, .unusableName)
    return result
  }
}

/// An entry of a playlist, and what there is on the disk.
public struct ResolvedEntry: Sendable, Hashable {
  /// Why an entry cannot be played.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// No such file is there.
    case notFound
    /// It is an address in the net, with this scheme.
    case address(scheme: String)
    /// It leads out of the library.
    case outsideLibrary
    /// A FIFO or a device is there.
    case notAFile
    /// No file can have such a name: it is empty, or has a NUL in it.
    case unusableName
    /// The operating system refused to look.
    case unreadable(Errno)
    /// It is a playlist that is being read already.
    case loop
    /// It is a playlist within too many others.
    case tooDeep
    /// It is a playlist that cannot be read.
    case unreadablePlaylist(PlaylistError)

    /// The reason in words, without the path, as the end of a line.
    public var description: String {
      switch self {
      case .notFound: "no such file"
      case .address(let scheme): "an address (\(scheme)), which cannot be played"
      case .outsideLibrary: "outside of the library"
      case .notAFile: "not a regular file"
      case .unusableName: "not the name of a file"
      case .unreadable(let code): "cannot be read: \(code)"
      case .loop: "a playlist that contains itself"
      case .tooDeep: "a playlist within more than \(PlaylistResolver.depthLimit) others"
      case .unreadablePlaylist(let error): error.description
      }
    }
  }

  /// What the playlist says; its place is relative to ``playlist``.
  public var entry: PlaylistEntry
  /// The file of the playlist that says it: one within the other, where playlists are entries.
  public var playlist: FilePath
  /// The file; where it is missing, where it would be. Absolute, and without `..`; `nil` for what has no place among
  /// the files, or none that may be looked at.
  public var path: FilePath?
  /// Why it cannot be played; `nil` for a regular file or a directory that is there.
  public var missing: Reason?
  /// Whether a directory is there, which stands for the music in it.
  public var isDirectory = false
}

/// Where the entries of a playlist may lead.
///
/// A playlist is a file that may come from anywhere: it must not make files known, or open them, that its user did not
/// mean.
public enum PlaylistReach: Sendable, Hashable {
  /// Files in the directories of a library, once links and `..` are resolved; for playlists that are found by
  /// themselves.
  case library(LibraryRoots)
  /// All files; for a playlist that the user named.
  case anywhere
}
