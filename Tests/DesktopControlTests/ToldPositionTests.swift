import MusicModel
import Platform
import QueueFlow
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
