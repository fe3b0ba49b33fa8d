// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

enum QueryCheck {
  /// Returns the problem in the query with the text in `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    guard let today = ReleaseDate(year: 2026, month: 5, day: 1) else { return "cannot create a date" }
    let text = String(decoding: bytes, as: UTF8.self)
    let parser = LibraryQueryParser(today: today)
    let query: LibraryQuery
    do throws(LibraryQueryError) {
      query = try parser.parse(text)
    } catch {
      guard (1...(text.count + 1)).contains(error.column) else { return "an error in column \(error.column)" }
      return error.message.isEmpty ? "an error without a message" : nil
    }
    if query != query.normalized { return "the query is not normalized" }
    if query.negation.negation.normalized != query.negation.normalized.negation {
      return "normalizing the query changes its negation"
    }
    guard let reparsed = try? parser.parse(query.description) else { return "\(query.description) is not a query" }
    return reparsed == query ? nil : "\(query.description) is another query"
  }
}
