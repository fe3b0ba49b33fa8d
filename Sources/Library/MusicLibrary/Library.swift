public import MusicModel

/// What a scan found: the albums, and what was left out.
public struct Library: Sendable, Equatable {
  /// The albums by artist, then date, then title.
  public var albums: [Album]
  /// The files and directories that were left out, in the order in which they were met.
  public var problems: [LibraryProblem]

  /// A library of these albums.
  public init(albums: [Album] = [], problems: [LibraryProblem] = []) {
    self.albums = albums
    self.problems = problems
  }
}
