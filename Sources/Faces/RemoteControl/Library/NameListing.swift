import MusicLibrary

/// Tells the names of files of the library, some at a time.
struct NameListing: ResponseSource {
  private static let pageSize = 128

  private let library: IndexedLibrary
  private var ids: ArraySlice<Int64>

  /// The names of the tracks with these ids, in their order.
  init(_ library: IndexedLibrary, _ ids: [Int64]) {
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
