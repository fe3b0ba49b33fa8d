/// What is asked of a library: a pure value that can be written, read back, stored and combined.
///
/// It is true or false of one track; an album, an artist or a genre answers it where one of its tracks does. Texts
/// compare folded: without regard to case, diacritics and width.
public indirect enum LibraryQuery: Sendable, Hashable {
  /// True of every track.
  case everything
  /// Some text of the track.
  case text(TextField, TextPattern)
  /// A number of the track, within a range.
  case number(NumberField, QueryRange<Int>)
  /// The day on which the track was added.
  case added(QueryRange<ReleaseDate>)
  /// True where the other is not.
  case not(LibraryQuery)
  /// True where all are; at least two.
  case all([LibraryQuery])
  /// True where one is; at least two.
  case any([LibraryQuery])

  /// The texts that can be asked for.
  public enum TextField: String, Sendable, Hashable, CaseIterable {
    /// Title, artist, album, album artist, genre and composer.
    case anywhere = "any"
    /// The track's title.
    case title
    /// The artists of the track, and those of its album.
    case artist
    /// The album's title.
    case album
    /// The artists of the album.
    case albumArtist = "albumartist"
    /// The genres.
    case genre
    /// The composers.
    case composer
    /// Where the file is: its path below the library's directory, byte for byte. It begins with the text, or, as a
    /// whole text, is that, or lies in the directory of that name; words are not asked for in it, so both other kinds
    /// are one.
    case path
    /// The format, as the suffix that people know it by: "flac", "mp3", "ogg", "opus".
    case format
  }

  /// The numbers that can be asked for.
  public enum NumberField: String, Sendable, Hashable, CaseIterable {
    /// The year of release.
    case year
    /// The track's number on its disc.
    case track
    /// The disc's number in its set.
    case disc
    /// How long it lasts, in whole seconds.
    case duration
    /// The sample rate, in Hz.
    case rate
    /// The bits of a sample.
    case bits
    /// The samples of a frame.
    case channels
  }
}
