import Flux
public import MusicModel
import Platform
public import PlayerFlow
import Playlists
public import SystemPackage

/// What a player on the bus needs of others: the library's pictures, and what loads files.
public struct DesktopServices: Sendable {
  /// The file with the picture of a track. May block while the disk does.
  var cover: @Sendable (FilePath) -> FilePath?
  /// Loads the file or directory at a path. Does not block.
  var load: @Sendable (FilePath, LoadPlace) -> Void

  /// Services that find pictures by `cover`, and load files by `load`; both on the thread of the bus.
  public init(
    cover: @escaping @Sendable (FilePath) -> FilePath?, load: @escaping @Sendable (FilePath, LoadPlace) -> Void
  ) {
    self.cover = cover
    self.load = load
  }
}

/// Shows a player on the session bus as `org.mpris.MediaPlayer2.segue`, so that the desktop's keys, panels and
/// `playerctl` control it (MPRIS 2.2).
///
/// Without libsystemd, or a session that could have a bus, nothing is shown. Neither is looked for before the first
/// sound, or before a moment has passed in which nothing was asked to play. A bus that starts later, or again, shows
/// the player, too. From any thread.
public final class DesktopPlayer: Sendable {
  /// How long the end waits for a bus that does not answer.
  private static let endMilliseconds: UInt64 = 500

  private let loop: BusLoop?
  private let thread: WorkerThread?
  private let subscriptions: [Subscription]

  /// Shows the player whose stores these are, until ``shutDown()``.
  public convenience init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, services: DesktopServices
  ) {
    self.init(queue: queue, playback: playback, actions: actions, services: services, address: nil)
  }

  /// Shows the player on the bus at `address`, or on the session's where that is `nil`.
  init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, services: DesktopServices,
    address: String?
  ) {
    let face = PlayerFace(queue: queue, playback: playback, actions: actions, services: services)
    guard let place = address.map(BusPlace.init(address:)) ?? .ofSession,
      let loop = BusLoop(face, at: place, address: address)
    else {
      (loop, thread, subscriptions) = (nil, nil, [])
      return
    }
    self.loop = loop
    thread = try? WorkerThread(name: "segue-desktop") { loop.run() }
    subscriptions = [queue.observe { _ in loop.note() }, playback.observe { _ in loop.note() }]
  }

  deinit { loop?.end() }

  /// Leaves the bus; waits for that a moment at most.
  public func shutDown() { _ = shutDown(within: Self.endMilliseconds) }

  /// Leaves the bus; waits for that so long at most, and returns whether it has left.
  func shutDown(within milliseconds: UInt64) -> Bool {
    for subscription in subscriptions { subscription.cancel() }
    loop?.end()
    return thread?.join(until: .now.advanced(byMilliseconds: milliseconds)) ?? true
  }
}

/// Where a message bus listens, as far as that can be looked at.
enum BusPlace: Equatable {
  /// At this socket of the file system.
  case file(FilePath)
  /// Somewhere else.
  case elsewhere

  /// The place of the bus at `address` (D-Bus Specification, "Server Addresses").
  init(address: String) {
    let files = address.split(separator: ";").compactMap { Self.file(in: $0) }
    self = files.first.map { .file($0) } ?? .elsewhere
  }

  /// The place of the session bus; `nil` where there is no session that could have one.
  static var ofSession: BusPlace? {
    if let address = Environment.value("DBUS_SESSION_BUS_ADDRESS") { return BusPlace(address: address) }
    return Environment.value("XDG_RUNTIME_DIR").map { .file(FilePath($0).appending("bus")) }
  }

  /// Its socket, where that is a file.
  var file: FilePath? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Whether a bus may be there now.
  var mayBeThere: Bool { file.map { (try? FileStatus(of: $0)) != nil } ?? true }

  private static func file(in address: Substring) -> FilePath? {
    guard address.hasPrefix("unix:") else { return nil }
    let path = address.dropFirst(5).split(separator: ",").first { $0.hasPrefix("path=") }
    // The escapes are those of URIs.
    return path.flatMap { FilePath(fileURI: "file://\($0.dropFirst(5))") }
  }
}
