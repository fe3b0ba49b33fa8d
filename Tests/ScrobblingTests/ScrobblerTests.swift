// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Network
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Scrobbling

/// The thread that sends what a player plays.
struct ScrobblerTests {
  private let clock = ManualClock()
  private let problems = Watched<[String]>([])

  private func scrobbler(_ context: ScrobbleContext) -> Scrobbler {
    Scrobbler(context, clock: clock) { [problems] problem in problems.change { $0.append(problem) } }
  }

  /// Blocks until this number of requests was sent.
  private func awaitRequests(_ count: Int, _ rig: ScrobbleRig) -> Bool { rig.requests.wait { $0.count == count } }

  private func finish(_ scrobbler: Scrobbler) { scrobbler.finish(until: .now.advanced(byMilliseconds: 60_000)) }

  @Test func `What plays is sent when it starts, and when it counts`() throws {
    let rig = try ScrobbleRig { request in
      request.url == LastFMClient.defaultAddress
        ? HTTPAnswer(200, "{\"scrobbles\":{\"scrobble\":{}}}") : .listenBrainzOK
    }
    try rig.logIn(lastFM: true)
    let scrobbler = scrobbler(rig.context())
    #expect(scrobbler.isOn)
    scrobbler.started(ScrobbleRig.track("A"), at: rig.now - 10, duration: nil)
    #expect(awaitRequests(2, rig))
    scrobbler.played(ScrobbleRig.track("A"), at: rig.now - 10, duration: nil)
    #expect(awaitRequests(4, rig))
    let texts = rig.requests.value.map(\.text)
    #expect(texts[0].contains("playing_now") && texts[1].contains("updateNowPlaying"))
    #expect(texts[2].contains("\"listened_at\":\(rig.now - 10)") && texts[3].contains("track.scrobble"))
    finish(scrobbler)
    #expect(try rig.context().status().map(\.sentCount) == [1, 1] && problems.value == [])
  }

  @Test func `Without an account nothing is stored, and after a login what is played then is sent`() throws {
    let rig = try ScrobbleRig()
    let scrobbler = scrobbler(rig.context())
    scrobbler.started(ScrobbleRig.track("A"), at: rig.now, duration: nil)
    scrobbler.played(ScrobbleRig.track("A"), at: rig.now, duration: nil)
    #expect(!scrobbler.isOn && !rig.context().outbox.isPresent)
    try rig.logIn()
    scrobbler.played(ScrobbleRig.track("B"), at: rig.now, duration: nil)
    #expect(awaitRequests(1, rig) && rig.requests.value[0].text.contains("The B") && scrobbler.isOn)
    finish(scrobbler)
  }

  @Test func `Without a network it sleeps until the next attempt, and the next player sends what is left`() throws {
    let rig = try ScrobbleRig { _ throws(HTTPError) in throw HTTPError(.unreachable) }
    try rig.logIn()
    let first = scrobbler(rig.context())
    first.played(ScrobbleRig.track("A"), at: rig.now - 5, duration: nil)
    #expect(clock.awaitSleeper(untilMilliseconds: 5_000) && rig.requests.value.count == 1)
    // What is played meanwhile waits, too.
    first.played(ScrobbleRig.track("B"), at: rig.now, duration: nil)
    rig.setTime(rig.now + 5)
    clock.advance(byMilliseconds: 5_000)
    #expect(awaitRequests(2, rig) && clock.awaitSleeper(untilMilliseconds: 35_000))
    finish(first)
    rig.answer { _ in .listenBrainzOK }
    rig.setTime(rig.now + 30)
    let second = scrobbler(rig.context())
    #expect(awaitRequests(3, rig))
    let text = rig.requests.value[2].text
    #expect(text.contains("The A") && text.contains("The B"))
    finish(second)
    #expect(problems.value == [])
  }

