// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow

/// The state of a player as MPRIS defines it, except for the position. A plain value.
struct DesktopState: Sendable, Equatable {
  /// The playback status: "Playing", "Paused" or "Stopped".
  let status: String
  let loop: LoopStatus
  let isShuffled: Bool
  /// The volume, from 0 to 1.
  let volume: Double
  let canGoNext: Bool
  let canGoPrevious: Bool
  let canPlay: Bool
  let canPause: Bool
  let canSeek: Bool
  /// The current item, which is playing or would be resumed; `nil` if there is none.
  let item: PlayQueue.Item?
  /// The duration of the item, if it is known.
  let duration: Duration?

  /// Creates a snapshot of the queue and the playback state.
  init(_ queue: PlayQueue, _ playback: PlaybackState) {
    let item = queue.current
    status =
      switch playback.phase {
      case .playing: "Playing"
      case .paused: "Paused"
      case .stopped: "Stopped"
      }
    loop = LoopStatus(queue.modes.repeat)
    isShuffled = queue.modes.random != .off
    volume = Double(playback.volume.percent) / 100
    canGoNext = item.map { queue.item(after: $0.id) != nil } ?? false
    canGoPrevious = item != nil
    canPlay = !queue.items.isEmpty
    canPause = item != nil
    canSeek = item != nil && playback.phase != .stopped && playback.isSeekable
    self.item = item.map { item in
      var described = item
      described.track = item.track.described(by: playback.sourceText(of: item))
      return described
    }
    let hasStarted = item != nil && playback.openItem == item?.id
    duration = (hasStarted ? playback.duration : nil) ?? item?.track.duration
  }

  /// Returns the properties that differ from those of `before`.
  func changes(since before: DesktopState) -> [PlayerProperty] {
    let comparisons: [(property: PlayerProperty, isSame: Bool)] = [
      (.playbackStatus, status == before.status), (.loopStatus, loop == before.loop),
      (.shuffle, isShuffled == before.isShuffled), (.volume, volume == before.volume),
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
