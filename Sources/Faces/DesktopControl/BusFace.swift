// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow

/// Answers the requests of the bus about a player, and signals its changes. For use on the thread of the bus.
@safe
final class BusFace {
  /// The MIME types that can be opened, by their names in the shared MIME database.
  private static let types = [
    "audio/flac", "audio/x-flac", "audio/mpeg", "audio/ogg", "audio/x-vorbis+ogg", "audio/x-opus+ogg", "audio/opus",
    "audio/x-flac+ogg", "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/aiff", "audio/x-aiff", "audio/basic",
    "audio/x-caf", "audio/x-mpegurl", "audio/x-scpls", "application/xspf+xml", "application/x-cue", "inode/directory",
  ]

  private let face: PlayerFace
  private var told: PlayerSnapshot
  private var window: TrackWindow
  private var toldPosition = ToldPosition()

  /// Creates the object that shows `face` on the bus.
  init(_ face: PlayerFace) {
    self.face = face
    told = face.snapshot
    window = TrackWindow(face.queue.queue)
  }

  /// Returns the object that is the context of a callback.
  static func at(_ context: UnsafeMutableRawPointer?) -> BusFace? {
    unsafe context.map { unsafe Unmanaged<BusFace>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Executes `command`. Returns the reason if it is refused.
  func obey(_ command: PlayerCommand) -> PlayerRefusal? { face.obey(command) }

  /// Signals on `bus` what has changed since the last call.
  func tellChanges(_ bus: BusConnection, at now: MonotonicInstant) {
    let snapshot = face.snapshot
    let changes = snapshot.changes(since: told)
    told = snapshot
    if !changes.isEmpty { bus.tell(changes) }
    signalTracks(bus)
    let position = face.position(snapshot)
    if toldPosition.mustTell(position, of: snapshot, at: now) { bus.tellSeeked(position) }
  }

  /// Signals changes of the track list on `bus`.
  private func signalTracks(_ bus: BusConnection) {
    let queue = face.queue.queue
    if window.shows(queue) { return }
    let now = TrackWindow(queue)
    let changes = now.changes(since: window, in: queue)
    if now.ids != window.ids { bus.tell([.tracks]) }
    window = now
    for change in changes { bus.signal(change) }
  }

  /// Writes the metadata of the tracks with these object paths. Paths of no track are skipped.
  func describe(tracks paths: [String], _ writer: PropertyWriter) {
    let (queue, snapshot) = (face.queue.queue, face.snapshot)
    for path in paths {
      guard let position = PlayQueue.Item.ID(objectPath: path).flatMap({ queue.position(of: $0) }) else { continue }
      let item = queue.items[position]
      writer.write(whole: item.id == snapshot.item?.id ? metadata(snapshot) : TrackMetadata(item))
    }
  }

  /// Writes the present value of `property`.
  func describe(_ property: PlayerProperty, _ writer: PropertyWriter) {
    let snapshot = face.snapshot
    switch property {
    case .canQuit, .canRaise: writer.write(false)
    case .hasTrackList, .canEditTracks: writer.write(true)
    case .identity: writer.write("Segue")
    case .desktopEntry: writer.write("segue")
    case .supportedURISchemes: writer.write("file")
    case .supportedMIMETypes: for type in Self.types { writer.write(type) }
    case .tracks: for path in TrackWindow(face.queue.queue).objectPaths { writer.write(objectPath: path) }
    case .playbackStatus: writer.write(snapshot.status)
    case .loopStatus: writer.write(snapshot.loop.rawValue)
    case .rate, .minimumRate, .maximumRate: writer.write(1.0)
    case .shuffle: writer.write(snapshot.isShuffled)
    case .metadata: writer.write(metadata(snapshot))
    case .volume: writer.write(snapshot.volume)
    case .position: writer.write(face.position(snapshot))
    case .canGoNext: writer.write(snapshot.canGoNext)
    case .canGoPrevious: writer.write(snapshot.canGoPrevious)
    case .canPlay: writer.write(snapshot.canPlay)
    case .canPause: writer.write(snapshot.canPause)
    case .canSeek: writer.write(snapshot.canSeek)
    case .canControl: writer.write(true)
    }
  }

  private func metadata(_ snapshot: PlayerSnapshot) -> TrackMetadata {
    let cover = snapshot.item.flatMap { face.services.cover($0.track.path) }
    return TrackMetadata(snapshot.item, duration: snapshot.duration, cover: cover)
  }
}

/// The position that listeners on the bus assume. They are notified when it jumps, and otherwise let it advance by
/// itself while something is playing.
struct ToldPosition: Sendable {
  /// The deviation from which the position is sent again.
  private static let tolerance = Duration.milliseconds(400)

  private var item: PlayQueue.Item.ID?
  private var status = ""
  private var position = Duration.zero
  private var instant = MonotonicInstant(nanoseconds: 0)

  /// Returns whether the jump to `position` has to be signalled, and if so records it as sent. Listeners query the
  /// position themselves when the item or the playback status changes.
  mutating func mustTell(_ position: Duration, of snapshot: PlayerSnapshot, at now: MonotonicInstant) -> Bool {
    let isSame = snapshot.item?.id == item && snapshot.status == status
    // Listeners assume that an item starts at its beginning.
    let start = snapshot.item?.id == item ? position : .zero
    let expected = isSame ? expected(at: now) : start
    let isWrong = max(expected - position, position - expected) > Self.tolerance
    guard isWrong || !isSame else { return false }
    item = snapshot.item?.id
    status = snapshot.status
    self.position = position
    instant = now
    return isWrong
  }

  private func expected(at now: MonotonicInstant) -> Duration {
    guard status == "Playing", now > instant else { return position }
    return position + .nanoseconds(Int64(clamping: now.nanoseconds - instant.nanoseconds))
  }
}
