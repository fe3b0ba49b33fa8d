// SPDX-License-Identifier: GPL-3.0-or-later

/// The playback modes of a queue.
public struct QueueModes: Sendable, Hashable {
  /// What happens at the end of the queue.
  public enum Repeat: String, Sendable, Hashable, CaseIterable {
    /// Playback ends.
    case off
    /// The queue starts again; in random order, with a new order.
    case all
    /// The current item repeats; `next` still moves to the next item.
    case one
    /// The current album repeats: the adjacent items of the same album.
    case album
  }

  /// The playing order.
  public enum Random: String, Sendable, Hashable, CaseIterable {
    /// By position.
    case off
    /// Shuffled, each item once.
    case tracks
    /// The albums shuffled, each whole and by position.
    case albums
  }

  /// Whether playback pauses after every item.
  public enum Single: String, Sendable, Hashable, CaseIterable {
    /// Playback does not pause.
    case off
    /// Playback pauses after every item, at the beginning of the next one. If repeat is on, the item repeats instead,
    /// unless it is consumed.
    case on
    /// Playback pauses once, after the current item; then the mode turns off. If repeat is on, or there is no next
    /// item, the mode stays on.
    case once
  }

  /// Where playback stops once.
  public enum StopPoint: String, Sendable, Hashable, CaseIterable {
    /// After the current item.
    case current
    /// After the current album.
    case album
  }

  /// What happens at the end of the queue.
  public var `repeat` = Repeat.off
  /// The playing order.
  public var random = Random.off
  /// Whether playback pauses after every item.
  public var single = Single.off
  /// Whether an item is removed from the queue after playback.
  public var consume = false
  /// Whether ``consume`` turns off after one item has been removed.
  public var consumesOnce = false
  /// Where playback stops once; it is `nil` again afterwards.
  public var stopAfter: StopPoint?

  /// Creates the default modes: everything off.
  public init() {}
}
