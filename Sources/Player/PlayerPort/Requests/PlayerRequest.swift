// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
package import PlayerFlow

/// A request to a player. Every face sends the same requests, to a player in its own process or in another one.
package enum PlayerRequest: Codable, Sendable, Equatable {
  /// Control playback.
  case transport(TransportRequest)
  /// Resume playback, with changed settings.
  case resume(PlaybackOptions)
  /// Change a playback setting, or only report the settings if it is `nil`.
  case settings(SettingChange?)
  /// Replace the queue with music, and play it.
  case play(MusicRequest, PlaybackOptions)
  case playItem(QueueItems, PlaybackOptions)
  /// Add music to the queue.
  case add(MusicRequest, at: InsertionPoint)
  case edit(QueueEdit)
  /// Report what can be undone and redone: edits of the queue, and changes of playlists and ratings.
  case history
  /// List the user's queues, use another one, or delete one.
  case queues(NamedQueueRequest)
  /// Report or change the equaliser.
  case equaliser(EqualiserRequest)
  /// Change or read saved playlists.
  case playlist(PlaylistRequest)
  /// Note what a user thinks of tracks of a library, or of their albums; `nil` for that of the player.
  case rate([NamedTrack], TrackMark, LibraryChoice?)
  /// Change the rating of a track of the player's library, by its ID, that of its album, or whether it is liked: a
  /// sticker of this name.
  case sticker(Int64, String, StickerChange)
  /// Begin to update a library from the disk; `nil` for that of the player.
  case scan(LibraryChoice?)
  /// Clear the error that the status reports.
  case dismissError
  /// Report the status.
  case status
  /// Fail unless the queue of the player is the one in this state directory.
  case checkQueue(in: PathText)
  /// Perform a request whose positions are those of the queue as the user has seen it.
  indirect case seeing(ListedQueue, PlayerRequest)
  /// Perform a request, and reply before its changes are stored. ``store`` waits for that.
  indirect case unstored(PlayerRequest)
  /// Reply when the changes of all requests so far are stored.
  case store
  /// End the player's process.
  case quit

  /// Whether the request looks for music, reads files or servers, or arranges a whole queue, which may take any time.
  /// All others are performed at once.
  package var mayTakeLong: Bool {
    switch self {
    case .play, .add, .queues, .playlist, .rate, .sticker, .edit(.dedupe), .edit(.shuffle), .edit(.sort): true
    case .equaliser: true
    // What is undone may be a change of a playlist.
    case .edit(.undo), .edit(.redo): true
    case .unstored(let request), .seeing(_, let request): request.mayTakeLong
    default: false
    }
  }

  /// Whether the request edits the queue or its modes. Such changes are stored before the reply.
  var isEdit: Bool {
    switch self {
    case .add, .edit, .queues(.use), .playlist(.load), .settings(.mode), .settings(.nextMode): true
    case .seeing(_, let request): request.isEdit
    default: false
    }
  }
}

extension PlayerRequest {
  /// Whether the request names positions of the queue, or changes them.
  package var concernsPositions: Bool {
    switch self {
    case .edit, .add, .play, .playItem, .queues(.use): true
    case .playlist(.load), .playlist(.appendItems): true
    case .transport, .resume, .settings, .history, .queues, .equaliser, .playlist, .rate, .sticker, .scan,
      .dismissError:
      false
    case .status, .checkQueue, .seeing, .unstored, .store, .quit: false
    }
  }
}

/// A request that controls playback.
package enum TransportRequest: Codable, Sendable, Equatable {
  case pause
  case toggle
  /// Stop. Resuming continues at this position.
  case stop
  /// Stop, and go back to the beginning of the track.
  case rewind
  case next
  /// Play the previous track, or restart the current one if more than its first few seconds have played.
  case previous
  /// Play the previous track, however far the current one has played.
  case back
  /// Seek to this time in the current track.
  case seekTo(Duration)
  /// Seek forward, or back if the step is negative.
  case seekBy(Duration)
  /// Go to a chapter of the current track.
  case chapter(ChapterTarget)
  /// Repeat a passage of the current track, or end that.
  case loop(LoopRequest)
  /// Seek to this fraction of the current track, from 0 to 1.
  case seekToFraction(Double)
  /// Seek to this time in an item of the queue, by its ID, which becomes the current one. A pause continues.
  case seekItem(UInt64, to: Duration)
}

