// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform

/// Decides to which output of a list to play, as outputs come and go. It performs nothing itself.
///
/// A change counts once it has lasted for a while: an output that comes and goes in between does not matter. What the
/// user chooses instead is used until it is no longer available.
package struct OutputPreferenceRule: Sendable {
  /// What to play to.
  package enum Target: Sendable, Hashable {
    case output(String)
    /// Nothing of the list is available: playback is to pause.
    case nothing
  }

  /// How long a change must last, in milliseconds.
  package static let settlingTime: UInt64 = 750
  /// How long the sinks of a server that has ended may be missing, in milliseconds: it is probably restarting.
  static let restartTime: UInt64 = 5_000

  package private(set) var list: PreferredOutputs
  /// What was decided last; `nil` if the user has chosen an output since, or nothing was decided yet.
  package private(set) var target: Target?
  /// Whether the server has ended, and is waited for.
  package private(set) var isServerLost = false
  /// What counts when the change is settled that has happened; `nil` if none has.
  private var pending: (target: Target, deadline: MonotonicInstant)?
  /// What was decided before ``target``.
  private var previous: Target?
  private var available: [AvailableOutput]
  private var hasServer: Bool
  /// The outputs that have not opened since they came. They are left out until they come again, or until
  /// ``forgetFailures(at:)``.
  private var refused: Set<String> = []
  /// The output that the user has chosen, and whether it is one that can be seen to go.
  private var manual: (name: String, isListed: Bool)?

  /// Creates a rule for `list`, which has decided for the first output that is available.
  package init(_ list: PreferredOutputs, _ available: [AvailableOutput], hasServer: Bool) {
    self.list = list
    self.available = available
    self.hasServer = hasServer
    target = wanted
  }

  /// The entries of the list, and the output that the user has chosen.
  package var names: [String] { list.entries + (manual.map { [$0.name] } ?? []) }

  /// Whether the list is followed: it has entries, and the user has not chosen another output.
  package var isFollowing: Bool { !list.isEmpty && manual == nil }

  /// Whether the list is followed, and nothing of it is available.
  package var isWithoutOutput: Bool { isFollowing && target == .nothing }

  /// The earliest instant of the next decision; `nil` if there is none to make.
  package var deadline: MonotonicInstant? { pending?.deadline }

  /// The target as things are now; `nil` if the list is not followed.
  private var wanted: Target? {
    if list.isEmpty { return nil }
    if let manual, !manual.isListed || isAvailable(manual.name) { return nil }
    let current: String? = if case .output(let name)? = target { name } else { nil }
    return list.first(among: available, except: refused, preferring: current).map { .output($0) } ?? .nothing
  }

  private func isAvailable(_ name: String) -> Bool { available.contains { $0.name == name } }

  /// Records what is available now.
  ///
  /// - Parameter hasServer: Whether there is a sound server, whose sinks are among the outputs.
  package mutating func receive(_ available: [AvailableOutput], hasServer: Bool, at now: MonotonicInstant) {
    let wasServerLost = isServerLost
    isServerLost = !hasServer && (isServerLost || self.hasServer)
    self.hasServer = hasServer
    // Its sinks may have gone just before it.
    if isServerLost, !wasServerLost { pending = nil }
    self.available = available
    refused.formIntersection(available.map(\.name))
    update(at: now, after: isServerLost ? Self.restartTime : Self.settlingTime)
  }

  /// Records that the user follows another list from now on.
  package mutating func follow(
    _ list: PreferredOutputs, _ available: [AvailableOutput], hasServer: Bool, at now: MonotonicInstant
  ) {
    (self.list, self.available, self.hasServer) = (list, available, hasServer)
    (manual, refused, pending, isServerLost) = (nil, [], nil, false)
    if list.isEmpty { target = nil }
    update(at: now, after: 0)
  }

  /// Records that the user has chosen an output. If it is the one that the list means, that is followed from now on.
  ///
  /// - Parameter available: What is available now, with this name; `nil` if it is what was available before.
  package mutating func choose(_ name: String, among available: [AvailableOutput]? = nil) {
    if let available { self.available = available }
    (previous, pending, manual) = (target, nil, nil)
    if list.first(among: self.available) == name {
      target = .output(name)
      refused.remove(name)
    } else {
      (target, manual) = (nil, (name, isAvailable(name)))
    }
  }

  /// Records that the output that was chosen last has not opened, so that the one before is used.
  package mutating func recordFailure(at now: MonotonicInstant) {
    if manual == nil, case .output(let name)? = target { refused.insert(name) }
    (manual, target) = (nil, previous)
    update(at: now, after: 0)
  }

  /// Gives the outputs another chance that have not opened since they came.
  package mutating func forgetFailures(at now: MonotonicInstant) {
    refused = []
    update(at: now, after: 0)
  }

  private mutating func update(at now: MonotonicInstant, after milliseconds: UInt64) {
    guard let wanted, wanted != target else { return pending = nil }
    if pending?.target != wanted { pending = (wanted, now.advanced(byMilliseconds: milliseconds)) }
  }

  /// Returns the target if it changes now, otherwise `nil`.
  package mutating func decide(at now: MonotonicInstant) -> Target? {
    guard let (target, deadline) = pending, deadline <= now else { return nil }
    (previous, self.target) = (self.target, target)
    (pending, manual, isServerLost) = (nil, nil, false)
    return target
  }
}
