import Platform
import SystemPackage
import TestSupport
import Testing

/// The render loop of a release build, watched by the program `RealTimeCheck` of `Tests/Benchmarks`; only Linux lets it.
@Suite(.serialized, .enabled(if: (try? FileStatus(of: "/proc/self")) != nil)) struct RealTimeTests {
  /// Builds it apart from the tests, since without optimisation every access counts references.
  private static let build: Result<String, any Error> = Result {
    let root = Playground.root.string
    let arguments = [
      "build", "-c", "release", "--product", "RealTimeCheck", "--package-path", root, "--scratch-path",
      "\(root)/.build/realtime",
    ]
    try Tool.run("swift", arguments)
    let path = try Tool.run("swift", arguments + ["--show-bin-path"])
    return String(decoding: path, as: UTF8.self).split(separator: "\n").last.map { "\($0)/RealTimeCheck" }
      ?? ""
  }

  @Test func `The render loop neither allocates, counts references, locks nor touches files`() throws {
    let lines = try lines(Tool.run(Self.build.get(), []))
    for line in lines { print(line) }
    #expect(lines.count >= 9)
    for line in lines {
      #expect(line.contains(": 0 allocations, 0 references, 0 locks, 0 files, "))
      #expect(!line.contains(" 0 rounds"))
    }
  }

  @Test(arguments: ["allocations", "references", "locks", "files"])
  func `An output that does what it must not is found`(_ kind: String) throws {
    let program = try Self.build.get()
    #expect(performing: { try Tool.run(program, [kind]) }, throws: { "\($0)".contains("\([kind]): 1 ") })
  }

  private func lines(_ output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
