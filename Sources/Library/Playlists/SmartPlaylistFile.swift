// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
public import SystemPackage
import TOMLFiles

/// The formats of files with the rules of smart playlists. The raw values are their file name suffixes.
public enum SmartPlaylistFormat: String, Sendable, CaseIterable {
  /// Segue's own format.
  case toml
  /// The format of Navidrome; see ``NavidromePlaylist``.
  case nsp

  /// Creates the format for the suffix of this path, in upper or lower case; `nil` for any other.
  public init?(_ path: FilePath) {
    guard let suffix = path.extension, let format = Self(rawValue: suffix.lowercased()) else { return nil }
    self = format
  }
}

/// Reads and writes the rules of smart playlists.
///
///     query = "rating:4.. genre:jazz"
///     order = "-rating random"
///     limit = 50
public enum SmartPlaylistFile {
  /// The names in a file.
  private enum Name: String, CaseIterable {
    case query, order, limit, minutes, percent, offset, comment
    case perArtist = "per-artist"
    case perAlbum = "per-album"
    case wholeAlbums = "whole-albums"
  }

  /// The maximum size of a file, in bytes.
  static let sizeLimit = 1 << 20
  private static let countRange = 1...Playlist.entryLimit

  /// Returns the playlist whose rules are in the file at `path`, which has these contents.
  ///
  /// - Parameter today: The day from which relative dates in queries count back.
  /// - Throws: `malformed` or `invalid`.
  public static func playlist(
    in contents: [UInt8], of path: FilePath, today: ReleaseDate
  ) throws(PlaylistError) -> SmartPlaylist {
    guard let text = String(validating: contents, as: UTF8.self) else { throw .notAPlaylist(path) }
    do throws(Problem) {
      if SmartPlaylistFormat(path) == .nsp { return try NavidromePlaylist.playlist(text, today: today) }
      return try playlist(try entries(text), today)
    } catch {
      guard let line = error.line else { throw .invalid(path, reason: error.reason) }
      throw .malformed(path, line: line, reason: error.reason)
    }
  }

  private static func entries(_ text: String) throws(Problem) -> [String: TOMLValue] {
    do throws(TOMLError) { return try TOMLDocument.parse(text) } catch {
      throw Problem(reason: error.message, line: error.line)
    }
  }

  /// What is wrong with the rules of a playlist.
  struct Problem: Error {
    let reason: String
    /// The line in which the file is damaged; `nil` if its form is right.
    var line: Int?
  }

  private static func playlist(
    _ entries: [String: TOMLValue], _ today: ReleaseDate
  ) throws(Problem) -> SmartPlaylist {
    var playlist = SmartPlaylist(.everything)
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      guard let name = Name(rawValue: key) else {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(reason: "unknown name \"\(key)\": use \(names)")
      }
      switch name {
      case .query: playlist.query = try query(try text(value, name), today)
      case .comment: playlist.comment = try text(value, name)
      case .order: playlist.order = try order(value)
      case .limit: playlist.limit = try count(value, name)
      case .offset: playlist.offset = try count(value, name)
      case .perArtist: playlist.perArtist = try count(value, name)
      case .perAlbum: playlist.perAlbum = try count(value, name)
      case .minutes: playlist.minutes = try number(value, name, 0...1_000_000)
      case .percent: playlist.percent = try number(value, name, 0...100)
      case .wholeAlbums:
        guard case .flag(let isOn) = value else { throw Problem(reason: "\(key) must be true or false") }
        playlist.hasWholeAlbums = isOn
      }
    }
    if entries[Name.query.rawValue] == nil {
      throw Problem(reason: "it has no query; write query = \"*\" for all tracks")
    }
    return playlist
  }

  /// Returns the query for `text`.
  static func query(_ text: String, _ today: ReleaseDate) throws(Problem) -> LibraryQuery {
    do throws(LibraryQueryError) { return try LibraryQueryParser(today: today).parse(text) } catch {
      throw Problem(reason: "invalid query, \(error)")
    }
  }

  private static func text(_ value: TOMLValue, _ name: Name) throws(Problem) -> String {
    guard case .text(let text) = value else { throw Problem(reason: "\(name.rawValue) must be text") }
    return text
  }

  private static func count(_ value: TOMLValue, _ name: Name) throws(Problem) -> Int {
    guard case .integer(let count) = value, countRange.contains(count) else {
      throw Problem(reason: "\(name.rawValue) must be a number from 1 to \(countRange.upperBound)")
    }
    return count
  }

  private static func number(
    _ value: TOMLValue, _ name: Name, _ range: ClosedRange<Double>
  ) throws(Problem) -> Double {
    let number: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .number(let number): number
      default: nil
      }
    guard let number, number > range.lowerBound, number <= range.upperBound else {
      throw Problem(reason: "\(name.rawValue) must be a number above 0, up to \(Int(range.upperBound))")
    }
    return number
  }

  private static func order(_ value: TOMLValue) throws(Problem) -> [SmartPlaylist.Order] {
    let words: [String?] =
      switch value {
      case .text(let text): text.split { $0.isWhitespace || $0 == "," }.map(String.init)
      case .list(let texts): texts
      default: [nil]
      }
    return try order(words)
  }

  /// Returns the order of these keys.
  static func order(_ words: [String?]) throws(Problem) -> [SmartPlaylist.Order] {
    var orders: [SmartPlaylist.Order] = []
    for word in words {
      guard let order = word.flatMap({ SmartPlaylist.Order($0) }) else {
        let keys = LibraryOrder.Key.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(reason: "unknown order\(word.map { " \"\($0)\"" } ?? ""): use random, \(keys), or - before a key")
      }
      orders.append(order)
    }
    return orders
  }

  /// Returns the contents of a file with these rules. `query` is the text of the query, whose relative dates are to
  /// stay relative.
  public static func contents(of playlist: SmartPlaylist, query: String) -> [UInt8] {
    var lines: [String] = []
    func add(_ name: Name, _ value: String?) {
      if let value { lines.append("\(name.rawValue) = \(value)\n") }
    }
    add(.comment, playlist.comment.map(quoted))
    add(.query, quoted(query))
    if !playlist.order.isEmpty { add(.order, quoted(playlist.order.map(\.text).joined(separator: " "))) }
    add(.offset, playlist.offset > 0 ? "\(playlist.offset)" : nil)
    add(.limit, playlist.limit.map { "\($0)" })
    add(.minutes, playlist.minutes.map { "\($0)" })
    add(.percent, playlist.percent.map { "\($0)" })
    add(.perArtist, playlist.perArtist.map { "\($0)" })
    add(.perAlbum, playlist.perAlbum.map { "\($0)" })
    add(.wholeAlbums, playlist.hasWholeAlbums ? "true" : nil)
    return Array(lines.joined().utf8)
  }

  /// Returns text as a string of TOML.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
