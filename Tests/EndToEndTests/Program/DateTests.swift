// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The dates of first releases and of editions, and the setting that chooses between them.
  @Suite struct DateTests {
    private let playground: Playground
    private var library: [String: String] { ["SEGUE_LIBRARY": playground["music"]] }

    init() throws {
      playground = try Playground(isScanned: false)
      try add("Moon", [("DATE", "2011"), ("ORIGINALDATE", "1973-03-01")])
      try add("Farm", [("DATE", "1977")])
      try add("Wall", [("DATE", "1994"), ("ORIGINALYEAR", "1979")])
      try add("Cut", [("ORIGINALDATE", "1983")])
      try add("Odd", [("DATE", "2002"), ("ORIGINALDATE", "unknown")])
      #expect(try playground.segue("scan", with: library).status == 0)
    }

    private func add(_ album: String, _ dates: [(String, String)]) throws {
      let tags = [("TITLE", "t"), ("ALBUM", album), ("ARTIST", "Ann"), ("TRACKNUMBER", "1")] + dates
      try playground.directory.write(SoundBytes.flac(tags), to: "music/\(album)/1.flac")
    }

    private func albums(_ query: String...) throws -> [String] {
      let listing = try playground.run(Playground.program.string, ["albums"] + query, with: library).output
      return listing.split(separator: "\n").map { line in
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        return columns.count > 2 ? "\(columns[1]) \(columns[2])" : String(line)
      }
    }

    @Test func `Albums are sorted and shown by the year of their first release, or by that of the edition`() throws {
      #expect(try albums() == ["Moon 1973", "Farm 1977", "Wall 1979", "Cut 1983", "Odd 2002"])
      #expect(try albums("year:1970s") == ["Moon 1973", "Farm 1977", "Wall 1979"])
      #expect(try albums("year:2011") == [])
      try playground.directory.write("dates = \"release\"\n".utf8, to: "home/.config/segue/config.toml")
      #expect(try playground.segue("scan", "--again", with: library).status == 0)
      #expect(try albums() == ["Farm 1977", "Cut 1983", "Wall 1994", "Odd 2002", "Moon 2011"])
      #expect(try albums("year:1970s") == ["Farm 1977"])
      try checkQueriesOfEitherYear()
    }

    @Test func `The years of the first release and of the edition can be asked for`() throws {
      try checkQueriesOfEitherYear()
      #expect(try playground.segue("albums", "originaldate:1973", with: library).errors.contains("originalyear:"))
    }

    private func checkQueriesOfEitherYear() throws {
      #expect(try albums("originalyear:1973").map { $0.prefix(4) } == ["Moon"])
      #expect(try Set(albums("originalyear:1970s").map { $0.prefix(4) }) == ["Moon", "Farm", "Wall"])
      #expect(try albums("released:2002") == ["Odd 2002"])
      #expect(try albums("released:2011").map { $0.prefix(4) } == ["Moon"])
      #expect(try Set(albums("released:1970..2000").map { $0.prefix(4) }) == ["Farm", "Wall"])
      #expect(try albums("released:1983") == [])
      #expect(try Set(albums("released:..").map { $0.prefix(4) }) == ["Moon", "Farm", "Wall", "Odd "])
    }
  }
}
