import SystemPackage
import TestSupport
import Testing

@testable import Platform

struct ShownPathTests {
  private static func path(_ bytes: [UInt8]) -> FilePath { FilePath(systemBytes: bytes) }

  @Test func `Text is shown as it is, and all else by its bytes`() {
    #expect(FilePath("/Müsic/日本 a\\b.flac").shown == "/Müsic/日本 a\\b.flac")
    #expect(Self.path([0x64, 0xE9, 0x2E, 0x61]).shown == "d\\xE9.a")
    #expect(Self.path([0x1B, 0x5B, 0x32, 0x4A, 0x0A]).shown == "\\x1B[2J\\x0A")
    #expect(FilePath("a\u{202E}\u{9B}b").shown == "a\\xE2\\x80\\xAE\\xC2\\x9Bb")
    // The first byte of a character that is cut.
    #expect(Self.path([0xE6, 0x97, 0x61]).shown == "\\xE6\\x97a")
    #expect(FilePath("a\\x41").shown == "a\\x5Cx41" && FilePath("a\\x4").shown == "a\\x4")
  }

  @Test func `A name that is text is itself, and another is shown`() {
    #expect(FilePath("/a/01 b.c.flac").shownStem == "01 b.c" && FilePath("/a/.b").shownStem == ".b")
    #expect(FilePath("/a\\x41\n").shownName == "a\\x41\n" && FilePath("/").shownName == nil)
    let path = Self.path([0x2F, 0x61, 0xE9, 0x2E, 0xE8, 0x2E, 0x62])
    #expect(path.shownName == "a\\xE9.\\xE8.b" && path.shownStem == "a\\xE9.\\xE8")
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `What is shown is the same path again`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let likely: [UInt8] = [0x5C, 0x78, 0x34, 0x31, 0x2F, 0xC3, 0xA9, 0xE2, 0x80, 0xAE, 0x0A, 0x1B, 0xFF]
    let bytes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
      Bool.random(using: &generator)
        ? likely[Int.random(in: 0..<likely.count, using: &generator)]
        : UInt8.random(in: 1...255, using: &generator)
    }
    let path = Self.path(bytes)
    #expect(FilePath(shown: path.shown) == path)
  }
}