/// A change of a setting that is possible during playback.
package enum SettingChange: Codable, Sendable, Equatable {
  case volume(percent: Int)
  case volumeStep(Int)
  /// Play at this speed: a factor, 1 for the normal one.
  case speed(Double)
  case speedStep(Double)
  case replayGain(ReplayGainSettings.Mode)
  case crossfade(seconds: Double, withinAlbums: Bool)
  /// Set the length of the crossfade when the user goes to the next track.
  case crossfadeOnNext(seconds: Double)
  case mixRampDecibels(Double)
  /// Set the delay of MixRamp; `nil` if tracks should not overlap.
  case mixRampDelay(seconds: Double?)
  /// Set the sleep timer; `nil` cancels it.
  case sleep(SleepRequest?)
  case mode(ModeChange)
  /// Change several settings at once; ``PlaybackOptions/fixed`` must be empty.
  case options(PlaybackOptions)
  /// Switch a mode to the value after its present one.
  case nextMode(ModeName)
  case enableOutput(Bool)
  /// Play to another output from now on, named as for `--output`.
  case useOutput(String)
  /// Play to the first of these outputs that is available, from now on; see ``PreferredOutputs``. Empty for none.
  case preferOutputs([String])
  /// Enable the output if it is disabled, and disable it otherwise.
  case toggleOutput
  /// Enable or disable the FIFO to which audio goes besides the output.
  case enableTap(Bool)
}

/// The sleep timer that a user requests.
package struct SleepRequest: Codable, Sendable, Equatable {
  /// What stops playback.
  package enum End: Codable, Sendable, Equatable {
    /// The end of a time, in seconds from now.
    case after(seconds: Double)
    case chapter
    case track
    case album
    case queue
  }

  package var end: End
  /// The length of the fade-out in seconds; `nil` for the default.
  package var fade: Double?

  package init(_ end: End, fade: Double? = nil) {
    self.end = end
    self.fade = fade
  }
}

/// The options with which a command starts playback on a player that is already running.
package struct PlaybackOptions: Codable, Sendable, Equatable {
  /// An option, such as `--rate`, with its value.
  package struct Fixed: Codable, Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The options that only take effect when a player starts, with their values. If the player's differ, the request
  /// fails.
  package var fixed: [Fixed] = []
  /// The values that options have if they are not given to a player that starts.
  static let defaults = [
    Fixed(name: "--on-format-change", value: "reopen"), Fixed(name: "--pause-on-loss", value: "false"),
  ]
  /// What to do instead, as the end of the message of that failure.
  package var fixedAdvice = ""
  package var volume: Int?
  package var replayGain: ReplayGainSettings.Mode?
  package var clipping: ReplayGainSettings.Clipping?
  package var preamp: Double?
  package var fallbackGain: Double?
  package var crossfade: Double?
  package var crossfadesAlbums: Bool?
  package var crossfadeOnNext: Double?
  package var sleep: SleepRequest?
  /// Whether to reply only when playback has started or failed.
  package var waitsForStart = false

  package init() {}
}

/// Items of the queue.
package enum QueueItems: Codable, Sendable, Equatable {
  /// The items at positions, as the user has written them. They are those of the queue at the moment of the request,
  /// unless that is ``PlayerRequest/seeing(_:_:)``.
  case range(ItemRange)
  /// The items with these IDs. Those that are no longer in the queue are left out.
  case ids([UInt64])

  package static func items(_ ids: [PlayQueue.Item.ID]) -> Self { .ids(ids.map(\.rawValue)) }
}

