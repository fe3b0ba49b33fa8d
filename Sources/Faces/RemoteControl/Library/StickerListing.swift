import MusicLibrary

/// Tells songs with the values of a sticker, some at a time.
struct StickerListing: ResponseSource {
  private static let pageSize = 128

  private let library: IndexedLibrary
  private let name: String
  private var found: ArraySlice<(track: Int64, value: String)>

  /// The songs of these ids, with the values of their stickers of this name.
  init(_ library: IndexedLibrary, name: String, _ found: [(track: Int64, value: String)]) {
    self.library = library
    self.name = name
    self.found = found[...]
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    let page = found.prefix(Self.pageSize)
    found = found.dropFirst(Self.pageSize)
    let songs = try library.browsing { try $0.names(page.map(\.track)) } ?? []
    for (song, sticker) in zip(songs, page) {
      guard let song else { continue }
      response.add("file", SongURI.text(song.path, song.segment, in: library.roots))
      response.add("sticker", "\(name)=\(sticker.value)")
    }
    return !found.isEmpty
  }
}
