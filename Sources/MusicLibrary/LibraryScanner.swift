import Dispatch
public import MusicModel
import Platform
import Synchronization
public import SystemPackage

/// Finds the music below a directory and reads its tags.
public struct LibraryScanner: Sendable {
  /// Below this many files the calling thread reads them all: starting threads would take longer.
  static let parallelThreshold = 64
  /// How many files a thread takes at a time.
  static let batchSize = 16

  /// Opens files as sound of which the tag library knows nothing.
  public let probe: AudioProbe?
  private let reader: TagReader

  /// A scanner that turns to `probe` for files whose sound the tag library does not understand.
  public init(probe: AudioProbe? = nil) {
    self.probe = probe
    reader = TagReader(probe: probe)
  }

  /// The library below the directory `root`; a regular file is a library of that file alone.
  ///
  /// Symbolic links are followed, and a directory counts once whatever leads to it. Hidden names and files that
  /// are not named as audio are passed over; audio that cannot be played, empty files, and what cannot be read
  /// become problems. Only regular files are opened. The paths in the result are absolute, and the result is the
  /// same for the same files.
  ///
  /// Blocks until all is read, with a thread a core: call it on any thread outside of the cooperative pool.
  public func scan(_ root: FilePath) throws(LibraryError) -> Library {
    let (path, status) = try resolve(root)
    switch status.kind {
    case .regular:
      return Library(albums: AlbumGrouping.albums(of: [try track(at: path)]))
    case .directory:
      let (tracks, problems) = read(try DirectoryWalk(path).findings)
      return Library(albums: AlbumGrouping.albums(of: tracks), problems: problems)
    case .fifo, .special, .symbolicLink:
      throw .notADirectory(path)
    }
  }

  /// What is at `path` as something to play, with the problems below it.
  ///
  /// A directory that is one album gives that album; any other all its tracks, album after album, under its own
  /// name. A regular file gives that file alone, whatever its suffix, under its title. Blocks like ``scan(_:)``.
  ///
  /// The collection of a directory without music has no tracks.
  public func collection(
    at path: FilePath
  ) throws(LibraryError) -> (collection: TrackCollection, problems: [LibraryProblem]) {
    let (path, status) = try resolve(path)
    if status.kind == .regular {
      let track = try track(at: path)
      let artist = track.artists.isEmpty ? nil : track.artists.joined(separator: ", ")
      return (TrackCollection(title: track.title, artist: artist, tracks: [track]), [])
    }
    let library = try scan(path)
    if let album = library.albums.first, library.albums.count == 1 {
      return (album.collection, library.problems)
    }
    let name = path.lastComponent?.string ?? path.string
    return (TrackCollection(title: name, tracks: library.albums.flatMap(\.tracks)), library.problems)
  }

  private func resolve(_ path: FilePath) throws(LibraryError) -> (FilePath, FileStatus) {
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

  private func track(at path: FilePath) throws(LibraryError) -> Track {
    do {
      return try reader.track(at: path)
    } catch {
      if case .unreadable(let code) = error.reason { throw .unreadable(path, code) }
      throw .unplayable(error)
    }
  }

  private func read(_ findings: [DirectoryWalk.Finding]) -> (tracks: [Track], problems: [LibraryProblem]) {
    var tracks: [Track] = []
    var problems: [LibraryProblem] = []
    for result in results(findings) {
      switch result {
      case .success(let track): tracks.append(track)
      case .failure(let problem): problems.append(problem)
      }
    }
    return (tracks, problems)
  }

  /// A result for each finding, in their order.
  private func results(_ findings: [DirectoryWalk.Finding]) -> [Result<Track, LibraryProblem>] {
    guard findings.count >= Self.parallelThreshold else { return findings.map { result($0) } }
    let batches = (findings.count + Self.batchSize - 1) / Self.batchSize
    let results = Mutex([[Result<Track, LibraryProblem>]](repeating: [], count: batches))
    DispatchQueue.concurrentPerform(iterations: batches) { batch in
      let start = batch * Self.batchSize
      let part = findings[start..<min(start + Self.batchSize, findings.count)].map { result($0) }
      results.withLock { $0[batch] = part }
    }
    return results.withLock { $0.flatMap { $0 } }
  }

  private func result(_ finding: DirectoryWalk.Finding) -> Result<Track, LibraryProblem> {
    switch finding {
    case .problem(let problem): .failure(problem)
    case .file(let path): Result { () throws(LibraryProblem) in try reader.track(at: path) }
    }
  }
}
