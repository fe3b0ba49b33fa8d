import MusicLibrary
import SystemPackage

/// Tells what is in a directory of the library, or below it, some songs at a time: the songs of a directory, then its directories, each
/// followed by what is in it.
struct LibraryListing: ResponseSource {
  /// What is told of each song and directory.
  enum Detail {
    /// Its name.
    case names
    /// All that is known of it.
    case full
  }

  /// How many songs of a large directory are read at a time.
  private static let pageSize = 128
  /// Up to so many songs, a directory is told in one go.
  private static let directorySize = 512
  /// About so many bytes are told at a time, and about so many songs and directories looked at.
  private static let pieceSize = 1 << 17
  private static let pieceCount = 1 << 12

  private let library: IndexedLibrary
  private var lines: SongLines
  private let detail: Detail
  private let isRecursive: Bool
  /// Directories of which nothing is told yet, the next one last.
  private var waiting: [BrowsedDirectory] = []
  /// The directory of which songs are told next.
  private var entered: FilePath?
  /// The directory of which the directories are told next.
  private var directory: FilePath?
  private var songs: ArraySlice<Int64> = []
  /// What is told behind all that.
  private var playlists = Response()

  /// What is in the directory at `path` below the library's.
  ///
  /// Where all is told of the library's own directory alone, the stored playlists follow, which clients of old look for there.
  init(
    _ context: CommandContext, _ path: FilePath, detail: Detail, isRecursive: Bool
  ) throws(ProtocolError) {
    if path.isEmpty, detail == .full, !isRecursive { playlists = try PlaylistAccess(context).listing() }
    library = try context.library.index
    lines = SongLines(SongText(context))
    self.detail = detail
    self.isRecursive = isRecursive
    // All that is below a directory begins with the directory itself.
    if isRecursive, !path.isEmpty {
      waiting = try (library.browsing { try $0.directory(path) } ?? nil).map { [$0] } ?? []
    } else {
      enter(path)
    }
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let isKnown =
      try library.browsing { browser in
        response.reserve(Self.pieceSize + Self.pieceSize / 4)
        var count = 0
        while response.count < Self.pieceSize, count < Self.pieceCount, !isAtEnd {
          count += try step(browser, &response)
        }
        return true
      } ?? false
    if isAtEnd || !isKnown { response.add(playlists) }
    return isKnown && !isAtEnd
  }

  private var isAtEnd: Bool { songs.isEmpty && entered == nil && directory == nil && waiting.isEmpty }

  private mutating func enter(_ path: FilePath) {
    (entered, directory) = (path, path)
    lines.enter(path)
  }

  /// Tells the next directory, or the next songs; says about how much that was.
  private mutating func step(_ browser: TrackBrowser, _ response: inout Response) throws -> Int {
    if !songs.isEmpty {
      let page = songs.prefix(Self.pageSize)
      songs = songs.dropFirst(Self.pageSize)
      switch detail {
      case .names:
        for case let song? in try browser.names(page) {
          response.add("file", SongURI.text(song.path, song.segment, in: library.roots))
        }
      case .full: try browser.listTracks(page) { lines.add($0, to: &response) }
      }
      return page.count
    }
    if let path = entered {
      entered = nil
      guard detail == .full else {
        songs = try browser.trackIDs(in: path)[...]
        return 1
      }
      let end = response.count
      switch try browser.listTracks(in: path, limit: Self.directorySize, { lines.add($0, to: &response) }) {
      case .all: break
      case .unsorted:
        response.drop(behind: end)
        try browser.listSortedTracks(in: path) { lines.add($0, to: &response) }
      case .tooMany:
        response.drop(behind: end)
        songs = try browser.trackIDs(in: path)[...]
      }
      return 1
    }
    if let path = directory {
      directory = nil
      let found = try browser.directories(in: path)
      if isRecursive {
        waiting += found.reversed()
      } else {
        for directory in found { add(directory, &response) }
      }
      return found.count / 8 + 1
    }
    guard let next = waiting.popLast() else { return 1 }
    add(next, &response)
    enter(next.path)
    return 1
  }

  private func add(_ directory: BrowsedDirectory, _ response: inout Response) {
    response.add("directory", SongURI.text(relative: directory.path))
    if detail == .full, let time = Timestamp.text(nanoseconds: directory.modified) {
      response.add("Last-Modified", time)
    }
  }
}
