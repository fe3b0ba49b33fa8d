// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
public import MusicModel
import Platform
import Playlists
import SystemPackage
import Tagging

extension IndexedLibrary {
  public func resolved(_ query: LibraryQuery) throws(LibraryError) -> LibraryQuery {
    guard query.namesPlaylists else { return query }
    var evaluation = try PlaylistEvaluation(self)
    return try evaluation.resolved(query)
  }

  public func trackIDs(ofSmartPlaylist name: String) throws(LibraryError) -> [Int64] {
    var evaluation = try PlaylistEvaluation(self)
    return try evaluation.trackIDs(ofPlaylist: name)
  }
}

/// Finds the tracks of playlists, which may name each other.
private struct PlaylistEvaluation {
  /// The maximum number of playlists that name each other in turn.
  private static let depthLimit = 50

  private let library: IndexedLibrary
  private let directory: PlaylistDirectory
  private let today: ReleaseDate
  /// The playlists whose tracks are being found, from the outermost to the innermost.
  private var open: [SavedPlaylist] = []
  /// The tracks of the playlists that were found before: one may be named several times.
  private var known: [FilePath: [Int64]] = [:]

  init(_ library: IndexedLibrary) throws(LibraryError) {
    self.library = library
    directory = library.savedPlaylists
    let day = CalendarDay.today
    guard let today = ReleaseDate(year: day.year, month: day.month, day: day.day) else {
      throw LibraryError(.playlist, "the system clock has no valid date")
    }
    self.today = today
  }

  mutating func resolved(_ query: LibraryQuery) throws(LibraryError) -> LibraryQuery {
    try query.replacingPlaylists { name throws(LibraryError) in try trackIDs(ofPlaylist: name) }
  }

  /// Returns the IDs of the tracks of a playlist in order. Entries that are not in the library are left out.
  mutating func trackIDs(ofPlaylist name: String) throws(LibraryError) -> [Int64] {
    let list = try converting { () throws(PlaylistError) in try directory.find(name) }
    if let known = known[list.path] { return known }
    if open.contains(list) {
      let names = (open.drop { $0 != list } + [list]).map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw LibraryError(.playlist, "playlists contain each other: \(names); edit one of them")
    }
    guard open.count < Self.depthLimit else {
      throw LibraryError(.playlist, "playlists contain each other more than \(Self.depthLimit) deep")
    }
    open.append(list)
    defer { open.removeLast() }
    let ids = list.isSmart ? try trackIDs(ofSmart: list) : try trackIDs(ofEntries: list)
    known[list.path] = ids
    return ids
  }

  private mutating func trackIDs(ofSmart list: SavedPlaylist) throws(LibraryError) -> [Int64] {
    var rules = try converting { () throws(PlaylistError) in try directory.rules(of: list, today: today) }
    rules.query = try resolved(rules.query)
    let (smart, seed) = (rules, UInt64(bitPattern: Int64(today.firstDay)) ^ list.name.seed)
    return try library.browse { try $0.trackIDs(of: smart, seed: seed) } ?? []
  }

  private func trackIDs(ofEntries list: SavedPlaylist) throws(LibraryError) -> [Int64] {
    let tracks = try converting { () throws(PlaylistError) in
      try PlaylistLoader(reach: .anywhere, library: library).load(list.path).collection.tracks
    }
    return try library.browse { browser in
      var ids: [Int64] = []
      for track in tracks {
        if let path = library.roots.relative(track.path), let id = try browser.id(of: track, at: path) {
          ids.append(id)
        }
      }
      return ids
    } ?? []
  }

  private func converting<Value>(_ body: () throws(PlaylistError) -> Value) throws(LibraryError) -> Value {
    do throws(PlaylistError) { return try body() } catch { throw LibraryError(.playlist, error.description) }
  }
}

extension String {
  /// A number that is the same for equal text in every process (FNV-1a).
  fileprivate var seed: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
