/// What was asked of the engine and is not answered yet: people are shown what they asked for, and not what it still
/// does.
struct PhaseWish: Sendable, Equatable {
  /// The phase that was asked for last, until the engine has answered that.
  private(set) var phase: PlaybackState.Phase?
  /// How often something was asked for.
  private(set) var number: UInt64 = 0

  /// This phase is asked for.
  mutating func ask(for phase: PlaybackState.Phase) {
    self.phase = phase
    number += 1
  }

  /// The engine has obeyed all that was asked for up to `number`.
  mutating func answered(_ number: UInt64) {
    if number >= self.number { phase = nil }
  }

  /// What played has ended by itself meanwhile: nothing is left of it to pause, or to go on with.
  mutating func ended() {
    if phase != .stopped { phase = nil }
  }
}
