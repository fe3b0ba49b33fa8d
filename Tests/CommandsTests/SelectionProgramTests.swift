// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import TestSupport
import Testing

@testable import Commands

/// Programs of the user that are run with what is selected on the screen.
@Suite struct SelectionProgramTests {
  private let directory: TemporaryDirectory
  private let player: FakePlayer
  private let outcomes = Watched<[ScreenOutcome]>([])

  init() throws {
    directory = try TemporaryDirectory()
    var tracks = ["a", "b"].map { Examples.track($0) }
    tracks[1].path = "/m/$(touch x) '; \u{E9}.flac"
    player = FakePlayer(tracks)
  }

  private func start(_ words: [String], _ targets: [ListTarget]) {
    SelectionPrograms().start(words, with: PlayerLists(player), targets) { outcome in
      outcomes.change { $0.append(outcome) }
    }
  }

  private var items: [ListTarget] { get throws { try player.queue(0..<9).rows.map { .item($0.id) } } }

  @Test func `A program gets the paths as arguments, and what is known of the tracks as JSON`() throws {
    let (arguments, input) = (directory["arguments"], directory["input"])
    let program = try directory.writeProgram(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(arguments)'; cat > '\(input).new'; mv '\(input).new' '\(input)'\n",
      to: "tag")
    start([program.string, "-x", "a b"], try items)
    #expect(outcomes.value.map(\.lines) == [["started \(program) with 2 tracks"]] && !outcomes.value[0].isFailed)
    try #require(eventually { (try? contents(of: input))?.isEmpty == false })
    let paths = try player.queue(0..<9).rows.map(\.track.path.string)
    let lines = String(decoding: try contents(of: arguments), as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines == ["-x", "a b"] + paths)
    let objects = String(decoding: try contents(of: input), as: UTF8.self).split(separator: "\n")
    try #require(objects.count == 2)
    #expect(objects.allSatisfy { $0.contains("\"type\":\"track\"") })
    #expect(objects[1].contains("\"title\":\"b\"") && objects[1].contains("touch x"))
  }

  @Test func `A program that fails, or cannot be run, is reported`() throws {
    start(["sh", "-c", "exit 4"], try items)
    try #require(outcomes.wait { $0.count == 2 })
    #expect(outcomes.value[1].lines == ["sh has failed with the status 4"] && outcomes.value[1].isFailed)
    start(["no-such-program"], try items)
    #expect(outcomes.value.last?.lines == ["there is no program named no-such-program"])
    start(["true"], [.item(99)])
    #expect(outcomes.value.last?.isFailed == true && outcomes.value.count == 4)
  }

  @Test func `A name that is not text is not passed in another form`() throws {
    let track = Track(path: FilePath(systemBytes: Array("/m/".utf8) + [0xFF]), title: "x")
    let added = KnownTracks(TrackCollection(title: "T", tracks: [track]))
    _ = try player.send(.add(MusicRequest(.tracks(added)), at: .end))
    start(["true"], Array(try items.suffix(1)))
    #expect(outcomes.value.last?.isFailed == true)
    #expect(outcomes.value.last?.lines.first?.contains("not valid UTF-8") == true)
  }
}
