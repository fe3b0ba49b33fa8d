import Platform
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The render loop of an optimised build, watched by the program `RealTimeCheck` of `Tests/Benchmarks`; only Linux
  /// lets it.
  @Suite(.serialized, .enabled(if: (try? FileStatus(of: "/proc/self")) != nil)) struct RealTime {
    private static let program = Playground.built("RealTimeCheck").string

    @Test func `The render loop neither allocates, counts references, locks nor touches files`() throws {
      let lines = try lines(Tool.run(Self.program, []))
      for line in lines { print(line) }
      #expect(lines.count >= 9)
      for line in lines {
        #expect(line.contains(": 0 allocations, 0 references, 0 locks, 0 files, "))
        #expect(!line.contains(" 0 rounds"))
      }
    }

    @Test(arguments: ["allocations", "references", "locks", "files"])
    func `An output that does what it must not is found`(_ kind: String) throws {
      #expect(performing: { try Tool.run(Self.program, [kind]) }, throws: { "\($0)".contains("\([kind]): 1 ") })
    }

    private func lines(_ output: [UInt8]) -> [String] {
      String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}
