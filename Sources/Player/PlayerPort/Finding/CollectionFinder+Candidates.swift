// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging
import UnicodeText

/// The candidates that are offered if a name could mean several things.
extension CollectionFinder {
  /// The maximum number of albums and of artists that are offered for the name of an artist.
  private static let artistLimit = 30

  /// Returns the error for `text`, which could mean each of `albums`.
  func ambiguity(_ text: String, _ albums: [AlbumName]) throws(PlayerError) -> PlayerError {
    let candidates = try candidates(albums)
    return PlayerError(
      .ambiguous,
      "\"\(text.brief)\" matches \(albums.count) albums: use ARTIST/ALBUM, more of the title, or the directory",
      choices: candidates.map(\.choice), ambiguousText: text, answers: candidates.map(\.answer))
  }

  /// Returns the error for `text` if it is no album, but an artist, whose albums it offers; `nil` if it is not an
  /// artist either.
  func artistError(_ text: String) throws(PlayerError) -> PlayerError? {
    let artists = try library.artists(named: text)
    guard let first = artists.first else { return nil }
    let all = artists.prefix(Self.artistLimit).map { artist in
      (
        choice: "all \(ItemCount.text(artist.trackCount, "track")) of \(artist.name)",
        answer: LibraryQuery.text(.artist, TextPattern(artist.name, kind: .exact)).description
      )
    }
    let pattern = TextPattern(text, kind: text.contains(where: \.isWhitespace) ? .words : .beginning)
    let query = LibraryQuery.text(.artist, pattern).description
    guard artists.count == 1 else {
      return PlayerError(
        .ambiguous,
        "\"\(text.brief)\" is no album, but matches \(artists.count) artists: use one of the listed queries",
        choices: all.map(\.choice), ambiguousText: text, answers: all.map(\.answer))
    }
    let albums = try candidates(library.albums(byArtist: first.name, limit: Self.artistLimit))
    return PlayerError(
      .ambiguous, "\"\(text.brief)\" is an artist, not an album: choose an album, or use \(query.brief) for all tracks",
      choices: all.map(\.choice) + albums.map(\.choice), ambiguousText: text,
      answers: all.map(\.answer) + albums.map(\.answer))
  }

  /// Returns a description of each album, with its artist, year and number of tracks, and the text that names it alone.
  private func candidates(_ names: [AlbumName]) throws(PlayerError) -> [(choice: String, answer: String)] {
    var candidates: [(choice: String, answer: String)] = []
    for name in names {
      let album = try library.album(name.id)
      let details = [
        album?.date.map { "\($0.year)" }, album.map { ItemCount.text($0.tracks.count, "track") },
      ].compactMap(\.self)
      let directories = Set((album?.tracks ?? []).map { $0.path.removingLastComponent() })
      let isUnique = names.count { $0.text == name.text } == 1
      let directory = isUnique || directories.count != 1 ? nil : directories.first
      candidates.append(
        (
          name.text + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"),
          directory?.shown ?? name.text
        ))
    }
    // Albums that are alike in all of this differ in their directories.
    return candidates.map { candidate in
      guard candidates.count(where: { $0.choice == candidate.choice }) > 1,
        let directory = FilePath(candidate.answer).lastComponent?.string
      else { return candidate }
      return ("\(candidate.choice) in \(directory)", candidate.answer)
    }
  }
}

extension Track {
  /// The query that distinguishes the track from others with the same title.
  var distinguishingQuery: String { namesakeQuery.description }

  /// The query for the tracks with the same title, album and artist.
  var namesakeQuery: LibraryQuery {
    var parts: [LibraryQuery] = [.text(.title, TextPattern(title, kind: .exact))]
    if let album, !album.isEmpty { parts.append(.text(.album, TextPattern(album, kind: .exact))) }
    if let artist = artists.first, !artist.isEmpty {
      parts.append(.text(.artist, TextPattern(artist, kind: .exact)))
    }
    return .all(parts)
  }

  /// The description of the track among others with the same title: its artist, album and year.
  var candidateText: String {
    let origin = [artistCredit, album ?? ""].filter { !$0.isEmpty }
    let year = date.map { " (\($0.year))" } ?? ""
    return ([title] + origin).joined(separator: ", ") + year
  }
}
