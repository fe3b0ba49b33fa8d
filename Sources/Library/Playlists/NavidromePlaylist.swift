// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import MusicModel

/// Reads smart playlists of Navidrome: JSON with `all` or `any` of some rules, and `sort`, `order`, `limit`,
/// `limitPercent` and `offset`.
///
/// A rule that Segue's queries cannot express is an error, because the playlist would be another one without it.
/// Source: https://www.navidrome.org/docs/usage/features/smart-playlists/
struct NavidromePlaylist {
  private typealias Problem = SmartPlaylistFile.Problem
  private static let depthLimit = 20

  private let today: ReleaseDate

  static func playlist(_ text: String, today: ReleaseDate) throws(SmartPlaylistFile.Problem) -> SmartPlaylist {
    let content: JSONValue
    do { content = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) } catch {
      throw Problem(reason: "it is not valid JSON")
    }
    guard case .object(let object) = content else { throw Problem(reason: "it is not a JSON object") }
    let entries = Dictionary(object.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    var playlist = SmartPlaylist(try NavidromePlaylist(today: today).group(entries, depth: 0))
    playlist.comment = entries["comment"]?.text
    playlist.order = order(entries["sort"]?.text ?? "title", isReversed: entries["order"]?.text?.lowercased() == "desc")
    playlist.limit = count(entries["limit"]).flatMap { $0 > 0 ? $0 : nil }
    playlist.percent = entries["limitpercent"]?.number.flatMap { $0 > 0 ? min($0, 100) : nil }
    playlist.offset = count(entries["offset"]) ?? 0
    return playlist
  }

