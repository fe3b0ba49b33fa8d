// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

@Suite struct FilterParserTests {
  private func parse(_ words: String..., search: Bool = false) throws(ProtocolError) -> TrackFilter {
    var parser = FilterParser(ignoresCase: search)
    return try parser.parse(words)
  }

  private func artist(_ text: String, _ comparison: TrackFilter.Comparison = .equals, search: Bool = false)
    -> TrackFilter
  {
    .text(.field(.artist), comparison, text, ignoresCase: search)
  }

  @Test func `Pairs compare whole values, or parts of them for a search`() throws {
    #expect(try parse("artist", "X") == artist("X"))
    #expect(try parse("ARTIST", "X", search: true) == artist("X", .contains, search: true))
    #expect(try parse("artist", "X", "base", "a/b/") == .all([artist("X"), .within("a/b")]))
    #expect(try parse("any", "x") == .text(.anyField, .equals, "x", ignoresCase: false))
    #expect(try parse("file", "a/b.flac") == .file("a/b.flac"))
    #expect(try parse("filename", "b", search: true) == .text(.file, .contains, "b", ignoresCase: true))
    #expect(try parse("comment", "x") == .text(.absentField, .equals, "x", ignoresCase: false))
    #expect(
      try parse("performer", "x") == .text(.field(.additional(.performer)), .equals, "x", ignoresCase: false))
    #expect(try parse("base", "") == .within(""))
    #expect(try parse("added-since", "2020-01-02T03:04:05Z") == .added(since: 1_577_934_245))
    #expect(try parse("modified-since", "1577934245") == .modified(since: 1_577_934_245_000_000_000))
  }

  @Test func `Expressions specify a comparison, and can be nested`() throws {
    #expect(try parse("(artist == \"X\")") == artist("X"))
    #expect(try parse("(artist == 'a\\'b\"c')") == artist("a'b\"c"))
    #expect(try parse("(artist != \"X\")") == .not(artist("X")))
    #expect(try parse("(!(artist contains \"X\"))") == .not(artist("X", .contains)))
    #expect(try parse("(artist !starts_with \"X\")") == .not(artist("X", .begins)))
    #expect(
      try parse("((artist == \"X\") AND (album contains \"Y\"))", search: true)
        == .all([
          artist("X", search: true), .text(.field(.album), .contains, "Y", ignoresCase: true),
        ]))
    #expect(try parse("((artist==\"X\"))") == artist("X"))
    #expect(try parse("(base \"a b\")") == .within("a b"))
    #expect(
      try parse("(AudioFormat =~ \"44100:*:2\")") == .format(rate: 44_100, bits: nil, channels: 2))
    #expect(try parse("(AudioFormat == \"48000:f:1\")") == .format(rate: 48_000, bits: 0, channels: 1))
  }

  @Test(arguments: [
    (["foo", "x"], "Unknown filter type"), (["artist"], "Incorrect number of filter arguments"),
    (["(artist == \"x\") garbage"], "Unparsed garbage after expression"),
    (["(artist == x)"], "Quoted string expected"), (["(artist == \"x)"], "Closing quote not found"),
    (["(artist like \"x\")"], "Unknown filter operator"),
    (["("], "Word expected"),
    (["(artist == \"x\""], "')' expected"), (["((artist == \"x\") OR (a == \"y\"))"], "'AND' expected"),
    (["(!artist == \"x\")"], "'(' expected"), (["base", "../x"], "Bad URI"),
    (["base", "/etc"], "Bad URI"), (["modified-since", "soon"], "Failed to parse date"),
    (["added-since", "2020-02-30"], "Failed to parse date"),
    (["(AudioFormat == \"44100:*:2\")"], "Bad audio format"),
    (["(AudioFormat == \"1:2\")"], "Bad audio format"),
  ]) func `An invalid filter is rejected with a reason`(words: [String], message: String) {
    #expect(throws: ProtocolError(.argument, message)) {
      var parser = FilterParser(ignoresCase: false)
      _ = try parser.parse(words)
    }
  }

  @Test func `In an expression, an invalid directory name counts as a missing directory`() {
    #expect(throws: ProtocolError(.noExist, "No such directory")) { try parse("(base \"../x\")") }
  }

  @Test func `Operators can specify whether case matters`() throws {
    #expect(try parse("(artist eq_cs 'X')", search: true) == artist("X"))
    #expect(try parse("(artist eq_ci 'X')") == artist("X", search: true))
    #expect(try parse("(artist !eq_ci 'X')") == .not(artist("X", search: true)))
    #expect(try parse("(artist contains_ci 'X')") == artist("X", .contains, search: true))
    #expect(try parse("(artist !contains_cs 'X')", search: true) == .not(artist("X", .contains)))
    #expect(try parse("(artist STARTS_WITH_CI 'X')") == artist("X", .begins, search: true))
    #expect(try parse("(artist !starts_with 'X')") == .not(artist("X", .begins)))
    #expect(throws: ProtocolError(.argument, "Unknown filter operator")) { try parse("(artist eq 'X')") }
    #expect(throws: ProtocolError(.argument, "Unknown filter operator")) { try parse("(artist contains_xx 'X')") }
  }

  @Test func `Regular expressions are validated by the parser`() throws {
    #expect(try parse("(artist =~ '^X')") == artist("^X", .matches))
    #expect(try parse("(artist !~ '^X')", search: true) == .not(artist("^X", .matches, search: true)))
    #expect(throws: ProtocolError(.argument, "Bad regular expression: missing closing parenthesis")) {
      try parse("(artist =~ '(')")
    }
  }

  @Test func `Diacritics are ignored on request wherever case is`() throws {
    var parser = FilterParser(ignoresCase: true, ignoresDiacritics: true)
    #expect(
      try parser.parse(["artist", "é"])
        == .text(.field(.artist), .contains, "é", ignoresCase: true, ignoresDiacritics: true))
    #expect(try parser.parse(["(artist eq_cs 'é')"]) == artist("é"))
  }

  @Test func `The depth of parentheses and the number of conditions are limited`() {
    let deep = String(repeating: "(", count: 30_000)
    #expect(throws: ProtocolError(.argument, "Too many parentheses")) { try parse(deep) }
    let negated = String(repeating: "(!", count: 30_000)
    #expect(throws: ProtocolError(.argument, "Too many parentheses")) { try parse(negated) }
    let wide = "(" + [String](repeating: "(artist == \"x\")", count: 2_000).joined(separator: " AND ") + ")"
    #expect(throws: ProtocolError(.argument, "Too many conditions")) { try parse(wide) }
    #expect(throws: ProtocolError(.argument, "Quoted value is too long")) {
      try parse("(artist == \"\(String(repeating: "x", count: 5_000))\")")
    }
  }

  @Test func `Any words are parsed as a filter or rejected`() throws {
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 20_000)) { seed in
      var random = SeededGenerator(seed: seed)
      let pieces = [
        "(", ")", "!", "((", "))", " AND ", "artist", "any", "file", "base", "AudioFormat", "modified-since",
        " == ",
        " != ", " contains ", " starts_with ", " =~ ", " !~ ", " eq_ci ",
        " !contains_cs ", "(a+)+", "[", "\"", "'", "\\", " ", "x", "44100:16:2", "2020-01-01",
        "window", "sort", "-title", "0:5", "9223372036854775808", "é", "..", "/", "path:%FF",
      ]
      let words = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Bool.random(using: &random)
          ? (0..<Int.random(in: 0...24, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
          }.joined()
          : random.hostileText()
      }
      do throws(ProtocolError) {
        _ = try FindRequest(words, ignoresCase: Bool.random(using: &random))
        return nil
      } catch {
        return error.code == .argument && !error.message.isEmpty ? nil : "\(words): \(error)"
      }
    }
    #expect(failure == nil)
  }

  @Test func `Times are read and written in ISO 8601`() {
    #expect(Timestamp.text(seconds: 1_577_934_245) == "2020-01-02T03:04:05Z")
    #expect(Timestamp.text(nanoseconds: 0) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(seconds: -1) == nil && Timestamp.text(seconds: .max) == nil)
    #expect(Timestamp.seconds("2020-01-02") == 1_577_923_200)
    #expect(Timestamp.seconds("2020-01-02T03:04Z") == 1_577_934_240)
    for text in [
      "", "T", "2020", "2020-13-01T", "2020-01-01T25:00", "99999999999999999999", "-5", "2020-1-1T1:1:1:1",
    ]
    where text != "2020" {
      #expect(Timestamp.seconds(text) == nil, "\(text)")
    }
  }
}
