// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Ratings and likes on the command line, and their export.
  @Suite struct RatingTests {
    private let playground: Playground
    private var library: [String: String] { ["SEGUE_LIBRARY": playground["music"]] }

    init() throws {
      playground = try Playground(isScanned: false)
      for (title, artist) in [("Anthem", "Ann"), ("Ballad", "Bob"), ("Coda", "Ann")] {
        let tags = [("TITLE", title), ("ALBUM", "Songs of \(artist)"), ("ARTIST", artist)]
        try playground.directory.write(SoundBytes.flac(tags), to: "music/\(artist)/\(title).flac")
      }
      #expect(try playground.segue("scan", with: library).status == 0)
    }

    private func titles(_ arguments: String...) throws -> [String] {
      try playground.run(Playground.program.string, ["tracks"] + arguments, with: library).output
        .split(separator: "\n").map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[3]) }
    }

    @Test func `Tracks are rated and liked, and found by it`() throws {
      #expect(try playground.segue("rate", "4", "Ballad", with: library).status == 0)
      #expect(try playground.segue("rate", "2.5", "Coda", with: library).status == 0)
      #expect(try playground.segue("like", "Anthem", with: library).status == 0)
      #expect(try titles("rating:4..") == ["Ballad"] && titles("rating:2.5") == ["Coda"])
      #expect(try titles("rating:0") == ["Anthem"] && titles("liked:yes") == ["Anthem"])
      #expect(try Set(titles("* -liked:yes")) == ["Ballad", "Coda"] && titles("plays:1..") == [])
      #expect(try titles("--sort", "rating", "--reverse") == ["Ballad", "Coda", "Anthem"])
      let json = try playground.segue("tracks", "--json", "rating:4", with: library).output
      #expect(json.contains("\"rating\":8") && !json.contains("liked"))
      #expect(try playground.segue("rate", "0", "Ballad", with: library).status == 0)
      #expect(try playground.segue("like", "--remove", "Anthem", with: library).status == 0)
      #expect(try titles("rating:3..") == [])
      let none = try playground.segue("tracks", "liked:yes", with: library)
      #expect(none.status != 0 && none.errors.contains("liked:yes"))
    }

    @Test func `An album is rated as a whole, and found and exported with its rating`() throws {
      let rated = try playground.segue("rate", "--album", "4", "Songs of Ann", with: library)
      #expect(rated.status == 0, "\(rated)")
      #expect(try titles("albumrating:4..") == ["Anthem", "Coda"] && titles("rating:1..") == [])
      #expect(try playground.segue("rate", "1", "Coda", with: library).status == 0)
      let json = try playground.segue("albums", "--json", "ann", with: library).output
      #expect(json.contains("\"rating\":8"), "\(json)")
      #expect(try titles("--sort", "album-rating", "--reverse") == ["Anthem", "Coda", "Ballad"])
      let information = try playground.segue("info", "Coda", with: library).output
      #expect(information.contains("album rating") && information.contains("4 of 5 stars"))
      let lines = try playground.segue("ratings", "export", with: library).output
      #expect(lines.split(separator: "\n").count { $0.contains("\"albumRating\":8") } == 2, "\(lines)")
      #expect(try playground.segue("rate", "--album", "0", "Coda", with: library).status == 0)
      #expect(try titles("albumrating:1..") == [])
      try playground.directory.write(Array(lines.utf8), to: "list")
      #expect(try playground.segue("ratings", "import", playground["list"], with: library).status == 0)
      #expect(try titles("albumrating:4") == ["Anthem", "Coda"])
      let several = try playground.segue("rate", "--album", "4", "genre:x or artist:ann or artist:bob", with: library)
      #expect(several.status != 0 && several.errors.contains("means 2 albums"), "\(several)")
    }

    @Test(arguments: ["4.7", "6", "-1", "good", "", "1e9"])
    func `A rating that there is not is refused`(stars: String) throws {
      let outcome = try playground.segue("rate", "--", stars, "Ballad", with: library)
      #expect(outcome.status == 2 && outcome.errors.contains("steps of 0.5"), "\(outcome)")
      #expect(try titles("rating:0").count == 3)
    }

    @Test func `Ratings are exported, and imported into another library`() throws {
      #expect(try playground.segue("rate", "4.5", "Ballad", with: library).status == 0)
      #expect(try playground.segue("like", "Coda", with: library).status == 0)
      let lines = try playground.segue("ratings", "export", with: library).output
      #expect(lines.split(separator: "\n").count == 2)
      // The same music under other names, and one track that is not there.
      try FileManager.default.moveItem(atPath: playground["music"] + "/Bob", toPath: playground["music"] + "/Robert")
      let other = ["--data-dir", playground["other"]]
      let unknown = "{\"path\":\"/x\",\"title\":\"X\",\"rating\":2}\n"
      try playground.directory.write(Array((lines + unknown).utf8), to: "list")
      #expect(try playground.run(Playground.program.string, ["scan"] + other, with: library).status == 0)
      let imported = try playground.run(
        Playground.program.string, ["ratings", "import", playground["list"]] + other, with: library)
      #expect(imported.status == 0 && imported.errors.contains("not in the library: /x"), "\(imported)")
      let found = try playground.run(
        Playground.program.string, ["tracks", "--json", "rating:1.. or liked:yes"] + other, with: library
      ).output
      #expect(found.contains("\"rating\":9") && found.contains("\"liked\":true") && found.contains("Robert"))
      try playground.directory.write("{\"path\":\"/x\"}\n".utf8, to: "bad")
      let refused = try playground.segue("ratings", "import", playground["bad"], with: library)
      #expect(refused.status == 2 && refused.errors.contains("line 1"))
    }

    @Test func `Without a play, the log and the statistics say so`() throws {
      for arguments in [["history"], ["stats"], ["stats", "--year", "2020"]] {
        let outcome = try playground.run(Playground.program.string, arguments, with: library)
        #expect(outcome.status == 0 && outcome.output.contains("no plays in the play log"), "\(outcome)")
      }
      #expect(try playground.segue("stats", "--json", with: library).output.contains("\"plays\":0"))
      #expect(try playground.segue("history", "clear", with: library).status == 0)
      #expect(try playground.segue("history", "--period", "soon", with: library).status == 2)
    }
  }
}
