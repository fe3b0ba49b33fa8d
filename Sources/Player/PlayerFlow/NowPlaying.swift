// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel

/// The track that is playing in a queue, and the upcoming ones, as shown by a view.
public struct NowPlaying: Sendable, Equatable {
  /// The maximum number of upcoming tracks that a view shows.
  public static let nextLimit = 5

  /// The track that is playing or would be resumed; `nil` if there is none.
  public var track: Track?
  /// The position of the track in the queue, starting at 0; `nil` if there is none.
  public var position: Int?
  /// The number of items in the queue.
  public var count: Int
  /// The title of the queue.
  public var title: String
  /// The upcoming tracks, in playing order.
  public var next: [Track]
  /// The modes of the queue.
  public var modes: PlayerStatus.Modes

  public init(
    track: Track?, position: Int?, count: Int, title: String, next: [Track], modes: PlayerStatus.Modes
  ) {
    self.track = track
    self.position = position
    self.count = count
    self.title = title
    self.next = next
    self.modes = modes
  }

  /// Creates the value for `queue` in the playback state `state`, with at most `nextLimit` upcoming tracks. If an item
  /// was requested and has not started, nothing is shown of the one before.
  ///
  /// Finding the upcoming tracks may take long in a large queue.
  public init(_ queue: PlayQueue, _ state: PlaybackState, nextLimit: Int = Self.nextLimit) {
    self.init(queue, playing: state.openItem, sourceText: state.sourceText, nextLimit: nextLimit)
  }

  /// Creates the value for `queue` while the item `playing` is audible, and its stream says `sourceText`, with at most
  /// `nextLimit` upcoming tracks. If `playing` is `nil`, the current item of the queue is used.
  ///
  /// Finding the upcoming tracks may take long in a large queue.
  public init(
    _ queue: PlayQueue, playing: PlayQueue.Item.ID?, sourceText: SourceText? = nil, nextLimit: Int = Self.nextLimit
  ) {
    position = playing.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    let item = position.map { queue.items[$0] }
    track = item.map { $0.track.described(by: $0.id == playing ? sourceText : nil) }
    count = queue.items.count
    title = queue.title
    modes = PlayerStatus.Modes(queue.modes)
    next = []
    var last = item?.id
    var seen: Set<PlayQueue.Item.ID> = []
    while next.count < nextLimit, let upcoming = last.flatMap({ queue.successor(of: $0) }),
      seen.insert(upcoming.id).inserted
    {
      next.append(upcoming.track)
      last = upcoming.id
    }
  }
}
