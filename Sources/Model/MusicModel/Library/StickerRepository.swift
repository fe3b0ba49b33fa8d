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
