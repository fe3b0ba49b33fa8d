// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import Flux
import Foundation
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Playlists
import SystemPackage
import Tagging
import TestSupport

@testable import DesktopControl

/// A queue and a playback state that no engine drives, with a record of the requested actions.
final class DesktopRig: Sendable {
  let queueDispatcher = QueueDispatcher()
  var playbackDispatcher: QueueDispatcher { queueDispatcher }
  let queue: QueueListener
  let playback: PlaybackStore
  let actions: PlayerActionCreator
  /// The requested playback actions, without reports.
  let requestedActions = Watched<[PlaybackAction]>([])
  private let subscription: Subscription

  /// Creates a queue of three tracks of one minute each, to which `change` is applied. No track is current.
  init(at directory: FilePath = "/music/Album", change: (inout Track) -> Void = { _ in }) {
    let store = PlayerStore(dispatcher: queueDispatcher)
    (queue, playback) = (QueueListener(store), PlaybackStore(store))
    actions = PlayerActionCreator(dispatcher: queueDispatcher)
    port = FakePlayer(LocalPlayer(.withoutEngine(queue, playback, actions))) { [loadRequests] request in
      guard case .play(let music, _) = request, case .uri(let uri) = music.name,
        let path = StreamAddress(uri)?.path ?? FilePath(fileURI: uri)
      else { return }
      loadRequests.change { $0.append(path) }
    }
    subscription = queueDispatcher.subscribe { [requestedActions] action in
      guard case .playback(let action) = action else { return }
      if case .report = action { return }
      requestedActions.change { $0.append(action) }
    }
    let tracks = (1...3).map { number in
      var track = Track(path: directory.appending("0\(number).flac"), title: "Title \(number)")
      track.album = "Album"
      track.artists = ["First", "Second"]
      track.albumArtists = ["Band"]
      track.genres = ["Jazz"]
      track.number = Ordinal(number)
      track.disc = Ordinal(1)
      track.duration = .seconds(60)
      change(&track)
      return track
    }
    queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Album", tracks: tracks), item: nil))
  }

  /// The requests to load files.
  let loadRequests = Watched<[FilePath]>([])

  /// The player of this queue, which only records requests to load files.
  let port: any PlayerPort

  private static func cover(of file: FilePath) -> FilePath? {
    CoverFile(in: file.removingLastComponent(), reach: .anywhere, limit: 1 << 20)?.path
  }

  /// The face of this queue and playback state.
  var face: PlayerFace { PlayerFace(port: port, send: { [port] in _ = try? port.send($0) }, cover: Self.cover) }

  /// Returns a player with this queue on the bus at `address`.
  func player(at address: String) -> DesktopPlayer { DesktopPlayer(port, at: address, cover: Self.cover) }

  /// Returns the id of the item at `position`.
  func id(_ position: Int) -> PlayQueue.Item.ID { queue.queue.items[position].id }

  func report(_ report: PlaybackReport) { playbackDispatcher.dispatch(.report(report)) }

  /// Makes the item at `position` current and audible, from its beginning.
  func start(_ position: Int = 0) {
    let id = id(position)
    queueDispatcher.dispatch(.play(id, from: .zero))
    report(.requested(id))
    report(.confirmed(.playing))
    report(
      .started(id, format: .cd, stream: .cd, gain: .off, duration: .seconds(60)))
  }

  /// Reports the elapsed time of the current item.
  func reportElapsed(_ position: Duration) {
    if let id = queue.queue.current?.id { report(.position(id, position)) }
  }
}

/// A message bus for one test, which is ended when its last reference is released.
final class SessionBus {
  /// The reason why tests that need a bus are skipped.
  static let reason = "dbus-daemon, dbus-send, dbus-monitor and playerctl are not installed"
  /// Whether the programs that a test needs are installed.
  static let isInstalled = ["dbus-daemon", "dbus-send", "dbus-monitor", "playerctl"].allSatisfy(Tool.exists)

  /// The address of the bus.
  let address: String
  private let directory: TemporaryDirectory
  private var process: ChildProcess?
  private var monitor: ChildProcess?

  /// Creates a bus, and starts it unless `isStarted` is false.
  init(isStarted: Bool = true) throws {
    directory = try TemporaryDirectory()
    address = "unix:path=\(directory.file("bus"))"
    if isStarted { try start() }
  }

  /// Starts the bus, for the first time or again.
  func start() throws {
    let output = Pipe()
    process = try ChildProcess(
      "dbus-daemon", ["--session", "--nofork", "--print-address", "--address=\(address)"],
      output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    // The daemon prints its address when it is listening.
    _ = output.fileHandleForReading.availableData
  }

  deinit { kill() }

  /// Ends the bus at once.
  func kill() {
    for process in [monitor, process] { process?.end() }
  }

  /// Runs a program on this bus and returns its output.
  @discardableResult
  func run(_ arguments: String...) throws -> String {
    let output = try Tool.run("env", ["DBUS_SESSION_BUS_ADDRESS=\(address)", "LC_ALL=C.UTF-8"] + arguments)
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs playerctl for the player of this test and returns its output.
  @discardableResult
  func playerctl(_ arguments: String...) throws -> String {
    let output = try Tool.run(
      "env",
      ["DBUS_SESSION_BUS_ADDRESS=\(address)", "LC_ALL=C.UTF-8", "playerctl", "--player=segue"] + arguments)
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Calls a method of the object of the player that is named `name`, and returns the reply.
  @discardableResult
  func call(_ member: String, _ arguments: String..., of name: String = "org.mpris.MediaPlayer2.segue") throws
    -> String
  {
    let output = try Tool.run(
      "dbus-send",
      [
        "--bus=\(address)", "--print-reply", "--dest=\(name)", "/org/mpris/MediaPlayer2", member,
      ] + arguments)
    return String(decoding: output, as: UTF8.self)
  }

  /// The names of players on the bus.
  var playerNames: [String] {
    get throws {
      let reply = try Tool.run(
        "dbus-send",
        [
          "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
          "org.freedesktop.DBus.ListNames",
        ])
      return String(decoding: reply, as: UTF8.self).split(separator: "\"").map(String.init).filter {
        $0.hasPrefix("org.mpris.")
      }.sorted()
    }
  }

  /// Waits until a player has the name `name`. Returns whether one has it in time.
  func awaitPlayer(_ name: String = "org.mpris.MediaPlayer2.segue") throws -> Bool {
    try eventually { try playerNames.contains(name) }
  }

  /// Starts to record the signals of the player's object.
  func recordSignals() throws {
    let output = try directory.write([], to: "signals")
    monitor = try ChildProcess(
      "dbus-monitor", ["--address", address, "type='signal',path='/org/mpris/MediaPlayer2'"],
      output: try FileHandle(forWritingTo: URL(fileURLWithPath: output.string)))
    // The monitor prints its own name when it is listening.
    _ = try eventually { try !recordedSignals.isEmpty }
  }

  /// The recorded signals.
  var recordedSignals: String {
    get throws { String(decoding: try contents(of: directory.file("signals")), as: UTF8.self) }
  }
}
