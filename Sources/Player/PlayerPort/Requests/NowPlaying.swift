// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
package import MusicModel
package import PlayerFlow

/// The track that is playing in a queue, and the upcoming ones, as shown by a view.
package struct NowPlaying: Codable, Sendable, Equatable {
  private enum CodingKeys: String, CodingKey {
    case trackRow = "track"
    case nextRows = "next"
    case position, count, title, modes
  }

  /// The maximum number of upcoming tracks that a view shows.
  package static let nextLimit = 5

  private let trackRow: TrackRow?
  private let nextRows: [TrackRow]
  /// The position of the track in the queue, starting at 0; `nil` if there is none.
  package let position: Int?
  /// The number of items in the queue.
  package let count: Int
  /// The title of the queue.
  package let title: String
  /// The modes of the queue.
  package let modes: PlayerStatus.Modes

  /// The track that is playing or would be resumed; `nil` if there is none.
  package var track: Track? { trackRow?.track }
  /// The upcoming tracks, in playing order.
  package var next: [Track] { nextRows.map(\.track) }

  /// Creates the value for `queue` in the playback state `state`, with at most `nextLimit` upcoming tracks. If an item
  /// was requested and has not started, nothing is shown of the one before.
  ///
  /// Finding the upcoming tracks may take long in a large queue.
  package init(_ queue: PlayQueue, _ state: PlaybackState, nextLimit: Int = Self.nextLimit) {
    self.init(queue, playing: state.openItem, sourceText: state.sourceText, nextLimit: nextLimit)
  }

  /// Creates the value for `queue` while the item `playing` is audible, and its stream says `sourceText`, with at most
  /// `nextLimit` upcoming tracks. If `playing` is `nil`, the current item of the queue is used.
  ///
  /// Finding the upcoming tracks may take long in a large queue.
  package init(
    _ queue: PlayQueue, playing: PlayQueue.Item.ID?, sourceText: SourceText? = nil, nextLimit: Int = Self.nextLimit
  ) {
    position = playing.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    let item = position.map { queue.items[$0] }
    trackRow = item.map { TrackRow($0.track.described(by: $0.id == playing ? sourceText : nil)) }
    count = queue.items.count
    title = queue.title
    modes = PlayerStatus.Modes(queue.modes)
    var next: [TrackRow] = []
    var last = item?.id
    var seen: Set<PlayQueue.Item.ID> = []
    while next.count < nextLimit, let upcoming = last.flatMap({ queue.successor(of: $0) }),
      seen.insert(upcoming.id).inserted
    {
      next.append(TrackRow(upcoming.track))
      last = upcoming.id
    }
    nextRows = next
  }
}
