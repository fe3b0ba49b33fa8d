// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage
public import Tagging

/// Looks up the entries of playlists on disk.
///
/// A path is first tried byte for byte, then regardless of case and of Unicode normalisation. A relative path that does
/// not exist below the playlist's directory is searched for below the library's directories, as MPD writes it. Of an
/// absolute path of another machine, the longest tail that names one file below the playlist's directory or in the
/// library is used. An entry that is itself a playlist is replaced by its entries, and a directory stands for the music
/// in it.
public struct PlaylistResolver: Sendable {
  /// The maximum depth of nested playlists.
  public static let depthLimit = 8
  /// The maximum number of nested playlists that are read for one playlist.
  static let listLimit = 1_000

  private let reach: FileReach
  private let roots: [FilePath]
  private let opensPlaylists: Bool
  private let library: LibraryFileNames?

  /// Creates a resolver of entries within `reach`.
  ///
  /// - Parameters:
  ///   - reach: The files that the entries may refer to. A playlist may come from anywhere; it must not reveal or open
  ///     files that the user did not mean to open.
  ///   - roots: The library's directories, if `reach` does not name them.
  ///   - opensPlaylists: Whether an entry that is a playlist is replaced by its entries. If not, every entry is
  ///     resolved to exactly one.
  ///   - library: The files of the library.
  public init(
    reach: FileReach, roots: LibraryRoots? = nil, opensPlaylists: Bool = true, library: LibraryFileNames? = nil
  ) {
    self.reach = reach
    self.library = library
    self.roots = (reach.roots ?? roots)?.paths ?? []
    self.opensPlaylists = opensPlaylists
  }

  /// Returns the resolved entries of `playlist` in order, with nested playlists expanded in place. The file of the
  /// playlist is at `path`, but need not exist.
  ///
  /// Opens only playlists. Blocks until the disk has been read; call it on any thread outside the cooperative pool.
  ///
  /// - Throws: `tooManyEntries` if there are more than ``Playlist/entryLimit`` in all.
  public func entries(of playlist: Playlist, at path: FilePath) throws(PlaylistError) -> [ResolvedEntry] {
    let path = (try? path.absolute()) ?? path
    var run = ResolverRun(path, reach, roots, opensPlaylists, library)
    try run.add(playlist, at: path)
    return run.entries
  }
}

private struct ResolverRun {
  private(set) var entries: [ResolvedEntry] = []

  /// The playlist being resolved, in which the others are nested.
  private let outermost: FilePath
  private let reach: FileReach
  private let opensPlaylists: Bool
  private let roots: [[UInt8]]
  private var lookup: PlaylistFileLookup
  /// The playlists that are being read, from the outermost to the innermost.
  private var open: [FileStatus.Identity] = []
  private var cache: [FileStatus.Identity: Result<Playlist, PlaylistError>] = [:]
  /// The number of entries visited so far, in all playlists. An entry that is a playlist is counted, too.
  private var visited = 0
  private var visitedLists = 0
  private let library: LibraryFileNames?
  /// The numbers of missing entries for which the nearest name has yet to be found: in directories, and in the library.
  private var nearestLeft = (inDirectories: 100, inLibrary: 10)

  init(
    _ path: FilePath, _ reach: FileReach, _ roots: [FilePath], _ opensPlaylists: Bool, _ library: LibraryFileNames?
  ) {
    outermost = path
    self.library = library
    self.reach = reach
    self.opensPlaylists = opensPlaylists
    self.roots = roots.map(\.systemBytes)
    lookup = PlaylistFileLookup(reach)
  }

  mutating func add(_ playlist: Playlist, at path: FilePath) throws(PlaylistError) {
    let identity = (try? FileStatus(of: path))?.identity
    if let identity { open.append(identity) }
    defer { if identity != nil { open.removeLast() } }
    let candidates = PlaylistCandidates(directory: path.removingLastComponent().systemBytes, others: roots)
    for entry in playlist.entries {
      visited += 1
      guard visited <= Playlist.entryLimit else { throw .tooManyEntries(outermost) }
      try add(resolved(entry, candidates, path))
    }
  }

  private mutating func add(_ entry: ResolvedEntry) throws(PlaylistError) {
    guard opensPlaylists, entry.missing == nil, !entry.isDirectory, !entry.isStream, let path = entry.path,
      PlaylistFormat(path) != nil
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
      guard visitedLists <= PlaylistResolver.listLimit else { throw .tooManyEntries(outermost) }
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
    if let known = cache[identity] { return known }
    let result = Result { () throws(PlaylistError) in try PlaylistReader.read(path, reach: reach) }
    // Large playlists are read again rather than cached.
    if case .success(let playlist) = result, playlist.entries.count > 10_000 { return result }
    if cache.count < 100 { cache[identity] = result }
    return result
  }

