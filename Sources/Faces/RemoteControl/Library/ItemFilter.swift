import MusicLibrary
import MusicModel
import Synchronization

/// A filter of a client's question about tracks that are looked at as the answer is read. Any thread.
final class ItemFilter: Sendable {
  private let test: Mutex<TrackTest>

  /// The check whether `filter` is true of tracks, some of which are in the library in `roots`.
  init(_ filter: TrackFilter, in roots: LibraryRoots?) { test = Mutex(TrackTest(filter, in: roots)) }

  /// Whether the filter is true of `track`.
  ///
  /// - Throws: `argument` where a pattern takes too long.
  func isTrue(of track: Track) throws(ProtocolError) -> Bool {
    let (isTrue, hasGivenUp) = test.withLock { test in (test.isTrue(of: track), test.hasGivenUp) }
    guard !hasGivenUp else { throw .tooCostlyPattern }
    return isTrue
  }
}

extension ProtocolError {
  /// A regular expression takes too long for the texts there are.
  static let tooCostlyPattern = ProtocolError(.argument, "The regular expression takes too long")
}
