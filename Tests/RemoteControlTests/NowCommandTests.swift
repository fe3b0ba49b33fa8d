// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

/// Responses to `segue_now`, which another process shows in its view.
@Suite struct NowCommandTests {
  private static func track(_ bytes: [UInt8], _ title: String) -> Track {
    var track = Track(path: FilePath(systemBytes: bytes), title: title)
    track.artists = ["Miles Davis", "Bill\nEvans"]
    track.album = "Kind of Blue"
    track.date = ReleaseDate(year: 1959)
    track.duration = .milliseconds(81_500)
    return track
  }

  @Test func `The response has the status and, on request, what is playing and what comes next`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(9), item: 2)
    rig.actions.awaitDelivery()
    var client = try rig.client()
    let statusOnly = try client.now()
    #expect(statusOnly.scene == nil && statusOnly.status.queueCount == 9 && statusOnly.status.song?.title == "Title 3")
    let (status, scene) = try client.now(nextLimit: 5)
    #expect(status.phase == .playing && status.queuePosition == 2)
    #expect(scene?.track?.path == "/music/Album/3.flac" && scene?.position == 2 && scene?.count == 9)
    #expect(scene?.title == "Album" && scene?.modes.repeat == "off")
    #expect(scene?.next.map(\.title) == (4...8).map { "Title \($0)" })
    #expect(try client.now(nextLimit: 1).scene?.next.count == 1)
  }

  @Test func `An empty queue is encoded too`() throws {
    let rig = try RemoteRig()
    var client = try rig.client()
    let scene = try #require(try client.now(nextLimit: 5).scene)
    #expect(scene.track == nil && scene.position == nil && scene.count == 0 && scene.next.isEmpty)
  }

  @Test func `Paths are transferred byte for byte`() throws {
    let names: [[UInt8]] = [
      Array("/music/Für Elise %41 \"x\"\\.flac".utf8), [0x2F, 0xFF, 0x0A, 0x0D, 0x80, 0x20, 0x22], [0x2F],
    ]
    for name in names {
      let scene = NowPlaying(
        track: Self.track(name, "a"), position: 0, count: 1, title: "q", next: [Self.track(name, "b")],
        modes: NowPlaying(PlayQueue(), playing: nil).modes)
      let line = JSONLine.text(EncodedNowPlaying(scene))
      #expect(line.utf8.allSatisfy { $0 >= 0x20 })
      let encoded: EncodedNowPlaying = try #require(JSONLine.value(line))
      #expect(NowPlaying(encoded) == scene)
    }
  }

  @Test(arguments: [
    #"{"count":-1,"title":"","next":[],"modes":M}"#,
    #"{"count":1,"position":1,"title":"","next":[],"modes":M}"#,
    #"{"count":1,"title":"","next":[{"path":"%","title":"a","artists":[]}],"modes":M}"#,
    #"{"count":1,"title":"","next":[{"path":"/%00","title":"a","artists":[]}],"modes":M}"#,
    #"{"count":1,"title":"","next":[{"path":"/%4","title":"a","artists":[]}],"modes":M}"#,
  ])
  func `Inconsistent values are not decoded`(line: String) throws {
    let modes = #"{"repeat":"off","random":"off","single":"off","consume":false,"stopAfter":"off"}"#
    let encoded: EncodedNowPlaying? = JSONLine.value(line.split(separator: "M").joined(separator: modes))
    #expect(try NowPlaying(#require(encoded)) == nil)
  }

  @Test func `The command needs the owner permission, and accepts a number of tracks`() throws {
    let rig = try RemoteRig()
    var client = try LineClient(rig)
    #expect(try client.values("command", "commands").contains("segue_now"))
    #expect(try client.request("segue_now 6") == ["ACK 2 Number too large: 6"])
    #expect(try client.request("segue_now x") == ["ACK 2 Integer expected: x"])
    #expect(try client.request("segue_now 1 2").first?.hasPrefix("ACK 2 too many arguments") == true)
    #expect(CommandTable.all(NetworkAccess(), MessageBoard { _, _ in })["segue_now"]?.permission == .owner)
  }
}
