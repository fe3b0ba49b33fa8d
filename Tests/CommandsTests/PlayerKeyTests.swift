// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import Commands
@testable import Screens

struct PlayerKeyTests {
  @Test(
    arguments: [
      .toggle, .stop, .next, .previous, .seek(by: -10), .seek(by: 60), .volume(by: 5), .volume(by: -5),
    ] as [PlayerKey])
  func `A key for another player is a command that needs a running player`(key: PlayerKey) throws {
    let command = try #require(try SegueCommand.command(key.words) as? any PlayerCommand)
    #expect(command.needsRunningPlayer)
  }

  @Test func `Steps have a sign`() {
    #expect(PlayerKey.seek(by: 10).words == ["seek", "+10"])
    #expect(PlayerKey.volume(by: -5).words == ["volume", "-5"])
  }
}
