// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Testing

@testable import LibraryIndex
@testable import LibraryScanning

struct JoinedWordsTests {
  private let rig: ScanRig

  init() throws { rig = try ScanRig() }

  private func joined() throws -> [String] { try rig.rows("SELECT joined || '=' || words FROM joined_word ORDER BY 1") }

  @Test func `A scan writes the words of all names that have something between their letters`() throws {
    try rig.add(
      "Hi-Fi/a.flac",
      [
        ("TITLE", "Don't"), ("ARTIST", "Jay-Z"), ("ARTIST", "R&B"), ("GENRE", "Post-Rock"), ("COMPOSER", "J.S. Bach"),
        ("ARTISTSORT", "Z-Jay"),
      ])
    try rig.add("Hi-Fi/b-c.flac", [])
    try rig.scan()
    let expected = ["bc=b c", "dont=don t", "hifi=hi fi", "jayz=jay z", "js=j s", "postrock=post rock", "rb=r b"]
    #expect(try joined().filter { !$0.hasPrefix("zjay") } == expected.map { "\($0)" })
    try rig.scan()
    try rig.add("Hi-Fi/b-c.flac", [("TITLE", "Ain't")])
    try rig.scan()
    #expect(try joined().contains("aint=ain t"))
    let rows = try joined()
    _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
    #expect(try joined() == rows.filter { $0 != "bc=b c" })
  }

  @Test func `Damage is found, and mended by rereading everything`() throws {
    try rig.add("a.flac", [("TITLE", "Don't"), ("ARTIST", "AC/DC"), ("ALBUM", "T.N.T.")])
    try rig.scan()
    let rows = try joined()
    for damage in ["SET words = 'x' WHERE joined = 'acdc'", "SET joined = 'x' WHERE joined = 'dont'"] {
      try rig.index.write { try $0.execute(sql: "UPDATE joined_word \(damage)") }
      #expect(try rig.index.read { try IndexRepair.problem($0) }?.contains("joined_word") == true)
      _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
      #expect(try joined() == rows)
      try rig.check()
    }
  }

  @Test func `Words with slips are corrected on each side of a slash`() throws {
    try rig.add("a.flac", [("TITLE", "One"), ("ARTIST", "Miles Davis"), ("ALBUM", "Sketches of Spain")])
    try rig.add("b.flac", [("TITLE", "Two"), ("ARTIST", "M-83"), ("ALBUM", "Sketchez")])
    try rig.scan()
    let library = rig.library()
    for (text, albums) in [
      ("mlies davis/sketches of spian", ["Sketches of Spain"]), ("sketches of spian", ["Sketches of Spain"]),
      ("sketchee", ["Sketches of Spain", "Sketchez"]), ("sketches", ["Sketchez"]), ("m84/sketchez", []), ("tow", []),
      ("", []),
      ("/", []), ("sketches of spain", []),
    ] {
      #expect(try library.albums(mistypedAs: text).map(\.title).sorted() == albums, "\(text)")
    }
    #expect(try library.corrections(of: String(repeating: "sketchee ", count: 1_000)).isEmpty)
    #expect(try library.corrections(of: String(repeating: "sketchee ", count: 20)).count == 32)
  }
}
