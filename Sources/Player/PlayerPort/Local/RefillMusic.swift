// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
package import LibraryScanning
package import MusicModel
import Platform
package import PlayerFlow
import UnicodeText

/// Chooses the music that is added to a queue before it ends.
package struct RefillMusic {
  /// The number of tracks that are added at once.
  static let trackCount = 10
  /// The maximum number of tracks or albums from which is chosen.
  private static let candidateLimit = 400
  /// The number of the last items of the queue that are not added again, and of those to which music is similar.
  private static let (recentCount, seedCount) = (1_000, 3)

  private let index: any BrowsableLibrary
  private let language: QueryLanguage
  /// The time in seconds since 1970 since when a track must not have been played.
  private let quietSince: Int64
  private let seed: UInt64

  /// - Parameters:
  ///   - hours: The time within which a track is not played again.
  ///   - now: The time in seconds since 1970.
  ///   - seed: Determines the choice.
  package init(
    index: any BrowsableLibrary, language: QueryLanguage, hours: Int, now: Int64 = WallClock.now / 1_000_000_000,
    seed: UInt64 = .random(in: .min ... .max)
  ) {
    (self.index, self.language, self.seed) = (index, language, seed)
    quietSince = now - Int64(clamping: hours) * 3_600
  }

  /// A track or an album from which is chosen.
  private struct Candidate {
    let tracks: [Track]
    let artist: String
    /// Whether none of it was played lately.
    let isQuiet: Bool
    /// Whether none of it is among the last items of the queue.
    let isNew: Bool
  }

  /// Returns tracks to add after the last item of `queue`. No artist follows itself, unless there is no other.
  package func tracks(for music: KeepPlaying, after queue: PlayQueue) throws(PlayerError) -> [Track] {
    let last = queue.itemsInPlayingOrder(
      from: max(0, queue.items.count - Self.recentCount), count: Self.recentCount
    ).map(\.track)
    let played = queue.current.flatMap { queue.placeInPlayingOrder(of: $0.id) } ?? 0
    let seeds = queue.itemsInPlayingOrder(from: played - Self.seedCount + 1, count: Self.seedCount).map(\.track)
    let found = try LocalPlayer.reading { () throws(LibraryError) in
      let query: LibraryQuery
      switch music.source {
      case .similar: query = try similar(to: seeds)
      case .query(let text):
        do throws(LibraryQueryError) { query = try language.query(text, LibraryFilters()) } catch {
          throw LibraryError(.playlist, "invalid query, \(error)")
        }
      }
      return try candidates(music.unit, query, last, music.source == .similar ? seeds : [])
    }
    // What was played lately is chosen before what is in the queue.
    for isEligible in [{ $0.isQuiet && $0.isNew }, \.isNew, { _ in true }] as [(Candidate) -> Bool] {
      let chosen = choose(found.filter(isEligible), music.unit, after: last.last.map { artist(of: $0) })
      if !chosen.isEmpty { return chosen }
    }
    return []
  }

  /// Returns tracks of candidates, the first of which are preferred.
  private func choose(_ candidates: [Candidate], _ unit: ShuffleUnit, after last: String?) -> [Track] {
    var (rest, last, chosen) = (candidates, last, [Track]())
    while let next = rest.firstIndex(where: { $0.artist != last }) ?? rest.indices.first {
      let candidate = rest.remove(at: next)
      chosen += candidate.tracks
      last = candidate.artist
      if unit == .albums || chosen.count >= Self.trackCount { break }
    }
    return chosen
  }

  private func artist(of track: Track) -> String {
    (track.artists.first ?? track.albumArtists.first ?? "").foldedForMatching
  }

  /// Returns the query for music of the genres of these tracks, or by their artists, or by artists that are played at
  /// the same time.
  private func similar(to seeds: [Track]) throws(LibraryError) -> LibraryQuery {
    let genres = Set(seeds.flatMap(\.genres))
    let neighbours = try neighbours(of: seeds).keys
    let query = LibraryQuery.disjunction(
      genres.sorted().map { .text(.genre, TextPattern($0, kind: .exact)) }
        + neighbours.sorted().map { .text(.artist, TextPattern($0, kind: .exact)) })
    // Nothing is known of tracks without tags.
    return query == .nothing ? .everything : query
  }

  /// Returns the artists that are played together with those of these tracks, with the number of their albums that
  /// were.
  private func neighbours(of seeds: [Track]) throws(LibraryError) -> [String: Int] {
    let artists = Set(seeds.flatMap(\.artists)).sorted()
    return try index.browse(isQuick: false) { try $0.artistsPlayedWith(artists) } ?? [:]
  }

  /// Returns tracks or albums that match `query`, in random order or, with `seeds`, the most similar ones first.
  private func candidates(
    _ unit: ShuffleUnit, _ query: LibraryQuery, _ recent: [Track], _ seeds: [Track]
  ) throws(LibraryError) -> [Candidate] {
    let query = try index.resolved(query)
    let neighbours = seeds.isEmpty ? [:] : try neighbours(of: seeds)
    let known = Set(recent.map { TrackKey($0) })
    let found: [Candidate] =
      try index.browse(isQuick: false) { browser -> [Candidate] in
        let listing = unit == .albums ? LibraryListing.albums : .tracks
        let ids = try browser.ids(of: listing, matching: query, order: .random(seed: seed)).prefix(Self.candidateLimit)
        return try ids.compactMap { id -> Candidate? in
          let tracks = try browser.tracks(unit == .albums ? browser.trackIDs(ofAlbum: id) : [id]).map(\.track)
          guard let first = tracks.first else { return nil }
          let marks = unit == .albums ? try browser.marks(ofAlbum: id) : try browser.marks(ofTrack: id)
          return Candidate(
            tracks: tracks, artist: artist(of: first), isQuiet: (marks?.lastPlayed ?? .min) < quietSince,
            isNew: !tracks.contains { known.contains(TrackKey($0)) })
        }
      } ?? []
    if seeds.isEmpty { return found }
    let scores = found.indices.map { place in
      similarity(found[place].tracks, seeds, neighbours) + Double(found.count - place) / Double(found.count)
    }
    return found.indices.sorted { scores[$0] > scores[$1] }.map { found[$0] }
  }

  /// Returns how similar tracks are to `seeds`: a point for each of genre, decade and artist.
  private func similarity(_ tracks: [Track], _ seeds: [Track], _ neighbours: [String: Int]) -> Double {
    guard let track = tracks.first else { return 0 }
    let sharesGenre = seeds.contains { !Set($0.genres).isDisjoint(with: track.genres) }
    let decades = Set(seeds.compactMap { $0.date.map { $0.year / 10 } })
    let sharesDecade = track.date.map { decades.contains($0.year / 10) } ?? false
    let isNeighbour = track.artists.contains { neighbours[$0] != nil }
    return (sharesGenre ? 1 : 0) + (sharesDecade ? 1 : 0) + (isNeighbour ? 1 : 0)
  }
}

/// What tells apart tracks: the file and the part of it.
private struct TrackKey: Hashable {
  let path: [UInt8]
  let start: Int?

  init(_ track: Track) { (path, start) = (track.path.systemBytes, track.segment.map { Int($0.start) }) }
}
