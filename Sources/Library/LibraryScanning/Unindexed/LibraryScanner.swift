// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import CueSheets
import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
public import Tagging

/// Reads music that need not be in a library: a directory, a cue sheet or a file.
///
/// A directory is scanned as a library is, into an index in memory.
public struct LibraryScanner: Sendable {
  /// Opens files that the tag library cannot read as audio.
  public let probe: AudioProbe?
  private let reader: TagReader
  /// The files that cue sheets which are played by themselves may stand for.
  private let reach: FileReach
  private var ignoredPatterns: [String] = []

  /// Creates a scanner that uses `probe` for files whose audio the tag library does not understand.
  public init(probe: AudioProbe? = nil) { self.init(probe: probe, reach: .anywhere) }

  /// Creates a scanner of single cue sheets, which opens them and the files that they name only within `reach`.
  init(probe: AudioProbe?, reach: FileReach) {
    self.probe = probe
    self.reach = reach
    reader = TagReader(probe: probe)
  }

  /// Returns a scanner that also ignores files and directories whose names match these shell patterns.
  public func ignoring(_ patterns: [String]) -> LibraryScanner {
    var scanner = self
    scanner.ignoredPatterns = patterns
    return scanner
  }

  /// Whether the path is that of a cue sheet.
  public static func isSheet(_ path: FilePath) -> Bool { AudioSuffixes.isSheet(path.lastName) }

  /// Returns the library below the directory `root`. If `root` is a regular file, returns a library of that file alone.
  ///
  /// The same files are left out, and the same are problems, as in a library with this root. The paths in the result
  /// are absolute, and the same files always give the same result.
  ///
  /// Blocks until everything has been read, with one thread for each core. Do not call it on the cooperative pool.
  public func scan(_ root: FilePath) throws(LibraryScannerError) -> Library {
    let (path, status) = try resolve(root)
    switch status.kind {
    case .regular: return Library(albums: AlbumGrouping.albums(of: [try track(at: path)]))
    case .directory: return try scan(directory: path)
    case .fifo, .special, .symbolicLink: throw .notADirectory(path)
    }
  }

  /// Returns what is at `path` as a collection to play, with the problems found below it.
  ///
  /// For a directory that contains exactly one album, the collection is that album. For any other directory, it has all
  /// tracks, album by album, and the directory's name as its title. For a cue sheet (`.cue`), it has the sheet's tracks
  /// in order. For any other regular file, it has a single track of the whole file, whatever the suffix, and that
  /// track's title. Blocks like ``scan(_:)``.
  ///
  /// The collection of a directory without music has no tracks.
  public func collection(
    at path: FilePath
  ) throws(LibraryScannerError) -> (collection: TrackCollection, problems: [LibraryProblem]) {
    let (path, status) = try resolve(path)
    if status.kind == .regular, AudioSuffixes.isSheet(path.systemBytes) { return try collection(sheet: path) }
    if status.kind == .regular {
      let track = try track(at: path)
      return (TrackCollection(title: track.title, tracks: [track]), [])
    }
    let library = try scan(path)
    if let album = library.albums.first, library.albums.count == 1 {
      return (album.collection, library.problems)
    }
    let name = path.shownName ?? path.shown
    return (TrackCollection(title: name, tracks: library.albums.flatMap(\.tracks)), library.problems)
  }

