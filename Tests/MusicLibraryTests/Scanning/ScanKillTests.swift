import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import MusicLibrary
@testable import MusicModel

extension ProgramLane {
  /// Scans of a process that is killed.
  @Suite struct ScanKillTests {
    let rig: ScanRig

    init() throws { rig = try ScanRig() }

    @Test func `A scan that is killed again and again ends as one that is not`() throws {
      try rig.addLibrary()
      let whole = try ScanRig()
      _ = try whole.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
      let expected = try whole.contents

      let data = rig.index.path.removingLastComponent()
      var generator = SeededGenerator(seed: 4)
      for _ in 0..<12 {
        let process = try ChildProcess(try ScanRig.program.string, [data.string, rig.root.string])
        // The moment is random; nothing is waited for.
        MonotonicInstant.now.advanced(byMilliseconds: UInt64.random(in: 5...120, using: &generator)).sleep()
        process.end()
        #expect(try rig.rows("PRAGMA integrity_check") == ["ok"])
      }
      try rig.scan()
      #expect(try rig.contents == expected)
      #expect(try rig.scan().unchangedCount == expected.count)
    }
  }
}
