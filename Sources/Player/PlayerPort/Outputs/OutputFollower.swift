// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
package import Platform
package import PlayerFlow
import Synchronization

/// What can be played to on this machine, as it changes. The closures are called on any thread.
package struct OutputSupply: Sendable {
  /// Returns the outputs that are available, and whether there is a sound server. A sound card is also among them by
  /// each of `names` that means it. May block.
  package var available: @Sendable (_ names: [String]) -> (outputs: [AvailableOutput], hasServer: Bool)
  /// Calls a function from now on, on any thread, whenever an output has come or gone. Called once.
  package var follow: @Sendable (_ onChange: @escaping @Sendable () -> Void) -> Void

  package init(
    available: @escaping @Sendable (_ names: [String]) -> (outputs: [AvailableOutput], hasServer: Bool),
    follow: @escaping @Sendable (_ onChange: @escaping @Sendable () -> Void) -> Void
  ) {
    self.available = available
    self.follow = follow
  }
}

/// Follows a list of preferred outputs while the player runs: plays to the first that is available, and pauses if none
/// is. Its thread is started with the first list. Safe to use from any thread.
package final class OutputFollower: Sendable {
  /// The player whose output is changed.
  private struct Target: Sendable {
    var control: OutputControl
    var actions: PlayerActionCreator
    var playback: PlaybackStore
    var subscription: Subscription?
  }

  /// How long after the output was lost another one has been opened, or else the loss is reported, in milliseconds.
  private static let lossTime: UInt64 = 2_000

  private let supply: OutputSupply
  private let clock: any MonotonicClock
  private let worker: Worker<OutputPreferenceRule>
  private let target = Mutex<Target?>(nil)
  private let isStarted = Atomic(false)
  private let hasChanged = Atomic(false)
  private let isLossExplained = Atomic(false)
  private let switchCount = Atomic(0)
  /// The instant from which on the loss of the output is reported; `nil` if none is lost.
  private let lossDeadline = Mutex<MonotonicInstant?>(nil)

  /// Creates a follower of `list`, which may be empty. It has decided for the first output that is available.
  package init(_ list: PreferredOutputs, _ supply: OutputSupply, clock: any MonotonicClock = SystemClock()) {
    (self.supply, self.clock) = (supply, clock)
    let (outputs, hasServer) = list.isEmpty ? ([], false) : supply.available(list.entries)
    let rule = OutputPreferenceRule(list, outputs, hasServer: hasServer)
    worker = Worker(named: "segue-outputs", rule, clock: clock)
  }

  deinit { worker.close() }

  private var rule: OutputPreferenceRule { worker.withPending(\.self) }
  /// The list that is followed, unless the user has chosen another output.
  package var list: PreferredOutputs { rule.list }
  /// Whether the list has entries, and the user has not chosen another output.
  package var isFollowing: Bool { rule.isFollowing }
  /// Whether the list is followed, and nothing of it is available.
  package var isWithoutOutput: Bool { rule.isWithoutOutput }
  /// The output of the list that was decided for last; `nil` if there is none.
  package var output: String? { if case .output(let name)? = rule.target { name } else { nil } }

  /// Begins to change the output of a player. Called once.
  package func begin(_ control: OutputControl, _ actions: PlayerActionCreator, _ playback: PlaybackStore) {
    var control = control
    control.follower = nil
    let subscription = playback.observe { [weak self] in self?.receive($0) }
    target.withLock {
      $0 = Target(control: control, actions: actions, playback: playback, subscription: subscription)
    }
    if !rule.list.isEmpty { start() }
  }

  /// Follows another list from now on.
  package func follow(_ list: PreferredOutputs) {
    if !list.isEmpty { start() }
    let (outputs, hasServer) = list.isEmpty ? ([], false) : supply.available(list.entries)
    let wasFollowing = isFollowing
    worker.post { $0.follow(list, outputs, hasServer: hasServer, at: clock.now) }
    // From now on, the sound server may move the music to another sink.
    if list.isEmpty, wasFollowing { target.withLock(\.self)?.actions.reopenOutput() }
  }

  /// Records that the user has chosen an output, which is used until it is no longer available.
  package func choose(_ name: String) {
    let outputs = rule.list.isEmpty ? nil : supply.available(rule.list.entries + [name]).outputs
    worker.post { $0.choose(name, among: outputs) }
  }

  /// If nothing of the list is available but outputs that have not opened before, such as a card that another program
  /// has used, uses the first of them again. Returns `false` if there is none.
  package func retry() -> Bool { use { $0.forgetFailures(at: clock.now) } }

  /// Uses the next output of the list, because the one for which it has decided did not open. Returns `false` if there
  /// is none, or no list is followed.
  package func skip() -> Bool {
    use { $0.recordFailure(at: clock.now) }
  }

  /// Uses the output that is decided for after `change`. Returns `false` if there is none, or no list is followed.
  private func use(after change: (inout OutputPreferenceRule) -> Void) -> Bool {
    guard isFollowing, let control = target.withLock({ $0?.control }) else { return false }
    let decision = worker.withPending { rule in
      change(&rule)
      return rule.decide(at: clock.now)
    }
    guard case .output(let name)? = decision else { return false }
    return (try? control.use(name) { _ in }) != nil
  }

  /// Starts the thread, unless it is running. Without one, nothing is followed.
  private func start() {
    guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
    try? worker.start { [weak self] in self?.step() }
    supply.follow { [weak self] in
      self?.hasChanged.store(true, ordering: .releasing)
      self?.worker.wake()
    }
  }

  private func step() -> MonotonicInstant? {
    guard let target = target.withLock(\.self) else { return nil }
    if hasChanged.exchange(false, ordering: .acquiring) {
      let names = rule.names
      let (outputs, hasServer) = supply.available(names)
      worker.withPending { rule in
        // Other names may be of interest by now.
        guard rule.names == names else { return hasChanged.store(true, ordering: .releasing) }
        rule.receive(outputs, hasServer: hasServer, at: clock.now)
      }
      if hasChanged.load(ordering: .acquiring) { worker.wake() }
    }
    let (decision, rule) = worker.withPending { ($0.decide(at: clock.now), $0) }
    // While the server is probably restarting, and if nothing happens, the loss is reported: the output is reopened.
    let lossDeadline = self.lossDeadline.withLock(\.self)
    let isLossOverdue = lossDeadline.map { $0 <= clock.now } ?? false
    let explainsLoss = rule.isFollowing && !rule.isServerLost && !isLossOverdue
    if isLossExplained.exchange(explainsLoss, ordering: .relaxed) != explainsLoss {
      target.actions.followOutputs(explainsLoss)
    }
    switch decision {
    case .output(let name):
      try? target.control.use(name) { _ in }
      target.actions.reopenOutput()
    case .nothing:
      target.actions.pauseWithoutOutput()
      // An output that is not of the list may be open.
      target.actions.reopenOutput()
    case nil:
      let state = target.playback.state
      if rule.isWithoutOutput, state.outputLoss != nil { target.actions.pauseWithoutOutput() }
    }
    return [rule.deadline, isLossOverdue ? nil : lossDeadline].compactMap(\.self).min()
  }

  private func receive(_ state: PlaybackState) {
    let count = state.outputSwitch.count
    if switchCount.exchange(count, ordering: .relaxed) != count, state.outputSwitch.failure != nil {
      worker.post { $0.recordFailure(at: clock.now) }
    }
    let isLost = state.outputLoss != nil && state.phase == .playing
    let isChanged = lossDeadline.withLock { deadline in
      defer { deadline = isLost ? deadline ?? clock.now.advanced(byMilliseconds: Self.lossTime) : nil }
      return isLost != (deadline != nil)
    }
    if isChanged { worker.wake() }
  }
}
