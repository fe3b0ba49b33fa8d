/// An item as a page of the queue holds it.
struct QueueEntry: Sendable, Hashable {
  /// The item's number.
  var id: UInt64
  /// The number of the page that holds its track.
  var page: UInt32
  /// The index of the track there.
  var index: UInt8
  /// Under random, those of a higher one are played first.
  var priority: UInt8 = 0
  /// Whether it was put right behind the current item, to be played next.
  var isNext = false
  /// Whether its file was gone when it was looked for last.
  var isGone = false
}

/// What pages can hold in a row: entries by position, or ids in playing order.
protocol QueuePageElement: Sendable, Equatable {
  /// The item's number.
  var id: UInt64 { get }
  /// The elements of a page.
  static func elements(of page: QueuePage) -> [Self]
}

extension QueueEntry: QueuePageElement {
  static func elements(of page: QueuePage) -> [QueueEntry] { page.entries }
}

extension UInt64: QueuePageElement {
  var id: UInt64 { self }
  static func elements(of page: QueuePage) -> [UInt64] { page.ids }
}
