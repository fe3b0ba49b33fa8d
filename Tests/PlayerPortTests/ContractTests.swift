// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Synchronization
import Tagging
import TestSupport
import Testing

@testable import PlayerPort

/// The contract of a port, for a player in this process and for the fake one. The tests of `RemoteControl` do the same
/// for a player in another process.
@Suite struct ContractTests {
  @Test func `The player of this process keeps the contract`() throws {
    let rig = try PortRig()
    rig.actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: 0)
    rig.actions.awaitDelivery()
    #expect(PlayerContract.violations(of: rig.player) == [])
  }

  @Test func `The fake player keeps the contract`() {
    #expect(PlayerContract.violations(of: FakePlayer(PlayerContract.tracks)) == [])
  }

  @Test func `An edit of a position that moves meanwhile never reaches another track`() throws {
    let rig = try PortRig()
    rig.actions.enqueue(TrackCollection(title: "T", tracks: PlayerContract.tracks), item: 0)
    rig.actions.awaitDelivery()
    let ids = try rig.player.queue(0..<4).rows.map(\.id)
    // Someone else removes the first track before the request arrives.
    rig.actions.remove(.positions([0..<1]))
    rig.actions.awaitDelivery()
    _ = try rig.player.send(.edit(.remove(.ids([ids[2]]))))
    #expect(try rig.player.queue(0..<4).rows.map(\.track.track.title) == ["b", "d"])
  }

  @Test func `A mistyped name is refused without a scan of the library`() throws {
    let scans = Mutex(0)
    let rig = try PortRig { scans.withLock { $0 += 1 } }
    let music = MusicRequest(.typed([TypedText("endgame")], track: nil))
    #expect(throws: PlayerError.self) { try rig.player.send(.play(music, PlaybackOptions())) }
    #expect(scans.withLock { $0 } == 0)
  }

  @Test func `A track is the same after it was sent to another process`() throws {
    var track = Examples.track("Title", seconds: 61)
    track.path = .init(systemBytes: Array("/m/".utf8) + [0xFF, 0x20] + Array("x%.flac".utf8))
    track.number = Ordinal(3, of: 9)
    track.disc = Ordinal(2)
    track.date = ReleaseDate(year: 1959, month: 8, day: 17)
    track.segment = TrackSegment(start: 7, end: nil)
    track.audio = AudioSummary(sampleRate: 44_100, channels: 2, bitDepth: 16)
    track.genres = ["Jazz"]
    let line = JSONLine.text(TrackRow(track, isMissing: true))
    let row: TrackRow = try #require(JSONLine.value(line))
    #expect(row.track == track && row.isMissing)
  }
}

/// A player of this process without an engine, whose library is empty.
struct PortRig {
  let actions: PlayerActionCreator
  let player: LocalPlayer
  private let directory: TemporaryDirectory

  /// Creates the player. `onOpen` is called whenever the index of a library would be opened.
  init(onOpen: @escaping @Sendable () -> Void = {}) throws {
    directory = try TemporaryDirectory()
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    actions = PlayerActionCreator(dispatcher: dispatcher)
    let access = LibraryAccess(
      scanner: LibraryScanner(),
      open: { _ throws(PlayerError) in throw PlayerError(.unreadableLibrary, "no library") },
      openPresent: { _ in nil }, language: QueryLanguage(parse: { _ in .everything }, makeQuery: \.query))
    var parts = LocalPlayer.Parts(
      queue: QueueListener(store), playback: PlaybackStore(store), actions: actions, access: access,
      library: LibraryRequest(roots: LibraryRoots(directory["music"]), dataDirectory: directory["data"]),
      stateDirectory: directory["state"])
    parts.options = []
    player = LocalPlayer(parts)
  }
}
