import MusicModel

/// Tells items of a queue, as it was when it was asked for.
struct QueueListing: ResponseSource {
  /// What is told of an item.
  enum Form: Sendable {
    /// All that is known of it.
    case songs(SongText)
    /// Its position and its file.
    case files(SongText)
    /// Its position and its number.
    case positions
  }

  /// How many items are looked at for a piece of an answer.
  private static let stepLength = 4096
  private static let pieceSize = 1 << 15

  private let items: PlayQueue.Items
  private let form: Form
  private let isWanted: @Sendable (PlayQueue.Item) -> Bool
  private let window: ProtocolRange
  private var ranges: ArraySlice<Range<Int>>
  /// How many items that are wanted were met.
  private var wantedCount = 0

  /// Tells the items in these ranges; of those of them that are wanted, `window`.
  init(
    _ queue: PlayQueue, _ ranges: [Range<Int>], _ form: Form, window: ProtocolRange = .all,
    where isWanted: @escaping @Sendable (PlayQueue.Item) -> Bool = { _ in true }
  ) {
    items = queue.items
    self.ranges = ranges[...]
    self.form = form
    self.window = window
    self.isWanted = isWanted
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    var rest = Self.stepLength
    while let range = ranges.popFirst() {
      var position = range.lowerBound
      if let end = window.end, wantedCount >= end { return false }
      while position < range.upperBound {
        guard rest > 0, response.count < Self.pieceSize else {
          ranges.insert(position..<range.upperBound, at: ranges.startIndex)
          return true
        }
        add(position, to: &response)
        position += 1
        rest -= 1
      }
    }
    return false
  }

  private mutating func add(_ position: Int, to response: inout Response) {
    if case .positions = form {
      response.add("cpos", position)
      response.add("Id", items.id(at: position).rawValue)
      return
    }
    let item = items[position]
    guard isWanted(item) else { return }
    wantedCount += 1
    guard wantedCount > window.start, window.end.map({ wantedCount <= $0 }) ?? true else { return }
    switch form {
    case .songs(let text): text.add(item, at: position, to: &response)
    case .files(let text): response.add("\(position):file", SongURI.text(item.track, in: text.roots))
    case .positions: break
    }
  }
}
