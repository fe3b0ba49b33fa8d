import MusicLibrary
import MusicModel
import Platform
import SystemPackage

/// What MPRIS tells of a track, by the keys of the MPRIS v2 metadata guidelines.
struct TrackMetadata: Sendable, Equatable {
  /// What stands behind a key.
  enum Value: Sendable, Equatable {
    case text(String)
    case texts([String])
    case objectPath(String)
    /// Microseconds.
    case time(Int64)
    case number(Int32)
  }

  /// A key with its value.
  struct Entry: Sendable, Equatable {
    let key: String
    let value: Value
  }

  /// How many values of a tag are told.
  private static let valueLimit = 64

  let entries: [Entry]

  /// The metadata of `item`, with this duration, or that of its tags, and this picture; empty for no item.
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
      ("xesam:url", track.path.isAbsolute ? .text(track.path.fileURI) : nil),
    ]
    entries = values.compactMap { key, value in value.map { Entry(key: key, value: $0) } }
  }

  private static func texts(_ texts: [String]) -> Value? {
    texts.isEmpty ? nil : .texts(texts.prefix(valueLimit).map(\.onBus))
  }
}

extension Duration {
  /// How many microseconds have passed whole, as far as the bus has numbers for them.
  var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isStillTooMuch) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return isTooMuch || isStillTooMuch ? (seconds < 0 ? .min : .max) : sum
  }
}
