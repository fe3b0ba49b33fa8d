import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import TestSupport
import Testing

@testable import DesktopControl

@Suite struct PlayerFaceTests {
  @Test func `a seek behind the end goes on to the next item, and before the beginning to that`() {
    let rig = DesktopRig()
    rig.start()
    rig.hear(.seconds(50))
    #expect(rig.face.obey(.seek(by: .seconds(20))) == nil)
    #expect(rig.asked.value == [.next])
    #expect(rig.face.obey(.seek(by: .seconds(-70))) == nil)
    #expect(rig.asked.value.last == .seek(.by(.seconds(-70))))
    rig.start(2)
    rig.hear(.seconds(50))
    // Behind the last item there is nothing to go on to.
    #expect(rig.face.obey(.seek(by: .seconds(20))) == nil)
    #expect(rig.asked.value.last == .seek(.by(.seconds(20))))
  }

  @Test func `nothing goes where there is nothing to go to`() {
    let rig = DesktopRig()
    #expect(rig.face.obey(.seek(by: .seconds(1))) == nil)
    #expect(rig.face.obey(.setPosition(.zero, objectPath: "/org/segue/Item/1")) == nil)
    rig.start(2)
    #expect(rig.face.obey(.next) == nil)
    rig.queueDispatcher.dispatch(.clear)
    #expect(rig.face.obey(.next) == nil && rig.face.obey(.previous) == nil)
    #expect(rig.asked.value == [])
  }

  @Test func `a rate of nothing is a pause, and a volume that is no number is none`() {
    let rig = DesktopRig()
    #expect(rig.face.obey(.setRate(0)) == nil)
    #expect(rig.face.obey(.setVolume(.nan)) == nil)
    #expect(rig.face.obey(.setVolume(0.333)) == nil)
    #expect(rig.asked.value == [.pause, .setVolume(Volume(percent: 33))])
  }

  @Test func `a mode that means the same stays as it is`() {
    let rig = DesktopRig()
    rig.queueDispatcher.dispatch(.setRepeat(.album))
    rig.queueDispatcher.dispatch(.setRandom(.albums, seed: 1))
    #expect(rig.face.obey(.setLoopStatus(.playlist)) == nil && rig.face.obey(.setShuffle(true)) == nil)
    #expect(rig.queue.queue.modes.repeat == .album && rig.queue.queue.modes.random == .albums)
    #expect(rig.face.obey(.setLoopStatus(nil)) == .unknownLoopStatus)
    #expect(rig.face.obey(.openURI("https://example.org/")) == .notAFile)
  }

  @Test func `only what has changed is told`() {
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
    rig.hear(.seconds(10))
    #expect(rig.face.snapshot == after)
  }
}

@Suite struct ToldPositionTests {
  private let rig = DesktopRig()

  private func instant(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: (1000 + milliseconds) * 1_000_000)
  }

  @Test func `a position that moves on in time is not told, one that jumps or stands still is`() {
    rig.start()
    let snapshot = rig.face.snapshot
    var told = ToldPosition()
    let tells = { told.mustTell($0, of: $1, at: $2) }
    #expect(!tells(.zero, snapshot, instant(0)))
    #expect(!tells(.milliseconds(900), snapshot, instant(1000)))
    #expect(!tells(.milliseconds(10_000), snapshot, instant(10_000)))
    #expect(tells(.seconds(30), snapshot, instant(10_000)))
    #expect(!tells(.seconds(31), snapshot, instant(11_000)))
    // The output has taken no sound for a while.
    #expect(tells(.seconds(31), snapshot, instant(12_000)))
  }

  @Test func `in a pause the position stays, and an item begins at its beginning`() {
    rig.start()
    var told = ToldPosition()
    let tells = { told.mustTell($0, of: $1, at: $2) }
    #expect(!tells(.zero, rig.face.snapshot, instant(0)))
    rig.report(.changed(.paused))
    #expect(!tells(.seconds(5), rig.face.snapshot, instant(5000)))
    #expect(!tells(.seconds(5), rig.face.snapshot, instant(90_000)))
    rig.start(1)
    #expect(!tells(.zero, rig.face.snapshot, instant(90_000)))
    rig.start(2)
    #expect(tells(.seconds(20), rig.face.snapshot, instant(90_000)))
  }
}
