// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import Playlists
import SystemPackage

/// The metadata of a track, with the keys of the MPRIS v2 metadata guidelines.
struct TrackMetadata: Sendable, Equatable {
  /// The value of a metadata key.
  enum Value: Sendable, Equatable {
    case text(String)
    case texts([String])
    case objectPath(String)
    /// A duration in microseconds.
    case time(Int64)
    case number(Int32)
  }

  /// A metadata key and its value.
  struct Entry: Sendable, Equatable {
    let key: String
    let value: Value
  }

  /// The maximum number of values of one key; further ones are omitted.
  private static let valueLimit = 64

  let entries: [Entry]

  /// Creates the metadata of `item`; empty if it is `nil`.
  ///
  /// - Parameters:
  ///   - duration: The duration determined by playback; `nil` to use that of the tags.
  ///   - cover: The file that contains the cover, if there is one.
  init(_ item: PlayQueue.Item?, duration: Duration? = nil, cover: FilePath? = nil) {
    guard let item else {
      entries = []
      return
    }
    let track = item.track
    let values: [(String, Value?)] = [
      ("mpris:trackid", .objectPath(item.objectPath)),
      ("mpris:length", (duration ?? track.duration).map { .time($0.wholeMicroseconds) }),
      ("mpris:artUrl", cover.map { .text($0.fileURI) }),
      ("xesam:title", .text(track.title.onBus)),
      ("xesam:artist", Self.texts(track.artists)),
      ("xesam:album", track.album.map { .text($0.onBus) }),
      ("xesam:albumArtist", Self.texts(track.albumArtists)),
      ("xesam:composer", Self.texts(track.composers)),
      ("xesam:genre", Self.texts(track.genres)),
      ("xesam:trackNumber", track.number.map { .number(Int32(clamping: $0.number)) }),
      ("xesam:discNumber", track.disc.map { .number(Int32(clamping: $0.number)) }),
      ("xesam:url", .text(StreamAddress(track.path)?.description ?? track.path.fileURI)),
    ]
    entries = values.compactMap { key, value in value.map { Entry(key: key, value: $0) } }
  }

  private static func texts(_ texts: [String]) -> Value? {
    texts.isEmpty ? nil : .texts(texts.prefix(valueLimit).map(\.onBus))
  }
}

extension Duration {
  /// The duration in whole microseconds, clamped to the range of `Int64`.
  var wholeMicroseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000) }
}
