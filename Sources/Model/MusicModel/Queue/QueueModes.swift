// SPDX-License-Identifier: GPL-3.0-or-later

/// The playback modes of a queue.
public struct QueueModes: Sendable, Hashable {
  /// The repeat mode: what happens at the end of the queue.
  public enum Repeat: String, Sendable, Hashable, CaseIterable {
    /// Playback ends.
    case off
    /// The queue starts again; in random order, with a newly shuffled order.
    case all
    /// The current item repeats; `next` still moves to the next item.
    case one
    /// The current album repeats, that is, the adjacent items of the same album.
    case album
  }

  /// The playing order.
  public enum Random: String, Sendable, Hashable, CaseIterable {
    /// By position.
    case off
    /// Tracks in random order, each of them once.
    case tracks
    /// Albums in random order; the items of each album are played together, by position.
    case albums
  }

  /// Whether playback pauses after every item.
  public enum Single: String, Sendable, Hashable, CaseIterable {
    case off
    /// Playback pauses after every item, at the beginning of the next one. If repeat is on, the item repeats instead,
    /// unless it is consumed.
    case on
    /// Playback pauses once, after the current item; then the mode turns off. If repeat is on, or there is no next
    /// item, the mode stays on.
    case once
  }

  /// The point where playback stops once.
  public enum StopPoint: String, Sendable, Hashable, CaseIterable {
    /// After the current item.
    case current
    /// After the current album.
    case album
  }

  /// The repeat mode: what happens at the end of the queue.
  public var `repeat` = Repeat.off
  /// The playing order.
  public var random = Random.off
  /// Whether playback pauses after every item.
  public var single = Single.off
  /// Whether an item is removed from the queue after playback.
  public var consume = false
  /// Whether ``consume`` turns off after one item has been removed.
  public var consumesOnce = false
  /// The point where playback stops once; it becomes `nil` again afterwards.
  public var stopAfter: StopPoint?

  /// Creates the default modes: everything off.
  public init() {}
}
