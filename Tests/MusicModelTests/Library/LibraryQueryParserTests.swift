// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Testing

struct LibraryQueryParserTests {
  let parser: LibraryQueryParser
  let today: ReleaseDate

  init() throws {
    today = try #require(ReleaseDate(year: 2026, month: 3, day: 5))
    parser = LibraryQueryParser(today: today)
  }

  private func failure(_ text: String) -> LibraryQueryError? {
    do throws(LibraryQueryError) {
      _ = try parser.parse(text)
      return nil
    } catch {
      return error
    }
  }

  private static func word(_ text: String, _ kind: TextPattern.Kind = .beginning) -> LibraryQuery {
    .text(.anywhere, TextPattern(text, kind: kind))
  }

  private static func years(_ lower: Int?, _ upper: Int?) -> LibraryQuery {
    .number(.year, QueryRange(from: lower, to: upper))
  }

  @Test(arguments: [
    ("colt", word("colt")), ("colt*", word("colt")), ("\"blue train\"", word("blue train", .words)),
    ("\"blue tra\"*", word("blue tra")), ("=Blue", word("Blue", .exact)), ("=\"a b\"", word("a b", .exact)),
    ("blue train", .all([word("blue"), word("train")])), ("", .everything), ("  ", .everything),
    ("*", .everything),
    ("artist:Miles", .text(.artist, TextPattern("Miles"))),
    ("ARTIST:Miles", .text(.artist, TextPattern("Miles"))),
    ("artist:\"Miles D\"", .text(.artist, TextPattern("Miles D", kind: .words))),
    ("artist:=Miles", .text(.artist, TextPattern("Miles", kind: .exact))),
    ("any:=\"a \\\"b\\\\\"", word("a \"b\\", .exact)),
    ("-live", .not(word("live", .words))), ("-live*", .not(word("live"))), ("--live", word("live", .words)),
    ("-\"live at\"", .not(word("live at", .words))), ("-(live at)", .not(.all([word("live"), word("at")]))),
    ("-title:live", .not(.text(.title, TextPattern("live", kind: .words)))),
    ("- live", word("live")), ("blue - train", .all([word("blue"), word("train")])), ("-", .everything),
    ("a b or c", .any([.all([word("a"), word("b")]), word("c")])), ("a OR b", .any([word("a"), word("b")])),
    ("a (b or c)", .all([word("a"), .any([word("b"), word("c")])])), ("or", word("or")),
    ("a or", .all([word("a"), word("or")])), ("or a", .all([word("or"), word("a")])),
    ("(a or) b", .all([word("a"), word("or"), word("b")])),
    ("a \"or\" b", .all([word("a"), word("or", .words), word("b")])),
    ("a or or", .any([word("a"), word("or")])), ("a or(b)", .any([word("a"), word("b")])),
    ("a order", .all([word("a"), word("order")])),
    ("simon & garfunkel", .all([word("simon"), word("garfunkel")])), ("!!!", word("!!!")),
    ("12\" mix", .all([word("12\""), word("mix")])),
    ("12:34", word("12:34")), ("Re:Zero", word("Re:Zero")),
    ("Trac: a", .all([word("Trac:"), word("a")])),
    ("((a))", word("a")), ("(a b) c", .all([word("a"), word("b"), word("c")])),
    ("year:1957", years(1957, 1957)), ("year:1957..1965", years(1957, 1965)),
    ("year:..1965", years(nil, 1965)),
    ("year:1957..", years(1957, nil)), ("year:1950s", years(1950, 1959)), ("year:..", years(nil, nil)),
    ("year:=\"1957\"", years(1957, 1957)),
    ("track:1..3", .number(.track, QueryRange(from: 1, to: 3))),
    ("duration:3:00..5:30", .number(.duration, QueryRange(from: 180, to: 330))),
    ("duration:240..", .number(.duration, QueryRange(from: 240, to: nil))),
    ("duration:1:00:00", .number(.duration, QueryRange(from: 3600, to: 3600))),
    ("rating:4..", .number(.rating, QueryRange(from: 8, to: nil))),
    ("albumrating:4..", .number(.albumRating, QueryRange(from: 8, to: nil))),
    ("AlbumRating:0", .number(.albumRating, QueryRange(from: 0, to: 0))),
    ("rating:..2.5", .number(.rating, QueryRange(from: 0, to: 5))),
    ("rating:3.5..5", .number(.rating, QueryRange(from: 7, to: nil))), ("rating:0..", .everything),
    ("plays:0", .number(.plays, QueryRange(from: 0, to: 0))),
    ("skips:3..", .number(.skips, QueryRange(from: 3, to: nil))),
    ("liked:yes", .number(.liked, QueryRange(from: 1, to: nil))),
    ("liked:No", .number(.liked, QueryRange(from: 0, to: 0))), ("plays:-5", .nothing),
  ])
  func `Text is parsed as the expected query`(text: String, query: LibraryQuery) throws {
    #expect(try parser.parse(text) == query)
  }

