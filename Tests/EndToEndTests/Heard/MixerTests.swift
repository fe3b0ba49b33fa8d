// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

extension HeardLane {
  /// What the player and the desktop's mixer tell each other through the sound server.
  @Suite(.enabled(if: SoundServer.isInstalled, Comment(rawValue: SoundServer.reason)))
  struct MixerTests {
    @Test func `The mixer shows what plays, and during a call the player pauses`() throws {
      try SoundServer.run { server in
        try server.control("load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=music")
        try Noise(seed: 21, frames: 20 * 44_100)
          .write("album/1.flac", in: server.directory, "TITLE=Canon", "ARTIST=Ensemble")
        let arguments = ["play", server.album.string, "--output", "pulse"]
        try Player.run(arguments, environment: server.environment, in: server.directory) { player in
          _ = try server.awaitSound()
          try waitFor("the title") { try server.playerProperties().contains("media.name = \"Ensemble – Canon\"") }
          try server.call {
            try waitFor("the pause") { try player.status().contains("\"phase\":\"paused\"") }
            // The server ends only a pause that has begun.
            try waitFor("the end of the fade") { try server.playerProperties().contains("Corked: yes") }
          }
          try waitFor("the end of the pause") { try player.status().contains("\"phase\":\"playing\"") }
          player.send(15)
          _ = try player.waitUntilExit(within: 20)
        }
      }
    }
  }
}
