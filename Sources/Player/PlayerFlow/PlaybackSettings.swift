// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlaybackEngine

/// A volume in percent: 0 is silence, 100 leaves every sample unchanged.
public struct Volume: Sendable, Hashable {
  /// Full volume, 100 %.
  public static let full = Volume(percent: 100)

  /// The percentage, from 0 to 100.
  public let percent: Int

  /// Creates a volume, limiting `percent` to the valid range.
  public init(percent: Int) { self.percent = min(max(percent, 0), 100) }

  /// The gain factor for samples. It is the cube of the fraction, so that equal steps in percent sound about equal.
  public var gain: Float {
    let fraction = Float(percent) / 100
    return fraction * fraction * fraction
  }

  /// Returns this volume changed by `percent` percentage points.
  public func changed(by percent: Int) -> Volume {
    Volume(percent: self.percent + min(max(percent, -100), 100))
  }
}

/// The crossfade between tracks.
public struct Crossfade: Sendable, Hashable {
  /// The maximum length of a crossfade.
  public static let limit = Duration.seconds(30)
  /// No crossfade: each track begins where the previous one ends.
  public static let off = Crossfade(duration: .zero, withinAlbums: false)

  /// The length of the crossfade; zero for none.
  public let duration: Duration
  /// Whether to crossfade even between consecutive tracks of one album.
  public let withinAlbums: Bool

  /// Creates a crossfade of this length, limited to ``limit``.
  public init(duration: Duration, withinAlbums: Bool) {
    self.duration = min(max(.zero, duration), Self.limit)
    self.withinAlbums = withinAlbums
  }

  func transition(from track: Track, to next: Track) -> Transition {
    guard duration > .zero, withinAlbums || !track.isContinued(by: next) else { return .gapless }
    return .crossfade(duration)
  }
}

/// The MixRamp settings of clients: the loudness at which the ends of tracks should overlap, according to tags that
/// describe the loudness over time.
///
/// They are stored and reported, but have no effect, since those tags are not read: tracks are joined according to
/// ``Crossfade``.
public struct MixRampSettings: Sendable, Hashable {
  /// The loudness of tracks where they overlap, in decibels.
  public var decibels: Double
  /// An additional delay before the overlap, in seconds; `nil` if tracks should not overlap.
  public var delay: Double?

  /// Creates MixRamp settings.
  public init(decibels: Double = 0, delay: Double? = nil) {
    self.decibels = decibels
    self.delay = delay
  }
}
