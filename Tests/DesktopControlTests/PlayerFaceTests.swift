// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import TestSupport
import Testing
import TimeStretching

@testable import DesktopControl

@Suite struct PlayerFaceTests {
  @Test func `a seek past the end advances to the next item, and one before the beginning is a seek`() {
    let rig = DesktopRig()
    rig.start()
    rig.reportElapsed(.seconds(50))
    #expect(rig.face.execute("Seek", time: .seconds(20)) == nil)
    #expect(rig.requestedActions.value == [.next])
    #expect(rig.face.execute("Seek", time: .seconds(-70)) == nil)
    #expect(rig.requestedActions.value.last == .seek(.by(.seconds(-70))))
    rig.start(2)
    rig.reportElapsed(.seconds(50))
    // After the last item there is no next one.
    #expect(rig.face.execute("Seek", time: .seconds(20)) == nil)
    #expect(rig.requestedActions.value.last == .seek(.by(.seconds(20))))
  }

  @Test func `in a track with chapters, the keys for tracks go from chapter to chapter`() {
    let rig = DesktopRig()
    rig.start(2)
    #expect(!rig.face.snapshot.hasChapters && !rig.face.snapshot.canGoNext)
    let chapters = [SourceChapter(start: 0, title: "One"), SourceChapter(start: 20_000, title: "Two")]
    rig.report(.text(rig.id(2), SourceText(chapters: chapters, chapterIndex: 0)))
    // After the last chapter of the last track, there is nothing.
    rig.reportElapsed(.seconds(30))
    #expect(rig.face.snapshot.hasChapters && !rig.face.snapshot.canGoNext)
    rig.reportElapsed(.seconds(10))
    #expect(rig.face.snapshot.canGoNext)
    #expect(rig.face.execute("Next") == nil && rig.face.execute("Previous") == nil)
    #expect(rig.requestedActions.value == [.chapter(.next), .chapter(.previous)])
    let one = SourceText(chapters: Array(chapters.prefix(1)), chapterIndex: 0)
    rig.report(.text(rig.id(2), one))
    #expect(!rig.face.snapshot.hasChapters)
  }

  @Test func `commands without a target do nothing`() {
    let rig = DesktopRig()
    #expect(rig.face.execute("Seek", time: .seconds(1)) == nil)
    #expect(rig.face.execute("SetPosition", text: "/org/segue/Item/1", time: .zero) == nil)
    rig.start(2)
    #expect(rig.face.execute("Next") == nil)
    rig.queueDispatcher.dispatch(.clear)
    #expect(rig.face.execute("Next") == nil && rig.face.execute("Previous") == nil)
    #expect(rig.requestedActions.value == [])
  }

  @Test func `a rate of zero pauses, and a volume that is not a number is ignored`() {
    let rig = DesktopRig()
    rig.start()
    #expect(rig.face.execute("Rate", number: 0) == nil)
    #expect(rig.face.execute("Volume", number: .nan) == nil)
    #expect(rig.face.execute("Volume", number: 0.333) == nil)
    #expect(rig.requestedActions.value == [.pause, .setVolume(Volume(percent: 33))])
  }

