// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

extension ProgramTests {
  /// The setting `text-encoding`, for tags that do not state the encoding of their text.
  @Suite struct TextEncodingTests {
    @Test func `Scanning again reads the tags of an index that exists in the encoding that is set`() throws {
      let playground = try Playground(isScanned: false)
      func add(_ name: String, _ title: String, _ encoding: LegacyText.Encoding) throws {
        let bytes = try #require(LegacyText.encode(title, as: encoding))
        try playground.directory.write(SoundBytes.wav(info: [("INAM", bytes)]), to: "music/\(name).wav")
      }
      try add("a", "Żółty", .other(.windows1250))
      try add("b", "Noël", .utf8)
      let library = ["SEGUE_LIBRARY": playground["music"]]
      #expect(try playground.segue("scan", with: library).status == 0)
      func listing() throws -> String { try playground.segue("tracks", with: library).output }
      #expect(try !listing().contains("Żółty"))
      try playground.directory.write("text-encoding = \"windows-1250\"\n".utf8, to: "home/.config/segue/config.toml")
      #expect(try playground.segue("scan", "--again", with: library).status == 0)
      #expect(try listing().contains("Żółty") && listing().contains("Noël"))
      try playground.directory.write("text-encoding = \"windows-1251\"\n".utf8, to: "home/.config/segue/config.toml")
      #expect(try playground.segue("scan", "--again", with: library).status == 0)
      #expect(try listing().contains("Їуі") && listing().contains("Noël"))
    }
  }
}
