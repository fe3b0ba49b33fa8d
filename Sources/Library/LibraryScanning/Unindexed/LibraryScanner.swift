// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import CueSheets
public import MusicModel
import Platform
import Synchronization
public import SystemPackage
public import Tagging

/// Finds the music below a directory and reads its tags, without using an index.
public struct LibraryScanner: Sendable {
  /// The number of files from which several threads are used. For fewer files, starting threads would take longer.
  static let parallelThreshold = 64
  /// The number of files in a batch that a thread reads.
  static let batchSize = 16

  /// Opens files that the tag library cannot read as audio.
  public let probe: AudioProbe?
  private let reader: TagReader
  /// The files that cue sheets which are played by themselves may stand for.
  private let reach: FileReach
  private var rules = IgnoreRules()

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
    scanner.rules = IgnoreRules(patterns: patterns)
    return scanner
  }

  /// Whether the path is that of a cue sheet.
  public static func isSheet(_ path: FilePath) -> Bool { AudioSuffixes.isSheet(path.lastName) }

  /// Returns the library below the directory `root`. If `root` is a regular file, returns a library of that file alone.
  ///
  /// Symbolic links are followed, and each directory is read once, however many paths lead to it. Files of other
  /// programs, files that `.mpdignore` or `.nomedia` files below `root` exclude, and files without an audio suffix are
  /// left out, except cue sheets, whose tracks replace those of their files. Audio that cannot be played, empty files
  /// and anything that cannot be read become problems. Only regular files are opened. The paths in the result are
  /// absolute, and the same files always give the same result.
  ///
  /// Blocks until everything has been read, with one thread for each core. Do not call it on the cooperative pool.
  public func scan(_ root: FilePath) throws(LibraryScannerError) -> Library {
    let (path, status) = try resolve(root)
    switch status.kind {
    case .regular:
      return Library(albums: AlbumGrouping.albums(of: [try track(at: path)]))
    case .directory:
      let (tracks, problems) = read(try DirectoryWalk(path, rules: rules))
      return Library(albums: AlbumGrouping.albums(of: tracks), problems: problems)
    case .fifo, .special, .symbolicLink:
      throw .notADirectory(path)
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

  /// The result of reading one finding.
  private struct FileReading {
    var tracks: [Track] = []
    var problems: [LibraryProblem] = []
  }

  /// The batches of findings that threads read, and the results of reading them.
  private final class BatchResults: Sendable {
    private let batches: Mutex<[[FileReading]]>
    private let count: Int
    private let takenCount = Atomic(0)

    init(_ count: Int) {
      self.count = count
      batches = Mutex(Array(repeating: [], count: count))
    }

    /// Returns the index of the next batch to read, or `nil` if all have been taken.
    func takeBatch() -> Int? {
      let batch = takenCount.add(1, ordering: .relaxed).oldValue
      return batch < count ? batch : nil
    }

    func store(_ readings: [FileReading], forBatch batch: Int) { batches.withLock { $0[batch] = readings } }

    /// All results, in the order of the batches.
    var readings: [FileReading] { batches.withLock { $0.flatMap(\.self) } }
  }

  private func read(_ walk: DirectoryWalk) -> (tracks: [Track], problems: [LibraryProblem]) {
    var tracks: [Track] = []
    var problems: [LibraryProblem] = []
    for reading in readings(walk) {
      tracks += reading.tracks
      problems += reading.problems
    }
    return (tracks, problems)
  }

  /// Returns the result of each finding, in order.
  private func readings(_ walk: DirectoryWalk) -> [FileReading] {
    let findings = walk.findings
    guard findings.count >= Self.parallelThreshold else { return findings.map { reading($0, walk) } }
    let batchCount = (findings.count + Self.batchSize - 1) / Self.batchSize
    let results = BatchResults(batchCount)
    // This does not use a Dispatch queue: after one has run in parallel, Dispatch wakes the program every second, even
    // when nothing plays.
    WorkerThread.runTogether(name: "segue-reader", atMost: batchCount) {
      while let batch = results.takeBatch() {
        let start = batch * Self.batchSize
        results.store(
          findings[start..<min(start + Self.batchSize, findings.count)].map { reading($0, walk) },
          forBatch: batch)
      }
    }
    return results.readings
  }

  private func reading(_ finding: DirectoryWalk.Finding, _ walk: DirectoryWalk) -> FileReading {
    switch finding {
    case .problem(let problem): return FileReading(problems: [problem])
    case .file(let path):
      do throws(LibraryProblem) { return try reading(path, walk.claims[path]) } catch {
        return FileReading(problems: [error])
      }
    }
  }

  private func reading(
    _ path: FilePath, _ claimed: (claim: SheetClaim, sheet: FilePath)?
  ) throws(LibraryProblem) -> FileReading {
    let status: FileStatus
    do { status = try FileStatus(of: path) } catch {
      throw LibraryProblem(path: path, reason: .unreadable(error))
    }
    let (tracks, problem) = try reader.read(path, status, claim: claimed?.claim)
    let reason = problem.map { LibraryProblem.Reason.cueSheet($0) }
    return FileReading(
      tracks: tracks.map(\.track),
      problems: reason.map { [LibraryProblem(path: claimed?.sheet ?? path, reason: $0)] } ?? [])
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
    var found = FileReading(problems: sheets.problems.values.map { LibraryProblem(path: path, reason: $0) })
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
    for (file, claim) in claims {
      do throws(LibraryProblem) {
        let reading = try reading(file, (claim, path))
        found.tracks += reading.tracks
        found.problems += reading.problems
      } catch {
        found.problems.append(error)
      }
    }
    guard let first = found.tracks.first else {
      throw .unplayable(
        found.problems.first
          ?? LibraryProblem(path: path, reason: .cueSheet("all of its files are missing")))
    }
    let title = first.album ?? path.shownStem ?? path.shown
    return (TrackCollection(title: title, tracks: found.tracks), found.problems)
  }

  /// Returns the audio files in a listing of `directory` that may be opened.
  private func audioFiles(_ listing: DirectoryListing, in directory: FilePath) -> [FilePath] {
    listing.entries.map { directory.appending($0.name) }.filter {
      AudioFileKind($0) != nil && reach.resolve($0) != nil
    }
  }
}

/// The result of a scan: albums and problems.
public struct Library: Sendable, Equatable {
  /// The albums, sorted by artist, then date, then title.
  public var albums: [Album]
  /// The problems with files and directories that were left out, in the order in which they were found.
  public var problems: [LibraryProblem]

  /// Creates a library of these albums and problems.
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
    }
  }
}
