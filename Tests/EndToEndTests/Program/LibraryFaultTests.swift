import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// Listings of a library that has changed, or cannot be kept.
  @Suite(.serialized) struct LibraryFaults {
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func `A search that finds nothing says of what`() throws {
      let outcome = try playground.segue("search", "no such thing")
      #expect(outcome.status == 3)
      #expect(outcome.errors.hasPrefix("segue: nothing in "))
      #expect(outcome.errors.hasSuffix(" matches no such thing\n"))
    }

    @Test func `A directory that is there is played where the library is not`() throws {
      let playground = try Playground(isScanned: false)
      try FileManager.default.copyItem(atPath: Playground.canon.string, toPath: playground["Low"])
      let outcome = try playground.segue("play", "Low", "--library", "none", "--output", "raw:out.raw")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try playground.segue("play", "High", "--library", "none").status != 0)
    }

    @Test func `Where none of the library's files can be played, it says how many, and who says why`() throws {
      let playground = try Playground(isScanned: false)
      try playground.directory.write([], to: "music/a.flac")
      try playground.directory.write([], to: "music/b.flac")
      let outcome = try playground.segue("albums", "--library", "music")
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("2 files cannot, and `segue problems` says why"), "\(outcome.errors)")
    }

    @Test func `A search takes any limit and any offset`() throws {
      let most = "\(Int.max)"
      let all = try playground.segue("search", "canon")
      #expect(all.status == 0 && all.lines.count > 1)
      let rest = try playground.segue("search", "canon", "--limit", most, "--offset", "1")
      #expect(rest.status == 0 && rest.lines == Array(all.lines.dropFirst()))
      #expect(try playground.segue("search", "canon", "--limit", most, "--offset", most).output.isEmpty)
    }

    @Test func `Where what changed cannot be kept, what is known answers with a warning`() throws {
      let playground = try Playground(isScanned: false)
      let music = playground["music"]
      try FileManager.default.copyItem(atPath: Playground.music.string, toPath: music)
      let data = playground["data"]
      let options = ["--library", music, "--data-dir", data]
      let known = try playground.run(Playground.program.string, ["albums"] + options)
      #expect(known.status == 0 && known.lines.count > 1)
      // No scan can take its lock.
      try FileManager.default.removeItem(atPath: data + "/library-1.lock")
      try FileManager.default.createDirectory(
        atPath: data + "/library-1.lock", withIntermediateDirectories: false)
      try FileManager.default.createDirectory(atPath: music + "/new", withIntermediateDirectories: false)
      let listed = try playground.run(Playground.program.string, ["albums"] + options)
      #expect(listed.status == 0 && listed.lines == known.lines)
      #expect(listed.errors.hasPrefix("segue: what changed in "))
      #expect(listed.errors.split(separator: "\n").count == 1)
      let scanned = try playground.run(Playground.program.string, ["scan"] + options)
      #expect(scanned.status == 1)
      let played = try playground.run(
        Playground.program.string, ["play", "ground", "--output", "raw:out.raw"] + options)
      #expect(played.status == 0, "\(played.errors)")
    }
  }
}
