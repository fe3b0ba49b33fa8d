// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
package import MusicModel
import Platform
package import PlayerFlow

/// The reply of a player to a request that has not failed.
package struct PlayerReply: Codable, Sendable, Equatable {
  package var result: Result
  /// What the user should know besides the result, one line each; not yet escaped for a terminal.
  package var warnings: [String] = []
  /// The queue as the user has seen it, and as the request has left it; `nil` if the listing is the same as before.
  package var listed: ListedQueue?

  package init(_ result: Result = .done, warnings: [String] = []) {
    self.result = result
    self.warnings = warnings
  }

  package enum Result: Codable, Sendable, Equatable {
    case done
    case settings(PlayerSettings)
    case playing(StartedTrack)
    case added(AddedMusic)
    case edited(EditedQueue)
    case history(undoable: [String], redoable: [String])
    /// The queues of the user, or the one that was used or deleted.
    case queues([NamedQueue])
    case equaliser(EqualiserReport)
    case playlists([ListedPlaylist], directory: PathText)
    case playlistTracks([TrackRow], count: Int)
    case playlistChanged(ChangedPlaylist)
    case rated(RatedTracks)
    case status(PlayerStatus)
  }
}

/// A track that a request has started.
package struct StartedTrack: Codable, Sendable, Equatable {
  package var track: TrackRow
  /// The index of the track, counted from 0, in what plays.
  package var index: Int
  /// The number of tracks that play, and their title.
  package var count: Int
  package var title: String
  /// Whether other tracks were in the queue before.
  package var replacesOthers = false
  /// The position in seconds from which the track resumes, where it was left; `nil` if it begins at its beginning.
  package var resumedAt: Double?
  /// What each name of the request has matched.
  package var matches: [MusicMatch] = []
}

/// What a name of a request has matched.
package struct MusicMatch: Codable, Sendable, Equatable {
  package var name: String
  package var title: String
  package var count: Int
  /// The files, without repetitions.
  package var files: [PathText]
}

/// Tracks that a request has added to the queue.
package struct AddedMusic: Codable, Sendable, Equatable {
  package var count: Int
  package var title: String
  /// Their positions, counted from 0; `nil` if they are no longer next to each other.
  package var positions: Range<Int>?
  /// The ID of the first of them; `nil` if it is no longer in the queue.
  package var firstItem: UInt64?
  package var matches: [MusicMatch] = []
}

/// What an edit has changed in the queue.
package struct EditedQueue: Codable, Sendable, Equatable {
  /// The numbers of items before and after the edit.
  package var countBefore: Int
  package var countAfter: Int
  /// The number of items that the edit has removed.
  package var removedCount: Int
  /// The positions of the items that the edit names, before it, as separate ascending ranges; for a swap, one for each
  /// of the two items.
  package var positions: [Range<Int>] = []
  /// The position of the first moved item after a move.
  package var target: Int?
  /// The title of the track, if the edit names a single one.
  package var title: String?
  /// The edits that were undone or redone, in that order.
  package var names: [String] = []

  /// Creates the value for an edit that has changed the queue `before` into `after`, and may have removed the items at
  /// the positions `affected`; `nil` stands for all.
  package init(_ before: PlayQueue, _ after: PlayQueue, affecting affected: [Range<Int>]? = nil) {
    (countBefore, countAfter) = (before.items.count, after.items.count)
    let ids = before.ids(at: affected ?? [0..<countBefore])
    removedCount = ids.count - after.positions(.items(ids)).totalCount
  }
}

/// A change of saved playlists.
package struct ChangedPlaylist: Codable, Sendable, Equatable {
  package var name: String
  /// The number of tracks or, if playlists were deleted, of playlists that were changed.
  package var count: Int
  /// The number of tracks in the playlist afterwards; `nil` if that is not known.
  package var total: Int?
  /// The positions in the queue at which the tracks of a loaded playlist were added.
  package var positions: Range<Int>?
  /// Whether other tracks were in the queue before a playlist was loaded.
  package var replacesOthers = false
}

/// A saved playlist in a listing.
package struct ListedPlaylist: Codable, Sendable, Equatable {
  package var name: String
  package var path: PathText
  /// The number of entries; `nil` if the playlist cannot be read, or is smart.
  package var entryCount: Int?
  package var format: String

  /// The ``format`` of smart playlists.
  package static let smart = "smart"
}

