// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

@testable import Playlists

enum PlaylistCheck {
  /// Returns the problem in the playlist in `bytes`, whose file has the suffix `suffix`: in its entries, or in what is
  /// read back after writing it.
  static func problem(in bytes: [UInt8], suffix: String) -> String? {
    guard let playlist = try? PlaylistReader.playlist(in: bytes, of: FilePath("list.\(suffix)")) else { return nil }
    if let problem = TextRules.lineProblem(playlist.title, "the title") { return problem }
    if let problem = TextRules.firstProblem(playlist.entries, problem) { return problem }
    return TextRules.firstProblem(PlaylistFormat.allCases) { problem(of: playlist, as: $0) }
  }

  private static func problem(of entry: PlaylistEntry) -> String? {
    if let duration = entry.duration, duration < .zero { return "an entry has the duration \(duration)" }
    if let number = entry.number, number < 1 { return "an entry has the number \(number)" }
    let texts = [
      entry.title, entry.artist, entry.album, entry.albumArtist, entry.genre, entry.group, entry.comment,
    ]
    return TextRules.lineProblem(texts.compactMap { $0 }, "a text")
  }

  private static func problem(of playlist: Playlist, as format: PlaylistFormat) -> String? {
    _ = PlaylistWriter.bytes(of: playlist, as: format, below: FilePath("/music/lists"))
    let written = PlaylistWriter.bytes(of: playlist, as: format)
    let path = FilePath("list.\(format)")
    guard let reread = try? PlaylistReader.playlist(in: written, of: path) else {
      return "written as \(format), it cannot be read"
    }
    guard reread.entries.count == playlist.entries.count else { return "written as \(format), it has other entries" }
    guard reread.entries.map(\.location) == playlist.entries.map(\.location) else {
      return "written as \(format), it has other locations"
    }
    return reread.title == playlist.title || playlist.title == nil
      ? nil : "written as \(format), it has another title"
  }
}
