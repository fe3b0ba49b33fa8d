public import SystemPackage

/// Keeps stickers beside the tracks of a library: values under names that users and programs give.
public protocol StickerRepository: Sendable {
  /// The stickers of a track, by name.
  func stickers(of track: Int64) throws(LibraryError) -> [Sticker]

  /// The tracks within `directory`, a path below the library's directory, that have a sticker of this name with a value
  /// that compares so; by path.
  func stickers(
    _ name: String, within directory: FilePath, _ match: StickerMatch?
  ) throws(LibraryError) -> [(track: Int64, value: String)]

  /// The names that stickers of tracks of this library have, each once, in the order of their bytes.
  func stickerNames() throws(LibraryError) -> [String]

  /// Gives a track a sticker, in the place of one of the same name.
  func set(_ sticker: Sticker, of track: Int64) throws(LibraryError)

  /// Takes the sticker of this name from a track, or all; says whether it had one.
  func removeSticker(_ name: String?, of track: Int64) throws(LibraryError) -> Bool

  /// Counts that the track in the file at `path`, or this segment of it, was played to its end at `time`, in seconds
  /// since 1970.
  ///
  /// Says whether the library has it; of what it has not nothing is counted.
  func countPlay(of path: FilePath, _ segment: TrackSegment?, at time: Int64) throws(LibraryError) -> Bool
}

/// What is kept beside a track under a name.
public struct Sticker: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// A sticker of this name.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// How often the track was played to its end.
  public static let playCount = "playcount"
  /// When it was played last: seconds since 1970.
  public static let lastPlayed = "lastplayed"
  /// How much it is liked.
  public static let rating = "rating"
}

/// How the value of a sticker is compared.
public enum StickerMatch: Sendable, Hashable {
  /// As texts, by their bytes: equal, before, or behind.
  case equals(String)
  /// It comes before, by its bytes.
  case before(String)
  /// It comes behind, by its bytes.
  case behind(String)
  /// It has the text in it.
  case contains(String)
  /// It begins with the text.
  case begins(String)
  /// It is this number.
  case isNumber(Int64)
  /// It is a number below this one.
  case below(Int64)
  /// It is a number above this one.
  case above(Int64)
}
