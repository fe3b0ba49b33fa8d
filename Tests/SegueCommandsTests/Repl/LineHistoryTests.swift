import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import SegueCommands

struct LineHistoryTests {
  private let directory: TemporaryDirectory
  private var file: FilePath { directory["state/history"] }

  init() throws { directory = try TemporaryDirectory() }

  private func lines() throws -> [String] {
    let bytes = try AtomicFile.read(file, limit: 1 << 20) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func `Several processes lose nothing of each other's, and nobody else may read it`() throws {
    let one = try #require(LineHistory(file: file))
    let other = try #require(LineHistory(file: file))
    for number in 0..<5 {
      one.remember("one\(number)")
      other.remember("other\(number)")
    }
    #expect(try lines() == (0..<5).flatMap { ["one\($0)", "other\($0)"] })
    let attributes = try FileManager.default.attributesOfItem(atPath: file.string)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `It is bounded, and one of two equal lines is kept`() throws {
    let history = try #require(LineHistory(file: file))
    for number in 0..<1_010 { history.remember("line\(number)") }
    history.remember("line1009")
    let lines = try lines()
    #expect(lines.count == 1_000 && lines.last == "line1009" && lines.first == "line10")
  }

  @Test func `What is no history is set aside by the next line`() throws {
    try directory.write([0xFF, 0x00, 0x1B, 0x0A, 0x41], to: "state/history")
    let history = try #require(LineHistory(file: file))
    history.remember("play é")
    #expect(try lines().count == 1)
  }

  @Test func `A FIFO in its place holds nobody up`() throws {
    try directory.makeDirectory("state")
    try directory.makeFIFO("state/history")
    let history = try #require(LineHistory(file: file))
    history.remember("a")
    #expect(try lines() == ["a"])
  }
}
