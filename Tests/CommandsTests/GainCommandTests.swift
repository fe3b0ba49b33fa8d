// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Testing

@testable import Commands

struct GainCommandTests {
  @Test func `gain takes albums or --all, and options in any order`() throws {
    let gain = try #require(
      try SegueCommand.parseAsRoot(["gain", "a", "--json", "b/c", "--data-dir", "/d"]) as? GainCommand)
    #expect(gain.albums == ["a", "b/c"] && gain.json && !gain.again && !gain.write && !gain.all)
    #expect(gain.library.data.dataDir == "/d")
    let all = try #require(
      try SegueCommand.parseAsRoot(["gain", "--write", "--all", "--again"]) as? GainCommand)
    #expect(all.all && all.write && all.again)
  }

  @Test(arguments: [["gain"], ["gain", "a", "--all"], ["gain", "--nosuch"]])
  func `An invalid command line is refused`(words: [String]) {
    #expect(throws: (any Error).self) { try SegueCommand.parseAsRoot(words) }
  }
}
