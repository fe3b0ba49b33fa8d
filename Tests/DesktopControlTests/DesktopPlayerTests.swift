// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import DesktopControl

extension ProgramLane {
  /// A player on a bus, as it appears to playerctl and other programs.
  @Suite(.serialized, .enabled(if: SessionBus.isInstalled, Comment(rawValue: SessionBus.reason)))
  struct DesktopPlayerTests {
    /// Calls `body` with a player that is playing on a bus.
    private func withPlayer(
      _ rig: DesktopRig, _ body: (SessionBus, DesktopPlayer) throws -> Void
    ) throws {
      let bus = try SessionBus()
      let player = rig.player(at: bus.address)
      defer { player.shutDown() }
      rig.start()
      #expect(try bus.awaitPlayer())
      try body(bus, player)
    }

    @Test func `a player is on the bus with its track until it shuts down`() throws {
      let directory = try TemporaryDirectory()
      try directory.write([1], to: "Blå täg/Folder.PNG")
      try directory.write([1], to: "Blå täg/cover.JPG")
      let album = directory["Blå täg"]
      let rig = DesktopRig(at: album)
      try withPlayer(rig) { bus, player in
        #expect(try bus.playerctl("status") == "Playing")
        let uri = "file://\(directory.path)/Bl%C3%A5%20t%C3%A4g"
        for (key, value) in [
          ("mpris:trackid", "'\(try #require(rig.queue.queue.current).objectPath)'"),
          ("mpris:length", "60000000"), ("xesam:title", "Title 1"), ("xesam:artist", "First, Second"),
          ("xesam:album", "Album"), ("xesam:albumArtist", "Band"), ("xesam:genre", "Jazz"),
          ("xesam:trackNumber", "1"), ("xesam:discNumber", "1"), ("xesam:url", "\(uri)/01.flac"),
          ("mpris:artUrl", "\(uri)/cover.JPG"),
        ] {
          #expect(try bus.playerctl("metadata", key) == value, "\(key)")
        }
        rig.reportElapsed(.milliseconds(12_500))
        // The position advances during playback.
        #expect(try #require(Double(try bus.playerctl("position"))) >= 12.5)
        #expect(try bus.playerctl("volume") == "1.000000")
        #expect(try bus.playerctl("loop") == "None")
        #expect(try bus.playerctl("shuffle") == "Off")
        let root = try bus.call(
          "org.freedesktop.DBus.Properties.GetAll", "string:org.mpris.MediaPlayer2")
        #expect(root.contains("string \"Segue\""))
        for (name, isTrue) in [("CanQuit", false), ("CanRaise", false), ("HasTrackList", false)] {
          let value = try #require(root.split(separator: "\"\(name)\"").last).prefix(60)
          #expect(value.contains("boolean \(isTrue)"), "\(name)")
        }
        #expect(throws: (any Error).self) {
          try bus.call("org.freedesktop.DBus.Properties.GetAll", "string:org.mpris.MediaPlayer2.TrackList")
        }
        #expect(root.contains("string \"segue\"") && root.contains("string \"audio/flac\""))
        #expect(player.shutDown(within: 60_000))
        #expect(try bus.playerNames == [])
      }
    }

