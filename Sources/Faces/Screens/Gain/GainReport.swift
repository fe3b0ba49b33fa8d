// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import PlayerPort
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// The loudness measured for an album and its tracks.
package struct GainReport: Sendable, Equatable {
  /// The loudness measured for one track.
  package struct Line: Sendable, Equatable {
    let track: Track
    let loudness: StoredLoudness

    package init(track: Track, loudness: StoredLoudness) {
      self.track = track
      self.loudness = loudness
    }
  }

  let album: GainAlbum
  /// The tracks that could be measured, with their loudness.
  let lines: [Line]

  /// Creates the report of `album`, with a line for each track that could be measured.
  package init(album: GainAlbum, lines: [Line]) {
    self.album = album
    self.lines = lines
  }

  private static let header = ["Track", "Loudness", "Range", "True peak", "Track gain", "Album gain"]

  /// Returns the name of the album, followed by a table with a row for each track and, if the album is complete, one
  /// for the album. Lines are at most `columns` cells wide; `nil` means any width.
  func table(columns: Int?, _ palette: Palette = .plain) -> [String] {
    var rows = [Self.header] + lines.map { row($0) }
    if let albumLoudness = lines.lazy.compactMap(\.loudness.album).first, album.isWhole {
      rows.append([
        "Album", Self.level(albumLoudness.integrated, "LUFS"), "", Self.peak(albumLoudness.truePeak), "",
        Self.gain(albumLoudness.integrated),
      ])
    }
    let table = Table(alignments: [.left, .right, .right, .right, .right, .right], flexible: [0])
    let lines = table.lines(rows, columns: columns)
    return [palette[.heading].applied(to: columns.map { title.truncated(toCells: $0) } ?? title)] + lines
  }

  /// The report in plain style, for screen readers: one line for the album, and one for each track.
  var plainLines: [String] {
    let albumLoudness = lines.lazy.compactMap(\.loudness.album).first
    let albumLine =
      album.isWhole
      ? albumLoudness.map { loudness in
        PlainLine(title).adding(Self.level(loudness.integrated, "LUFS"), as: "loudness")
          .adding(Self.peak(loudness.truePeak), as: "true peak").adding(Self.gain(loudness.integrated), as: "gain")
      } : nil
    return [(albumLine ?? PlainLine(title)).prefixed(with: "album").text]
      + lines.map { line in
        PlainLine(line.track.numberPrefix + line.track.title)
          .adding(Self.level(line.loudness.integrated, "LUFS"), as: "loudness")
          .adding(Self.level(line.loudness.range, "LU"), as: "range")
          .adding(Self.peak(line.loudness.truePeak), as: "true peak")
          .adding(Self.gain(line.loudness.integrated), as: "gain").prefixed(with: "track").text
      }
  }

  private var title: String {
    [album.artist, album.title].compactMap { $0 }.joined(separator: "/").safeForTerminal
  }

  /// The report as JSON: one object per track, without the values that are missing.
  var json: [String] {
    lines.compactMap { JSONText.text(JSONLine($0, in: album)) }
  }

  private func row(_ line: Line) -> [String] {
    let loudness = line.loudness
    return [
      (line.track.numberPrefix + line.track.title).safeForTerminal, Self.level(loudness.integrated, "LUFS"),
      Self.level(loudness.range, "LU"), Self.peak(loudness.truePeak), Self.gain(loudness.integrated),
      album.isWhole ? Self.gain(loudness.album?.integrated) : "",
    ]
  }

  private static func level(_ value: Double?, _ unit: String) -> String {
    guard let value else { return "-" }
    let tenths = Int((min(max(abs(value), 0), 1e6) * 10).rounded())
    return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) \(unit)"
  }

  private static func peak(_ factor: Double) -> String {
    factor > 0 ? Decibels.text(Decibels.level(factor)) : "-"
  }

  private static func gain(_ loudness: Double?) -> String {
    loudness.map { Decibels.text(ReplayGainTags.referenceLoudness - $0) } ?? "-"
  }
}

/// The measurement of a track as `--json` prints it. Loudness is in LUFS, loudness range in LU, gain in dB; for peaks,
/// 1.0 is full scale.
private struct JSONLine: Encodable {
  let path: String
  let title: String
  let artist: String?
  let artists: [String]
  let album: String
  let loudness: Double?
  let range: Double?
  let truePeak: Double
  let trackGain: Double?
  let albumLoudness: Double?
  let albumPeak: Double?
  let albumGain: Double?

  init(_ line: GainReport.Line, in album: GainAlbum) {
    path = line.track.path.string
    title = line.track.title
    artist = line.track.artists.isEmpty ? nil : line.track.artistCredit
    artists = line.track.artists
    self.album = line.track.album ?? album.title
    loudness = line.loudness.integrated
    range = line.loudness.range
    truePeak = line.loudness.truePeak
    trackGain = line.loudness.replayGain.trackGain
    albumLoudness = line.loudness.album?.integrated
    albumPeak = line.loudness.album?.truePeak
    albumGain = line.loudness.replayGain.albumGain
  }
}

/// An album to measure, or a single file.
package struct GainAlbum: Sendable, Equatable {
  /// The title of the album, or of the file.
  package let title: String
  /// The artist of the album, or of the file; `nil` if unknown.
  let artist: String?
  /// The tracks in playing order.
  package let tracks: [Track]
  /// Whether ``tracks`` are all tracks of the album. Only then does the album have a loudness of its own.
  package let isWhole: Bool

  /// Creates an item for all tracks of `album`.
  package init(_ album: Album) {
    title = album.title
    artist = album.artist
    tracks = album.tracks
    isWhole = true
  }

  /// Creates an item for a single file, even if that file holds a whole album.
  package init(file: Track) {
    title = file.title
    artist = file.artists.isEmpty ? nil : file.artistCredit
    tracks = [file]
    isWhole = false
  }
}