  @Test func `A refused token is said once, also over a restart`() throws {
    let rig = try ScrobbleRig { _ in HTTPAnswer(401, "{\"error\":\"no\"}") }
    try rig.logIn()
    for _ in 1...2 {
      let scrobbler = scrobbler(rig.context())
      for title in ["A", "B"] {
        scrobbler.started(ScrobbleRig.track(title), at: rig.now, duration: nil)
        scrobbler.played(ScrobbleRig.track(title), at: rig.now, duration: nil)
        #expect(problems.wait { $0.count == 1 })
      }
      finish(scrobbler)
    }
    #expect(problems.value.count == 1 && problems.value[0].contains("segue scrobble login listenbrainz"))
    #expect(try rig.context().status()[0].waitingCount == 4)
    let count = rig.requests.value.filter { $0.text.contains("\"single\"") }.count
    #expect(count == 1)
  }

  @Test func `Two players at once send everything once`() throws {
    let rig = try ScrobbleRig()
    try rig.logIn()
    let players = (1...2).map { _ in scrobbler(rig.context()) }
    for number in 1...40 {
      players[number % 2].played(ScrobbleRig.track("\(number)"), at: rig.now - 100 + Int64(number), duration: nil)
    }
    // One of them may have to wait for the other.
    let isEmpty = try eventually {
      if try rig.context().status()[0].waitingCount == 0 { return true }
      clock.advance(byMilliseconds: 10_000)
      return false
    }
    #expect(isEmpty)
    players.forEach(finish)
    let titles = rig.requests.value.flatMap {
      $0.text.split(separator: "\"track_name\":\"The ").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
    }
    #expect(titles == Array(1...40), "\(titles)")
  }

  @Test func `A server that never answers holds up neither plays nor the end`() throws {
    let gate = Gate()
    defer { gate.open() }
    let rig = try ScrobbleRig { _ throws(HTTPError) in
      gate.pass()
      throw HTTPError(.timeout)
    }
    try rig.logIn()
    let scrobbler = scrobbler(rig.context())
    scrobbler.played(ScrobbleRig.track("A"), at: rig.now, duration: nil)
    #expect(gate.awaitArrival())
    scrobbler.played(ScrobbleRig.track("B"), at: rig.now, duration: nil)
    scrobbler.finish(until: .now)
    #expect(try rig.context().status()[0].waitingCount == 2)
  }

  @Test func `A title that may be the name of the file is looked up in its tags`() throws {
    let rig = try ScrobbleRig()
    try rig.logIn()
    let context = rig.context()
    for (name, tags) in [("tagged", [("TITLE", "tagged")]), ("03 plain", [("ARTIST", "Ann")])] {
      try rig.directory.write(SoundBytes.flac(tags), to: FilePath("\(name).flac"))
      var track = Track(path: rig.directory["\(name).flac"], title: name == "tagged" ? "tagged" : "plain")
      track.artists = ["Ann"]
      try context.played(track, at: rig.now, duration: .seconds(100))
    }
    #expect(try context.outbox.next(for: .listenBrainz, limit: 9, until: rig.now).map(\.content.title) == ["tagged"])
  }

  @Test func `Likes are sent as loves if the user wants that, and ratings from one on`() throws {
    let rig = try ScrobbleRig()
    try rig.logIn(lastFM: true)
    var track = ScrobbleRig.track("A")
    let identified = ScrobbleRig.track("B")
    track.additionalTags = AdditionalTags([.init(.musicBrainzTrackID, "e225fb84-dc9a-419e-adcd-9890f59ec432")])
    rig.context().marked([track], isLiked: true)
    #expect(!rig.context().outbox.isPresent)
    var settings = ScrobbleSettings(version: "1.0")
    (settings.sendsLoves, settings.lovedRating) = (true, 8)
    let context = rig.context(settings)
    context.marked([track, identified], isLiked: true)
    context.marked([track], isLiked: false)
    context.marked([track], rating: 7)
    context.marked([track], rating: 8)
    #expect(try context.status().map(\.waitingCount) == [3, 4])
  }

  @Test func `A play before there were such services is dropped, with the reason`() throws {
    let rig = try ScrobbleRig()
    try rig.logIn()
    let scrobbler = scrobbler(rig.context())
    scrobbler.played(ScrobbleRig.track("A"), at: 86_400, duration: nil)
    finish(scrobbler)
    let status = try rig.context().status()[0]
    #expect(status.waitingCount == 0 && status.droppedCount == 1 && status.lastDropped == "The A: the clock was wrong")
  }
}
