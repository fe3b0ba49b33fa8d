public import MusicModel
import UnicodeText

/// Finds the album that a user names. Pure; any thread.
///
/// A query is a title, or an artist and a title with a slash between them ("Miles Davis/Kind of Blue"); spaces
/// around the slash do not count. Case, diacritics and width do not count. Of all readings of the query, those
/// whose *title* answers best decide: the whole title beats its beginning, and that a part of it. Among these, a
/// query that is a title with its slash beats one with an artist, and there the whole artist beats its beginning,
/// and that a part of it.
public struct AlbumFinder: Sendable {
  private let entries: [Entry]

  private struct Entry: Sendable {
    let album: Album
    let titles: [[UInt8]]
    let artists: [[UInt8]]

    init(_ album: Album) {
      self.album = album
      titles = Self.names(album.title, album.sortTitle)
      artists = Self.names(album.artist, album.sortArtist)
    }

    private static func names(_ names: String?...) -> [[UInt8]] {
      names.compactMap { $0.map { [UInt8](folding: $0) } }
    }
  }

  /// A finder among `albums`.
  public init(_ albums: [Album]) {
    entries = albums.map { Entry($0) }
  }

  /// The album that `query` names.
  ///
  /// An artist's name alone finds nothing, but suggests that artist's albums.
  public func find(_ query: String) -> Match<Album> {
    let readings = Self.readings(of: query)
    var best: Rank?
    var answers: [Album] = []
    for entry in entries {
      guard let rank = readings.compactMap({ Rank(entry.titles, entry.artists, $0) }).min() else { continue }
      if let current = best, current < rank { continue }
      if best != rank { answers = [] }
      best = rank
      answers.append(entry.album)
    }
    switch answers.count {
    case 0: return .none(suggestions: suggestions(query))
    case 1: return .found(answers[0])
    default: return .ambiguous(answers)
    }
  }

  /// How well an album answers a reading.
  private struct Rank: Comparable {
    let title: MatchTier
    let artist: Int

    init?(_ titles: [[UInt8]], _ artists: [[UInt8]], _ reading: Reading) {
      guard let title = titles.compactMap({ MatchTier(reading.title, in: $0) }).min() else { return nil }
      self.title = title
      if let wanted = reading.artist {
        guard let artist = artists.compactMap({ MatchTier(wanted, in: $0) }).min() else { return nil }
        self.artist = 1 + artist.rawValue
      } else {
        artist = 0
      }
    }

    static func < (left: Rank, right: Rank) -> Bool {
      (left.title.rawValue, left.artist) < (right.title.rawValue, right.artist)
    }
  }

  /// One way to understand a query.
  private struct Reading {
    let artist: [UInt8]?
    let title: [UInt8]
  }

  /// The whole as a title, and what stands on either side of each slash as artist and title.
  private static func readings(of query: String) -> [Reading] {
    let whole = Reading(artist: nil, title: [UInt8](folding: query))
    let slashes = query.utf8.indices.filter { query.utf8[$0] == UInt8(ascii: "/") }
    // More slashes than any artist has: a path, or nonsense.
    let split = slashes.prefix(16).map { slash in
      Reading(
        artist: [UInt8](folding: String(query[..<slash])),
        title: [UInt8](folding: String(query[query.utf8.index(after: slash)...])))
    }
    return [whole] + split
  }

  private func suggestions(_ query: String) -> [Album] {
    let folded = query.foldedForMatching
    let wanted = Array(folded.utf8)
    let byArtist = entries.filter { $0.artists.contains { MatchTier(wanted, in: $0) != nil } }
    if !byArtist.isEmpty { return byArtist.prefix(3).map(\.album) }
    let title = query.split(separator: "/").last.map { String($0).foldedForMatching } ?? folded
    let titles = entries.map { String(decoding: $0.titles.first ?? [], as: UTF8.self) }
    return Likeness.nearest(to: title, in: titles).map { entries[$0].album }
  }
}
