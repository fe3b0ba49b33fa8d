// SPDX-License-Identifier: GPL-3.0-or-later

@testable import PlayerFlow

/// A player's state, with the effects of the last action.
@dynamicMemberLookup
struct ReducedPlayer {
  private(set) var state = PlayerState()
  private(set) var effects: [PlayerEffect] = []

  @discardableResult
  mutating func reduce(_ action: PlayerAction, audible: SourcePosition?) -> PlayerReduction.Changes {
    let reduction = state.reduce(action, audible: audible)
    effects = reduction.effects
    return reduction.changes
  }

  subscript<Value>(dynamicMember path: KeyPath<PlayerState, Value>) -> Value { state[keyPath: path] }
}
