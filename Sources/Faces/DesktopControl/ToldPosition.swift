import MusicModel
import Platform

/// What who listens on the bus takes the position for: it is told when it jumps, and moves on by itself while something
/// plays.
struct ToldPosition: Sendable {
  /// By how much it may be wrong before it is told again.
  private static let tolerance = Duration.milliseconds(400)

  private var item: PlayQueue.Item.ID?
  private var status = ""
  private var position = Duration.zero
  private var instant = MonotonicInstant(nanoseconds: 0)

  /// Whether the position has to be told, now that it is `position`: then it counts as told. Where another item is
  /// told, or playing goes on or ends, it is asked for.
  mutating func mustTell(_ position: Duration, of snapshot: PlayerSnapshot, at now: MonotonicInstant) -> Bool {
    let isSame = snapshot.item?.id == item && snapshot.status == status
    // An item begins at its beginning, as far as they know.
    let start = snapshot.item?.id == item ? position : .zero
    let expected = isSame ? expected(at: now) : start
    let isWrong = max(expected - position, position - expected) > Self.tolerance
    guard isWrong || !isSame else { return false }
    item = snapshot.item?.id
    status = snapshot.status
    self.position = position
    instant = now
    return isWrong
  }

  private func expected(at now: MonotonicInstant) -> Duration {
    guard status == "Playing", now > instant else { return position }
    return position + .nanoseconds(Int64(clamping: now.nanoseconds - instant.nanoseconds))
  }
}
