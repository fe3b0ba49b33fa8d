// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
public import MusicModel
import Platform

/// Decides which tracks resume where they were left: long ones, audiobooks, and what a query of the user matches.
public struct ResumeRule: Sendable, Equatable {
  /// The genres of audiobooks, in lower case.
  private static let genres: Set<String> = ["audiobook", "audiobooks", "audio book", "audio books", "audio theatre"]

  /// The duration from which on tracks resume; `nil` for none.
  public var minimum: Duration?
  /// Whether a query decides about all other tracks.
  public var hasQuery: Bool

  public init(minimum: Duration?, hasQuery: Bool = false) {
    self.minimum = minimum
    self.hasQuery = hasQuery
  }

  /// Returns whether `track` resumes whatever the query says. A stream never does.
  ///
  /// - Parameter duration: The length as decoded; `nil` if it is not known.
  public func applies(to track: Track, duration: Duration? = nil) -> Bool {
    guard StreamAddress(track.path) == nil else { return false }
    if let minimum, let length = duration ?? track.duration, length >= minimum { return true }
    return track.genres.contains { Self.genres.contains($0.lowercased()) }
  }

  /// Returns whether `track` resumes, or may do so.
  public func mayApply(to track: Track) -> Bool { applies(to: track) || hasQuery && StreamAddress(track.path) == nil }
}

/// A track that resumed where it was left, instead of at its beginning.
public struct Resumption: Sendable, Equatable {
  /// The number of such tracks so far.
  public let number: Int
  public let item: PlayQueue.Item.ID
  public let position: Duration

  static let noticePrefix = "resumed at "

  /// A description for the user.
  public var notice: String { Self.notice(position) }

  /// Returns a description for the user of a track that resumes at `position`.
  public static func notice(_ position: Duration) -> String {
    "\(noticePrefix)\(AudioFormat.clockTime(position)); `segue seek 0` starts from the beginning"
  }
}

/// Resuming tracks where they were left.
extension PlayerReducer {
  /// The maximum number of known positions.
  private static let positionLimit = 32

  /// Returns whether `item` may begin elsewhere than at its beginning.
  func mayResume(_ item: PlayQueue.Item) -> Bool { state.resumeRule?.mayApply(to: item.track) == true }

  /// Looks up where `item` was left, unless that has begun.
  mutating func lookUpPosition(of item: PlayQueue.Item) {
    if state.plan.positions.count >= Self.positionLimit { state.plan.positions = [:] }
    if state.plan.awaitedPositions.insert(item.id).inserted { effects.append(.lookUpPosition(item)) }
  }

  /// Returns whether playback advances to `next` without a gap. Otherwise, the engine ends with the item before, and
  /// `next` is played from where it was left. `nil` if that is not known yet, and is looked up.
  mutating func beginsAtBeginning(_ next: PlayQueue.Item, after item: PlayQueue.Item.ID) -> Bool? {
    guard next.id != item, mayResume(next) else { return true }
    guard let position = state.plan.positions[next.id] else {
      lookUpPosition(of: next)
      return nil
    }
    return position == .zero
  }

  /// Handles the answer where `item` was left.
  mutating func receive(position: Duration, of item: PlayQueue.Item.ID) {
    state.plan.awaitedPositions.remove(item)
    state.plan.positions[item] = position
    if let request = state.plan.request, request.item.id == item, request.awaitsPosition {
      state.plan.request?.awaitsPosition = false
      if position > .zero {
        state.plan.request?.position = position
        report(.resumed(item, at: position))
      }
      playRequest()
    }
    updateNext()
  }
}
