import MusicModel

extension ScanSummary {
  /// This summary with what was changed just before.
  func including(_ before: ScanSummary) -> ScanSummary {
    var sum = self
    sum.addedCount += before.addedCount
    sum.changedCount += before.changedCount
    sum.movedCount += before.movedCount
    sum.goneCount += before.goneCount
    sum.leftOutCount = max(leftOutCount, before.leftOutCount)
    sum.unchangedCount -= min(unchangedCount, before.addedCount + before.changedCount + before.movedCount)
    return sum
  }

  /// Adds what was changed in another part of the library.
  mutating func add(_ other: ScanSummary) {
    addedCount += other.addedCount
    changedCount += other.changedCount
    movedCount += other.movedCount
    goneCount += other.goneCount
    unchangedCount += other.unchangedCount
    problemCount += other.problemCount
    leftOutCount += other.leftOutCount
  }
}
