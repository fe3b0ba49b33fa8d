import MusicModel
import SystemPackage

/// A queue of plain arrays that does what ``PlayQueue`` promises. Where chance decides, it checks what the queue made
/// of it, and takes that over.
struct NaiveQueue {
  struct Entry: Equatable {
    var id: UInt64
    var track: Track
    var album: String
    var priority: UInt8 = 0
    var isGone = false
    var isNext = false
  }

  struct Contents {
    var title = ""
    var items: [Entry] = []
    var order: [UInt64]?
    var random = QueueModes.Random.off
    var current: UInt64?
    var heard = Duration.zero
  }

  var contents = Contents()
  var modes = QueueModes()
  var lastID: UInt64 = 0
  var undoable: [(name: String, contents: Contents)] = []
  var redoable: [(name: String, contents: Contents)] = []

  var ids: [UInt64] { contents.items.map(\.id) }
  var order: [UInt64] { contents.order ?? ids }
  var position: Int? { contents.items.firstIndex { $0.id == contents.current } }

  func positions(_ selection: QueueSelection) -> [Int] {
    switch selection {
    case .positions(let ranges):
      contents.items.indices.filter { index in ranges.contains { $0.contains(index) } }
    case .items(let ids):
      contents.items.indices.filter { ids.map(\.rawValue).contains(contents.items[$0].id) }
    }
  }

  /// The rule of what is one album, as a text.
  static func album(_ track: Track) -> String {
    let album = "\(track.album ?? "-")|\(track.albumArtists)"
    return track.album == nil || track.albumArtists.isEmpty
      ? "\(album)|\(track.path.removingLastComponent().string)" : album
  }

  func album(_ id: UInt64) -> String? { contents.items.first { $0.id == id }?.album }

  var albums: [UInt64: String] {
    Dictionary(uniqueKeysWithValues: contents.items.map { ($0.id, $0.album) })
  }

  /// The ids right behind the current one in playing order that were put there.
  var next: [UInt64] {
    let (order, marked) = (order, Set(contents.items.lazy.filter(\.isNext).map(\.id)))
    let start = contents.current.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    return Array(order[start...].prefix { marked.contains($0) })
  }

  var placeForNext: Int {
    (contents.current.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0) + next.count
  }

  func after(_ id: UInt64) -> UInt64? {
    guard let place = order.firstIndex(of: id) else { return nil }
    return place + 1 < order.count ? order[place + 1] : modes.repeat == .all ? order[0] : nil
  }

  func before(_ id: UInt64) -> UInt64? {
    guard let place = order.firstIndex(of: id) else { return nil }
    return place > 0 ? order[place - 1] : modes.repeat == .all ? order.last : nil
  }

  func successor(_ id: UInt64) -> UInt64? {
    guard let place = order.firstIndex(of: id), modes.stopAfter != .current else { return nil }
    if modes.single != .off, modes.repeat == .off { return nil }
    if modes.repeat == .one || modes.single != .off && !modes.consume { return id }
    let isEnd = place + 1 == order.count || album(order[place + 1]) != album(id)
    if isEnd, modes.stopAfter == .album { return nil }
    let isAlbumWise = modes.repeat == .album || modes.stopAfter == .album
    guard modes.repeat == .album, isEnd else {
      return after(id).flatMap { modes.consume && !isAlbumWise && $0 == id ? nil : $0 }
    }
    return order[...place].reversed().prefix { album($0) == album(id) }.last
  }
}
