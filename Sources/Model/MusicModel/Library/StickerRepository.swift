// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// Stores stickers: named values that users and programs attach to the tracks of a library.
public protocol StickerRepository: Sendable {
  /// Returns the stickers of a track, sorted by name.
  func stickers(of track: Int64) throws(LibraryError) -> [Sticker]

  /// Returns the tracks inside `directory` that have a sticker of this name, sorted by path, each with the sticker's
  /// value. The directory is relative to the library's directory.
  ///
  /// - Parameter match: The condition on the value; `nil` accepts any value.
  func stickers(
    _ name: String, within directory: FilePath, _ match: StickerMatch?
  ) throws(LibraryError) -> [(track: Int64, value: String)]

  /// Returns the names of the stickers in this library, in byte order and without duplicates.
  func stickerNames() throws(LibraryError) -> [String]

  /// Sets a sticker of a track, replacing the one of the same name.
  func set(_ sticker: Sticker, of track: Int64) throws(LibraryError)

  /// Removes the sticker of this name from a track, or all of its stickers if `name` is `nil`. Returns whether any was
  /// removed.
  func removeSticker(_ name: String?, of track: Int64) throws(LibraryError) -> Bool

  /// Counts a track as played to its end at `time`, in seconds since 1970. The track is the file at `path`, or this
  /// segment of it.
  ///
  /// Returns whether the track is in the library. Other tracks are not counted.
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

  /// The name of the sticker with the number of times that a track was played to its end.
  public static let playCount = "playcount"
  /// The name of the sticker with the time when a track was last played, in seconds since 1970.
  public static let lastPlayed = "lastplayed"
  /// The name of the sticker with a track's rating.
  public static let rating = "rating"
}

/// A condition on the value of a sticker. Text is compared byte by byte.
public enum StickerMatch: Sendable, Hashable {
  /// The value equals the text.
  case equals(String)
  /// The value sorts before the text.
  case sortsBefore(String)
  /// The value sorts after the text.
  case sortsAfter(String)
  case contains(String)
  case hasPrefix(String)
  case equalsNumber(Int64)
  case lessThan(Int64)
  case greaterThan(Int64)
}
