// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import Testing

@testable import RemoteControl

@Suite struct QueueReadingTests {
  private static func client(_ count: Int) throws -> (RemoteRig, LineClient) {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(count), item: nil)
    return (rig, try LineClient(rig))
  }

  @Test func `The queue is listed by position and file`() throws {
    var (_, client) = try Self.client(2)
    #expect(try client.request("playlist") == ["0:file: /music/Album/1.flac", "1:file: /music/Album/2.flac"])
  }

  @Test func `The lines of a song begin with its file and end with its id`() throws {
    var (_, client) = try Self.client(2)
    let song = try client.request("playlistid 2")
    #expect(song.first == "file: /music/Album/2.flac")
    #expect(song.suffix(4) == ["Time: 61", "duration: 61.000", "Pos: 1", "Id: 2"])
    #expect(song.contains("Title: Title 2") && song.contains("Track: 2"))
    #expect(try client.request("playlistid").count == 2 * song.count)
  }

  @Test func `Waiting clients are notified of every seek, however short`() throws {
    var (rig, client) = try Self.client(2)
    var waiting = try LineClient(rig)
    for phase in [PlaybackState.Phase.playing, .paused] {
      rig.playbackDispatcher.dispatch(.report(.changed(phase)))
      _ = try waiting.request("idle player")
      for offset in ["+0.2", "-0.1", "+1"] {
        #expect(try client.request("seekcur \(offset)").isEmpty)
        #expect(try waiting.request("idle player") == ["changed: player"])
      }
    }
  }

  @Test func `Clients see repeat one as repeat and single, and can turn off either`() throws {
    var (rig, client) = try Self.client(2)
    let modes = { rig.queue.queue.modes }
    func reportedModes() throws -> [String] {
      try client.values("repeat", "status") + client.values("single", "status")
    }
    rig.actions.setRepeat(.one)
    rig.actions.awaitDelivery()
    #expect(try reportedModes() == ["1", "1"])
    #expect(try client.request("single 0").isEmpty && reportedModes() == ["1", "0"])
    #expect(modes().repeat == .all)
    rig.actions.setRepeat(.one)
    rig.actions.awaitDelivery()
    #expect(try client.request("repeat 0").isEmpty && reportedModes() == ["0", "1"])
    #expect(modes().repeat == .off && modes().single == .on)
  }

  @Test(arguments: [
    ("playlistinfo", "0 1 2 3 4"), ("playlistinfo 2", "2"), ("playlistinfo 1:3", "1 2"),
    ("playlistinfo 3:", "3 4"), ("playlistinfo 4:99", "4"), ("playlistinfo 5:", ""), ("playlistinfo 5", ""),
    ("playlistinfo -1", "0 1 2 3 4"), ("playlistinfo 2:2", ""),
  ])
  func `A range of the queue is listed`(_ line: String, _ positions: String) throws {
    var (_, client) = try Self.client(5)
    #expect(try client.values("Pos", line).joined(separator: " ") == positions)
  }

  @Test(arguments: [
    ("playlistinfo 6", "ACK 2 Bad song index"), ("playlistinfo x", "ACK 2 Integer or range expected: x"),
    ("playlistinfo 3:2", "ACK 2 Malformed range: 3:2"), ("playlistid 99", "ACK 50 No such song"),
    ("playlistid x", "ACK 2 Integer expected: x"), ("plchanges x", "ACK 2 Integer expected: x"),
    ("plchanges", "ACK 2 too few arguments for \"plchanges\""),
    ("plchangesposid x", "ACK 2 Integer expected: x"),
    ("plchanges 1 x", "ACK 2 Integer or range expected: x"),
  ])
  func `Invalid requests are rejected`(_ line: String, _ response: String) throws {
    var (_, client) = try Self.client(5)
    #expect(try client.request(line) == [response])
  }

  @Test func `The changes since a version are listed, or everything for an unknown version`() throws {
    var (_, client) = try Self.client(6)
    let version = try #require(try client.values("playlist", "status").first)
    #expect(try client.request("plchanges \(version)") == [])
    #expect(try client.request("swap 1 4") == [])
    #expect(try client.values("Pos", "plchanges \(version)") == ["1", "4"])
    #expect(try client.request("plchangesposid \(version)") == ["cpos: 1", "Id: 5", "cpos: 4", "Id: 2"])
    #expect(try client.values("cpos", "plchangesposid \(version) 2:") == ["4"])
    #expect(try client.values("cpos", "plchangesposid \(version) 9:") == [])
    for unknown in ["0", "-1", "99999"] {
      #expect(try client.values("cpos", "plchangesposid \(unknown)") == ["0", "1", "2", "3", "4", "5"])
    }
  }

  @Test func `Removing items at the end changes only the version and the length`() throws {
    var (_, client) = try Self.client(6)
    let version = try #require(try client.values("playlist", "status").first)
    _ = try client.request("delete 4:")
    #expect(try client.values("playlist", "status") != [version])
    #expect(try client.request("plchanges \(version)") == [])
    #expect(try client.values("playlistlength", "status") == ["4"])
  }

  @Test func `The version stays the same when only the current song or a mode changes`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(6), item: nil)
    var client = try LineClient(rig)
    let version = try client.values("playlist", "status")
    rig.actions.play(PlayQueue.Item.ID(rawValue: 3))
    rig.actions.setRepeat(.all)
    #expect(try client.values("playlist", "status") == version)
    #expect(try client.request("idle playlist player options") == ["changed: player", "changed: options"])
  }

  @Test func `For a version from long ago, everything is listed`() throws {
    var (rig, client) = try Self.client(4)
    let version = try #require(try client.values("playlist", "status").first)
    for _ in 0..<1_000 { rig.actions.swap(.init(rawValue: 1), .init(rawValue: 2)) }
    #expect(try client.values("cpos", "plchangesposid \(version)") == ["0", "1", "2", "3"])
  }

  @Test func `A long queue is listed completely, in several pieces`() throws {
    var (_, client) = try Self.client(1_500)
    let ids = try client.values("Id", "playlistinfo")
    #expect(ids == (1...1_500).map { "\($0)" })
  }
}
