// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// The contents of a cue sheet. Parsing a sheet does no I/O.
///
/// - A track begins at its `INDEX 01`, or at its `INDEX 00` if that is the only one. It ends where the next track of
///   the same file begins, or at the end of the file. So the pregap, between `INDEX 00` and `INDEX 01`, is the end of
///   the previous track, as on a CD that plays through. If the previous track is in another file, the pregap is the
///   beginning of its own track, so that nothing is lost. Anything before the first track of the sheet is not played.
/// - Silence that is not in a file (`PREGAP`, `POSTGAP`) is stored, but not played.
/// - Data tracks are not played, but end the track before them.
/// - Invalid lines are left out and reported in ``problems``: malformed numbers, tracks without an index, and tracks
///   that do not begin after the previous one in the same file.
public struct CueSheet: Sendable, Hashable {
  /// The maximum size of a sheet in bytes. A larger file is not accepted as a cue sheet.
  public static let sizeLimit = 4 << 20
  /// The valid track numbers.
  public static let trackNumbers = 0...9_999
  /// The maximum number of problems that are stored.
  public static let problemLimit = 100

  /// A position in one of the sheet's files.
  public struct Position: Sendable, Hashable {
    /// The index of the file in ``CueSheet/files``.
    public var file: Int
    /// The position from the beginning of the file, in CD frames (75 a second).
    public var frame: Int

    public init(file: Int, frame: Int) {
      self.file = file
      self.frame = frame
    }
  }

  /// The text fields of a track, or of the album if they come before the first track.
  public struct Texts: Sendable, Hashable {
    /// The title (`TITLE`).
    public var title: String?
    /// The performer (`PERFORMER`).
    public var performer: String?
    /// The songwriter or composer (`SONGWRITER`, or `REM COMPOSER`).
    public var songwriter: String?
    /// The values of `REM` lines, by their keys in upper case. If a key is repeated, the last value counts.
    public var remarks: [String: String] = [:]
  }

  /// A track of the sheet.
  public struct Track: Sendable, Hashable {
    /// The track number, one of ``CueSheet/trackNumbers``.
    public var number: Int
    /// Whether the track is an audio track, and not a data track.
    public var isAudio: Bool
    /// The text fields of the track.
    public var texts = Texts()
    /// The recording code of the track (`ISRC`).
    public var isrc: String?
    /// The start of the pregap (`INDEX 00`).
    public var pregapStart: Position?
    /// The start of the track (`INDEX 01`).
    public var start: Position?
    /// The length of the silence before the track (`PREGAP`), in CD frames.
    public var pregap: Int?
    /// The length of the silence after the track (`POSTGAP`), in CD frames.
    public var postgap: Int?

    /// The position at which playback of the track begins; never `nil` in ``CueSheet/tracks``.
    public internal(set) var playbackStart: Position?
  }

  /// A problem in the sheet: an invalid line, or the first line of an invalid track.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The line number, counted from 1.
    public var line: Int
    /// The problem, in words.
    public var reason: String

    /// The line number and the reason.
    public var description: String { "line \(line): \(reason)" }
  }

  /// The text fields of the album.
  public internal(set) var texts = Texts()
  /// The catalogue number of the album (`CATALOG`).
  public internal(set) var catalog: String?
  /// The names of the files, as written in the sheet and without duplicates.
  public internal(set) var files: [String] = []
  /// The tracks in the order of the sheet.
  public internal(set) var tracks: [Track] = []
  /// The problems in the sheet, at most ``problemLimit``.
  public internal(set) var problems: [Problem] = []

  /// Parses the bytes of a `.cue` file, in any encoding that `LegacyText` supports.
  public init(_ bytes: some Collection<UInt8>) throws(CueSheetError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    try self.init(LegacyText.decode(bytes))
  }

  /// Parses the text of a cue sheet, with line breaks of any kind.
  public init(_ text: String) throws(CueSheetError) {
    guard text.utf8.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    var parser = CueParser()
    self = parser.parse(text)
    guard tracks.contains(where: \.isAudio) else { throw .noTracks }
  }

  init() {}
}

/// The reason why input is not accepted as a cue sheet.
public enum CueSheetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sheet is larger than the limit, in bytes.
  case tooLarge(limit: Int)
  /// The sheet has no audio track.
  case noTracks

  /// The reason in words, phrased to end a line.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "not a cue sheet: larger than \(limit >> 20) MiB"
    case .noTracks: "not a cue sheet: it has no audio tracks"
    }
  }
}