  private func resolve(_ path: FilePath) throws(LibraryScannerError) -> (FilePath, FileStatus) {
    do throws(Errno) {
      let status = try FileStatus(of: path)
      return (try path.absolute(), status)
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: throw .notFound(path)
      default: throw .unreadable(path, error)
      }
    }
  }

  private func track(at path: FilePath) throws(LibraryScannerError) -> Track {
    do {
      return try reader.track(at: path)
    } catch {
      if case .unreadable(let code) = error.reason { throw .unreadable(path, code) }
      throw .unplayable(error)
    }
  }

  private func scan(directory: FilePath) throws(LibraryScannerError) -> Library {
    if let error = LibraryPresence(directory).error { throw .unreadable(directory, error) }
    do {
      return try LibraryIndex.withTemporary { index in
        let roots = LibraryRoots(directory)
        let plan = ScanPlan(
          root: directory.systemBytes, library: try index.library(directory).id, scope: .everything, isKnown: false,
          reader: reader, ignoredPatterns: ignoredPatterns, ignoresRootMarker: true, isCancelled: { false })
        _ = try index.write(checkpoints: false) { database in
          try LibraryScan(plan, index: index, progress: { _ in }).run(database)
        }
        let albums = try index.inReadTransaction(roots) { try AlbumLookup(database: $0, libraries: $1).albums() }
        let problems = try index.withReader(roots) { try $0.problems(window: .init()) }
        return Library(
          albums: albums ?? [],
          problems: problems?.elements.map { LibraryProblem(path: $0.path, reason: .entry($0.reason)) } ?? [])
      }
    } catch {
      throw .failed(directory, "\(error)")
    }
  }

  // MARK: Cue sheets

  /// Returns the tracks that the cue sheet at `path` names, in the order of the sheet.
  private func collection(
    sheet path: FilePath
  ) throws(LibraryScannerError) -> (collection: TrackCollection, problems: [LibraryProblem]) {
    guard let sheet = reach.resolve(path, isBesideMusic: true) else { throw .notFound(path) }
    let directory = path.removingLastComponent()
    let listing: DirectoryListing
    do throws(Errno) { listing = try DirectoryListing(of: directory) } catch {
      throw .unreadable(directory, error)
    }
    let files = audioFiles(listing, in: directory)
    let sheets = DirectorySheets(
      [DirectorySheets.Source(sheet, named: path)], files: files.map(\.lastName), in: directory)
    var problems = sheets.problems.values.map { LibraryProblem(path: path, reason: $0) }
    var claims = sheets.claimed[0].compactMap { index in sheets.claims[index].map { (files[index], $0) } }
    for name in sheets.subdirectories[0] ?? [] {
      let subdirectory = FilePath(systemBytes: directory.systemBytes + [0x2F] + name)
      let files = (try? DirectoryListing(of: subdirectory)).map { audioFiles($0, in: subdirectory) } ?? []
      let source = DirectorySheets.Source(sheet, named: path, isInParent: true)
      let applied = DirectorySheets([source], files: files.map(\.lastName), in: subdirectory)
      claims += applied.claimed[0].compactMap { index in applied.claims[index].map { (files[index], $0) } }
    }
    // Sort by the order of the files in the sheet.
    claims.sort { $0.1.file < $1.1.file }
    var tracks: [Track] = []
    for (file, claim) in claims {
      do throws(LibraryProblem) {
        let (found, problem) = try read(file, claim)
        tracks += found
        if let problem { problems.append(LibraryProblem(path: path, reason: .cueSheet(problem))) }
      } catch {
        problems.append(error)
      }
    }
    guard let first = tracks.first else {
      throw .unplayable(
        problems.first ?? LibraryProblem(path: path, reason: .cueSheet("all of its files are missing")))
    }
    let title = first.album ?? path.shownStem ?? path.shown
    return (TrackCollection(title: title, tracks: tracks), problems)
  }

  /// Returns the audio files in a listing of `directory` that may be opened.
  private func audioFiles(_ listing: DirectoryListing, in directory: FilePath) -> [FilePath] {
    listing.entries.map { directory.appending($0.name) }.filter {
      AudioFileKind($0) != nil && reach.resolve($0) != nil
    }
  }

  private func read(
    _ path: FilePath, _ claim: SheetClaim
  ) throws(LibraryProblem) -> (tracks: [Track], problem: String?) {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch { throw LibraryProblem(path: path, reason: .unreadable(error)) }
    let (tracks, problem) = try reader.read(path, status, claim: claim)
    return (tracks.map(\.track), problem)
  }
}

/// The result of a scan: albums and problems.
public struct Library: Sendable, Equatable {
  /// The albums, sorted by artist, then date, then title.
  public var albums: [Album]
  /// The problems with files and directories that were left out, sorted by path.
  public var problems: [LibraryProblem]

  public init(albums: [Album] = [], problems: [LibraryProblem] = []) {
    self.albums = albums
    self.problems = problems
  }
}

/// An error in scanning a path.
public enum LibraryScannerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path does not exist.
  case notFound(FilePath)
  /// The path is neither a directory nor a regular file.
  case notADirectory(FilePath)
  /// The operating system returned an error.
  case unreadable(FilePath, Errno)
  /// The path is a single file that cannot be played.
  case unplayable(LibraryProblem)
  /// The directory cannot be scanned, for this reason.
  case failed(FilePath, String)

  /// A one-line message with the problem, the path, and what to do about it. It is not yet escaped for a terminal.
  public var description: String {
    switch self {
    case .notFound(let path):
      "no such file or directory: \(path.shown)"
    case .notADirectory(let path):
      "not a directory or a file: \(path.shown); use a music directory or an audio file"
    case .unreadable(let path, let code):
      "cannot read \(path.shown): \(code); check its permissions and the disk"
    case .unplayable(let problem):
      "cannot play \(problem.path.shown): \(problem.reason); use a file in a supported format"
    case .failed(let path, let reason):
      "cannot scan \(path.shown): \(reason)"
    }
  }
}