    @Test func `commands of playerctl are dispatched like those of all other faces`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus, _ in
        let commands: [([String], PlaybackAction)] = [
          (["play-pause"], .toggle), (["pause"], .pause), (["play"], .resume), (["next"], .next),
          (["previous"], .previous), (["position", "30"], .seek(.to(.seconds(30)))),
          (["volume", "0.4"], .setVolume(Volume(percent: 40))),
        ]
        for (words, action) in commands {
          try bus.run("playerctl", "--player=segue", words[0], words.count > 1 ? words[1] : "--")
          #expect(rig.requestedActions.wait { $0.last == action }, "\(words)")
        }
        try bus.call("org.mpris.MediaPlayer2.Player.Seek", "int64:-5000000")
        #expect(rig.requestedActions.wait { $0.last == .seek(.by(.seconds(-5))) })
        try bus.playerctl("loop", "Playlist")
        try bus.playerctl("shuffle", "On")
        #expect(rig.queue.queue.modes.repeat == .all && rig.queue.queue.modes.random == .tracks)
        try bus.playerctl("loop", "Track")
        try bus.playerctl("shuffle", "Off")
        #expect(rig.queue.queue.modes.repeat == .one && rig.queue.queue.modes.random == .off)
        try bus.playerctl("stop")
        #expect(rig.requestedActions.wait { $0.last == .stop(rewinds: true) })
      }
    }

    @Test func `invalid requests are rejected or ignored, and the player stays`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus, _ in
        let player = "org.mpris.MediaPlayer2.Player"
        let id = try #require(rig.queue.queue.current).objectPath
        for (member, arguments) in [
          ("SetPosition", ["objpath:/org/segue/Item/99", "int64:1000000"]),
          ("SetPosition", ["objpath:\(id)", "int64:-1"]),
          ("SetPosition", ["objpath:\(id)", "int64:61000000"]),
        ] {
          try bus.call("\(player).\(member)", arguments[0], arguments[1])
        }
        #expect(throws: (any Error).self) {
          try bus.call("\(player).OpenUri", "string:ftp://example.org/a.flac")
        }
        #expect(throws: (any Error).self) {
          try bus.call("\(player).OpenUri", "string:file:///nonexistent/a.flac")
        }
        #expect(throws: (any Error).self) { try bus.call("\(player).Seek", "string:far") }
        let set = "org.freedesktop.DBus.Properties.Set"
        #expect(throws: (any Error).self) {
          try bus.call(set, "string:\(player)", "string:LoopStatus", "variant:string:Sometimes")
        }
        #expect(throws: (any Error).self) {
          try bus.call(set, "string:\(player)", "string:Volume", "variant:string:loud")
        }
        #expect(throws: (any Error).self) {
          try bus.call(set, "string:\(player)", "string:Metadata", "variant:string:mine")
        }
        try bus.call("org.mpris.MediaPlayer2.Quit")
        try bus.call(set, "string:\(player)", "string:Rate", "variant:double:20")
        #expect(rig.requestedActions.value == [] && rig.loadRequests.value == [])
        try bus.call(set, "string:\(player)", "string:Volume", "variant:double:1e300")
        try bus.call(set, "string:\(player)", "string:Volume", "variant:double:-inf")
        #expect(rig.requestedActions.value == [.setVolume(.full)])
        try bus.call("\(player).Seek", "int64:9223372036854775807")
        try bus.call("\(player).Seek", "int64:-9223372036854775808")
        #expect(rig.requestedActions.value.count == 3 && rig.requestedActions.value[1] == .next)
        #expect(try bus.playerctl("status") == "Playing")
      }
    }

    @Test func `no tag breaks the replies on the bus`() throws {
      let invalidCharacters = [0, 0xFFFE, 0xFDD0, 0x1FFFF].compactMap(Unicode.Scalar.init(_:)).map { "a\($0)" }
      let hostileText = invalidCharacters.joined() + "e\u{1B}[31m\nf\"" + String(repeating: "x", count: 20_000)
      let rig = DesktopRig(at: FilePath(systemBytes: Array("/music/\u{7}".utf8) + [0xFF, 0xFE])) { track in
        track.title = hostileText
        track.album = hostileText
        track.artists = Array(repeating: hostileText, count: 70)
        track.genres = [""]
        track.number = Ordinal(.max)
        track.disc = Ordinal(.min)
        track.duration = .seconds(Int64.max)
      }
      try withPlayer(rig) { bus, _ in
        let all = try bus.call(
          "org.freedesktop.DBus.Properties.GetAll", "string:org.mpris.MediaPlayer2.Player")
        #expect(all.contains("string \"a\u{FFFD}a\u{FFFD}a\u{FFFD}a\u{FFFD}e"))
        #expect(all.contains("string \"file:///music/%07%FF%FE/01.flac\""))
        #expect(all.contains("int32 2147483647") && all.contains("int64 60000000"))
        #expect(all.utf8.count < 2_000_000)
      }
    }

    @Test func `a second player has its process id in its name`() throws {
      let (rig, other) = (DesktopRig(), DesktopRig())
      try withPlayer(rig) { bus, _ in
        let second = other.player(at: bus.address)
        defer { second.shutDown() }
        other.start(1)
        let name = "org.mpris.MediaPlayer2.segue.instance\(ProcessIdentity.own)"
        #expect(try bus.awaitPlayer(name))
        let metadata = try bus.call(
          "org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2.Player", "string:Metadata",
          of: name)
        #expect(metadata.contains("Title 2"))
        #expect(second.shutDown(within: 60_000))
        #expect(try bus.playerNames == ["org.mpris.MediaPlayer2.segue"])
      }
    }

    @Test func `changes are signalled together, and the last signal has the current state`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus, _ in
        try bus.recordSignals()
        let start = MonotonicInstant.now
        for percent in 1...90 { rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: percent))) }
        rig.report(.changed(.paused))
        #expect(try eventually { try bus.recordedSignals.contains("\"Paused\"") })
        #expect(try eventually { try bus.recordedSignals.contains("double 0.9") })
        let count = try bus.recordedSignals.split(separator: "member=PropertiesChanged").count - 1
        let elapsed = (MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1_000_000
        #expect(count >= 1 && count <= Int(elapsed / 100) + 2, "\(count) signals in \(elapsed) ms")
        #expect(try !bus.recordedSignals.contains("\"Position\""))
      }
    }

    @Test func `a change of track and a jump of the position are signalled`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus, _ in
        try bus.recordSignals()
        rig.start(2)
        #expect(try eventually { try bus.recordedSignals.contains("Title 3") })
        #expect(try eventually { try bus.recordedSignals.contains("CanGoNext") })
        #expect(try !bus.recordedSignals.contains("member=Seeked"))
        rig.reportElapsed(.seconds(40))
        #expect(
          try eventually {
            try bus.recordedSignals.split(separator: "member=Seeked").dropFirst().contains { $0.contains("int64 40") }
          })
        let seeked = try #require(bus.recordedSignals.split(separator: "member=Seeked").last)
        let position = try #require(seeked.split(separator: "int64 ").last)
        #expect(position.hasPrefix("40"))
      }
    }

    @Test func `a player with an empty queue has nothing to play`() throws {
      let rig = DesktopRig()
      rig.queueDispatcher.dispatch(.clear)
      let bus = try SessionBus()
      let player = rig.player(at: bus.address)
      defer { player.shutDown() }
      #expect(try bus.awaitPlayer())
      #expect(try bus.playerctl("status") == "Stopped")
      let all = try bus.call("org.freedesktop.DBus.Properties.GetAll", "string:org.mpris.MediaPlayer2.Player")
      #expect(!all.contains("mpris:trackid") && !all.contains("xesam"))
    }

    @Test func `an opened file is played`() throws {
      let directory = try TemporaryDirectory()
      try directory.write([1], to: "Blå täg/1 %.flac")
      let rig = DesktopRig()
      try withPlayer(rig) { bus, _ in
        try bus.playerctl("open", "file://\(directory.path)/Bl%C3%A5%20t%c3%a4g/1%20%25.flac")
        let file = directory["Blå täg"].appending("1 %.flac")
        #expect(rig.loadRequests.wait { $0 == [file] }, "\(rig.loadRequests.value)")
        for invalidURI in ["file:///nonexistent", "a.flac"] {
          #expect(throws: (any Error).self) {
            try bus.call("org.mpris.MediaPlayer2.Player.OpenUri", "string:\(invalidURI)")
          }
        }
        #expect(rig.loadRequests.value == [file])
      }
    }

    @Test func `a bus that is started late or restarted has the player too`() throws {
      let rig = DesktopRig()
      let bus = try SessionBus(isStarted: false)
      let player = rig.player(at: bus.address)
      defer { player.shutDown() }
      rig.start()
      for _ in 1...3 {
        try bus.start()
        #expect(try bus.awaitPlayer())
        #expect(try bus.playerctl("metadata", "xesam:title") == "Title 1")
        rig.reportElapsed(.seconds(20))
        bus.kill()
      }
      #expect(player.shutDown(within: 60_000))
    }

    @Test func `the loss of the bus and a missing bus do no harm`() throws {
      let rig = DesktopRig()
      try withPlayer(rig) { bus, player in
        bus.kill()
        rig.reportElapsed(.seconds(30))
        #expect(player.shutDown(within: 60_000))
      }
      for address in ["unix:path=/nonexistent/bus", "nonsense"] {
        let player = rig.player(at: address)
        rig.reportElapsed(.seconds(40))
        player.shutDown()
      }
      #expect(rig.requestedActions.value == [])
    }
  }
}
