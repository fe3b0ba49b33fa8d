public import SystemPackage

/// What is asked of tracks character by character, as other players' protocols do: true or false of one track.
///
/// A `LibraryQuery` compares words as people do; this compares texts.
public indirect enum TrackFilter: Sendable, Hashable {
  /// Which text is compared.
  public enum Subject: Sendable, Hashable {
    /// A field; where a track has none of it, what stands in for it.
    case field(TrackTag)
    /// Every field.
    case anyField
    /// Where the file is, below the library's directory.
    case file
    /// A field that no track has.
    case absentField
  }

  /// How a text is compared.
  public enum Comparison: Sendable, Hashable {
    /// The text is all of a value.
    case equals
    /// It stands somewhere in a value.
    case contains
    /// A value begins with it.
    case begins
    /// A part of a value matches it as a regular expression of Perl's kind; what is none matches nothing.
    case matches
  }

  /// True of every track.
  case everything
  /// One value of the subject compares so with the text. A text without any character is equal to what a track does not
  /// have. Diacritics are ignored only along with case.
  case text(Subject, Comparison, String, ignoresCase: Bool, ignoresDiacritics: Bool = false)
  /// The file itself, or what lies in the directory, at this path below the library's directory.
  case within(FilePath)
  /// The file at this path below the library's directory.
  case file(FilePath)
  /// The file was changed at this time or later: nanoseconds since 1970.
  case modified(since: Int64)
  /// The track was added at this time or later: seconds since 1970.
  case added(since: Int64)
  /// The sound has this rate in Hz, these bits (0: none) and these channels, as far as they are given.
  case format(rate: Int?, bits: Int?, channels: Int?)
  /// True where the other is not.
  case not(TrackFilter)
  /// True where all are.
  case all([TrackFilter])
}
