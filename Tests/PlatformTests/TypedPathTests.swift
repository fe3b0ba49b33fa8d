import SystemPackage
import TestSupport
import Testing

@testable import Platform

struct TypedPathTests {
  private let arguments: [[UInt8]] = [
    Array("segue".utf8), [0x2F, 0xE9, 0x2F, 0x61], Array("--library=".utf8) + [0x6D, 0xFF],
    Array("raw:~/".utf8) + [0xFE],
  ]

  @Test(arguments: ["a", "/a/b", "./x", "夜/曲", "", "~a", "a/~", "/~"])
  func `A path is what it says`(text: String) {
    #expect(FilePath(typed: text, arguments: arguments) == FilePath(text))
  }

  @Test func `A tilde is the home`() {
    #expect(FilePath(typed: "~", arguments: []) == Environment.home)
    #expect(FilePath(typed: "~/", arguments: []) == Environment.home)
    #expect(FilePath(typed: "~/Music/a", arguments: []) == Environment.home.appending("Music").appending("a"))
  }

  @Test func `Bytes that are no UTF-8 are found in the arguments, also at their end`() {
    #expect(
      FilePath(typed: "/\u{FFFD}/a", arguments: arguments) == FilePath(bytes: [0x2F, 0xE9, 0x2F, 0x61]))
    #expect(FilePath(typed: "m\u{FFFD}", arguments: arguments) == FilePath(bytes: [0x6D, 0xFF]))
    #expect(
      FilePath(typed: "~/\u{FFFD}", arguments: arguments)
        == FilePath(bytes: [0xFE]).map { Environment.home.pushing($0) })
    #expect(FilePath(typed: "other\u{FFFD}", arguments: arguments) == "other\u{FFFD}")
  }
}
