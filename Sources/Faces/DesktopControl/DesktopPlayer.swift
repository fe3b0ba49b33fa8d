// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import MusicModel
import Platform
public import PlayerFlow
import Playlists
public import SystemPackage

/// The functions that the player on the bus needs from outside: finding covers and loading files.
public struct DesktopServices: Sendable {
  /// Returns the file with the cover of a track. May block while the disk does.
  var cover: @Sendable (FilePath) -> FilePath?
  /// Loads the file or directory at a path into the queue. Does not block.
  var load: @Sendable (FilePath, LoadPlace) -> Void

  /// Creates services from these functions, both of which are called on the bus thread.
  public init(
    cover: @escaping @Sendable (FilePath) -> FilePath?, load: @escaping @Sendable (FilePath, LoadPlace) -> Void
  ) {
    self.cover = cover
    self.load = load
  }
}

/// Shows a player on the session bus as `org.mpris.MediaPlayer2.segue`, so that the desktop's media keys, panels and
/// `playerctl` can control it (MPRIS 2.2).
///
/// Without libsystemd, or a session that could have a bus, nothing is shown. Neither is looked for before something is
/// audible, or before a moment has passed in which nothing was requested. A bus that is started later, or restarted,
/// shows the player too. From any thread.
public final class DesktopPlayer: Sendable {
  /// The time that shutting down waits for a bus that does not answer, in milliseconds.
  private static let endMilliseconds: UInt64 = 500

  private let loop: BusLoop?
  private let thread: WorkerThread?
  private let subscriptions: [Subscription]

  /// Shows the player with these stores, until ``shutDown()``.
  public convenience init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, services: DesktopServices
  ) {
    self.init(queue: queue, playback: playback, actions: actions, services: services, address: nil)
  }

  /// Shows the player on the bus at `address`, or on the session bus if that is `nil`.
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

  /// Leaves the bus, waiting for a moment at most.
  public func shutDown() { _ = shutDown(within: Self.endMilliseconds) }

  /// Leaves the bus, waiting for at most `milliseconds`. Returns whether it has left.
  func shutDown(within milliseconds: UInt64) -> Bool {
    for subscription in subscriptions { subscription.cancel() }
    loop?.end()
    return thread?.join(until: .now.advanced(byMilliseconds: milliseconds)) ?? true
  }
}

/// The location of a message bus, as far as it can be checked.
enum BusPlace: Equatable {
  /// A socket at this path in the file system.
  case file(FilePath)
  /// Any other location.
  case elsewhere

  /// Creates the location of the bus at `address` (D-Bus Specification, "Server Addresses").
  init(address: String) {
    let files = address.split(separator: ";").compactMap { Self.file(in: $0) }
    self = files.first.map { .file($0) } ?? .elsewhere
  }

  /// The location of the session bus; `nil` if there is no session that could have one.
  static var ofSession: BusPlace? {
    if let address = Environment.value("DBUS_SESSION_BUS_ADDRESS") { return BusPlace(address: address) }
    return Environment.value("XDG_RUNTIME_DIR").map { .file(FilePath($0).appending("bus")) }
  }

  /// The path of the socket, if it is in the file system.
  var file: FilePath? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Whether a bus may be there now.
  var mayBeThere: Bool { file.map { (try? FileStatus(of: $0)) != nil } ?? true }

  private static func file(in address: Substring) -> FilePath? {
    guard address.hasPrefix("unix:") else { return nil }
    let path = address.dropFirst(5).split(separator: ",").first { $0.hasPrefix("path=") }
    // Escapes are those of URIs.
    return path.flatMap { FilePath(fileURI: "file://\($0.dropFirst(5))") }
  }
}
