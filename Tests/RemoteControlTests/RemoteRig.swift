// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import Flux
import Foundation
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Synchronization
import SystemPackage
import Tagging
import TestSupport

@testable import RemoteControl

/// A server in a directory of its own, with a queue and a playback state that no engine drives.
final class RemoteRig: Sendable {
  let directory: TemporaryDirectory
  let queueDispatcher = QueueDispatcher()
  var playbackDispatcher: QueueDispatcher { queueDispatcher }
  let queue: QueueListener
  let playback: PlaybackStore
  let actions: PlayerActionCreator
  let server: RemoteServer
  private let recorder: FakePlayer
  private let playlists: Subscription

  /// The requests of clients that were sent to the player of the stores.
  var requests: [PlayerRequest] { recorder.requests }

  init(
    addresses: [ListenAddress] = [], access: NetworkAccess = NetworkAccess(), library: RemoteLibrary? = nil,
    queueLimit: Int = 1_000_000, clock: any MonotonicClock = SystemClock(),
    port: (any PlayerPort)? = nil,
    quit: @escaping @Sendable () -> Void = {}
  ) throws {
    let directory = try TemporaryDirectory()
    let store = PlayerStore(dispatcher: queueDispatcher)
    let (queue, playback) = (QueueListener(store), PlaybackStore(store))
    let actions = PlayerActionCreator(dispatcher: queueDispatcher)
    let counter = StoreCounter()
    var parts = LocalPlayer.Parts.withoutEngine(queue, playback, actions)
    parts.flush = { counter.count() }
    parts.quit = quit
    let local = LocalPlayer(parts)
    if let library { local.use(.init(library.index, library.store, library.actions), of: parts.library) }
    recorder = FakePlayer(local)
    let player = ControlledPlayer(
      queue: queue, playback: playback, library: library, queueLimit: queueLimit, port: port ?? recorder)
    server = try RemoteServer(
      player, socket: directory["run/socket"], addresses: addresses, access: access, clock: clock)
    playlists = local.observePlaylists { [weak server] in server?.announcePlaylists() }
    self.directory = directory
    self.queue = queue
    self.playback = playback
    self.actions = actions
    storeCounter = counter
  }

  private let storeCounter: StoreCounter

  /// The number of times that a client waited for edits to be stored.
  var storedCount: Int { storeCounter.value }

  deinit { server.shutDown() }

  /// Returns a client of the server's socket.
  func client() throws -> ControlClient { try ControlClient(directory["run/socket"]) }

  /// Returns an album of `count` tracks in `/music`.
  static func album(_ count: Int, title: String = "Album") -> TrackCollection {
    TrackCollection(
      title: title,
      tracks: (0..<count).map { number in
        var track = Track(path: FilePath("/music/\(title)/\(number + 1).flac"), title: "Title \(number + 1)")
        track.album = title
        track.artists = ["Artist"]
        track.number = Ordinal(number + 1)
        track.duration = .seconds(60 + number)
        return track
      })
  }
}

/// Counts how often edits were stored.
private final class StoreCounter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func count() -> PlayerError? {
    number.withLock { $0 += 1 }
    return nil
  }
}

/// A server with a library: the music of the fixtures, and a separate directory for stored playlists.
struct RemoteLibraryRig {
  static let canon = "The Clockwork Consort/Ground and Air"
  static let greensleeves = "Various Artists/Old Tunes, New Friends/01 Greensleeves.ogg"

  let rig: RemoteRig
  let directory: TemporaryDirectory
  let root: FilePath

  /// - Parameters:
  ///   - root: The directory of the library.
  ///   - others: Further directories of the library.
  init(
    root: FilePath = Fixture.directory.appending("Music"), others: [FilePath] = [],
    addresses: [ListenAddress] = [],
    queueLimit: Int = 1_000_000
  ) throws {
    directory = try TemporaryDirectory()
    self.root = root
    let index = IndexedLibrary(
      index: try LibraryIndex(directory: directory["index"]), roots: LibraryRoots(root, others),
      // Files that the tag library cannot read count as not playable.
      probe: { _ in nil })
    _ = try index.scan(progress: { _ in }, isCancelled: { false })
    let dispatcher = LibraryDispatcher()
    let library = RemoteLibrary(
      index, store: LibraryStore(dispatcher: dispatcher),
      actions: LibraryActionCreator(dispatcher: dispatcher),
      playlists: directory["lists"])
    rig = try RemoteRig(addresses: addresses, library: library, queueLimit: queueLimit)
  }

  /// The file names of the stored playlists.
  var files: [String] {
    get throws {
      try DirectoryListing(of: directory["lists"]).entries.map(\.name.string).filter { !$0.hasPrefix(".") }
    }
  }
}

/// A client that sends and receives lines of text.
struct LineClient {
  private var client: ControlClient
  /// The server, which must live as long as its client.
  private let rig: RemoteRig?
  private var directory: TemporaryDirectory?

  init(_ rig: RemoteRig) throws {
    client = try rig.client()
    self.rig = rig
  }

  init(_ library: RemoteLibraryRig) throws {
    try self.init(library.rig)
    directory = library.directory
  }

  init(_ client: ControlClient) {
    self.client = client
    rig = nil
  }

  /// Sends `line`, and returns the lines of the response, or "ACK" with the code and the message.
  mutating func request(_ line: String) throws -> [String] {
    let words = try ProtocolWords(Array(line.utf8))
    do throws(ControlClientError) {
      return try client.send(words.command, words.arguments).map { "\($0.key): \($0.value)" }
    } catch {
      guard case .refused(let error) = error else { throw error }
      return ["ACK \(error.code.rawValue) \(error.message)"]
    }
  }

  /// Sends `line`, and returns the values of `key` in the response.
  mutating func values(_ key: String, _ line: String) throws -> [String] {
    try request(line).filter { $0.hasPrefix("\(key): ") }.map { String($0.dropFirst(key.count + 2)) }
  }

  /// Returns the names of the files in the queue, by position and without suffix.
  mutating func queue() throws -> [String] {
    try values("file", "playlistinfo").map { FilePath($0).stem ?? "" }
  }
}

/// A client that connects through the network.
enum NetworkClient {
  /// Sends `text` to a server on this machine, and returns everything received until it closes the connection.
  static func response(to text: String, port: Int) throws -> String {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    let descriptor = FileDescriptor(rawValue: number)
    return try descriptor.closeAfter {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard result == 0 else { throw Errno(rawValue: errno) }
      try descriptor.writeAll(text.utf8)
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = try part.withUnsafeMutableBytes({ try descriptor.read(into: $0) }), count > 0 {
        bytes += part[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
