// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import TestSupport
import Testing

struct LibraryQueryTextTests {
  @Test(arguments: [
    ("  colt*   TRAIN ", "colt TRAIN"), ("( a  or (b c))", "a or b c"), ("(a or b) c", "(a or b) c"),
    ("--a", "\"a\""), ("-a*", "-a*"), ("-a", "-a"), ("-\"a b\"", "-\"a b\""), ("\"or\"*", "\"or\"*"),
    ("=a", "=\"a\""), ("playlist:evening", "playlist:\"evening\""), ("-playlist:\"a \\\"b\"", "-playlist:\"a \\\"b\""),
    ("Artist:=\"a\"", "artist:=\"a\""), ("year:1950..1959", "year:1950s"),
    ("duration:240..3661", "duration:4:00..1:01:01"),
    ("added:2026-1..2026-03-1", "added:2026-01..2026-03-01"), ("added:1d..", "added:2026-03-04.."),
    ("* a", "a"), ("a or *", ""),
    ("-* a", "-*"), ("-(a b)", "-(a b)"), ("-(-a)", "\"a\""), ("rock'n'roll", "rock'n'roll"),
    ("\"a:b\"*", "\"a:b\"*"),
  ])
  func `A query is printed in its simplest form`(text: String, printed: String) throws {
    #expect(try parser().parse(text).description == printed)
  }

  @Test func `A printed query is parsed as the same query`() throws {
    let parser = try parser()
    var random = SeededGenerator(seed: 5)
    for _ in 0..<4_000 {
      let query = LibraryQuery.random(using: &random, depth: 4)
      let text = query.description
      #expect(try parser.parse(text) == query.normalized, "\(text)")
      #expect(query.normalized.normalized == query.normalized)
      #expect(try parser.parse(text).description == text)
    }
  }

  @Test func `Random text is parsed, or is an error at a column within it`() throws {
    let parser = try parser()
    var random = SeededGenerator(seed: 6)
    let pieces = [
      "(", ")", "-", "or ", "\"", "artist:", "year:", "19", "..", "*", "=", "\\", " ", "a", "é", "added:",
      "7d", ":", "\u{301}", "夜",
    ]
    for _ in 0..<4_000 {
      let text = (0..<Int.random(in: 0...16, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      do throws(LibraryQueryError) {
        let query = try parser.parse(text)
        #expect(query == query.normalized, "\(text)")
        #expect(try parser.parse(query.description) == query, "\(text)")
      } catch {
        #expect((1...text.count + 1).contains(error.column), "\(text): \(error)")
      }
    }
  }

  private func parser() throws -> LibraryQueryParser {
    LibraryQueryParser(today: try #require(ReleaseDate(year: 2026, month: 3, day: 5)))
  }
}

extension LibraryQuery {
  /// Returns a random query, simplified or not.
  fileprivate static func random(using random: inout SeededGenerator, depth: Int) -> LibraryQuery {
    switch Int.random(in: 0...(depth > 0 ? 9 : 5), using: &random) {
    case 0, 1, 2:
      let texts = [
        "a", "blue", "or", "OR", "a b", "-x", "x*", "a\"b", "\\", ":", "year:5", "夜曲", "é", "", "\u{301}a",
        "(", "!!!", "=x",
      ]
      let text =
        Bool.random(using: &random) ? random.hostileText() : texts.randomElement(using: &random) ?? ""
      let kinds: [TextPattern.Kind] = [.beginning, .words, .exact]
      return .text(
        TextField.allCases.randomElement(using: &random) ?? .title,
        TextPattern(text, kind: kinds.randomElement(using: &random) ?? .words))
    case 3, 4:
      let scale = [10, 4_000, Int.max].randomElement(using: &random) ?? 1
      func bound() -> Int? {
        Bool.random(using: &random) ? Int.random(in: -scale...scale, using: &random) : nil
      }
      return .number(
        NumberField.allCases.randomElement(using: &random) ?? .year, QueryRange(from: bound(), to: bound()))
    case 5:
      func date() -> ReleaseDate? {
        ReleaseDate(
          year: Int.random(in: 0...9999, using: &random), month: Bool.random(using: &random) ? 2 : nil,
          day: Bool.random(using: &random) ? Int.random(in: 1...31, using: &random) : nil)
      }
      return Bool.random(using: &random)
        ? .everything
        : .date(DateField.allCases.randomElement(using: &random) ?? .added, QueryRange(from: date(), to: date()))
    case 6: return .not(.random(using: &random, depth: depth - 1))
    default:
      let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        LibraryQuery.random(using: &random, depth: depth - 1)
      }
      return Bool.random(using: &random) ? .all(parts) : .any(parts)
    }
  }
}

struct LibraryFiltersQueryTests {
  @Test func `No filters match everything`() {
    #expect(LibraryFilters().query == .everything)
  }

  @Test func `One value of each kind must match, and every kind must match`() {
    var filters = LibraryFilters()
    filters.insert("Jazz", of: .genre)
    filters.insert("Hard Bop", of: .genre)
    filters.insert("1950s", of: .decade)
    #expect(filters.query.description == "(genre:=\"Jazz\" or genre:=\"Hard Bop\") year:1950s")
    filters.insert("flac", of: .format)
    filters.remove("Jazz", of: .genre)
    #expect(filters.query.description == "genre:=\"Hard Bop\" year:1950s format:=\"flac\"")
  }

  @Test(arguments: ["fifties", "1955", "s", "", "-10", "99999999999999999990"])
  func `An invalid decade matches nothing`(text: String) {
    var filters = LibraryFilters()
    filters.insert(text, of: .decade)
    #expect(filters.query == .nothing)
  }
}
