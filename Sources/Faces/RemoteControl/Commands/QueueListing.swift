import MusicLibrary
import MusicModel

/// Tells items of a queue, as it was when it was asked for.
struct QueueListing: ResponseSource {
  /// What is told of an item.
  enum Form: Sendable {
    /// All that is known of it, by the library, too.
    case songs(SongText, IndexedLibrary?)
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
  private let check: ItemFilter?
  private let window: ProtocolRange
  private var ranges: ArraySlice<Range<Int>>
  /// How many items that are wanted were met.
  private var wantedCount = 0

  /// Tells the items in these ranges; of those of them that are wanted, `window`.
  init(
    _ queue: PlayQueue, _ ranges: [Range<Int>], _ form: Form, window: ProtocolRange = .all,
    where check: ItemFilter? = nil
  ) {
    items = queue.items
    self.ranges = ranges[...]
    self.form = form
    self.window = window
    self.check = check
  }

  mutating func add(to response: inout Response) throws(ProtocolError) -> Bool {
    guard case .songs(_, let library?) = form else { return try add(to: &response, nil) }
    var (listing, fault) = (self, nil as ProtocolError?)
    let hasMore = try library.browsing(isQuick: true) { browser in
      do throws(ProtocolError) { return try listing.add(to: &response, browser) } catch {
        fault = error
        return false
      }
    }
    if let fault { throw fault }
    self = listing
    // Without an index there is nothing that it could tell.
    return if let hasMore { hasMore } else { try add(to: &response, nil) }
  }

  private mutating func add(
    to response: inout Response, _ browser: TrackBrowser?
  ) throws(ProtocolError) -> Bool {
    var rest = Self.stepLength
    while let range = ranges.popFirst() {
      var position = range.lowerBound
      if let end = window.end, wantedCount >= end { return false }
      while position < range.upperBound {
        guard rest > 0, response.count < Self.pieceSize else {
          ranges.insert(position..<range.upperBound, at: ranges.startIndex)
          return true
        }
        try add(position, to: &response, browser)
        position += 1
        rest -= 1
      }
    }
    return false
  }

  private mutating func add(
    _ position: Int, to response: inout Response, _ browser: TrackBrowser?
  ) throws(ProtocolError) {
    if case .positions = form {
      response.add("cpos", position)
      response.add("Id", items.id(at: position).rawValue)
      return
    }
    let item = items[position]
    if let check { guard try check.isTrue(of: item.track) else { return } }
    wantedCount += 1
    guard wantedCount > window.start, window.end.map({ wantedCount <= $0 }) ?? true else { return }
    switch form {
    case .songs(let text, _):
      text.add(item, at: position, modified: browser?.modified(item.track, in: text.roots), to: &response)
    case .files(let text): response.add("\(position):file", SongURI.text(item.track, in: text.roots))
    case .positions: break
    }
  }
}

extension TrackBrowser {
  /// When the file of `track` was changed, where the library has it.
  func modified(_ track: Track, in roots: LibraryRoots?) -> Int64? {
    guard let path = roots?.relative(track.path) else { return nil }
    return (try? modified(path)) ?? nil
  }
}