/// The settings of a player that can be changed during playback. The parts are what `--json` prints for each setting.
package struct PlayerSettings: Codable, Sendable, Equatable {
  package struct Volume: Codable, Sendable, Equatable {
    /// The volume in percent.
    package var volume: Int
  }

  package struct Speed: Codable, Sendable, Equatable {
    /// The speed at which files are played, 1 for the normal one.
    package var speed: Double
    /// `true` if a stream is playing, whose speed is its own; otherwise `nil`.
    package var isStream: Bool?
  }

  package struct ReplayGain: Codable, Sendable, Equatable {
    /// The ReplayGain mode.
    package var replayGain: String
    /// The gain that is applied to the current track, in dB; `nil` if nothing is playing.
    package var gain: Double?
    /// The reason for the gain, in words; `nil` if nothing is playing.
    package var reason: String?
    /// The gain, in dB, that is added to measured gains.
    package var preamp: Double
    /// The gain, in dB, applied to tracks that have not been measured.
    package var fallbackGain: Double
    /// How clipping is prevented.
    package var clipping: String
  }

  package struct Crossfade: Codable, Sendable, Equatable {
    /// The duration in seconds; 0 if there is no crossfade.
    package var crossfade: Double
    /// Whether tracks of an album that play in order are crossfaded, too.
    package var crossfadeAlbums: Bool
    /// The length of the crossfade when the user goes to the next track, in seconds; 0 if there is none.
    package var crossfadeOnNext: Double
  }

  package struct Sleep: Codable, Sendable, Equatable {
    /// What the timer waits for: `time`, `chapter`, `track`, `album` or `queue`; `off` if no timer is set.
    package var after: String
    /// The remaining time in seconds; `nil` if it is unknown.
    package var sleep: Double?
  }

  package var volume: Volume
  package var speed: Speed
  package var replayGain: ReplayGain
  package var crossfade: Crossfade
  package var sleep: Sleep
  package var modes: PlayerStatus.Modes
}

extension PlayerSettings {
  package init(_ state: PlaybackState, _ queue: PlayQueue) {
    let gain = state.replayGain
    let isOn = state.phase != .stopped
    volume = Volume(volume: state.volume.percent)
    let isStream = isOn && queue.current.map { StreamAddress($0.track.path) != nil } ?? false
    speed = Speed(speed: state.speed.factor, isStream: isStream ? true : nil)
    replayGain = ReplayGain(
      replayGain: gain.mode.rawValue, gain: isOn ? state.gain.gain : nil, reason: isOn ? state.gain.description : nil,
      preamp: gain.preamp, fallbackGain: gain.fallbackGain, clipping: gain.clipping.rawValue)
    crossfade = Crossfade(
      crossfade: state.crossfade.duration / .seconds(1), crossfadeAlbums: state.crossfade.withinAlbums,
      crossfadeOnNext: state.crossfade.onNext / .seconds(1))
    let after =
      switch state.sleep?.end {
      case nil: "off"
      case .at: "time"
      case .afterChapter: "chapter"
      case .afterTrack: "track"
      case .afterAlbum: "album"
      case .afterQueue: "queue"
      }
    let left = state.timeToSleep(in: queue, at: .now)
    sleep = Sleep(after: after, sleep: state.sleep == nil ? nil : left.map { $0 / .seconds(1) })
    modes = PlayerStatus.Modes(queue.modes)
  }
}

/// Tracks of which a user has noted something.
package struct RatedTracks: Codable, Sendable, Equatable {
  package let count: Int
  /// The title of the first of them, or of its album if the albums were rated.
  package let title: String
  /// What was noted: never ``TrackMark/toggleLiked``.
  package let mark: TrackMark

  package init(count: Int, title: String, mark: TrackMark) {
    self.count = count
    self.title = title
    self.mark = mark
  }

  /// What was noted, in words.
  package var text: String {
    let rated = count == 1 ? title : "\(count) \(mark.isOfAlbums ? "albums" : "tracks")"
    return switch mark {
    case .rating(0), .albumRating(0): "removed the rating of \(rated)"
    case .rating(let halves), .albumRating(let halves):
      "rated \(rated): \(HalfStars.text(halves)) \(halves == 2 ? "star" : "stars")"
    case .liked(true), .toggleLiked: "liked \(rated)"
    case .liked(false): "removed the like of \(rated)"
    }
  }
}
