import MusicModel
import PlaybackEngine

/// How loud to play, in percent: 0 is silence, 100 leaves every sample as it is.
public struct Volume: Sendable, Hashable {
  /// As it is.
  public static let full = Volume(percent: 100)

  /// 0 to 100.
  public let percent: Int

  /// This volume, or the nearest that there is.
  public init(percent: Int) { self.percent = min(max(percent, 0), 100) }

  /// The factor for samples. It rises with the cube of the percentage, so that equal steps sound about equal.
  public var gain: Float {
    let share = Float(percent) / 100
    return share * share * share
  }

  /// This volume changed by so many percent.
  public func changed(by percent: Int) -> Volume {
    Volume(percent: self.percent + min(max(percent, -100), 100))
  }
}

/// Whether and how long tracks fade into each other.
public struct Crossfade: Sendable, Hashable {
  /// The longest that there is.
  public static let limit = Duration.seconds(30)
  /// None: every track begins where the one before has ended.
  public static let off = Crossfade(duration: .zero, withinAlbums: false)

  /// How long; none where zero.
  public let duration: Duration
  /// Whether tracks of an album that plays in order fade into each other, too.
  public let withinAlbums: Bool

  /// A crossfade of this length, or the nearest up to ``limit``.
  public init(duration: Duration, withinAlbums: Bool) {
    self.duration = min(max(.zero, duration), Self.limit)
    self.withinAlbums = withinAlbums
  }

  /// How `track` goes over into `next`.
  func transition(from track: Track, to next: Track) -> Transition {
    guard duration > .zero, withinAlbums || !track.isContinued(by: next) else { return .gapless }
    return .crossfade(duration)
  }
}

/// What clients ask for of MixRamp: how loud tracks overlap at their ends, by tags that tell where they are how loud.
///
/// It is kept and told. No track has an overlap from it, since those tags are not read: tracks join as ``Crossfade``
/// says.
public struct MixRampSettings: Sendable, Hashable {
  /// How loud tracks are where they overlap, in decibels.
  public var decibels: Double
  /// How much later they overlap, in seconds; `nil` where they are not to.
  public var delay: Double?

  /// Settings of these numbers.
  public init(decibels: Double = 0, delay: Double? = nil) {
    self.decibels = decibels
    self.delay = delay
  }
}
