import MusicModel
import Platform

/// Answers what the bus asks of a player, and tells it what has changed. Of one thread, that of the bus.
@safe
final class BusFace {
  private let face: PlayerFace
  private var covers = CoverFile()
  private var told: PlayerSnapshot
  private var toldPosition = ToldPosition()

  /// The face of a player on the bus.
  init(_ face: PlayerFace) {
    self.face = face
    told = face.snapshot
  }

  /// The face that a callback of the bus belongs to.
  static func at(_ context: UnsafeMutableRawPointer?) -> BusFace? {
    unsafe context.map { unsafe Unmanaged<BusFace>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Obeys `command`; gives why it is refused.
  func obey(_ command: PlayerCommand) -> PlayerRefusal? { face.obey(command) }

  /// Tells `bus` what has changed since it was told last.
  func tellChanges(_ bus: BusConnection, at now: MonotonicInstant) {
    let snapshot = face.snapshot
    let changes = snapshot.changes(since: told)
    told = snapshot
    if !changes.isEmpty { bus.tell(changes) }
    let position = face.position(snapshot)
    if toldPosition.mustTell(position, of: snapshot, at: now) { bus.tellSeeked(position) }
  }

  /// Writes the present value of `property`.
  func describe(_ property: PlayerProperty, _ writer: PropertyWriter) {
    let snapshot = face.snapshot
    switch property {
    case .canQuit, .canRaise, .hasTrackList: writer.write(false)
    case .identity: writer.write("Segue")
    case .supportedURISchemes, .supportedMIMETypes: break
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
    let cover = snapshot.item.flatMap { covers.cover(of: $0.track.path) }
    return TrackMetadata(snapshot.item, duration: snapshot.duration, cover: cover)
  }
}
