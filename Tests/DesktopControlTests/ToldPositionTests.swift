import MusicModel
import Platform
import TestSupport
import Testing

@testable import DesktopControl

@Suite struct ToldPositionTests {
  private let rig = DesktopRig()

  private func instant(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: (1000 + milliseconds) * 1_000_000)
  }

  @Test func `a position that moves on in time is not told, one that jumps or stands still is`() {
    rig.start()
    let snapshot = rig.face.snapshot
    var told = ToldPosition()
    #expect(!told.mustTell(.zero, of: snapshot, at: instant(0)))
    #expect(!told.mustTell(.milliseconds(900), of: snapshot, at: instant(1000)))
    #expect(!told.mustTell(.milliseconds(10_000), of: snapshot, at: instant(10_000)))
    #expect(told.mustTell(.seconds(30), of: snapshot, at: instant(10_000)))
    #expect(!told.mustTell(.seconds(31), of: snapshot, at: instant(11_000)))
    // The output has taken no sound for a while.
    #expect(told.mustTell(.seconds(31), of: snapshot, at: instant(12_000)))
  }

  @Test func `in a pause the position stays, and an item begins at its beginning`() {
    rig.start()
    var told = ToldPosition()
    _ = told.mustTell(.zero, of: rig.face.snapshot, at: instant(0))
    rig.report(.changed(.paused))
    #expect(!told.mustTell(.seconds(5), of: rig.face.snapshot, at: instant(5000)))
    #expect(!told.mustTell(.seconds(5), of: rig.face.snapshot, at: instant(90_000)))
    rig.start(1)
    #expect(!told.mustTell(.zero, of: rig.face.snapshot, at: instant(90_000)))
    rig.start(2)
    #expect(told.mustTell(.seconds(20), of: rig.face.snapshot, at: instant(90_000)))
  }
}