/// An edit of the queue. Items that are named by IDs may be anywhere in the queue.
package enum QueueEdit: Codable, Sendable, Equatable {
  case remove(QueueItems)
  /// Remove all other items; `nil` stands for the current one.
  case crop(ItemRange?)
  case move(QueueItems, to: MoveTarget)
  case swap(QueueItems, QueueItems)
  case clear
  case dedupe
  /// Shuffle the items among their positions; `nil` stands for all. If something is playing and `startsWithCurrent` is
  /// set, the current item comes first.
  case shuffle(QueueItems?, ShuffleUnit, startsWithCurrent: Bool = false)
  /// Sort the items among their positions; `nil` stands for all.
  case sort(QueueItems?, QueueSortKey, descending: Bool)
  /// Set the priority of items, from 0 to 255.
  case prioritise(QueueItems, UInt8)
  /// Limit the item with this ID to a part of its track; `to` is `nil` for the end of the track.
  case setRange(UInt64, from: Duration, to: Duration?)
  /// Undo this many changes: edits of the queue, and changes of playlists and ratings.
  case undo(Int)
  case redo(Int)

  /// The place to which items are moved.
  package enum MoveTarget: Codable, Sendable, Equatable {
    case point(InsertionPoint)
    /// The position of the first of them after the move, counted from 0.
    case position(Int)
  }
}

/// A request about saved playlists. A name may also be the number of a playlist in the last listing.
package enum PlaylistRequest: Codable, Sendable, Equatable {
  case list(LibraryChoice?)
  /// List the tracks of a playlist from the one at `offset` on; `limit` is the maximum number, `nil` for all.
  case tracks(TypedText, LibraryChoice?, offset: Int, limit: Int?)
  /// Save the queue.
  case save(TypedText, replaces: Bool, LibraryChoice?)
  /// Create a smart playlist from the contents of its file.
  case create(String, rules: String, replaces: Bool, LibraryChoice?)
  /// Create the example playlists that do not exist.
  case createExamples(LibraryChoice?)
  /// Replace the queue with a playlist, or add it to the end.
  case load(TypedText, adds: Bool, LibraryChoice?)
  /// Append items of the queue to a playlist, which is created if there is none.
  case appendItems(ItemRange, to: TypedText, LibraryChoice?)
  /// Append music to a playlist, which is created if there is none.
  case append(MusicRequest, to: String)
  case remove([PlaylistPosition], from: String, LibraryChoice?)
  case move([PlaylistPosition], to: Int, in: String, LibraryChoice?)
  case rename(String, to: String, LibraryChoice?)
  case delete([TypedText], LibraryChoice?)
  /// Change a playlist for a client of a protocol, within its rights.
  case client(ClientPlaylistRequest, ClientPlaylists)
}

/// A track of a playlist that a user has chosen.
package struct PlaylistPosition: Codable, Sendable, Equatable {
  /// The position, counted from 0.
  package var number: Int
  package var path: PathText

  package init(number: Int, path: PathText) {
    self.number = number
    self.path = path
  }
}

/// A track that a user names or has chosen, or the tracks of an album.
package enum NamedTrack: Codable, Sendable, Equatable {
  /// The track that is playing.
  case current
  /// The track of an item of the queue.
  case item(UInt64)
  /// A track of the library, by its ID.
  case track(Int64)
  case file(PathText)
  /// The tracks of an album of the library, by its ID.
  case album(Int64)
  /// The words for a title, a path, a query with a single track, or an album and a track of it. For what is noted of
  /// albums, also those for an album.
  case typed([TypedText])
}

/// A change of a sticker.
package enum StickerChange: Codable, Sendable, Equatable {
  case set(String)
  /// Add a number to that in the sticker; one that there is not is set to `initial`.
  case add(Int64, initial: Int64)
}

/// What a user notes of tracks.
package enum TrackMark: Codable, Sendable, Equatable {
  /// A rating in half stars, from 1 to 10; 0 removes it.
  case rating(Int)
  /// The same for the album to which a track belongs.
  case albumRating(Int)
  case liked(Bool)
  /// Liked or, if all of the tracks are liked, no longer.
  case toggleLiked

  /// Whether it is noted of albums as a whole.
  package var isOfAlbums: Bool { if case .albumRating = self { true } else { false } }
}

extension QueueSortKey: Codable {}
extension ShuffleUnit: Codable {}
extension ReplayGainSettings.Mode: Codable {}
extension ReplayGainSettings.Clipping: Codable {}
