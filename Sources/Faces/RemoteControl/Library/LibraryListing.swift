import LibraryIndex
import LibraryScanning
import SystemPackage

/// Tells what is in a directory of the library, or below it, some songs at a time: the songs of a directory, then its
/// directories, each followed by what is in it.
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
  /// About so many bytes are told at a time, and about so many songs and directories looked at.
  private static let pieceSize = 1 << 17
  private static let pieceCount = 1 << 12

  private let library: any BrowsableLibrary
  private var songs: SongLines
  private let detail: Detail
  private let isRecursive: Bool
  /// Directories of which nothing is told yet, the next one last.
  private var waiting: [BrowsedDirectory] = []
  /// The directory of which songs are told next.
  private var entered: FilePath?
  /// The directory of which the directories are told next.
  private var directory: FilePath?
  private var ids: ArraySlice<Int64> = []
  /// What is told behind all that.
  private var playlists = Response()

  /// What is in the directory at `path` below the library's.
  ///
  /// Where all is told of one directory alone, the playlists and cue sheets in it follow, and behind the library's own
  /// the stored playlists, which clients of old look for there.
  init(
    _ context: CommandContext, _ path: FilePath, detail: Detail, isRecursive: Bool
  ) throws(ProtocolError) {
    if detail == .full, !isRecursive {
      let access = try PlaylistAccess(context)
      playlists = access.listing(in: path)
      if path.isEmpty, !context.client.features.contains(.hidesPlaylistsInRoot) {
        playlists.add(try access.listing())
      }
    }
    library = try context.library.index
    songs = SongLines(SongText(context))
    self.detail = detail
    self.isRecursive = isRecursive
    // All that is below a directory begins with the directory itself.
    if isRecursive, !path.isEmpty {
      waiting = try (library.browsing { try $0.directory(path) } ?? nil).map { [$0] } ?? []
    } else {
      (entered, directory) = (path, path)
      songs.enter(path)
    }
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let isKnown =
      try library.browsing { browser in
        var lines = LineBuffer(capacity: Self.pieceSize + Self.pieceSize / 4)
        var count = 0
        while lines.count < Self.pieceSize, count < Self.pieceCount, !isAtEnd {
          count += try step(browser, &lines)
        }
        response.add(lines)
        return true
      } ?? false
    if isAtEnd || !isKnown { response.add(playlists) }
    return isKnown && !isAtEnd
  }

  private var isAtEnd: Bool { ids.isEmpty && entered == nil && directory == nil && waiting.isEmpty }

  /// Tells the next directory, or the next songs; says about how much that was.
  private mutating func step(_ browser: TrackBrowser, _ lines: inout LineBuffer) throws -> Int {
    if !ids.isEmpty {
      let page = ids.prefix(Self.pageSize)
      ids = ids.dropFirst(Self.pageSize)
      switch detail {
      case .names:
        try songs.addCarefully(to: &lines) { songs, lines in
          try browser.listTracks(page) { track, _ in songs.addFile(track, to: &lines) }
        }
      case .full:
        try songs.addCarefully(to: &lines) { songs, lines in
          try browser.listTracks(page) { track, _ in songs.add(track, to: &lines) }
        }
      }
      return page.count
    }
    if let path = entered {
      entered = nil
      let isTold = try detail == .full && songs.addAll(in: path, browser, to: &lines)
      if !isTold { ids = try browser.trackIDs(in: path)[...] }
      return 1
    }
    if let path = directory {
      directory = nil
      let found = try browser.directories(in: path)
      if isRecursive {
        waiting += found.reversed()
      } else {
        for directory in found { songs.enter(directory, isFull: detail == .full, to: &lines) }
      }
      return found.count / 8 + 1
    }
    guard let next = waiting.popLast() else { return 1 }
    songs.enter(next, isFull: detail == .full, to: &lines)
    entered = next.hasTracks ? next.path : nil
    directory = next.hasDirectories ? next.path : nil
    return 1
  }
}

/// Tells songs of the library, some at a time.
struct SongListing: ResponseSource {
  /// How many songs are told at a time, and about how many bytes they have.
  private static let pageSize = 512
  private static let pieceSize = 1 << 17

  private let library: any BrowsableLibrary
  private var songs: SongLines
  private var ids: ArraySlice<Int64>

  /// The songs with these ids, in their order.
  init(_ library: any BrowsableLibrary, _ ids: [Int64], _ text: SongText) {
    self.library = library
    songs = SongLines(text)
    self.ids = ids[...]
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = ids.prefix(Self.pageSize)
    ids = ids.dropFirst(Self.pageSize)
    try library.browsing { browser in
      var lines = LineBuffer(capacity: min(page.count * 512, Self.pieceSize) + 1_024)
      try songs.addCarefully(to: &lines) { songs, lines in
        try browser.listTracks(page) { track, directory in
          if let directory { songs.enter(directory) }
          songs.add(track, to: &lines)
        }
      }
      response.add(lines)
    }
    return !ids.isEmpty
  }
}

/// Tells the names of files of the library, some at a time.
struct NameListing: ResponseSource {
  private static let pageSize = 128

  private let library: any BrowsableLibrary
  private var ids: ArraySlice<Int64>

  /// The names of the tracks with these ids, in their order.
  init(_ library: any BrowsableLibrary, _ ids: [Int64]) {
    self.library = library
    self.ids = ids[...]
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = ids.prefix(Self.pageSize)
    ids = ids.dropFirst(Self.pageSize)
    for case let song? in try library.browsing({ try $0.names(page) }) ?? [] {
      response.add("file", SongURI.text(song.path, song.segment, in: library.roots))
    }
    return !ids.isEmpty
  }
}