  private mutating func resolved(
    _ entry: PlaylistEntry, _ candidates: PlaylistCandidates, _ playlist: FilePath
  ) -> ResolvedEntry {
    var result = ResolvedEntry(entry: entry, playlist: playlist, path: nil, missing: nil)
    var firstMiss: (FilePath?, ResolvedEntry.Reason)?
    var paths: [[UInt8]] = []
    for location in [entry.location] + entry.alternatives {
      switch location {
      case .url(let url):
        if let address = StreamAddress(url) {
          result.path = address.path
          return result
        }
        if let path = PlaylistCandidates.path(ofShare: url) { paths.append(path) }
        let scheme = PlaylistLocation.scheme(of: Array(url.utf8)) ?? "URI"
        firstMiss = firstMiss ?? (nil, .url(scheme: scheme))
      case .path([]): firstMiss = firstMiss ?? (nil, .unusableName)
      case .path(let path):
        paths.append(path)
        candidates.search(path) { candidate in
          let found = lookup.lookUp(candidate)
          if case .missing(let file, let reason) = found { firstMiss = firstMiss ?? (file, reason) }
          return result.find(found)
        }
        if result.path != nil { return result }
      }
    }
    for path in paths {
      candidates.search(path) { result.find(lookup.lookUpSimilar($0)) }
      if result.path != nil { return result }
    }
    for path in paths where isFromElsewhere(path) {
      for names in PlaylistCandidates.tails(path) where result.find(tail(names, candidates)) { return result }
    }
    (result.path, result.missing) = firstMiss ?? (nil, .unusableName)
    if result.missing == .notFound, opensPlaylists { result.nearest = nearest(to: result.path, paths) }
    return result
  }

  /// Whether an absolute path is one of another machine: below no directory that exists here.
  private mutating func isFromElsewhere(_ path: [UInt8]) -> Bool {
    if PlaylistCandidates.isForeign(path) { return true }
    let slash = UInt8(ascii: "/")
    if roots.contains(where: { path.starts(with: $0 + [slash]) }) { return false }
    return path.lastIndex(of: slash).map { !lookup.isDirectory(Array(path[...$0])) } ?? false
  }

  /// Looks up the file that the longest tail of a path names: below the playlist's directory, below one of the library,
  /// or anywhere in the library if it is the only one.
  private mutating func tail(
    _ names: [ArraySlice<UInt8>], _ candidates: PlaylistCandidates
  ) -> PlaylistFileLookup.LookupResult? {
    let match = library?.match(names)
    for start in names.indices {
      let depth = names.count - start
      let key = FileNameKey.key(names[start])
      for (number, directory) in candidates.directories.enumerated() {
        if let match, match.depth > depth || (match.depth == depth && match.file == nil && number > 0) { continue }
        guard lookup.has(key, in: directory) else { continue }
        let path = names[start...].reduce(directory) { $0 + [UInt8(ascii: "/")] + $1 }
        let exact = lookup.lookUp(path)
        guard case .missing = exact else { return exact }
        if let found = lookup.lookUpSimilar(path) {
          guard case .missing = found else { return found }
        }
      }
      if let match, match.depth >= depth { break }
    }
    return match?.file.map { lookup.lookUp($0.systemBytes) }
  }

  /// Returns the file with the most similar name: in the directory of the missing file, or in the library.
  private mutating func nearest(to path: FilePath?, _ paths: [[UInt8]]) -> FilePath? {
    if let path, nearestLeft.inDirectories > 0 {
      nearestLeft.inDirectories -= 1
      if let found = lookup.nearest(to: path) { return found }
    }
    guard nearestLeft.inLibrary > 0, let library,
      let name = paths.lazy.compactMap({ PlaylistCandidates.name($0) }).last
    else { return nil }
    nearestLeft.inLibrary -= 1
    return library.nearest(to: name)
  }
}

/// An entry of a playlist, with the result of looking it up.
public struct ResolvedEntry: Sendable, Hashable {
  /// The reason why an entry cannot be played.
  public enum Reason: Sendable, Hashable, CustomStringConvertible {
    /// The file does not exist.
    case notFound
    /// The entry is a URL with this scheme, which is not that of a stream.
    case url(scheme: String)
    /// The file is outside the library.
    case outsideLibrary
    /// The file is a FIFO or a device.
    case notAFile
    /// The path is empty or contains a NUL, which no file name does.
    case unusableName
    /// The operating system returned an error.
    case unreadable(Errno)
    /// The entry is a playlist that is already being read.
    case loop
    case tooDeep
    /// The entry is a playlist that cannot be read.
    case unreadablePlaylist(PlaylistError)

    /// The reason in words, without the path, phrased to end a line.
    public var description: String {
      switch self {
      case .notFound: "no such file"
      case .url(let scheme): "a URL (\(scheme)), which is not supported"
      case .outsideLibrary: "outside the library"
      case .notAFile: "not a regular file"
      case .unusableName: "not a valid file name"
      case .unreadable(let code): "cannot be read: \(code)"
      case .loop: "a playlist that contains itself"
      case .tooDeep: "a playlist nested more than \(PlaylistResolver.depthLimit) deep"
      case .unreadablePlaylist(let error): error.description
      }
    }
  }

  /// The entry in the playlist. A relative location is relative to the directory of ``playlist``.
  public var entry: PlaylistEntry
  /// The playlist file that contains the entry: the innermost one, if playlists are nested.
  public var playlist: FilePath
  /// The absolute path of the file, without `..`, or the path at which a missing file would be, or that of a
  /// ``StreamAddress``. `nil` for a location that is neither, or that must not be looked up.
  public var path: FilePath?
  /// The reason why the entry cannot be played; `nil` if it is an existing file or directory.
  public var missing: Reason?
  /// Whether the entry is a directory, which stands for the music in it.
  public var isDirectory = false
  /// An existing file with a similar name, if the entry is missing. It is only known for the first missing entries.
  public var nearest: FilePath?

  /// Takes a file or directory that was found. Returns whether there is one.
  fileprivate mutating func find(_ found: PlaylistFileLookup.LookupResult?) -> Bool {
    switch found {
    case .file(let file): path = file
    case .directory(let directory): (path, isDirectory) = (directory, true)
    case .missing, nil: return false
    }
    return true
  }

  public var isStream: Bool { path.map { StreamAddress($0) != nil } ?? false }
}
