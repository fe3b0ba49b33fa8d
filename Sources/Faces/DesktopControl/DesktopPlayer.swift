// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
package import PlayerPort
import Playlists
package import SystemPackage

/// Publishes a player on the session bus as `org.mpris.MediaPlayer2.segue`, so that the desktop's media keys, panels
/// and `playerctl` can control it (MPRIS 2.2).
///
/// Nothing is published without libsystemd, or outside of a session that can have a bus. Neither is looked for until a
/// track is audible, or until no request to play has been pending for a moment. The player also appears on a bus that
/// is started later, or restarted. Safe to use from any thread.
public final class DesktopPlayer: Sendable {
  /// The maximum time in milliseconds that shutting down waits for a bus that does not respond.
  private static let endMilliseconds: UInt64 = 50

  private let loop: BusLoop?
  private let thread: WorkerThread?
  private let subscription: Subscription?

  /// Publishes the player of `port` on the bus at `address`, or on the session bus if it is `nil`, until ``shutDown()``
  /// is called.
  ///
  /// - Parameter cover: Returns the file that contains the cover of a track, if there is one. Called on the bus thread;
  ///   may block while the disk is read.
  package init(
    _ port: any PlayerPort, at address: String? = nil, cover: @escaping @Sendable (FilePath) -> FilePath?
  ) {
    let requests = DesktopRequests(port)
    let face = PlayerFace(port: port, send: { requests.send($0) }, cover: cover)
    guard let location = address.map(BusLocation.init(address:)) ?? .ofSession,
      let loop = BusLoop(face, at: location, address: address)
    else {
      (loop, thread, subscription) = (nil, nil, nil)
      return
    }
    self.loop = loop
    thread = try? WorkerThread(name: "segue-desktop") { loop.run() }
    subscription = port.observe(everyPosition: true) { loop.scheduleUpdate() }
  }

  deinit { loop?.end() }

  /// Removes the player from the bus. Waits only briefly: a bus that does not respond notices the end of the program.
  public func shutDown() { _ = shutDown(within: Self.endMilliseconds) }

  /// Removes the player from the bus. Returns whether that was completed within `milliseconds`.
  func shutDown(within milliseconds: UInt64) -> Bool {
    subscription?.cancel()
    loop?.end()
    return thread?.join(until: .now.advanced(byMilliseconds: milliseconds)) ?? true
  }
}

/// The location of a message bus, as far as the player can check it.
enum BusLocation: Equatable {
  /// A socket at this path in the file system.
  case file(FilePath)
  /// A location that is not a path in the file system.
  case elsewhere

  /// Creates the location for a bus address (D-Bus Specification, "Server Addresses").
  init(address: String) {
    let files = address.split(separator: ";").compactMap { Self.file(in: $0) }
    self = files.first.map { .file($0) } ?? .elsewhere
  }

  /// The location of the session bus; `nil` outside of a session that can have a bus.
  static var ofSession: BusLocation? {
    if let address = Environment.value("DBUS_SESSION_BUS_ADDRESS") { return BusLocation(address: address) }
    return Environment.value("XDG_RUNTIME_DIR").map { .file(FilePath($0).appending("bus")) }
  }

  /// The path of the socket; `nil` if it is not in the file system.
  var file: FilePath? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Whether the bus may exist now. False only if its socket is known to be missing.
  var mayExist: Bool { file.map { (try? FileStatus(of: $0)) != nil } ?? true }

  private static func file(in address: Substring) -> FilePath? {
    guard address.hasPrefix("unix:") else { return nil }
    let path = address.dropFirst(5).split(separator: ",").first { $0.hasPrefix("path=") }
    // Escapes in a bus address have the same form as in a URI.
    return path.flatMap { FilePath(fileURI: "file://\($0.dropFirst(5))") }
  }
}
