// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import PlayerPort

/// The state of a player as MPRIS defines it, except for the position. A plain value.
struct DesktopState: Sendable, Equatable {
  /// The playback status: "Playing", "Paused" or "Stopped".
  let status: String
  let loop: LoopStatus
  let isShuffled: Bool
  /// The volume, from 0 to 1.
  let volume: Double
  /// The speed of playback, 1 for the normal one.
  let rate: Double
  /// Whether the track that plays has chapters, so that the keys for tracks go from chapter to chapter.
  let hasChapters: Bool
  let canGoNext: Bool
  let canGoPrevious: Bool
  let canPlay: Bool
  let canPause: Bool
  let canSeek: Bool
  /// The current item, which is playing or would be resumed; `nil` if there is none.
  let item: PlayQueue.Item?
  /// The duration of the item, if it is known.
  let duration: Duration?

  init(_ player: PlayerSnapshot) {
    let (playing, modes) = (player.status, player.status.modes)
    status =
      switch playing.phase {
      case .playing: "Playing"
      case .paused: "Paused"
      case .stopped: "Stopped"
      }
    loop = LoopStatus(modes.flatMap { QueueModes.Repeat(rawValue: $0.repeat) } ?? .off)
    isShuffled = modes?.random != QueueModes.Random.off.rawValue
    volume = Double(playing.volume) / 100
    rate = playing.speed ?? 1
    hasChapters = playing.chapterCount.map { $0 > 1 } ?? false
    canGoNext = player.hasNext || hasChapters && playing.chapterNumber != playing.chapterCount
    canGoPrevious = player.current != nil
    canPlay = playing.queueCount > 0
    canPause = player.current != nil
    canSeek = player.current != nil && playing.phase != .stopped && player.isSeekable
    item = player.current.map { PlayQueue.Item(id: PlayQueue.Item.ID(rawValue: $0.id), track: $0.track.track) }
    duration = playing.song?.seconds.map { .microseconds(Int64(max(0, min($0, 1e12)) * 1e6 + 0.5)) }
  }

  /// Returns the properties that differ from those of `before`.
  func changes(since before: DesktopState) -> [PlayerProperty] {
    let comparisons: [(property: PlayerProperty, isSame: Bool)] = [
      (.playbackStatus, status == before.status), (.loopStatus, loop == before.loop),
      (.shuffle, isShuffled == before.isShuffled), (.volume, volume == before.volume),
      (.rate, rate == before.rate),
      (.metadata, item == before.item && duration == before.duration),
      (.canGoNext, canGoNext == before.canGoNext), (.canGoPrevious, canGoPrevious == before.canGoPrevious),
      (.canPlay, canPlay == before.canPlay), (.canPause, canPause == before.canPause),
      (.canSeek, canSeek == before.canSeek),
    ]
    return comparisons.filter { !$0.isSame }.map(\.property)
  }
}

extension PlayQueue.Item {
  /// The object path of the item on the bus.
  var objectPath: String { "/org/segue/Item/\(id.rawValue)" }
}

/// A property of the MPRIS interfaces for the root and the player. The raw value is its name.
enum PlayerProperty: String, Sendable, CaseIterable {
  case canQuit = "CanQuit"
  case canRaise = "CanRaise"
  case hasTrackList = "HasTrackList"
  case identity = "Identity"
  case desktopEntry = "DesktopEntry"
  case supportedURISchemes = "SupportedUriSchemes"
  case supportedMIMETypes = "SupportedMimeTypes"

  case playbackStatus = "PlaybackStatus"
  case loopStatus = "LoopStatus"
  case rate = "Rate"
  case shuffle = "Shuffle"
  case metadata = "Metadata"
  case volume = "Volume"
  case position = "Position"
  case minimumRate = "MinimumRate"
  case maximumRate = "MaximumRate"
  case canGoNext = "CanGoNext"
  case canGoPrevious = "CanGoPrevious"
  case canPlay = "CanPlay"
  case canPause = "CanPause"
  case canSeek = "CanSeek"
  case canControl = "CanControl"
}

/// The loop status as MPRIS defines it.
enum LoopStatus: String, Sendable {
  case none = "None"
  case track = "Track"
  case playlist = "Playlist"

  /// Creates the status for a repeat mode. MPRIS has no status for repeating an album, which counts as `playlist`.
  init(_ mode: QueueModes.Repeat) {
    self =
      switch mode {
      case .off: .none
      case .one: .track
      case .all, .album: .playlist
      }
  }

  /// The repeat mode that corresponds to the status.
  var mode: QueueModes.Repeat {
    switch self {
    case .none: .off
    case .track: .one
    case .playlist: .all
    }
  }
}
