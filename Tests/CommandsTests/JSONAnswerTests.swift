// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import TestSupport
import Testing

@testable import Commands
@testable import Screens
@testable import Terminal

/// The JSON output of commands in a REPL without a player.
@Suite struct JSONAnswerTests {
  private let repl: CommandSession

  init() throws { repl = try CommandSession() }

  /// Executes a line that prints one JSON object, and returns the object.
  private func object(_ line: String) throws -> [String: Any] {
    let lines = try repl.execute(line)
    #expect(lines.count == 1, "\(lines)")
    return try #require(try JSONSerialization.jsonObject(with: Data((lines.first ?? "").utf8)) as? [String: Any])
  }

  @Test func `Volume, ReplayGain, crossfade and sleep are printed as JSON, also after a change`() throws {
    #expect(try repl.execute("volume --json") == [#"{"version":1,"volume":100}"#])
    #expect(try repl.execute("volume 40 --json") == [#"{"version":1,"volume":40}"#])
    #expect(try repl.execute("volume -5 --json") == [#"{"version":1,"volume":35}"#])
    #expect(try repl.execute("speed --json") == [#"{"speed":1,"version":1}"#])
    #expect(try repl.execute("speed 150% --json") == [#"{"speed":1.5,"version":1}"#])
    #expect(try repl.execute("speed -0.25 --json") == [#"{"speed":1.25,"version":1}"#])
    #expect(try repl.execute("speed 2x --json") == [#"{"speed":2,"version":1}"#])
    #expect(try repl.execute("speed") == ["speed 2x"])
    #expect(try repl.execute("speed off --json") == [#"{"speed":1,"version":1}"#])
    for speed in ["nan", "0", "1e9", "-inf", "3.1", "0.49", "x", "%", "1.5 x", "0x1", "+9", "1.5xx", ""] {
      #expect(repl.error("speed '\(speed)'")?.status == .usage, "\(speed)")
    }
    #expect(
      try repl.execute("crossfade --json") == [
        #"{"crossfade":0,"crossfadeAlbums":false,"crossfadeOnNext":0,"version":1}"#
      ])
    #expect(
      try repl.execute("crossfade 2.5 --albums --on-next 3 --json") == [
        #"{"crossfade":2.5,"crossfadeAlbums":true,"crossfadeOnNext":3,"version":1}"#
      ])
    #expect(try repl.execute("crossfade") == ["crossfade 2.5 s, also within albums, on next 3 s"])
    #expect(
      try repl.execute("replaygain album --json") == [
        #"{"clipping":"peak","fallbackGain":-6,"preamp":0,"replayGain":"album","version":1}"#
      ])
    #expect(try repl.execute("sleep --json") == [#"{"after":"off","version":1}"#])
    #expect(repl.error("volume 101 --json")?.status == .usage)
    #expect(repl.error("crossfade 31 --json")?.status == .usage)
  }

  @Test func `A sleep timer is printed with its unit and the remaining time`() throws {
    repl.load(["a"])
    for word in ["chapter", "track", "album", "queue"] {
      #expect(try repl.execute("sleep --after \(word) --json") == [#"{"after":"\#(word)","version":1}"#])
    }
    let time = try object("sleep 90s --json")
    #expect(time["after"] as? String == "time" && (time["sleep"] as? Double).map { (80...90).contains($0) } == true)
    #expect(try repl.execute("sleep off --json") == [#"{"after":"off","version":1}"#])
  }

  @Test func `Each output is a JSON object`() {
    let outputs = [
      AvailableOutput(name: "pulse", title: "Server"), AvailableOutput(name: "pulse:desk", title: "Loudspeakers"),
    ]
    func text(_ preferred: String...) -> [String?] {
      OutputsListCommand.listed(outputs, preferred).map { JSONText.text($0) }
    }
    let pulse = #""title":"Server","type":"output","usage":"pulse","version":1}"#
    let desk = #""title":"Loudspeakers","type":"output","usage":"pulse:desk","version":1}"#
    #expect(text() == [#"{"default":true,"# + pulse, #"{"default":false,"# + desk])
    #expect(
      text("pulse:DAC", "loud") == [
        #"{"default":false,"# + pulse, #"{"default":false,"preferred":2,"# + desk,
        #"{"available":false,"default":false,"preferred":1,"title":"not available","type":"output","#
          + #""usage":"pulse:DAC","version":1}"#,
      ])
  }

  @Test func `The status has an array of artists, the next track and the path of the cover`() throws {
    let album = try repl.makeAlbum("Low", ["Speed of Life", "Breaking Glass"])
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    try repl.directory.write(picture, to: "music/Low/cover.jpg")
    #expect(try repl.execute("queue add \(album)").count == 1)
    #expect(try repl.execute("queue play 1").count == 1)
    let status = try object("status --json")
    let song = try #require(status["song"] as? [String: Any])
    #expect(song["artists"] as? [String] == ["A"] && song["artist"] as? String == "A")
    #expect(song["track"] as? Int == 1 && song["title"] as? String == "Speed of Life")
    #expect(song["cover"] as? String == "\(album)/cover.jpg")
    let next = try #require(status["next"] as? [String: Any])
    #expect(next["title"] as? String == "Breaking Glass" && next["cover"] == nil)
    #expect(status["version"] as? Int == 1 && status["isOutputEnabled"] as? Bool == true)
    try AtomicFile.remove(repl.directory["music/Low/cover.jpg"])
    #expect((try object("status --json")["song"] as? [String: Any])?["cover"] as? Bool == false)
  }

  @Test func `Each new event has a line of text`() {
    var event = PlayerEvent(.crossfade)
    event.crossfade = 6
    event.crossfadeAlbums = true
    #expect(EventText.text(event) == "crossfade 6 s, also within albums")
    event = PlayerEvent(.replayGain)
    event.replayGain = "auto"
    #expect(EventText.text(event) == "ReplayGain auto")
    event = PlayerEvent(.outputs)
    event.isOutputEnabled = true
    #expect(EventText.text(event) == "no output")
    event.isOutputEnabled = false
    #expect(EventText.text(event) == "the output is disabled")
    #expect(EventText.text(PlayerEvent(.playlists)) == "playlists changed")
    #expect(EventText.text(PlayerEvent(.waiting)) == "waiting for a player")
  }

  @Test func `The result of a scan consists of its counts`() {
    var state = LibraryState()
    _ = state.reduce(.scan(.everything))
    _ = state.reduce(.report(.began))
    #expect(PlayerEvent.Scan(state).phase == "running")
    var summary = ScanSummary()
    (summary.addedCount, summary.leftOutCount) = (3, 1)
    _ = state.reduce(.report(.ended(summary, isComplete: true, elapsed: .seconds(1))))
    #expect(
      JSONText.text(PlayerEvent.Scan(state))
        == #"{"added":3,"changed":0,"gone":0,"leftOut":1,"moved":0,"phase":"ended","problems":0,"version":1}"#)
  }
}
