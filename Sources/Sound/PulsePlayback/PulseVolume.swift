// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Platform

/// The volume of a stream, which both the player and the desktop's mixer set.
///
/// Levels are the server's: the cube root of the gain, so that mixers show the player's percentage. A server changes
/// the volume at once, which would click; so the player's changes are made in small steps.
struct PulseVolume {
  /// The level at which samples are unchanged.
  static let full: UInt32 = 0x10000
  /// Levels that differ by no more than that are the same percentage.
  private static let tolerance = full / 200
  /// The length of a step, and the maximum number of steps.
  private static let stepLevel = full / 50
  private static let stepLimit: UInt32 = 12
  /// The time between two steps.
  private static let stepMilliseconds: UInt64 = 10

  /// How long after the mixer has set a level the player may request the same one because of that.
  private static let echoMilliseconds: UInt64 = 300

  /// The level of the stream; `nil` if it is unknown.
  private(set) var level: UInt32?
  /// The level to reach; `nil` if it is reached.
  private var target: UInt32?
  /// How much the level changes at once.
  private var step: UInt32 = full
  /// The earliest instant of the next step.
  private var deadline = MonotonicInstant(nanoseconds: 0)
  /// The number of levels that were sent, and of those, how many before the server was last asked.
  private var sentCount = 0
  private var askedCount = 0
  /// The number of levels that the server has not confirmed yet: until then, it may report an earlier one.
  private var unconfirmedCount = 0
  private var isAnswerReliable = true
  /// The levels that the mixer has set lately.
  private var echoes: [(level: UInt32, deadline: MonotonicInstant)] = []

  /// Returns the level of a gain from 0 to 1.
  static func level(gain: Float) -> UInt32 { UInt32((cbrt(Double(min(max(gain, 0), 1))) * Double(full)).rounded()) }

  private static func areSame(_ first: UInt32?, _ second: UInt32) -> Bool {
    guard let first else { return false }
    // What a mixer amplifies is at full volume for the player.
    return max(first, second) - min(first, second) <= tolerance || first > full && second == full
  }

  /// Records the level that the player wants. If it wants one because the mixer has set that, nothing changes: the
  /// mixer may have set another one since.
  mutating func request(_ level: UInt32, at now: MonotonicInstant) {
    echoes.removeAll { $0.deadline < now }
    if let echo = echoes.firstIndex(where: { Self.areSame($0.level, level) }) {
      return echoes.removeSubrange(...echo)
    }
    echoes = []
    guard !Self.areSame(self.level, level) else { return target = nil }
    target = level
    step = max(Self.stepLevel, Self.distance(self.level ?? level, level) / Self.stepLimit)
  }

  private static func distance(_ first: UInt32, _ second: UInt32) -> UInt32 { max(first, second) - min(first, second) }

  /// Returns the level to send now, if any.
  ///
  /// - Parameter isAudible: Whether anything is playing. If not, the level changes at once.
  mutating func next(at now: MonotonicInstant, isAudible: Bool) -> UInt32? {
    guard let target, now >= deadline || !isAudible else { return nil }
    var next = target
    // A last step that nobody sees would only undo what the mixer has set since the one before it.
    if isAudible, let level, Self.distance(level, target) > step + Self.tolerance {
      next = target > level ? level + step : level - step
      deadline = now.advanced(byMilliseconds: Self.stepMilliseconds)
    } else {
      self.target = nil
    }
    level = next
    sentCount += 1
    unconfirmedCount += 1
    return next
  }

  /// Returns the time until the next step; `nil` if there is none.
  func timeToNext(at now: MonotonicInstant) -> Duration? {
    guard target != nil else { return nil }
    return .nanoseconds(now < deadline ? Int64(clamping: deadline.nanoseconds - now.nanoseconds) : 0)
  }

  /// Records that the server is asked for the level.
  mutating func recordQuestion() { (askedCount, isAnswerReliable) = (sentCount, unconfirmedCount == 0) }

  /// Records that the server has confirmed a level. Returns whether there are no others.
  mutating func recordConfirmation() -> Bool {
    unconfirmedCount = max(0, unconfirmedCount - 1)
    return unconfirmedCount == 0
  }

  /// Records the server's answer. Returns the level if somebody else has set it.
  mutating func recordAnswer(_ level: UInt32, at now: MonotonicInstant) -> UInt32? {
    // What was sent after the question counts: the server reports it as well.
    guard isAnswerReliable, askedCount == sentCount, target == nil, self.level != nil, !Self.areSame(self.level, level)
    else {
      return nil
    }
    self.level = level
    echoes.append((level, now.advanced(byMilliseconds: Self.echoMilliseconds)))
    return level
  }
}
