import MusicLibrary

/// Tells songs of the library, some at a time.
struct SongListing: ResponseSource {
  private static let pageSize = 64

  private let library: IndexedLibrary
  private let text: SongText
  private var ids: ArraySlice<Int64>

  /// The songs with these ids, in their order.
  init(_ library: IndexedLibrary, _ ids: [Int64], _ text: SongText) {
    self.library = library
    self.text = text
    self.ids = ids[...]
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = ids.prefix(Self.pageSize)
    ids = ids.dropFirst(Self.pageSize)
    let songs = try library.browsing { try $0.tracks(page) } ?? []
    for song in songs { text.add(song.track, modified: song.modified, to: &response) }
    return !ids.isEmpty
  }
}
