// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

enum QueryCheck {
  /// Returns the problem in the query with the text in `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    guard let today = ReleaseDate(year: 2026, month: 5, day: 1) else { return "no day" }
    let text = String(decoding: bytes, as: UTF8.self)
    let parser = LibraryQueryParser(today: today)
    let query: LibraryQuery
    do throws(LibraryQueryError) {
      query = try parser.parse(text)
    } catch {
      guard (1...(text.count + 1)).contains(error.column) else { return "an error in column \(error.column)" }
      return error.message.isEmpty ? "an error that says nothing" : nil
    }
    if query != query.normalized { return "it is not in its plainest form" }
    if query.negation.negation.normalized != query.negation.normalized.negation { return "it is not what it negates" }
    guard let again = try? parser.parse(query.description) else { return "\(query.description) is no query" }
    return again == query ? nil : "\(query.description) is another query"
  }
}
