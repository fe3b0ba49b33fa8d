// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Testing

@testable import Commands

struct GainCommandTests {
  @Test func `gain takes albums or --all, and options in any order`() throws {
    let some = try #require(
      try SegueCommand.parseAsRoot(["gain", "a", "--json", "b/c", "--data-dir", "/d"]) as? GainCommand)
    #expect(some.albums == ["a", "b/c"] && some.json && !some.again && !some.write && !some.all)
    #expect(some.data.dataDir == "/d")
    let all = try #require(
      try SegueCommand.parseAsRoot(["gain", "--write", "--all", "--again"]) as? GainCommand)
    #expect(all.all && all.write && all.again)
  }

  @Test(arguments: [["gain"], ["gain", "a", "--all"], ["gain", "--nosuch"]])
  func `An invalid command line is refused`(words: [String]) {
    #expect(throws: (any Error).self) { try SegueCommand.parseAsRoot(words) }
  }
}
