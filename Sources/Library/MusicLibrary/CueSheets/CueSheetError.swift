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
