// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Network
import Platform
import Synchronization
import SystemPackage
import TestSupport

@testable import Scrobbling

/// A service as a test wants it, without a network, and a clock that a test can set.
final class ScrobbleRig: Sendable {
  typealias Answer = @Sendable (HTTPRequest) throws(HTTPError) -> HTTPAnswer

  let directory: TemporaryDirectory
  let requests = Watched<[HTTPRequest]>([])
  private let answer: Mutex<Answer>
  private let time: Mutex<Int64>

  init(time: Int64 = 1_800_000_000, _ answer: @escaping Answer = { _ in .listenBrainzOK }) throws {
    directory = try TemporaryDirectory()
    self.answer = Mutex(answer)
    self.time = Mutex(time)
  }

  func answer(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

  func setTime(_ new: Int64) { time.withLock { $0 = new } }

  var now: Int64 { time.withLock { $0 } }

  /// The paths of the requests so far, after the version of the interface.
  var paths: [String] { requests.value.map { String($0.url.split(separator: "/1/").last ?? "") } }

  /// Another process's view of the same directory.
  func context(_ settings: ScrobbleSettings = ScrobbleSettings(version: "1.0")) -> ScrobbleContext {
    ScrobbleContext(directory: directory.path, settings: settings, transport: transport) { self.now }
  }

  var transport: HTTPTransport {
    { request throws(HTTPError) in
      let answer = self.answer.withLock { $0 }
      self.requests.change { $0.append(request) }
      return try answer(request)
    }
  }

  func sender(_ client: any ScrobbleClient, _ outbox: ScrobbleOutbox? = nil) -> ScrobbleSender {
    ScrobbleSender(
      client: client, outbox: outbox ?? ScrobbleOutbox(directory: directory.path), transport: transport,
      now: { self.now })
  }

  /// Stores accounts.
  func logIn(lastFM: Bool = false) throws {
    var accounts = ScrobbleAccounts(listenBrainz: .init(token: "t", user: "ann"))
    if lastFM { accounts.lastFM = .init(key: "k", secret: "s", session: "x", user: "bob") }
    try ScrobbleAccountsFile(in: directory.path).write(accounts)
  }

  static let listenBrainz = ListenBrainzClient(address: nil, token: "t", version: "1.0")
  static let lastFM = LastFMClient(address: nil, key: "k", secret: "s", session: "x")

  static func track(_ title: String, artist: String? = "Ann", seconds: Int = 100) -> Track {
    var track = Track(path: FilePath("/music/\(title).flac"), title: "The \(title)")
    track.artists = artist.map { [$0] } ?? []
    track.duration = .seconds(seconds)
    return track
  }

  static func listen(_ title: String, at time: Int64) -> ScrobbleOutbox.Content? {
    Listen(track(title), time: time).map { .listen($0) }
  }
}

extension HTTPAnswer {
  static let listenBrainzOK = HTTPAnswer(status: 200, body: Array("{\"status\":\"ok\"}".utf8))

  init(_ status: Int, _ text: String = "", retryAfter: String? = nil) {
    self.init(status: status, retryAfter: retryAfter, body: Array(text.utf8))
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body ?? [], as: UTF8.self) }
}