  @Test(
    arguments: [
      ("added:2026", "2026", "2026"), ("added:2026-01..2026-03", "2026-01", "2026-03"),
      ("added:2026-05-01", "2026-05-01", "2026-05-01"), ("added:7d..", "2026-02-26", nil),
      ("added:7d", "2026-02-26", nil),
      ("added:..2w", nil, "2026-02-19"), ("added:1y..", "2025-03-05", nil), ("added:1000000d", "0001", nil),
    ] as [(String, String?, String?)])
  func `Days are parsed`(text: String, lower: String?, upper: String?) throws {
    func date(_ text: String?) -> ReleaseDate? {
      let parts = (text ?? "").split(separator: "-").compactMap { Int($0) }
      return parts.first.flatMap {
        ReleaseDate(year: $0, month: parts.count > 1 ? parts[1] : nil, day: parts.count > 2 ? parts[2] : nil)
      }
    }
    for field in LibraryQuery.DateField.allCases {
      let text = text.replacing("added", with: field.rawValue)
      #expect(try parser.parse(text) == .date(field, QueryRange(from: date(lower), to: date(upper))))
    }
  }

  @Test(arguments: [
    ("blue artst:x", 6, "artist:"), ("yer:1957", 1, "year:"), ("length:4", 1, "duration:"),
    ("\"blue", 1, "unclosed"),
    ("a (b", 3, "unclosed"), ("a )", 3, "unmatched closing"), ("a ()", 3, "empty parentheses"),
    ("a \"\"", 3, "empty quotation marks"),
    ("artist: x", 8, "needs a value"), ("artist:", 8, "needs a value"), ("year:abc", 6, "1957..1965"),
    ("é year:x", 8, "1957"),
    ("e\u{301} year:x", 8, "1957"), ("year:1965..1957", 6, "ends before"), ("duration:3:99", 10, "4:30"),
    ("track:99999999999999999999", 7, "number"), ("duration:9223372036854775807:00", 10, "4:30"),
    ("added:soon", 7, "2026"), ("rating:4.7", 8, "steps of 0.5"), ("rating:6", 8, "0 to 5"),
    ("rating:5.5", 8, "0 to 5"),
    ("rating:good", 8, "0 to 5"), ("liked:maybe", 7, "yes or no"), ("plays:many", 7, "number"),
    ("playcount:3", 1, "plays:"), ("loved:yes", 1, "liked:"), ("played:never", 8, "2026"),
    ("added:2026-13", 7, "2026"), ("year:-", 6, "1957"), ("title:\"", 7, "unclosed"),
    ("rate:44k", 6, "invalid rate: use a number"), ("a foo:bar", 3, "unknown field foo"),
    ("http://x", 1, "put the text in quotation marks"), ("-foo:\"a b\"", 2, "unknown field foo"),
  ])
  func `An error gives its column and the correct form`(text: String, column: Int, part: String) throws {
    let error = try #require(failure(text))
    #expect(error.column == column)
    #expect(error.message.contains(part), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test func `Very deep or long queries are parsed or rejected`() throws {
    #expect(failure(String(repeating: "(", count: 10_000))?.column == LibraryQueryParser.maximumDepth + 1)
    #expect(failure(String(repeating: "-(", count: 5_000))?.message.contains("20") == true)
    #expect(try parser.parse(String(repeating: "-", count: 10_000)) == .everything)
    #expect(try parser.parse(String(repeating: "-", count: 10_001) + "a") == .not(Self.word("a", .words)))
    // Duplicate terms are merged.
    #expect(try parser.parse(String(repeating: "ab ", count: 256)) == Self.word("ab"))
    let both = LibraryQuery.all([Self.word("a"), Self.word("b")])
    #expect(try parser.parse("a b a or b or a b") == .any([both, Self.word("b")]))
    let many = (0..<257).map { "\($0 + 100) " }.joined()
    #expect(failure(many)?.column == 256 * 4 + 1)
    #expect(failure(many)?.message == "too many terms: use at most 256")
    #expect(failure(String(repeating: "a", count: 20_001))?.column == 20_001)
    #expect(failure(String(repeating: "\"\\", count: 5_000))?.message.contains("unclosed") == true)
    let nested = String(repeating: "-(a or ", count: 20) + "b" + String(repeating: ")", count: 20)
    #expect(try parser.parse(parser.parse(nested).description) == parser.parse(nested))
  }
}
