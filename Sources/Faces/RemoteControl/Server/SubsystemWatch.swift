// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import PlayerFlow
import Synchronization

/// Observes the stores, and reports which subsystems of the protocol have changed.
final class SubsystemWatch: Sendable {
  private let subscriptions: [Subscription]

  /// Starts observing. Calls `announce` with the changed subsystems, on the threads that deliver the changes.
  init(_ player: ControlledPlayer, announce: @escaping @Sendable (Subsystem) -> Void) {
    let queue = LastState<PlayQueue> { before, after in
      var changed: Subsystem = []
      if before.modes != after.modes { changed.insert(.options) }
      if before.itemsVersion != after.itemsVersion { changed.insert(.playlist) }
      if before.current?.id != after.current?.id { changed.insert(.player) }
      return changed
    }
    let playback = LastState<PlaybackState>(Self.changes)
    var subscriptions = [
      player.queue.observe { if let changed = queue.replace($0) { announce(changed) } },
      player.playback.observe { if let changed = playback.replace($0) { announce(changed) } },
    ]
    if let library = player.library {
      let scan = LastState<LibraryState> { before, after in
        var changed: Subsystem = []
        if before.isBusy != after.isBusy { changed.insert(.update) }
        if before.version != after.version { changed.insert(.database) }
        return changed
      }
      subscriptions.append(library.store.observe { if let changed = scan.replace($0) { announce(changed) } })
    }
    self.subscriptions = subscriptions
  }

  private static func changes(_ before: PlaybackState, _ after: PlaybackState) -> Subsystem {
    var changed: Subsystem = []
    if before.volume != after.volume { changed.insert(.mixer) }
    if before.crossfade != after.crossfade || before.replayGain != after.replayGain
      || before.mixRamp != after.mixRamp
    {
      changed.insert(.options)
    }
    if before.isInputStalled != after.isInputStalled { changed.insert(.player) }
    if before.sourceText != after.sourceText { changed.insert(.player) }
    if before.output != after.output || before.outputLossCount != after.outputLossCount
      || before.isOutputStalled != after.isOutputStalled || before.isOutputEnabled != after.isOutputEnabled
      || before.tap != after.tap
    {
      changed.insert(.output)
    }
    let jump = after.position - before.position
    // During playback, the position advances about once a second without being a change.
    let hasJumped = jump < .milliseconds(-200) || jump > .seconds(2)
    if before.phase != after.phase || before.item != after.item || before.startedCount != after.startedCount
      || hasJumped || before.seekCount != after.seekCount
      || before.outputFailureCount != after.outputFailureCount
      || before.problems.last?.number != after.problems.last?.number
    {
      changed.insert(.player)
    }
    return changed
  }
}

/// The last state that was received from a store.
private final class LastState<State: Sendable>: Sendable {
  private let last = Mutex<State?>(nil)
  private let changes: @Sendable (State, State) -> Subsystem

  init(_ changes: @escaping @Sendable (State, State) -> Subsystem) { self.changes = changes }

  /// Replaces the last state by `state`. Returns the subsystems that have changed; `nil` if none has.
  func replace(_ state: State) -> Subsystem? {
    let before = last.withLock { last in
      defer { last = state }
      return last
    }
    guard let before else { return nil }
    let changed = changes(before, state)
    return changed.isEmpty ? nil : changed
  }
}
