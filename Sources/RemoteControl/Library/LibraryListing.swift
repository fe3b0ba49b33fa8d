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

  /// How many songs are read at a time.
  private static let pageSize = 128

  private let library: IndexedLibrary
  private let text: SongText
  private let detail: Detail
  private let isRecursive: Bool
  /// Directories of which nothing is told yet, the next one last.
  private var waiting: [BrowsedDirectory] = []
  /// The directory in which songs are told.
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
    text = SongText(context)
    self.detail = detail
    self.isRecursive = isRecursive
    // All that is below a directory begins with the directory itself.
    if isRecursive, !path.isEmpty {
      waiting = try (library.browsing { try $0.directory(path) } ?? nil).map { [$0] } ?? []
    } else {
      directory = path
      songs = try library.browsing { try $0.trackIDs(in: path) }?[...] ?? []
    }
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let library = library
    let added = try library.browsing { browser in
      var added = Response()
      var count = 0
      while count < Self.pageSize, !isAtEnd { count += try step(browser, &added) }
      return added
    }
    guard let added else { return false }
    response.add(added)
    if isAtEnd { response.add(playlists) }
    return !isAtEnd
  }

  private var isAtEnd: Bool { songs.isEmpty && directory == nil && waiting.isEmpty }

  /// Tells the next directory, or the next songs; says about how much that was.
  private mutating func step(_ browser: TrackBrowser, _ response: inout Response) throws -> Int {
    if !songs.isEmpty {
      let page = songs.prefix(Self.pageSize)
      songs = songs.dropFirst(Self.pageSize)
      switch detail {
      case .names:
        for case let song? in try browser.names(page) {
          response.add("file", SongURI.text(song.path, song.segment, root: library.root))
        }
      case .full:
        for song in try browser.tracks(page) {
          text.add(song.track, modified: song.modified, to: &response)
        }
      }
      return page.count
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
    directory = next.path
    songs = try browser.trackIDs(in: next.path)[...]
    return 1
  }

  private func add(_ directory: BrowsedDirectory, _ response: inout Response) {
    response.add("directory", SongURI.text(library.root.pushing(directory.path), root: library.root))
    if detail == .full, let time = Timestamp.text(nanoseconds: directory.modified) {
      response.add("Last-Modified", time)
    }
  }
}
