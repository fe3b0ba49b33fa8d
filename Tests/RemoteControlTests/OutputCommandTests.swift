// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import PlayerFlow
import TestSupport
import Testing

@testable import RemoteControl

/// Commands for the output and MixRamp.
@Suite struct OutputCommandTests {
  private func enabledState(_ client: inout LineClient) throws -> String? {
    try client.values("outputenabled", "outputs").first
  }

  @Test func `While the output is disabled by a client, playback is paused`() throws {
    let rig = try RemoteRig()
    rig.actions.enqueue(RemoteRig.album(2), item: 0)
    rig.playbackDispatcher.dispatch(.report(.changed(.playing)))
    var client = try LineClient(rig)
    #expect(try enabledState(&client) == "1" && client.values("state", "status") == ["play"])
    #expect(try client.request("disableoutput 0").isEmpty)
    #expect(try enabledState(&client) == "0" && client.values("state", "status") == ["pause"])
    #expect(try client.values("error", "status") == ["All audio outputs are disabled"])
    // Playback stays paused, and the status gives the reason.
    #expect(try client.request("clearerror").isEmpty && client.values("error", "status").isEmpty)
    #expect(try client.request("pause 0").isEmpty && client.values("state", "status") == ["pause"])
    #expect(try client.values("error", "status") == ["All audio outputs are disabled"])
    #expect(try client.request("toggleoutput 0").isEmpty && enabledState(&client) == "1")
    #expect(try client.values("error", "status").isEmpty && client.values("state", "status") == ["pause"])
    #expect(try client.request("pause 0").isEmpty && client.values("state", "status") == ["play"])
    #expect(try client.request("toggleoutput 0").isEmpty && enabledState(&client) == "0")
    #expect(try client.request("enableoutput 0").isEmpty && enabledState(&client) == "1")
  }

  @Test(arguments: ["enableoutput", "disableoutput", "toggleoutput"])
  func `There is only one output`(command: String) throws {
    var client = try LineClient(try RemoteRig())
    #expect(try client.request("\(command) 1") == ["ACK 50 No such audio output"])
    #expect(try client.request("\(command) x") == ["ACK 2 Integer expected: x"])
  }

  @Test func `MixRamp settings are stored and reported`() throws {
    var client = try LineClient(try RemoteRig())
    #expect(try client.values("mixrampdb", "status") == ["0"])
    #expect(try client.values("mixrampdelay", "status").isEmpty)
    #expect(try client.request("mixrampdb -17.5").isEmpty && client.request("mixrampdelay 3").isEmpty)
    #expect(try client.values("mixrampdb", "status") == ["-17.5"])
    #expect(try client.values("mixrampdelay", "status") == ["3"])
    for off in ["nan", "-1"] {
      #expect(try client.request("mixrampdelay 2").isEmpty && client.request("mixrampdelay \(off)").isEmpty)
      #expect(try client.values("mixrampdelay", "status").isEmpty)
    }
    #expect(try client.request("mixrampdb x") == ["ACK 2 Float expected: x"])
    #expect(try client.request("mixrampdelay x") == ["ACK 2 Float expected: x"])
  }
}
