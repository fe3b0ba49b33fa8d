import Platform

/// What a cue sheet says of an album: pure; nothing of the disk is looked at.
///
/// - A track begins at its `INDEX 01`, or where it has none at its `INDEX 00`, and goes on to where the next track of
///   the same file begins, or else to the file's end. So what lies between `INDEX 00` and `INDEX 01`, the pregap, is
///   the end of the track before, as on a CD that plays through. Where the track before is in another file, the pregap
///   is the beginning of its own track, so that nothing is lost. What lies before the first track of all is not played.
/// - Silence that a sheet asks for and no file holds (`PREGAP`, `POSTGAP`) is known, but not played.
/// - Tracks that are data are left out, but end the track before them.
/// - What makes no sense is left out, and is one of the ``problems``: numbers that are none, tracks without an index,
///   and tracks that begin before the one in front of them in the same file.
public struct CueSheet: Sendable, Hashable {
  /// A larger sheet is none, in bytes.
  public static let sizeLimit = 4 << 20
  /// The numbers that tracks have.
  public static let trackNumbers = 0...9_999
  /// The most problems that are kept.
  public static let problemLimit = 100

  /// A place in one of the files.
  public struct Place: Sendable, Hashable {
    /// Which of the ``CueSheet/files``.
    public var file: Int
    /// In CD frames, 75 a second, from the file's beginning.
    public var frame: Int

    /// The place `frame` of the file with this number.
    public init(file: Int, frame: Int) {
      self.file = file
      self.frame = frame
    }
  }

  /// What a sheet says of one track, or of all where it stands before the first.
  public struct Texts: Sendable, Hashable {
    /// `TITLE`.
    public var title: String?
    /// `PERFORMER`.
    public var performer: String?
    /// `SONGWRITER`, or `REM COMPOSER`.
    public var songwriter: String?
    /// `REM` lines by their keys in upper case; the last of several counts.
    public var remarks: [String: String] = [:]
  }

  /// One track.
  public struct Track: Sendable, Hashable {
    /// Its number; one of ``CueSheet/trackNumbers``.
    public var number: Int
    /// Whether it is sound.
    public var isAudio: Bool
    /// What is said of it.
    public var texts = Texts()
    /// `ISRC`.
    public var isrc: String?
    /// `INDEX 00`.
    public var pregapStart: Place?
    /// `INDEX 01`.
    public var start: Place?
    /// `PREGAP`, in CD frames.
    public var pregap: Int?
    /// `POSTGAP`, in CD frames.
    public var postgap: Int?

    /// Where it begins to be played.
    public internal(set) var beginning: Place?
  }

  /// A line that makes no sense, or what is wrong with what it begins.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// What is wrong, in words.
    public var reason: String

    /// The line and the reason.
    public var description: String { "line \(line): \(reason)" }
  }

  /// What is said of the album.
  public internal(set) var texts = Texts()
  /// `CATALOG`.
  public internal(set) var catalog: String?
  /// The files' names as they are written, each once.
  public internal(set) var files: [String] = []
  /// The tracks in the order of the sheet; each begins somewhere.
  public internal(set) var tracks: [Track] = []
  /// What is wrong, at most ``problemLimit``.
  public internal(set) var problems: [Problem] = []

  /// The sheet in the bytes of a `.cue` file, in any encoding that `LegacyText` knows.
  public init(_ bytes: some Collection<UInt8>) throws(CueSheetError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    try self.init(LegacyText.decode(bytes))
  }

  /// The sheet in `text`, whose lines may end in any way.
  public init(_ text: String) throws(CueSheetError) {
    guard text.utf8.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    var parser = CueParser()
    self = parser.parsed(text)
    guard tracks.contains(where: \.isAudio) else { throw .noTracks }
  }

  init() {}
}

/// Why something is no cue sheet.
public enum CueSheetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It has more than so many bytes.
  case tooLarge(limit: Int)
  /// No line of it names a track of a file.
  case noTracks

  /// The reason in words, as the end of a line.
  public var description: String {
    switch self {
    case .tooLarge(let limit): "no cue sheet: more than \(limit >> 20) MiB"
    case .noTracks: "no cue sheet: it names no track of any file"
    }
  }
}
