// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform

/// Answers requests from the bus about a player, and signals changes of its state. Used on the bus thread only.
@safe
final class BusFace {
  /// The MIME types of the files that the player can open, as named in the shared MIME database.
  private static let types = [
    "audio/flac", "audio/x-flac", "audio/mpeg", "audio/ogg", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/opus",
    "audio/x-flac+ogg", "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/aiff", "audio/x-aiff", "audio/basic",
    "audio/x-caf", "audio/x-mpegurl", "audio/x-scpls", "application/xspf+xml", "application/x-cue", "inode/directory",
  ]

  let face: PlayerFace
  private var signalledSnapshot: DesktopState
  private var signalledPosition = SignalledPosition()

  /// Creates an object that publishes `face` on the bus.
  init(_ face: PlayerFace) {
    self.face = face
    signalledSnapshot = face.snapshot
  }

  /// Returns the object that was passed as the context of a callback.
  static func at(_ context: UnsafeMutableRawPointer?) -> BusFace? {
    unsafe context.map { unsafe Unmanaged<BusFace>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Signals on `bus` what has changed since the last call.
  func signalChanges(_ bus: BusConnection, at now: MonotonicInstant) {
    let snapshot = face.snapshot
    let changes = snapshot.changes(since: signalledSnapshot)
    signalledSnapshot = snapshot
    if !changes.isEmpty { bus.signalChanged(changes) }
    let position = face.position
    if signalledPosition.needsSignal(position, of: snapshot, at: now) { bus.signalSeeked(position) }
  }

  /// Writes the current value of `property`.
  func describe(_ property: PlayerProperty, _ writer: PropertyWriter) {
    let snapshot = face.snapshot
    switch property {
    case .canQuit, .canRaise, .hasTrackList: writer.write(false)
    case .identity: writer.write("Segue")
    case .desktopEntry: writer.write("segue")
    case .supportedURISchemes: for scheme in ["file", "http", "https"] { writer.write(scheme) }
    case .supportedMIMETypes: for type in Self.types { writer.write(type) }
    case .playbackStatus: writer.write(snapshot.status)
    case .loopStatus: writer.write(snapshot.loop.rawValue)
    case .rate: writer.write(snapshot.rate)
    case .minimumRate: writer.write(PlaybackSpeed.range.lowerBound)
    case .maximumRate: writer.write(PlaybackSpeed.range.upperBound)
    case .shuffle: writer.write(snapshot.isShuffled)
    case .metadata: writer.write(metadata(snapshot))
    case .volume: writer.write(snapshot.volume)
    case .position: writer.write(face.position)
    case .canGoNext: writer.write(snapshot.canGoNext)
    case .canGoPrevious: writer.write(snapshot.canGoPrevious)
    case .canPlay: writer.write(snapshot.canPlay)
    case .canPause: writer.write(snapshot.canPause)
    case .canSeek: writer.write(snapshot.canSeek)
    case .canControl: writer.write(true)
    }
  }

  private func metadata(_ snapshot: DesktopState) -> TrackMetadata {
    let cover = snapshot.item.flatMap { face.cover($0.track.path) }
    return TrackMetadata(snapshot.item, duration: snapshot.duration, cover: cover)
  }
}

/// The position that clients on the bus assume. They advance it themselves during playback, and need a signal only when
/// it jumps.
struct SignalledPosition: Sendable {
  /// The maximum deviation of the assumed position that needs no signal.
  private static let tolerance = Duration.milliseconds(400)

  private var item: PlayQueue.Item.ID?
  private var status = ""
  private var rate = 1.0
  private var position = Duration.zero
  private var instant = MonotonicInstant(nanoseconds: 0)

  /// Returns whether `position` must be signalled because clients assume another one. If so, records it as sent. No
  /// signal is needed when the item, the playback status or the rate changes, since clients then read the position
  /// themselves.
  mutating func needsSignal(_ position: Duration, of snapshot: DesktopState, at now: MonotonicInstant) -> Bool {
    let isSame = snapshot.item?.id == item && snapshot.status == status && snapshot.rate == rate
    // Clients assume that a new item starts at its beginning.
    let start = snapshot.item?.id == item ? position : .zero
    let expected = isSame ? expected(at: now) : start
    let isWrong = max(expected - position, position - expected) > Self.tolerance
    guard isWrong || !isSame else { return false }
    item = snapshot.item?.id
    (status, rate) = (snapshot.status, snapshot.rate)
    self.position = position
    instant = now
    return isWrong
  }

  private func expected(at now: MonotonicInstant) -> Duration {
    guard status == "Playing", now > instant else { return position }
    return position + .nanoseconds(Int64(clamping: now.nanoseconds - instant.nanoseconds)) * rate
  }
}
