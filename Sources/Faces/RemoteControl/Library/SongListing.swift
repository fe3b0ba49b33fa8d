import MusicLibrary

/// Tells songs of the library, some at a time.
struct SongListing: ResponseSource {
  /// How many songs are told at a time, and about how many bytes they have.
  private static let pageSize = 512
  private static let pieceSize = 1 << 17

  private let library: IndexedLibrary
  private var songs: SongLines
  private var ids: ArraySlice<Int64>

  /// The songs with these ids, in their order.
  init(_ library: IndexedLibrary, _ ids: [Int64], _ text: SongText) {
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
