// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// Stores stickers of the tracks of a library: named values that users and programs set.
public protocol StickerRepository: Sendable {
  /// Returns the stickers of a track, by name.
  func stickers(of track: Int64) throws(LibraryError) -> [Sticker]

  /// Returns the tracks within `directory`, relative to the library's directory, that have a sticker of this name, with
  /// its value; by path.
  ///
  /// - Parameter match: The condition on the value, or `nil` for any.
  func stickers(
    _ name: String, within directory: FilePath, _ match: StickerMatch?
  ) throws(LibraryError) -> [(track: Int64, value: String)]

  /// Returns the distinct names of stickers in this library, in byte order.
  func stickerNames() throws(LibraryError) -> [String]

  /// Sets a sticker of a track, replacing one of the same name.
  func set(_ sticker: Sticker, of track: Int64) throws(LibraryError)

  /// Removes the sticker of this name from a track, or all stickers. Returns whether it had any.
  func removeSticker(_ name: String?, of track: Int64) throws(LibraryError) -> Bool

  /// Records that the track in the file at `path`, or this segment of it, was played to its end at `time`, in seconds
  /// since 1970.
  ///
  /// Returns whether the track is in the library. Tracks that are not are not counted.
  func countPlay(of path: FilePath, _ segment: TrackSegment?, at time: Int64) throws(LibraryError) -> Bool
}

/// A named value that is stored with a track.
public struct Sticker: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a sticker of this name.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The name for the number of times that the track was played to its end.
  public static let playCount = "playcount"
  /// The name for the time when it was last played, in seconds since 1970.
  public static let lastPlayed = "lastplayed"
  /// The name for its rating.
  public static let rating = "rating"
}

/// A condition on the value of a sticker. Texts are compared by their bytes.
public enum StickerMatch: Sendable, Hashable {
  /// The value equals the text.
  case equals(String)
  /// The value sorts before the text.
  case before(String)
  /// The value sorts after the text.
  case behind(String)
  /// The value contains the text.
  case contains(String)
  /// The value begins with the text.
  case begins(String)
  /// The value as a number equals this one.
  case isNumber(Int64)
  /// The value as a number is less than this one.
  case below(Int64)
  /// The value as a number is greater than this one.
  case above(Int64)
}
