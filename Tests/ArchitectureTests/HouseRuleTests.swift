import Testing

/// What holds for every file, and what neither the compiler nor the formatter looks at.
@Suite struct HouseRuleTests {
  @Test func `A comment is as narrow as code`() throws {
    for directory in ["Sources", "Tests"] {
      for file in try SourceTree.files(in: directory, suffixes: ["swift", "c", "h", "cpp"]) {
        for (number, line) in file.lines.enumerated() where line.utf8.count > 120 && line.count > 120 {
          let text = line.drop { $0 == " " }
          #expect(!text.hasPrefix("//") && !text.hasPrefix("*"), "\(file.path):\(number + 1)")
        }
      }
    }
  }

  @Test func `Only Platform asks which system it is`() throws {
    for file in try SourceTree.files(in: "Sources") where !["Platform", "SegueTags"].contains(file.room) {
      #expect(!file.lines.contains { $0.contains("#if os(") }, "\(file.path)")
    }
  }

  @Test func `Tests of the unit lane start no process, and wait for no moment`() throws {
    let isOther = { (line: String) in line.contains("extension ProgramLane") || line.contains("extension HeardLane") }
    let marks = ["Tool.run", "ChildProcess(", ".sleep()", "usleep(", "Thread.sleep"]
    for file in try SourceTree.files(in: "Tests") {
      guard file.lines.contains(where: { $0.contains("@Test") }),
        !["EndToEndTests", "ArchitectureTests"].contains(file.room)
      else { continue }
      // Another lane's suite stands at the end of a file that has suites of both.
      for line in file.lines.prefix(while: { !isOther($0) }) {
        for mark in marks { #expect(!line.contains(mark), "\(file.path) has \(mark) in the unit lane") }
      }
    }
  }
}
