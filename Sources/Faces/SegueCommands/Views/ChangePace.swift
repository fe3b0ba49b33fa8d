import QueueFlow

/// When a view is to look at what plays: at each change, or where it shows no positions, at each that is more than a
/// position.
struct ChangePace {
  /// At how many positions in a row it looks all the same: what others have to say is fetched then.
  static let patience = 5

  private let takesEveryPosition: Bool
  private var last: PlaybackState?
  private var passedOver = 0

  init(takesEveryPosition: Bool) { self.takesEveryPosition = takesEveryPosition }

  /// Takes a new state; says whether it is to be looked at.
  mutating func isDue(_ state: PlaybackState) -> Bool {
    guard !takesEveryPosition else { return true }
    defer { last = state }
    guard let last, state.hasMerelyMoved(from: last), passedOver + 1 < Self.patience else {
      passedOver = 0
      return true
    }
    passedOver += 1
    return false
  }
}