  private static func count(_ value: JSONValue?) -> Int? {
    value?.number.flatMap { Int(exactly: $0.rounded()) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns the order. Navidrome skips unknown fields, too.
  private static func order(_ text: String, isReversed: Bool) -> [SmartPlaylist.Order] {
    let keys: [String: LibraryOrder.Key] = [
      "title": .title, "album": .album, "artist": .artist, "albumartist": .artist, "year": .year, "date": .year,
      "originalyear": .year, "originaldate": .year, "dateadded": .added, "duration": .duration, "rating": .rating,
      "albumrating": .albumRating,
      "playcount": .plays, "lastplayed": .played, "skipcount": .skips,
    ]
    return text.split(separator: ",").compactMap { part -> SmartPlaylist.Order? in
      let word = part.filter { !$0.isWhitespace }.lowercased()
      let name = word.drop { $0 == "-" || $0 == "+" }
      if name == "random" { return .random }
      return keys[String(name)].map { .key(LibraryOrder($0, isDescending: word.hasPrefix("-") != isReversed)) }
    }
  }

  /// Returns the query for `all` or `any` of some rules.
  private func group(_ entries: [String: JSONValue], depth: Int) throws(SmartPlaylistFile.Problem) -> LibraryQuery {
    guard depth < Self.depthLimit else { throw Problem(reason: "rules nested more than \(Self.depthLimit) deep") }
    let (all, any) = (entries["all"], entries["any"])
    guard let rules = all ?? any, all == nil || any == nil, case .array(let rules) = rules else {
      throw Problem(reason: "it needs a list of rules, either \"all\" or \"any\"")
    }
    var parts: [LibraryQuery] = []
    for rule in rules {
      guard case .object(let object) = rule else { throw Problem(reason: "a rule is not a JSON object") }
      let entries = Dictionary(object.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
      if entries["all"] != nil || entries["any"] != nil {
        parts.append(try group(entries, depth: depth + 1))
      } else if let (name, arguments) = entries.first, entries.count == 1 {
        parts.append(try query(name, arguments))
      } else {
        throw Problem(reason: "a rule must have exactly one operator")
      }
    }
    return all != nil ? .conjunction(parts) : .disjunction(parts)
  }

  private func query(_ name: String, _ arguments: JSONValue) throws(SmartPlaylistFile.Problem) -> LibraryQuery {
    guard case .object(let object) = arguments, let (key, value) = object.first, object.count == 1 else {
      throw Problem(reason: "the operator \(name) needs exactly one field")
    }
    let field = key.lowercased()
    let found: LibraryQuery?
    if name == "inplaylist" || name == "notinplaylist" {
      found = value.text.map { name == "inplaylist" ? .playlist($0) : .not(.playlist($0)) }
    } else if let text = Self.texts[field] {
      found = value.text.flatMap { Self.text(name, text, $0) }
    } else if field == "loved" {
      found = value.flag.flatMap { isLoved in
        let query = LibraryQuery.number(.liked, QueryRange(from: 1, to: 1))
        return name == "is" || name == "isnot" ? (isLoved == (name == "is") ? query : query.negation) : nil
      }
    } else if let number = Self.numbers[field] {
      found = Self.number(name, number, value)
    } else if let date = Self.dates[field] {
      found = self.date(name, date, value)
    } else {
      throw Problem(reason: "the field \(key) is not known")
    }
    guard let found else {
      throw Problem(reason: "the operator \(name) cannot be used with the field \(key) and this value")
    }
    return found
  }

  private static let texts: [String: LibraryQuery.TextField] = [
    "title": .title, "album": .album, "artist": .artist, "albumartist": .albumArtist, "genre": .genre,
    "composer": .composer, "filepath": .path, "filetype": .format, "codec": .format,
  ]
  private static let numbers: [String: LibraryQuery.NumberField] = [
    "year": .year, "originalyear": .originalYear, "releaseyear": .released, "tracknumber": .track,
    "discnumber": .disc, "duration": .duration, "bitdepth": .bits, "samplerate": .rate, "channels": .channels,
    "rating": .rating, "albumrating": .albumRating, "playcount": .plays, "skipcount": .skips,
  ]
  private static let dates: [String: LibraryQuery.DateField] = ["dateadded": .added, "lastplayed": .played]

  /// Returns the query for a rule on a text field. What Navidrome looks for anywhere in a text is looked for at the
  /// beginning of its words.
  private static func text(_ name: String, _ field: LibraryQuery.TextField, _ text: String) -> LibraryQuery? {
    guard !text.isEmpty else { return nil }
    switch name {
    case "is": return .text(field, TextPattern(text, kind: .exact))
    case "isnot": return .not(.text(field, TextPattern(text, kind: .exact)))
    case "contains": return field == .path ? nil : .text(field, TextPattern(text))
    case "notcontains": return field == .path ? nil : .not(.text(field, TextPattern(text)))
    case "startswith": return field == .path ? .text(field, TextPattern(text)) : nil
    default: return nil
    }
  }

  private static func number(_ name: String, _ field: LibraryQuery.NumberField, _ value: JSONValue) -> LibraryQuery? {
    // Ratings are half stars here.
    func bound(_ value: JSONValue) -> Int? {
      value.number.flatMap { Int(exactly: ($0 * (field.isRating ? 2 : 1)).rounded()) }
    }
    if name == "intherange" {
      guard case .array(let bounds) = value, bounds.count == 2, let lower = bound(bounds[0]),
        let upper = bound(bounds[1])
      else { return nil }
      return LibraryQuery.number(field, QueryRange(from: lower, to: upper)).normalized
    }
    if let isPresent = Self.isPresent(name, value) {
      let query =
        field.domain == nil
        ? LibraryQuery.number(field, QueryRange(from: nil, to: nil)) : .number(field, QueryRange(from: 1, to: nil))
      return isPresent ? query : query.negation
    }
    guard let number = bound(value) else { return nil }
    let (above, below) = (number.addingReportingOverflow(1), number.subtractingReportingOverflow(1))
    switch name {
    case "is": return LibraryQuery.number(field, QueryRange(from: number, to: number)).normalized
    case "isnot": return LibraryQuery.number(field, QueryRange(from: number, to: number)).normalized.negation
    case "gt":
      return above.overflow
        ? .nothing : LibraryQuery.number(field, QueryRange(from: above.partialValue, to: nil)).normalized
    case "lt":
      return below.overflow
        ? .nothing : LibraryQuery.number(field, QueryRange(from: nil, to: below.partialValue)).normalized
    default: return nil
    }
  }

  /// Returns whether a rule asks for what has a value, by `isPresent` and `isMissing` with true or false; `nil` for
  /// another rule.
  private static func isPresent(_ name: String, _ value: JSONValue) -> Bool? {
    guard name == "ispresent" || name == "ismissing", let isTrue = value.flag else { return nil }
    return isTrue == (name == "ispresent")
  }

  private func date(_ name: String, _ field: LibraryQuery.DateField, _ value: JSONValue) -> LibraryQuery? {
    func day(_ value: JSONValue) -> ReleaseDate? {
      let parts = (value.text ?? "").split(separator: "-").map { Int($0) }
      guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
      return ReleaseDate(year: year, month: month, day: day)
    }
    func neighbour(_ date: ReleaseDate, _ days: Int) -> ReleaseDate? {
      ReleaseDate(dayNumber: date.firstDay + days)
    }
    if let isPresent = Self.isPresent(name, value) {
      let query = LibraryQuery.date(field, QueryRange(from: nil, to: nil))
      return isPresent ? query : .not(query)
    }
    switch name {
    case "inthelast", "notinthelast":
      guard let days = value.number.flatMap({ Int(exactly: $0.rounded()) }), (0...1_000_000).contains(days),
        let start = ReleaseDate(dayNumber: today.firstDay - days) ?? ReleaseDate(year: 1)
      else { return nil }
      let query = LibraryQuery.date(field, QueryRange(from: start, to: nil))
      return name == "inthelast" ? query : .not(query)
    case "before":
      return day(value).flatMap { neighbour($0, -1) }.map { .date(field, QueryRange(from: nil, to: $0)) }
    case "after":
      return day(value).flatMap { neighbour($0, 1) }.map { .date(field, QueryRange(from: $0, to: nil)) }
    case "is": return day(value).map { .date(field, QueryRange(from: $0, to: $0)) }
    case "isnot": return day(value).map { .not(.date(field, QueryRange(from: $0, to: $0))) }
    case "intherange":
      guard case .array(let bounds) = value, bounds.count == 2, let lower = day(bounds[0]),
        let upper = day(bounds[1])
      else { return nil }
      return LibraryQuery.date(field, QueryRange(from: lower, to: upper)).normalized
    default: return nil
    }
  }
}

/// A value of JSON.
private enum JSONValue: Decodable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

  /// The number, which may also be written as text.
  var number: Double? {
    switch self {
    case .number(let number): number
    case .text(let text): Double(text)
    default: nil
    }
  }
}
