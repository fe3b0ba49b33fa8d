// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Network
import TestSupport
import Testing

@testable import Scrobbling

/// What is sent of what waits, and what becomes of it.
struct ScrobbleSenderTests {
  /// Stores `count` listens for ListenBrainz, a second apart.
  private func store(_ count: Int, in outbox: ScrobbleOutbox, for services: [ScrobbleService] = [.listenBrainz]) throws
  {
    for number in 1...count {
      let content = try #require(ScrobbleRig.listen("\(number)", at: 1_700_000_000 + Int64(number)))
      try outbox.add(content, for: services, at: 1_700_000_000 + Int64(number))
    }
  }

  /// The numbers of the listens in a request, in their order.
  private static func numbers(_ request: HTTPRequest) -> [Int] {
    request.text.split(separator: "\"track_name\":\"The ").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
  }

  @Test func `Listens are sent in order, in requests that are not too long, and once`() throws {
    let rig = try ScrobbleRig()
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(1_200, in: outbox)
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .done)
    #expect(rig.requests.value.map { Self.numbers($0).count } == [1_000, 200])
    #expect(rig.requests.value.flatMap(Self.numbers) == Array(1...1_200))
    // Another process sees that nothing is left.
    #expect(try rig.sender(ScrobbleRig.listenBrainz).send() == .done && rig.requests.value.count == 2)
    let status = try rig.context().status()[0]
    #expect(status.sentCount == 1_200 && status.waitingCount == 0 && status.lastSent == rig.now)
  }

  @Test func `10,000 waiting listens are stored and sent in order`() throws {
    let rig = try ScrobbleRig()
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(10_000, in: outbox)
    #expect(try rig.context().status()[0].waitingCount == 10_000)
    #expect(try rig.sender(ScrobbleRig.listenBrainz).send() == .done)
    #expect(rig.requests.value.count == 10 && rig.requests.value.flatMap(Self.numbers) == Array(1...10_000))
  }

  @Test func `Listens that the service refuses are dropped one by one, and the others sent in order`() throws {
    let rig = try ScrobbleRig { request in
      let bad = [3, 4, 40].contains { Self.numbers(request).contains($0) }
      return bad ? HTTPAnswer(400, "{\"error\":\"bad\"}") : .listenBrainzOK
    }
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(64, in: outbox)
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .done)
    let accepted = rig.requests.value.map(Self.numbers).filter { $0.allSatisfy { ![3, 4, 40].contains($0) } }
    #expect(accepted.flatMap(\.self) == (1...64).filter { ![3, 4, 40].contains($0) })
    #expect(rig.requests.value.count < 40)
    let status = try rig.context().status()[0]
    #expect(status.droppedCount == 3 && status.lastDropped == "The 40: bad" && status.waitingCount == 0)
  }

  @Test func `What fails is tried again after growing pauses, and nothing is lost`() throws {
    let rig = try ScrobbleRig { _ throws(HTTPError) in throw HTTPError(.unreachable) }
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(2, in: outbox)
    let sender = rig.sender(ScrobbleRig.listenBrainz, outbox)
    var pauses: [Duration] = []
    for _ in 1...9 {
      guard case .later(let pause) = try sender.send() else { break }
      pauses.append(pause)
      // Nothing is sent earlier, not even what is playing.
      let count = rig.requests.value.count
      #expect(try sender.send() == .later(pause))
      sender.sendNowPlaying(try #require(Listen(ScrobbleRig.track("x"), time: 5)))
      #expect(rig.requests.value.count == count)
      rig.setTime(rig.now + pause.components.seconds)
    }
    #expect(pauses == [5, 30, 60, 120, 240, 480, 960, 1_800, 1_800].map { .seconds($0) })
    #expect(try rig.context().status()[0].problem == "the server cannot be reached")
    rig.answer { _ in .listenBrainzOK }
    #expect(try sender.send() == .done && Self.numbers(rig.requests.value.last ?? HTTPRequest(url: "")) == [1, 2])
    #expect(try rig.context().status()[0].problem == nil)
  }

  @Test func `The pause that a service asks for is kept, over a restart, but not for ever`() throws {
    let rig = try ScrobbleRig { _ in HTTPAnswer(429, retryAfter: "600") }
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(1, in: outbox)
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .later(.seconds(600)))
    #expect(try rig.sender(ScrobbleRig.listenBrainz).send() == .later(.seconds(600)) && rig.requests.value.count == 1)
    rig.setTime(rig.now + 600)
    rig.answer { _ in HTTPAnswer(503, retryAfter: "4000000000") }
    #expect(try rig.sender(ScrobbleRig.listenBrainz).send() == .later(.seconds(3_600)))
    // Before, the clock was wrong by a year: the pause that was noted then does not last for a year.
    rig.setTime(rig.now - 31_536_000)
    rig.answer { _ in .listenBrainzOK }
    _ = try rig.sender(ScrobbleRig.listenBrainz).send()
    #expect(rig.requests.value.count == 3)
  }

  @Test func `A listen in the future waits until the clock gets there, and holds up no other`() throws {
    let rig = try ScrobbleRig()
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    let year: Int64 = 31_536_000
    for (title, time) in [("1", rig.now - 5), ("2", rig.now + year), ("3", rig.now - 1)] {
      try outbox.add(try #require(ScrobbleRig.listen(title, at: time)), for: [.listenBrainz], at: time)
    }
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .done)
    #expect(rig.requests.value.map(Self.numbers) == [[1, 3]])
    #expect(try rig.context().status()[0].futureCount == 1)
    rig.setTime(rig.now + year)
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .done)
    #expect(rig.requests.value.last.map(Self.numbers) == [2])
  }

  @Test func `After a token is refused, nothing is sent until there is another one`() throws {
    let rig = try ScrobbleRig { _ in HTTPAnswer(401, "{\"error\":\"no\"}") }
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(1, in: outbox)
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .tokenRefused(reason: "no"))
    for _ in 1...3 { #expect(try rig.sender(ScrobbleRig.listenBrainz).send() == .tokenRefused(reason: nil)) }
    #expect(rig.requests.value.count == 1)
    rig.answer { _ in .listenBrainzOK }
    let other = ListenBrainzClient(address: nil, token: "other", version: "1.0")
    #expect(try rig.sender(other, outbox).send() == .done && rig.requests.value.count == 2)
  }

  @Test func `What Last.fm ignores is dropped, and what it postpones is kept`() throws {
    let rig = try ScrobbleRig { _ in
      HTTPAnswer(
        200,
        """
        {"scrobbles":{"scrobble":[{"ignoredMessage":{"code":"0"}},{"ignoredMessage":{"code":"1"}},\
        {"ignoredMessage":{"code":"5"}}]}}
        """)
    }
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    try store(3, in: outbox, for: [.listenBrainz, .lastFM])
    #expect(try rig.sender(ScrobbleRig.lastFM, outbox).send() == .later(.seconds(3_600)))
    let status = try rig.context().status()
    #expect(status[1].waitingCount == 1 && status[1].sentCount == 1 && status[1].droppedCount == 1)
    #expect(status[0].waitingCount == 3)
  }

  @Test func `A love is sent in its place among the listens`() throws {
    let rig = try ScrobbleRig()
    let outbox = ScrobbleOutbox(directory: rig.directory.path)
    var love = try #require(Love(ScrobbleRig.track("x"), isLoved: true))
    for (id, number) in [("r", 1), (nil, 2)] {
      try outbox.add(try #require(ScrobbleRig.listen("\(number)", at: 5)), for: [.listenBrainz], at: 5)
      love.recordingID = id
      try outbox.add(.love(love), for: [.listenBrainz], at: 5)
    }
    #expect(try rig.sender(ScrobbleRig.listenBrainz, outbox).send() == .done)
    #expect(rig.paths == ["submit-listens", "feedback/recording-feedback", "submit-listens"])
    #expect(try rig.context().status()[0].droppedCount == 1)
  }

  @Test func `A process that ends between an answer and its next step sends the same again, and later ones once`()
    throws
  {
    let rig = try ScrobbleRig()
    try store(3, in: ScrobbleOutbox(directory: rig.directory.path))
    // The first process gets no answer, although the service has accepted all.
    rig.answer { _ throws(HTTPError) in throw HTTPError(.failed) }
    _ = try rig.sender(ScrobbleRig.listenBrainz).send()
    rig.answer { _ in .listenBrainzOK }
    #expect(try rig.sender(ScrobbleRig.listenBrainz).send(ignoringPause: true) == .done)
    // The service recognises them, since they are the same.
    #expect(rig.requests.value.count == 2 && rig.requests.value[0] == rig.requests.value[1])
  }
}