  @Test(.enabled(if: TimeStretcher.isAvailable, "needs Rubber Band"))
  func `the rate is the speed, and a rate out of range is ignored`() throws {
    let rig = DesktopRig()
    rig.start()
    for rate in [1.5, 0.1, -1, 9, .nan, .infinity] { #expect(rig.face.execute("Rate", number: rate) == nil) }
    #expect(rig.requestedActions.value == [.setSpeed(try #require(PlaybackSpeed(1.5)))])
    #expect(rig.playback.state.speed == PlaybackSpeed(1.5))
  }

  @Test func `a key for playing and pausing plays a queue that has no current item`() {
    let rig = DesktopRig()
    #expect(rig.face.execute("PlayPause") == nil)
    #expect(rig.queue.queue.currentPosition == 0 && rig.playback.state.phase == .playing)
    #expect(rig.face.execute("PlayPause") == nil)
    #expect(rig.playback.state.phase == .paused)
  }

  @Test func `a player that hangs blocks no program on the bus, and performs the requests in order`() {
    let (mayContinue, isDone) = (Latch(), Latch())
    let requests = [PlayerRequest.transport(.next), .transport(.previous), .status]
    let player = FakePlayer { request in
      mayContinue.wait()
      if request == .status { isDone.open() }
    }
    let sender = DesktopRequests(player)
    for request in requests { sender.send(request) }
    mayContinue.open()
    isDone.wait()
    #expect(player.requests.starts(with: requests.dropLast()))
  }

  @Test func `a mode with the same meaning is left unchanged`() {
    let rig = DesktopRig()
    rig.queueDispatcher.dispatch(.setRepeat(.album))
    rig.queueDispatcher.dispatch(.setRandom(.albums, seed: 1))
    #expect(rig.face.execute("LoopStatus", text: "Playlist") == nil && rig.face.execute("Shuffle", flag: true) == nil)
    #expect(rig.queue.queue.modes.repeat == .album && rig.queue.queue.modes.random == .albums)
    #expect(rig.face.execute("LoopStatus", text: "Album")?.description.hasPrefix("invalid loop status") == true)
    #expect(rig.face.execute("OpenUri", text: "ftp://example.org/")?.description.hasPrefix("unsupported URI") == true)
  }

  @Test func `The location of a bus is the first socket in its address`() {
    #expect(BusLocation(address: "unix:path=/run/user/1000/bus").file == "/run/user/1000/bus")
    #expect(BusLocation(address: "tcp:host=x;unix:guid=ab,path=/tmp/a%20b,x=1;unix:path=/c").file == "/tmp/a b")
    for address in ["", "nonsense", "unix:abstract=/tmp/x", "unix:path=", "unix:path=bus", "tcp:host=a"] {
      #expect(BusLocation(address: address) == .elsewhere, "\(address)")
    }
    #expect(!BusLocation(address: "unix:path=/nonexistent/bus").mayExist && BusLocation(address: "tcp:host=a").mayExist)
  }

  @Test func `only properties that have changed are signalled`() {
    let rig = DesktopRig()
    let before = rig.face.snapshot
    #expect(before.changes(since: before) == [])
    rig.playbackDispatcher.dispatch(.setVolume(Volume(percent: 50)))
    #expect(rig.face.snapshot.changes(since: before) == [.volume])
    rig.start(2)
    let after = rig.face.snapshot
    #expect(
      after.changes(since: before) == [
        .playbackStatus, .volume, .metadata, .canGoPrevious, .canPause, .canSeek,
      ])
    rig.reportElapsed(.seconds(10))
    #expect(rig.face.snapshot == after)
  }
}

@Suite struct SignalledPositionTests {
  private let rig = DesktopRig()

  private func instant(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: (1000 + milliseconds) * 1_000_000)
  }

  @Test func `a position is signalled when it jumps or stands still, and not while it advances`() {
    rig.start()
    let snapshot = rig.face.snapshot
    var signalled = SignalledPosition()
    let needsSignal = { signalled.needsSignal($0, of: $1, at: $2) }
    #expect(!needsSignal(.zero, snapshot, instant(0)))
    #expect(!needsSignal(.milliseconds(900), snapshot, instant(1000)))
    #expect(!needsSignal(.milliseconds(10_000), snapshot, instant(10_000)))
    #expect(needsSignal(.seconds(30), snapshot, instant(10_000)))
    #expect(!needsSignal(.seconds(31), snapshot, instant(11_000)))
    // The output has accepted no samples for a while.
    #expect(needsSignal(.seconds(31), snapshot, instant(12_000)))
  }

  @Test func `the position stands still in a pause, and an item starts at its beginning`() {
    rig.start()
    var signalled = SignalledPosition()
    let needsSignal = { signalled.needsSignal($0, of: $1, at: $2) }
    #expect(!needsSignal(.zero, rig.face.snapshot, instant(0)))
    rig.report(.changed(.paused))
    #expect(!needsSignal(.seconds(5), rig.face.snapshot, instant(5000)))
    #expect(!needsSignal(.seconds(5), rig.face.snapshot, instant(90_000)))
    rig.start(1)
    #expect(!needsSignal(.zero, rig.face.snapshot, instant(90_000)))
    rig.start(2)
    #expect(needsSignal(.seconds(20), rig.face.snapshot, instant(90_000)))
  }
}
