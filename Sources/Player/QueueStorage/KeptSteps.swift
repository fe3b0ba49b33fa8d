import MusicModel

/// The steps of a history that are kept, oldest first, by their numbers.
struct KeptSteps {
  private(set) var numbers: [Int64] = []
  private var steps: [KeptQueue.Step] = []

  /// What has to be done for other steps to be kept.
  struct Change {
    /// How many of the oldest go.
    var dropped: Int
    /// How many of the rest stay.
    var kept: Int
    /// What comes behind them.
    var added: ArraySlice<KeptQueue.Step>
  }

  /// What makes these the kept ones. A history grows and shrinks at its end, and loses its oldest steps.
  func change(to new: [KeptQueue.Step]) -> Change {
    var dropped = 0
    if let first = new.first {
      dropped = steps.firstIndex { $0.isSame(as: first) } ?? steps.count
    } else {
      dropped = steps.count
    }
    var kept = 0
    while dropped + kept < steps.count, kept < new.count, steps[dropped + kept].isSame(as: new[kept]) {
      kept += 1
    }
    return Change(dropped: dropped, kept: kept, added: new[kept...])
  }

  /// The numbers of those that go.
  func numbers(goneIn change: Change) -> [Int64] {
    Array(numbers[..<change.dropped] + numbers[(change.dropped + change.kept)...])
  }

  /// The change was made, and what was added is kept under `newNumbers`.
  mutating func apply(_ change: Change, _ newNumbers: [Int64]) {
    let stay = change.dropped..<(change.dropped + change.kept)
    numbers = Array(numbers[stay]) + newNumbers
    steps = Array(steps[stay]) + change.added
  }
}

extension KeptQueue.Step {
  /// Whether both are the same, at little cost where they share their arrays, or are of different sizes.
  fileprivate func isSame(as other: KeptQueue.Step) -> Bool {
    let (one, two) = (contents, other.contents)
    return name == other.name && one.current == two.current && one.heard == two.heard
      && one.title == two.title
      && Self.isSame(one.items, two.items)
      && (one.order == nil) == (two.order == nil) && Self.isSame(one.order ?? [], two.order ?? [])
  }

  private static func isSame(_ one: [QueuePage], _ two: [QueuePage]) -> Bool {
    guard one.count == two.count else { return false }
    let share = unsafe one.withUnsafeBufferPointer { one in
      unsafe two.withUnsafeBufferPointer { two in unsafe one.baseAddress == two.baseAddress }
    }
    return share || one.elementsEqual(two, by: ===)
  }
}
